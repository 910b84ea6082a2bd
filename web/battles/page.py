"""The pages of battles: the list, and one battle."""

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
from engine.language import sentence
from web.battles.acts import FormOutcome
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
    Reading,
    TitleBattle,
    Typed,
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
from web.log.lines import Row, rows
from web.moves import own_seats
from web.moves.deeds import Deed
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
    """All battles: those that run, and those that are resolved, the latest first.

    `commands` says who leads independents; it is empty in titles without them.
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
            _("An attack in your slot makes one.")
            if table.own_seats
            else _("An attack in a slot makes one.")
        ),
    )


@dataclass(frozen=True, slots=True)
class SoloNote:
    """That one side plays the battle solo; the entry that says so."""

    text: str
    number: int | None
    url: str


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat of the reader, and the page of its nation."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class BattlePage:
    """The page of one battle.

    `title` is what the title adds, shown by the template `body`; a title without battle forms has
    none, and `own_seats` lead to the pages where its moves are made. `returns_to_desk`: the reader
    came from the desk. `deed` is what became of the form that was sent.
    """

    seen: int
    returns_to_desk: bool
    battle: BattleSummary
    deed: Deed | None
    extend_url: str
    report_url: str
    solo: SoloNote | None
    own_seats: list[SeatLink]
    body: str
    title: TitleBattle | None
    reading: Reading | None
    closed_hands: ClosedHands | None
    claim: ClaimSheet | None
    claim_refusal: Deed | None
    dispute: DisputeForm | None
    lobby: LobbySheet | None
    agreement: AgreementSheet | None
    substitutes: SubstituteSheet | None
    evidence: EvidenceSheet | None
    own: OwnSeats | None
    typed_reason: str
    typed_word: str
    entries: list[Row]

    @property
    def number_of_evidence(self) -> int:
        return len(self.evidence.items) if self.evidence is not None else 0

    @property
    def is_result_shown(self) -> bool:
        """Return whether the page shows what follows from a result that was typed."""
        deed = self.deed
        return bool(deed and deed.follow and deed.raw.get("move") != "respond")

    @property
    def has_follow(self) -> bool:
        """Return whether the page shows what follows from a move that was typed."""
        return self.deed is not None and self.deed.follow is not None

    @property
    def has_other_task(self) -> bool:
        """Return whether something is to be done before a result is entered.

        A page has one strong button: it is that of the other task then.
        """
        claim = self.claim
        is_answer_open = self.title is not None and self.title.is_answer_open
        waits_for_reader = claim is not None and (claim.confirms or (claim.judges and claim.mine))
        return is_answer_open or waits_for_reader

    @property
    def is_only_set_up(self) -> bool:
        """Return whether the set-up sheet has the main place: nothing else is to be done."""
        return self.claim is None and self.title is not None and not self.title.asks_something

    @property
    def shows_password(self) -> bool:
        return self.lobby is not None and self.lobby.password is not None


def battle_page(
    table: TableContext, battle: Battle, data: QueryDict, deed: Deed | None
) -> BattlePage:
    """Return the page with what was typed and what became of it."""
    outcome, lines = FormOutcome(data, deed), _log_of(table, battle)
    acts = [line.entry for line in reversed(lines) if not line.entry.is_move]
    claims = [entry.claim for entry in reversed(acts) if entry.act == CLAIM.name]
    running, forms = is_running(battle), pages_of(table.title.key).battle_forms
    summary = battle_summary(table, battle)
    claim = _claim_that_waits(table, battle, claims)
    agreement = agreement_sheet(table, battle, acts, outcome)
    substitutes = battles_projection.substitutes(battle, table.places)
    result, reading = pasted(table, battle, ResultForm(data).typed)
    record = BattleRecord(
        acts=acts,
        claims=claims,
        may_enter=may_enter(table, battle),
        agreed=agreement is not None and agreement.is_agreed,
        is_solo=bool(battle.solo),
        substitutes={seat: place.user for seat, place in substitutes.items()},
    )
    return BattlePage(
        seen=table.seen,
        returns_to_desk=ResultForm(data).returns_to_desk,
        battle=summary,
        deed=deed,
        extend_url=extend_url(table, summary),
        report_url=report_url(table, battle),
        solo=solo_note(table, battle, acts),
        own_seats=_own_seats(table) if forms is None and running else [],
        body=f"titles/{table.campaign.title}/battle.html" if forms is not None else "",
        title=title_part(table, battle, lines, typed_on_page(data, result), deed, record),
        reading=reading,
        closed_hands=_closed_hands(table, battle),
        claim=claim,
        claim_refusal=claim_refusal(outcome),
        dispute=dispute_form(claim, summary.sides, outcome) if claim is not None else None,
        lobby=lobby_sheet(table, battle, acts, outcome),
        agreement=agreement,
        substitutes=substitute_sheet(table, battle, substitutes, outcome),
        evidence=evidence_sheet(table, battle, acts, outcome),
        own=_own(table, battle, claim),
        typed_reason=typed_reason(outcome),
        typed_word=ResultForm(data).text("word") if outcome.do == "claim" else "",
        entries=rows(table, lines),
    )


def title_part(
    table: TableContext,
    battle: Battle,
    lines: Sequence[Line],
    typed: TypedOnPage,
    deed: Deed | None,
    record: BattleRecord,
) -> TitleBattle | None:
    """Return what the title shows of a battle; None for a title with the plain page."""
    forms = pages_of(table.title.key).battle_forms
    if forms is None:
        return None
    moves = [line for line in lines if line.entry.is_move]
    return forms.page(table, battle.facts, moves, typed, deed, record)


def _log_of(table: TableContext, battle: Battle) -> Sequence[Line]:
    entries = battles_projection.log_of_battle(battle).prefetch_related("rolls")
    return selectors.lines(table.campaign, table.access, entries)


def _claim_that_waits(
    table: TableContext, battle: Battle, claims: Sequence[Claim]
) -> ClaimSheet | None:
    claim = next((claim for claim in claims if claim.live), None)
    return claim_sheet(table, battle, claim) if claim is not None and is_running(battle) else None


def may_enter(table: TableContext, battle: Battle) -> bool:
    """Return whether the reader may say how the battle ended.

    The game master enters the result, the players claim it.
    """
    return is_running(battle) and (
        table.game_master or bool(battles_projection.sides(battle, table.access))
    )


def pasted(table: TableContext, battle: Battle, typed: Typed) -> tuple[Typed, Reading | None]:
    """Read a result line of the forum into what was typed; return both."""
    forms = pages_of(table.title.key).battle_forms
    if forms is None or not may_enter(table, battle):
        return typed, None
    return forms.pasted(table, battle.facts, typed)


def typed_on_page(data: QueryDict, result: Typed) -> TypedOnPage:
    answer = AnswerForm(data)
    return TypedOnPage(
        result={} if answer.is_sent else result,
        answer=answer.answer if answer.is_sent else None,
        opens_answer=ShownForm(data).opens_answer,
    )


def extend_url(table: TableContext, battle: BattleSummary) -> str:
    """Return where a game master extends the deadline; empty for all others."""
    if battle.due is None or battle.due.held or not table.host:
        return ""
    return f"{table.url('clocks')}?extend={battle.due.clock.pk}&back=battle#extend"


def report_url(table: TableContext, battle: Battle) -> str:
    if table.title.reporter is None:
        return ""
    return table.url("report", f"battle-{battle.number}")


def solo_note(table: TableContext, battle: Battle, acts: Sequence[LogEntry]) -> SoloNote | None:
    """Return why one side plays the battle solo; None if both play it.

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
