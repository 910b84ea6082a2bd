"""Battles at the desk: the dispute that waits for a ruling, and the table of results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from battles import projection as battles_projection
from battles.models import Battle, Claim, Evidence
from campaign.models import GAME_MASTER
from games.contract.battles import ResultInWords
from games.contract.plain import Position, RawMove
from web.battles.contract import BattleForms
from web.battles.page import (
    BattleSide,
    BattleSummary,
    ClaimSheet,
    EvidenceItem,
    battle_summary,
    claim_sheet,
    evidence_item,
)
from web.desk.batch import Batch, BattleResult, View, foresee
from web.desk.forms import DeskForm, ResultsForm, RulingForm
from web.frame.table import TableContext
from web.moves import own_seats
from web.moves.actions import ActionOutcome, preview_action
from web.moves.own_seats import OwnSeats
from web.moves.preview import Follow
from web.titles.contract import pages_of

NO_RESULT = ResultInWords()


class NumberField(NamedTuple):
    """A side's number of a result: its field, and the typed or claimed value."""

    side: BattleSide
    name: str
    value: str = ""
    id: str = ""


# The dispute that waits for a ruling --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Version:
    """A result as a side describes it.

    `names_result` is false for a dispute without a result.
    """

    key: str
    seat: str
    seat_name: str
    person: str
    verb: str
    at: datetime
    url: str
    words: str
    result_line: str
    result: ResultInWords
    names_result: bool
    follow: Follow | None
    evidence: list[EvidenceItem]

    @property
    def author(self) -> str:
        return self.person or self.seat_name

    @property
    def follow_title(self) -> str:
        if self.result.numbers:
            return _("Consequences of %(numbers)s") % {"numbers": self.result.numbers}
        return _("Consequences of the claim by %(who)s") % {"who": self.author}


@dataclass(frozen=True, slots=True)
class Ruling:
    """The form with which the game master decides a disputed or unconfirmed result.

    `sure` identifies the numbers whose consequences the page shows. `numbers` is empty for a battle
    whose result is not two numbers.
    """

    battle: int
    where: str
    url: str
    claim: int
    since: datetime
    versions: list[Version]
    further_evidence: list[EvidenceItem]
    numbers: list[NumberField]
    form: RulingForm
    chosen: str
    sure: str
    own: OwnSeats | None
    outcome: ActionOutcome | None

    @property
    def refusal(self) -> ActionOutcome | None:
        """Return the refusal of the ruling, unless the page shows it beside the reason."""
        if self.outcome is None or not self.outcome.wrong or self.outcome.field == "reason":
            return None
        return self.outcome

    @property
    def follow(self) -> Follow | None:
        return self.outcome.follow if self.outcome is not None else None


def ruling(
    table: TableContext,
    battles: Sequence[Battle],
    form_data: QueryDict,
    outcome: ActionOutcome | None,
) -> Ruling | None:
    """Return the form for the ruling; None if no battle waits for a ruling."""
    forms, dispute = (
        pages_of(table.title.key).battle_forms,
        dispute_to_judge(table, battles, form_data),
    )
    if forms is None or dispute is None:
        return None
    battle, claim = dispute
    evidence = list(battles_projection.evidence(battle))
    versions = versions_of(table, forms, battle, claim, evidence)
    named = {claim.entry.actor_id, claim.last_act.actor_id}
    further = [piece for piece in evidence if piece.entry.actor_id not in named]
    form = RulingForm(form_data)
    summary = battle_summary(table, battle)
    return Ruling(
        battle=battle.number,
        where=summary.where,
        url=table.url("battle", battle.number),
        claim=claim.entry.number or 0,
        since=claim.last_act.at,
        versions=versions,
        further_evidence=[evidence_item(table, battle, piece) for piece in further],
        numbers=ruling_numbers(summary, form) if forms.takes_shares(battle.facts) else [],
        form=shown_form(form_data, outcome),
        chosen=chosen_version(form, versions, outcome),
        sure=form.signature if outcome is not None and outcome.follow else "",
        own=own_seats.of_contest(table, battle.number),
        outcome=outcome,
    )


