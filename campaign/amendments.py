"""Rules changed in play: the game master proposes, those who play agree, and the record's move `amend` puts it in force.

What is proposed and what people answer are acts of the table. The change itself is a move of the title, which an undo takes back
like any other; nobody may make it that way before it is agreed (`must_be_agreed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import access, status
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.log import entries, positions
from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership
from engine.errors import IllegalMove
from engine.strict_json import canonical

ACT, MOVE = entries.AMENDMENT, "amend"
MASTER, MOST_AGREE, TWO_THIRDS, ALL = "master", "most", "two-thirds", "all"
NEEDS = {
    MASTER: gettext_lazy("the game master decides"),
    MOST_AGREE: gettext_lazy("more than half of the players agree"),
    TWO_THIRDS: gettext_lazy("two thirds of the players agree"),
    ALL: gettext_lazy("all players agree"),
}
"""What an amendment may need, from the loosest to the strictest."""


class Answer(NamedTuple):
    """What a seat answered last. `reason` may be empty."""

    seat: str
    agrees: bool
    reason: str
    by: str
    at: datetime


@dataclass
class Amendment:
    """A proposal as it stands. `turn` is the first turn it is meant for; `entry` the number of the move that put it in force,
    None where none did, or that move is undone."""

    number: int
    rules: Mapping[str, Any]
    reason: str
    need: str
    turn: int
    by: str
    at: datetime
    proposed: int
    answers: dict[str, Answer] = field(default_factory=dict)
    withdrawn: bool = False
    entry: int | None = None

    @property
    def move(self) -> dict[str, Any]:
        """The move of the record that puts it in force."""
        return {"by": GAME_MASTER, "move": MOVE, "rules": self.rules, "reason": self.reason}

    @property
    def open(self) -> bool:
        return not self.withdrawn and self.entry is None

    def agreed(self, seats: Sequence[str]) -> bool:
        """Do enough of these seats agree?"""
        yes = sum(1 for seat in seats if seat in self.answers and self.answers[seat].agrees)
        match self.need:
            case "master":
                return True
            case "most":
                return yes * 2 > len(seats)
            case "two-thirds":
                return bool(seats) and yes * 3 >= len(seats) * 2
            case _all:
                return bool(seats) and yes == len(seats)


def book(campaign: Campaign) -> list[Amendment]:
    """Every amendment by number. Two queries at most."""
    proposals: dict[int, Amendment] = {}
    acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=ACT).select_related("actor").order_by("sequence")
    for entry in acts:
        content, by = entry.content, entry.actor.username if entry.actor else ""
        number = content["amendment"]
        if content["how"] == "proposed":
            terms = content["rules"], content["reason"], content["need"], content["turn"]
            proposals[number] = Amendment(number, *terms, by, entry.at, entry.number or 0)
        elif content["how"] == "withdrawn":
            proposals[number].withdrawn = True
        else:
            agrees = content["how"] == "agreed"
            proposals[number].answers[entry.seat] = Answer(entry.seat, agrees, content.get("reason", ""), by, entry.at)
    if proposals:
        created = campaign.entries.filter(kind=LogEntry.Kind.MOVE, act=MOVE, struck_by=None).order_by("sequence")
        for entry in created:
            same = [one for one in proposals.values() if one.entry is None and _same(one, entry.content)]
            if same:
                same[-1].entry = entry.number
    return list(proposals.values())


def _same(amendment: Amendment, move: Mapping[str, Any]) -> bool:
    return canonical([amendment.rules, amendment.reason]) == canonical([move["rules"], move["reason"]])


def voters(campaign: Campaign) -> list[str]:
    """The seats that somebody holds, in alphabetical order: these are asked."""
    held = campaign.memberships.filter(role=Membership.Role.SEAT, until=None)
    return sorted(held.values_list("seat", flat=True))


@transaction.atomic
def propose(
    campaign: Campaign,
    user: Any,
    rules: Mapping[str, Any],
    reason: str,
    *,
    need: str = "",
    changes: int | None = None,
    now: datetime | None = None,
) -> LogEntry:
    """The game master proposes other numbers, from the next turn that opens. `need` may be stricter than what the founding laid
    down, not looser. `changes` is the number of an open amendment that this one replaces: all are asked again.

    Raises `Refused`, `NotNow`, and `IllegalMove` with its `sentence` where the title cannot read the rules.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    access.must_have_account(user)
    _may_still_change(table)
    reason = entries.a_reason(reason)
    need = need or table.amending
    if need not in NEEDS:
        raise Refused("no-need", _("Choose who must agree."))
    if list(NEEDS).index(need) < list(NEEDS).index(table.amending):
        raise Refused("too-loose", _("The founding asks for more agreement. It can be made stricter here, not looser."))
    position = positions.current(table)
    raw = {"by": GAME_MASTER, "move": MOVE, "rules": dict(rules), "reason": reason}
    try:
        entries.decoded(table, position, raw)
    except IllegalMove as refusal:
        entries.render(table, refusal)
        raise
    known = {one.number: one for one in book(table)}
    if changes is not None and (changes not in known or not known[changes].open):
        raise Refused("no-such-amendment", _("There is no open amendment of this number."))
    if changes is None and any(one.open for one in known.values()):
        raise NotNow("one-at-a-time", _("One amendment is open already. Change it, put it in force or withdraw it first."))
    number = changes if changes is not None else max(known, default=0) + 1
    what = {"act": ACT, "how": "proposed", "amendment": number, "rules": dict(rules), "reason": reason, "need": need}
    return entries.append_act(table, user, {**what, "turn": campaign.turn + 1}, now=at)


