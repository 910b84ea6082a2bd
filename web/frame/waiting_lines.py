"""The lines about seats that the table is waiting for: on the map, at the desk, in the story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from battles.projection import TO_CONFIRM, TO_JUDGE
from campaign.models import GAME_MASTER
from games.contract.title import Waiting
from web.frame import awaited_people
from web.frame.absences import absence_chips
from web.frame.deadlines import Due, deadline_of_battle, deadline_of_slot
from web.frame.name_lists import list_names
from web.frame.table import TableContext

OPEN_LINES = 4
"""The largest number of lines that are all open on the map. If there are more, only the reader's
own and the next deadline are open.
"""
VERBS = {
    TO_CONFIRM: gettext_lazy("Review and confirm"),
    TO_JUDGE: pgettext_lazy("button", "Make a ruling"),
}
"""The buttons for acts of the table that are due."""


class SeatName(NamedTuple):
    """A seat and its name."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class WaitLine:
    """Something that the table is waiting for. Both sides of a battle are one line."""

    what: str
    text: str
    contest: int | None
    seats: list[SeatName]
    people: str
    """The people whom the table is waiting for, the reader first."""
    mine: bool
    """Whether the table is waiting for the reader."""
    since: datetime | None
    due: Due | None
    url: str
    verb: str
    absent: list[str]

    @property
    def deadline(self) -> float:
        """The deadline as a number, by which lines are sorted; infinite without a deadline."""
        return self.due.at.timestamp() if self.due is not None else float("inf")


class Folded(NamedTuple):
    """The lines that are open on the map, and the others, the earliest deadline first."""

    open: Sequence[WaitLine]
    others: Sequence[WaitLine]


def fold(lines: Sequence[WaitLine]) -> Folded:
    """Return the lines that are open on the map, and the others."""
    if len(lines) <= OPEN_LINES:
        return Folded(lines, [])
    mine = [line for line in lines if line.mine]
    later = sorted((line for line in lines if not line.mine), key=lambda line: line.deadline)
    return Folded([*mine[:2], *later[:1]], [*mine[2:], *later[1:]])


def waits(table: TableContext) -> list[WaitLine]:
    """Return a line for each thing that the table is waiting for, the reader's first."""
    groups: dict[tuple[str, int | None, str], list[Waiting]] = {}
    for wait in table.waited_for:
        seat = "" if wait.contest is not None else wait.seat
        groups.setdefault((wait.what.id, wait.contest, seat), []).append(wait)
    lines = [wait_line(table, group) for group in groups.values()]
    return sorted(lines, key=lambda line: not line.mine)


def wait_line(table: TableContext, group: Sequence[Waiting]) -> WaitLine:
    """Return the line for something that the table expects from one or more seats."""
    first = group[0]
    seats = [wait.seat for wait in group]
    mine = any(awaited_people.for_reader(table, seat, first.contest) for seat in seats)
    others = others_waited_for(table, group)
    return WaitLine(
        what=first.what.id,
        text=table.sentence(first.what),
        contest=first.contest,
        seats=[SeatName(seat, table.name_of(seat)) for seat in seats],
        people=list_names([pgettext("waiting", "You"), *others] if mine else others),
        mine=mine,
        since=waits_since(table, first),
        due=due_of(table, first),
        url=address_of_group(table, group),
        verb=verb_of(first),
        absent=absence_chips(table, *seats),
    )


def others_waited_for(table: TableContext, group: Sequence[Waiting]) -> list[str]:
    """Return the people whom the table is waiting for, without the reader.

    A seat without a holder is named itself.
    """
    names: list[str] = []
    for wait in group:
        if not awaited_people.for_reader(table, wait.seat, wait.contest):
            names += awaited_people.people(table, wait.seat, wait.contest) or [
                table.name_of(wait.seat)
            ]
    return list(dict.fromkeys(names))


def waits_since(table: TableContext, wait: Waiting) -> datetime | None:
    """Return since when the table has been waiting: since the claim or the opening of the slot."""
    if wait.contest is None:
        return table.turn_times.opened.get(wait.seat)
    claim = table.live_claims.get(wait.contest)
    return claim.last_act.at if claim is not None else None


def due_of(table: TableContext, wait: Waiting) -> Due | None:
    """Return the deadline; None for the game master, who has none."""
    if wait.seat == GAME_MASTER:
        return None
    if wait.contest is not None:
        return deadline_of_battle(table, wait.contest)
    return deadline_of_slot(table, wait.seat)


def address_of_group(table: TableContext, group: Sequence[Waiting]) -> str:
    """Return the address of the page on which the reader does or sees it; empty without one."""
    first = group[0]
    if first.contest is not None:
        return table.url("battle", first.contest) + ("#claim" if first.what.id in VERBS else "")
    if first.seat != GAME_MASTER:
        return table.url("nation", first.seat)
    return table.url("desk") if table.game_master else ""


def verb_of(wait: Waiting) -> str:
    """Return the text of the button."""
    if wait.what.id in VERBS:
        return str(VERBS[wait.what.id])
    if wait.contest is not None:
        return pgettext("button", "View")
    return pgettext("button", "Play") if wait.seat != GAME_MASTER else pgettext("turn", "Open")


def number_of_master_tasks(table: TableContext) -> int:
    """Count the game master's tasks: decisions, the next turn, and missed deadlines."""
    own = {(wait.what.id, wait.contest) for wait in table.waited_for if wait.seat == GAME_MASTER}
    return len(own) + len(awaited_people.clocks_to_decide(table))


def running(contest: Mapping[str, object]) -> bool:
    """Return whether a contest of the title's rows is still open."""
    return bool(contest.get("status") != "resolved")