def dispute_to_judge(
    table: TableContext, battles: Sequence[Battle], form_data: QueryDict
) -> tuple[Battle, Claim] | None:
    """Return the battle of `?judge=` and its claim, by default the first to be judged."""
    waiting = [
        wait.contest
        for wait in table.waited_for
        if wait.seat == GAME_MASTER and wait.contest is not None
    ]
    if not waiting or not table.campaign.playable:
        return None
    asked = DeskForm(form_data).judged_battle
    number = asked if asked in waiting else waiting[0]
    battle = next((battle for battle in battles if battle.number == number), None)
    claim = table.live_claims.get(number)
    return None if battle is None or claim is None else (battle, claim)


def ruling_numbers(summary: BattleSummary, form: RulingForm) -> list[NumberField]:
    """Return the fields for another result, with the typed values."""
    attacker, defender = summary.sides
    return [
        NumberField(attacker, "attacker", form.text_of("attacker")),
        NumberField(defender, "defender", form.text_of("defender")),
    ]


def shown_form(form_data: QueryDict, outcome: ActionOutcome | None) -> RulingForm:
    """Return the form, empty or as refused. The page shows other errors above it."""
    if outcome is None:
        return RulingForm()
    form = RulingForm(form_data)
    form.errors.clear()
    if outcome.field == "reason":
        form.add_error("reason", outcome.wrong)
    return form


def chosen_version(
    form: RulingForm, versions: Sequence[Version], outcome: ActionOutcome | None
) -> str:
    """Return the version chosen on the page; by default the only version, if there is only one."""
    if outcome is not None:
        return form.chosen
    return RulingForm.CLAIM if len(versions) == 1 else ""


def versions_of(
    table: TableContext,
    forms: BattleForms,
    battle: Battle,
    claim: Claim,
    evidence: Sequence[Evidence],
) -> list[Version]:
    """Return the claim, and the other side's version if it is disputed."""
    claimed = claim_sheet(table, battle, claim)
    first = Version(
        key=RulingForm.CLAIM,
        seat=claim.seat,
        seat_name=table.name_of(claim.seat),
        person=claimed.person,
        verb=_("claimed"),
        at=claim.entry.at,
        url=claimed.url,
        words=claimed.word,
        result_line=claimed.line,
        result=claimed.result,
        names_result=True,
        follow=claimed.outcome.follow,
        evidence=shown_by(table, battle, evidence, claim.entry.actor_id),
    )
    if claim.state != Claim.State.DISPUTED:
        return [first]
    last, raw = claim.last_act, claim.disputed_result
    people = {place.user_id: place.user.username for place in table.places}
    second = Version(
        key=RulingForm.DISPUTE,
        seat=last.seat,
        seat_name=table.name_of(last.seat),
        person=people.get(last.actor_id, "") if last.actor_id is not None else "",
        verb=pgettext("button", "disputed"),
        at=last.at,
        url=table.url("entry", last.number),
        words=claimed.reason,
        result_line="",
        result=forms.claimed(table, battle.facts, raw) if raw else NO_RESULT,
        names_result=raw is not None,
        follow=preview_action(table, raw).follow if raw else None,
        evidence=shown_by(table, battle, evidence, last.actor_id),
    )
    return [first, second]


def shown_by(
    table: TableContext, battle: Battle, evidence: Iterable[Evidence], user: int | None
) -> list[EvidenceItem]:
    """Return the evidence that a user has added."""
    return [
        evidence_item(table, battle, piece) for piece in evidence if piece.entry.actor_id == user
    ]