@transaction.atomic
def answer(
    campaign: Campaign, user: Any, number: int, agrees: bool, reason: str = "", *, seat: str = "", now: datetime | None = None
) -> LogEntry:
    """Who holds a seat agrees or does not; of each seat the last word counts, until the amendment is in force."""
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    seat = seat or next(iter(who.seats), "")
    if seat not in who.seats:
        raise NotAllowed("not-your-seat", _("Only people who hold a seat answer an amendment."))
    amendment = _open(table, number)
    if reason.strip():
        reason = entries.a_reason(reason)
    before = amendment.answers.get(seat)
    if before is not None and (before.agrees, before.reason) == (agrees, reason):
        raise Refused("answered", _("You have answered this already."))
    what = {"act": ACT, "how": "agreed" if agrees else "refused", "amendment": number}
    return entries.append_act(table, user, {**what, **({"reason": reason} if reason else {})}, seat=seat, now=at)


@transaction.atomic
def withdraw(campaign: Campaign, user: Any, number: int, *, now: datetime | None = None) -> LogEntry:
    """The game master takes an open amendment back."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    _open(table, number)
    return entries.append_act(table, user, {"act": ACT, "how": "withdrawn", "amendment": number}, now=at)


def _open(table: Campaign, number: int) -> Amendment:
    amendment = next((one for one in book(table) if one.number == number), None)
    if amendment is None:
        raise NoSuchEntry
    if not amendment.open:
        raise NotNow("not-open", _("This amendment is not open any more."))
    return amendment


def _may_still_change(table: Campaign) -> None:
    status.must_be_played(table, by_master=True)
    if table.ended:
        raise NotNow("ended", _("The campaign is over. Its rules stay as they were."))


def must_be_agreed(campaign: Campaign, move: Mapping[str, Any]) -> None:
    """At the door: rules change as an open amendment says that enough people agree to, and in no other way."""
    if move.get("move") != MOVE:
        return
    amendment = next((one for one in book(campaign) if one.open and _same(one, move)), None)
    if amendment is None:
        raise Refused("not-proposed", _("Propose the amendment first, on the page of the rules."))
    if not amendment.agreed(voters(campaign)):
        raise NotNow("not-agreed", _("Not enough players agree to this amendment yet."))
