"""The pages of battles: the list, and a single battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from battles import projection as battles_projection
from battles.models import Battle, Claim
from campaign.log import selectors
from campaign.log.acts.battles import CLAIM, SOLO
from campaign.log.selectors import Line
from campaign.models import LogEntry
from campaign.practice import model_decides
from engine.language import sentence
from web.battles.acts import FormState
from web.battles.claims import (
    ClaimSheet,
    DisputeForm,
    claim_refusal,
    claim_sheet,
    dispute_form,
    typed_reason,
)
from web.battles.contract import (
    BattleForms,
    BattleRecord,
    Commands,
    FormValues,
    Reading,
    TitleBattle,
    TypedOnPage,
)
from web.battles.evidence import EvidenceItem, EvidenceSheet, evidence_item, evidence_sheet
from web.battles.forms import AnswerForm, ResultForm, ShownForm
from web.battles.lobby import (
    AgreementSheet,
    LobbySheet,
    SubstituteSheet,
    agreement_sheet,
    lobby_sheet,
    substitute_sheet,
)
from web.battles.summary import (
    BattleSide,
    BattleSummary,
    battle_summaries,
    battle_summary,
    is_running,
)
from web.frame.table import TableContext
from web.log.lines import LogRow, rows
from web.moves import own_seats
from web.moves.actions import ActionOutcome
from web.moves.own_seats import OwnSeats
from web.seats.hidden_hands import ClosedHands, closed_hands
from web.titles.contract import pages_of

__all__ = [
    "BattleForms",
    "BattleSide",
    "BattleSummary",
    "ClaimSheet",
    "EvidenceItem",
    "battle_summaries",
    "battle_summary",
    "claim_sheet",
    "evidence_item",
    "is_running",
]


@dataclass(frozen=True, slots=True)
class BattlesPage:
    """All battles: the running ones and the resolved ones, the latest first.

    `commands` lists the nations that lead independents; it is empty in titles without independents.
    """

    running: list[BattleSummary]
    resolved: list[BattleSummary]
    commands: list[Commands]
    empty_hint: str


def battles_page(table: TableContext) -> BattlesPage:
    latest_first = sorted(table.all_battles, key=lambda battle: -battle.number)
    summaries, forms = battle_summaries(table, latest_first), pages_of(table.title.key).battle_forms
    return BattlesPage(
        running=[battle for battle in summaries if battle.running],
        resolved=[battle for battle in summaries if not battle.running],
        commands=forms.commands(table) if forms is not None and table.campaign.started else [],
        empty_hint=(
            _("An attack during your turn starts a battle.")
            if table.own_seats
            else _("An attack during a turn starts a battle.")
        ),
    )


@dataclass(frozen=True, slots=True)
class SoloNote:
    """A note that one side plays the battle solo, and the entry that caused it."""

    text: str
    number: int | None
    url: str


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat of the reader, and the address of its nation's page."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class BattlePage:
    """The page of a battle.

    `title` is the part that the title adds, shown by the template `body`; a title without battle
    forms has no such part, and `own_seats` lead to the pages where its moves are made.
    `returns_to_desk` is true if the reader came from the desk. `outcome` belongs to the form that
    was sent. Where a model decides the battles, no one sets one up or enters its result.
    """

    seen: int
    returns_to_desk: bool
    battle: BattleSummary
    outcome: ActionOutcome | None
    extend_url: str
    report_url: str
    solo: SoloNote | None
    own_seats: list[SeatLink]
    body: str
    title: TitleBattle | None
    reading: Reading | None
    closed_hands: ClosedHands | None
    claim: ClaimSheet | None
    claim_refusal: ActionOutcome | None
    dispute: DisputeForm | None
    lobby: LobbySheet | None
    agreement: AgreementSheet | None
    substitutes: SubstituteSheet | None
    evidence: EvidenceSheet | None
    own: OwnSeats | None
    typed_reason: str
    typed_word: str
    entries: list[LogRow]

    @property
    def number_of_evidence(self) -> int:
        return len(self.evidence.items) if self.evidence is not None else 0

    @property
    def is_result_shown(self) -> bool:
        """Return whether the page shows the consequences of a typed result."""
        outcome = self.outcome
        return bool(outcome and outcome.follow and outcome.raw.get("move") != "respond")

    @property
    def has_follow(self) -> bool:
        """Return whether the page shows the consequences of a typed move."""
        return self.outcome is not None and self.outcome.follow is not None

    @property
    def has_other_task(self) -> bool:
        """Return whether something has to be done before a result is entered.

        A page has a single primary button; in this case it belongs to that other task.
        """
        claim = self.claim
        is_answer_open = self.title is not None and self.title.is_answer_open
        waits_for_reader = claim is not None and (claim.confirms or (claim.judges and claim.mine))
        return is_answer_open or waits_for_reader

    @property
    def is_only_set_up(self) -> bool:
        """Return whether the set-up sheet is the main part: nothing has to be done."""
        return self.claim is None and self.title is not None and not self.title.asks_something

    @property
    def shows_password(self) -> bool:
        return self.lobby is not None and self.lobby.password is not None


def battle_page(
    table: TableContext, battle: Battle, data: QueryDict, outcome: ActionOutcome | None
) -> BattlePage:
    """Return the page with the typed data and the outcome of the form that was sent."""
    form_state, lines = FormState(data, outcome), _log_of(table, battle)
    acts = [line.entry for line in reversed(lines) if not line.entry.is_move]
    claims = [entry.claim for entry in reversed(acts) if entry.act == CLAIM.name]
    running, forms = is_running(battle), pages_of(table.title.key).battle_forms
    summary, by_model = battle_summary(table, battle), model_decides(table.campaign)
    claim = _claim_that_waits(table, battle, claims)
    agreement = None if by_model else agreement_sheet(table, battle, acts, form_state)
    substitutes = battles_projection.substitutes(battle, table.places)
    result, reading = pasted(table, battle, ResultForm(data).result_fields)
    record = BattleRecord(
        acts=acts,
        claims=claims,
        may_enter=not by_model and may_enter(table, battle),
        agreed=agreement is not None and agreement.is_agreed,
        is_solo=bool(battle.solo),
        substitutes={seat: place.user for seat, place in substitutes.items()},
        by_model=by_model,
    )
    return BattlePage(
        seen=table.seen,
        returns_to_desk=ResultForm(data).returns_to_desk,
        battle=summary,
        outcome=outcome,
        extend_url=extend_url(table, summary),
        report_url=report_url(table, battle),
        solo=solo_note(table, battle, acts),
        own_seats=_own_seats(table) if forms is None and running else [],
        body=f"titles/{table.campaign.title}/battle.html" if forms is not None else "",
        title=title_part(table, battle, lines, typed_on_page(data, result), outcome, record),
        reading=reading,
        closed_hands=_closed_hands(table, battle),
        claim=claim,
        claim_refusal=claim_refusal(form_state),
        dispute=dispute_form(claim, summary.sides, form_state) if claim is not None else None,
        lobby=None if by_model else lobby_sheet(table, battle, acts, form_state),
        agreement=agreement,
        substitutes=(
            None if by_model else substitute_sheet(table, battle, substitutes, form_state)
        ),
        evidence=None if by_model else evidence_sheet(table, battle, acts, form_state),
        own=_own(table, battle, claim),
        typed_reason=typed_reason(form_state),
        typed_word=ResultForm(data).text_of("word") if form_state.do == "claim" else "",
        entries=rows(table, lines),
    )


def title_part(
    table: TableContext,
    battle: Battle,
    lines: Sequence[Line],
    typed: TypedOnPage,
    outcome: ActionOutcome | None,
    record: BattleRecord,
) -> TitleBattle | None:
    """Return the title's part of a battle's page; None for a title without battle forms."""
    forms = pages_of(table.title.key).battle_forms
    if forms is None:
        return None
    moves = [line for line in lines if line.entry.is_move]
    return forms.page(table, battle.facts, moves, typed, outcome, record)


def _log_of(table: TableContext, battle: Battle) -> Sequence[Line]:
    entries = battles_projection.log_of_battle(battle).prefetch_related("rolls")
    return selectors.lines(table.campaign, table.access, entries)


def _claim_that_waits(
    table: TableContext, battle: Battle, claims: Sequence[Claim]
) -> ClaimSheet | None:
    claim = next((claim for claim in claims if claim.live), None)
    return claim_sheet(table, battle, claim) if claim is not None and is_running(battle) else None


def may_enter(table: TableContext, battle: Battle) -> bool:
    """Return whether the reader may enter the result (game master) or claim it (players)."""
    return is_running(battle) and (
        table.game_master or bool(battles_projection.sides(battle, table.access))
    )


def pasted(
    table: TableContext, battle: Battle, form_values: FormValues
) -> tuple[FormValues, Reading | None]:
    """Read a pasted result line of the forum; return the completed fields and the reading."""
    forms = pages_of(table.title.key).battle_forms
    if forms is None or not may_enter(table, battle):
        return form_values, None
    return forms.pasted(table, battle.facts, form_values)


def typed_on_page(data: QueryDict, result: FormValues) -> TypedOnPage:
    answer = AnswerForm(data)
    return TypedOnPage(
        result={} if answer.is_sent else result,
        answer=answer.answer if answer.is_sent else None,
        opens_answer=ShownForm(data).opens_answer,
    )


def extend_url(table: TableContext, battle: BattleSummary) -> str:
    """Return the address where a game master extends the deadline; empty for all other readers."""
    if battle.due is None or battle.due.held or not table.host:
        return ""
    return f"{table.url('clocks')}?extend={battle.due.clock.pk}&back=battle#extend"


def report_url(table: TableContext, battle: Battle) -> str:
    if table.title.reporter is None:
        return ""
    return table.url("report", f"battle-{battle.number}")


def solo_note(table: TableContext, battle: Battle, acts: Sequence[LogEntry]) -> SoloNote | None:
    """Return a note on why one side plays the battle solo; None if both sides play it.

    The act has a level if a program holds the other seat.
    """
    if not battle.solo:
        return None
    act = next((entry for entry in reversed(acts) if entry.act == SOLO.name), None)
    if act is not None and "level" in act.content:
        text = _(
            "A program plays {name:the}: the opponent plays this battle solo, on empire difficulty."
        )
    else:
        text = _(
            "{name:The} {name:are|is} away: their opponent plays this battle solo, on empire"
            " difficulty."
        )
    return SoloNote(
        text=sentence(text, name=table.name_of(battle.solo)),
        number=act.number if act is not None else None,
        url=table.url("entry", act.number) if act is not None else "",
    )


def _own_seats(table: TableContext) -> list[SeatLink]:
    return [
        SeatLink(name=table.name_of(seat), url=table.url("nation", seat))
        for seat in table.own_seats
    ]


def _own(table: TableContext, battle: Battle, claim: ClaimSheet | None) -> OwnSeats | None:
    """Return the note for a game master whose own seat fights the battle."""
    if not table.game_master or not is_running(battle):
        return None
    return claim.own if claim is not None else own_seats.of_contest(table, battle.number)


def _closed_hands(table: TableContext, battle: Battle) -> ClosedHands | None:
    if battle.status != "challenged" or not battle.defender:
        return None
    return closed_hands(table, battle.defender)
