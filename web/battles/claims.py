"""The pending claim: the result that a side claims, and what the reader may do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from battles import projection as battles_projection
from battles.models import Battle, Claim
from campaign.models import Membership
from games.contract.battles import ResultInWords
from web.battles.acts import FormState
from web.battles.forms import ResultForm
from web.battles.summary import SIDES, BattleSide
from web.frame.table import TableContext
from web.moves import own_seats
from web.moves.actions import ActionOutcome, preview_action
from web.moves.own_seats import OwnSeats
from web.titles.contract import pages_of


@dataclass(frozen=True, slots=True)
class ClaimSheet:
    """A claimed result that waits for an answer or a ruling.

    `number` is the entry of the claim, `person` the user who made it for the seat `seat_name`, and
    `reason` the reason of a dispute. `confirms`, `disputes`, `withdraws` and `judges` are what the
    reader may do. `mine` is true if the claim waits for the reader; `waits` names the others for
    whom it waits.
    """

    number: int
    url: str
    person: str
    seat_name: str
    at: datetime
    is_disputed: bool
    reason: str
    word: str
    line: str
    result: ResultInWords
    outcome: ActionOutcome
    takes_shares: bool
    confirms: bool
    disputes: bool
    withdraws: bool
    judges: bool
    own: OwnSeats | None
    mine: bool
    waits: list[str]

    @property
    def claimant(self) -> str:
        return self.person or self.seat_name

    @property
    def asks_reader(self) -> bool:
        """Return whether the reader can do anything about the claim."""
        return self.confirms or self.withdraws or self.judges

    @property
    def enters_result(self) -> bool:
        """Return whether the reader can enter the claimed result."""
        return self.confirms or self.judges

    @property
    def state_text(self) -> str:
        if self.is_disputed:
            return pgettext("state", "disputed")
        if self.mine:
            return pgettext("state", "waits for you")
        return _("waits for %(names)s") % {"names": ", ".join(self.waits)}

    @property
    def tone(self) -> str:
        return "warn" if self.is_disputed else "mine" if self.mine else ""


def claim_sheet(table: TableContext, battle: Battle, claim: Claim) -> ClaimSheet:
    forms, entry = pages_of(table.title.key).battle_forms, claim.entry
    other, mine = battle.other(claim.seat), battles_projection.sides(battle, table.access)
    is_disputed = claim.state == Claim.State.DISPUTED
    answers = other in mine and entry.actor_id != table.user.pk
    must_judge = table.game_master and (is_disputed or not other)
    return ClaimSheet(
        number=entry.number or 0,
        url=table.url("entry", entry.number),
        person=entry.actor.username if entry.actor else "",
        seat_name=table.name_of(claim.seat),
        at=entry.at,
        is_disputed=is_disputed,
        reason=claim.last_act.content.get("reason", "") if is_disputed else "",
        word=claim.content.get("word", ""),
        line=claim.content.get("line", ""),
        result=(
            forms.claimed(table, battle.facts, claim.result)
            if forms is not None
            else ResultInWords()
        ),
        outcome=preview_action(table, claim.result),
        takes_shares=forms is not None and forms.takes_shares(battle.facts),
        confirms=answers,
        disputes=answers and not is_disputed,
        withdraws=claim.seat in mine,
        judges=table.game_master,
        own=own_seats.of_contest(table, battle.number),
        mine=answers or must_judge,
        waits=[] if is_disputed else people_of_side(table, battle, other),
    )


def people_of_side(table: TableContext, battle: Battle, seat: str) -> list[str]:
    """Return the users who fight for a side: holder and substitute; else the seat's name."""
    substitutes = battles_projection.substitutes(battle, table.places)
    people = [*table.holders(seat), *_substitute_name(substitutes, seat)]
    return people or [table.name_of(seat)]


def _substitute_name(substitutes: Mapping[str, Membership], seat: str) -> list[str]:
    return [substitutes[seat].user.username] if seat in substitutes else []


@dataclass(frozen=True, slots=True)
class ShareField:
    """A number of a result as it was typed: its name in the form, and the side it belongs to."""

    name: str
    label: str
    typed_text: str


@dataclass(frozen=True, slots=True)
class DisputeForm:
    """The form that disputes a claim. `shares` is empty if the result cannot be two numbers."""

    reason: str
    shares: list[ShareField]
    is_open: bool


def dispute_form(
    claim: ClaimSheet, sides: tuple[BattleSide, BattleSide], form_state: FormState
) -> DisputeForm | None:
    """Return the form; None if the reader cannot dispute the claim."""
    if not claim.disputes:
        return None
    form, is_sent = ResultForm(form_state.data), form_state.do == "dispute"
    shares = [
        ShareField(name=name, label=side.name, typed_text=form.text_of(name) if is_sent else "")
        for name, side in zip(SIDES, sides, strict=True)
    ]
    return DisputeForm(
        reason=typed_reason(form_state),
        shares=shares if claim.takes_shares else [],
        is_open=form_state.refusal("dispute") is not None,
    )


def typed_reason(form_state: FormState) -> str:
    """Return the typed reason of a dispute, a ruling or a result without agreement."""
    form = ResultForm(form_state.data)
    asks_for_reason = form_state.do in ("dispute", "judge") or form.text_of("by") == "naval"
    return form.text_of("reason") if asks_for_reason else ""


def claim_refusal(form_state: FormState) -> ActionOutcome | None:
    """Return the refusal of an act about the claim, to be shown beside the claim.

    A refused ruling whose consequences are shown has its refusal beside them instead.
    """
    outcome = form_state.refusal("confirm", "dispute", "withdraw", "judge")
    is_shown_below = outcome is not None and form_state.do == "judge" and outcome.follow is not None
    return None if is_shown_below else outcome