# The table of results -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A running battle, with its claim or with the two numbers typed for it.

    `raw` is the result in record form, `result` its words, and `views` its consequences; there are
    no views if they depend on the dice of the rows above.
    """

    battle: BattleSummary
    numbers: list[NumberField]
    takes_shares: bool
    claim: ClaimSheet | None = None
    raw: RawMove | None = None
    result: ResultInWords = NO_RESULT
    wrong: str = ""
    views: tuple[View, ...] = ()
    follow: Follow | None = None

    @property
    def number(self) -> int:
        return self.battle.number

    @property
    def is_disputed(self) -> bool:
        return self.claim is not None and self.claim.is_disputed

    @property
    def is_typed(self) -> bool:
        return self.claim is None and any(field.value for field in self.numbers)

    @property
    def depends_on_dice(self) -> bool:
        """Return whether there is no preview until the results above are applied."""
        return self.raw is not None and not self.views

    @property
    def signature(self) -> str:
        attacker, defender = self.numbers
        return f"{self.number}:{attacker.value}:{defender.value}"


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """The sheet "Results": two numbers in each row, all applied together.

    `ends` is a sentence if these results end the turn or the campaign; otherwise empty.
    """

    rows: list[ResultRow]
    ends: str

    @property
    def ready(self) -> list[ResultRow]:
        return [row for row in self.rows if row.follow]

    @property
    def enterable(self) -> list[ResultRow]:
        return [row for row in self.rows if row.takes_shares]

    @property
    def claims(self) -> list[ResultRow]:
        """Return the rows whose claim can be applied for both sides."""
        return [row for row in self.rows if row.claim is not None and not row.is_disputed]

    @property
    def signature(self) -> str:
        """Text that identifies the typed numbers, so that only shown numbers are applied."""
        return " ".join(row.signature for row in self.ready)

    @property
    def verb(self) -> str:
        """Return the text of the button: consequences are shown before results are applied."""
        if not self.ready:
            return pgettext("button", "See the consequences")
        count = len(self.ready)
        return ngettext("Apply %(n)s result", "Apply %(n)s results", count) % {"n": count}

    @property
    def changing_parts(self) -> str:
        """Return the parts of the page that change with the numbers, for `hx-select-oob`."""
        numbers = [row.number for row in self.enterable]
        return ",".join(["#results-do", *(f"#v-{number},#s-{number}" for number in numbers)])


def results_table(
    table: TableContext, battles: Iterable[Battle], form: ResultsForm, *, complete: bool
) -> ResultsTable:
    """Return all running battles; with `complete`, a row with only one number is an error."""
    rows = [result_row(table, battle, form, complete=complete) for battle in battles]
    batch = foresee_rows(table, rows)
    foreseen = iter(batch.results)
    shown = []
    for row in rows:
        if row.raw is not None:
            result = next(foreseen)
            row = replace(
                row, views=result.views, follow=result.follow, wrong=row.wrong or result.wrong
            )
        shown.append(row)
    return ResultsTable(shown, batch.ends)


def foresee_rows(
    table: TableContext, rows: Iterable[ResultRow], position: Position = None
) -> Batch:
    """Preview the typed results, each on the position after the results above it.

    The first is previewed on `position`, by default the campaign's position.
    """
    results = [BattleResult(row.number, row.raw) for row in rows if row.raw is not None]
    return foresee(table, results, table.position if position is None else position)


def result_row(
    table: TableContext, battle: Battle, form: ResultsForm, *, complete: bool
) -> ResultRow:
    """Return a running battle with its claim, or with the numbers typed for it."""
    summary, claim = battle_summary(table, battle), table.live_claims.get(battle.number)
    forms = pages_of(table.title.key).battle_forms
    if claim is not None:
        sheet = claim_sheet(table, battle, claim)
        numbers = number_fields(summary, sheet.result.side_numbers)
        return ResultRow(summary, numbers, takes_shares=False, claim=sheet, result=sheet.result)
    if forms is None or not forms.takes_shares(battle.facts):
        return ResultRow(summary, number_fields(summary), takes_shares=False)
    typed = form.shares(battle.number)
    both = (typed["attacker"], typed["defender"])
    row = ResultRow(summary, number_fields(summary, both), takes_shares=True)
    if not any(both):
        return row
    raw = forms.result_move(battle.number, typed)
    if raw is None:
        return replace(row, wrong=forms.missing(typed).text if all(both) or complete else "")
    return replace(row, raw=raw, result=forms.claimed(table, battle.facts, raw))


def number_fields(summary: BattleSummary, values: tuple[str, str] = ("", "")) -> list[NumberField]:
    """Return the fields of both sides with these values."""
    return [
        NumberField(side, f"{letter}-{summary.number}", value, f"q-{summary.number}-{place}")
        for place, (letter, side, value) in enumerate(
            zip("ad", summary.sides, values, strict=True), 1
        )
    ]
