"""What a game master who plays is told before he acts for his own seat: who is asked to countersign it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _

from campaign import concerning, countersigned
from campaign.models import LogEntry, Membership
from engine.errors import IllegalMove
from web import kept

if TYPE_CHECKING:
    from web.views.common import TableContext


class Own(NamedTuple):
    """The seats of his that an act concerns, and who may countersign it, by name; `named` where these are asked by name, and
    not as the players that there are. `left` are the names of those seats that he gave up, but not long ago."""

    seats: list[tuple[str, str]]
    asked: list[str]
    named: bool
    left: list[str]

    @property
    def text(self) -> str:
        """Whom it asks, in a sentence."""
        who = {"names": ", ".join(self.asked)}
        if not self.asked:
            return _("Nobody here may countersign it: it stands marked “not countersigned”.")
        if self.named:
            return _("It stands at once, marked “not countersigned” until one of these has looked at it: %(names)s.") % who
        return _("It stands at once, marked “not countersigned” until another player has looked at it: %(names)s.") % who


def seats(table: TableContext) -> frozenset[str]:
    """The seats of a game master who plays with others; empty for everybody else."""
    if not table.host:
        return frozenset()
    user = table.user
    found: frozenset[str] = kept.of_log(table, ("own", user.pk), lambda: concerning.own(table.campaign, user, table.access))
    return found


def told(table: TableContext, touched: Iterable[str]) -> Own | None:
    """What is said of these seats of his; None where there is none."""
    keys = sorted(touched)
    if not keys:
        return None
    found = countersigned.asked(table.places, table.user.pk, keys)
    named = any(one.role != Membership.Role.SEAT for one in found)
    left = [table.name_of(key) for key in keys if key not in table.access.seats]
    return Own([(key, table.name_of(key)) for key in keys], sorted(one.user.username for one in found), named, left)


def always(table: TableContext) -> Own | None:
    """Of an act that concerns every seat."""
    return told(table, seats(table))


def of_seat(table: TableContext, *keys: str) -> Own | None:
    return told(table, seats(table) & set(keys))


def of_contest(table: TableContext, number: int) -> Own | None:
    mine = seats(table)
    return told(table, concerning.of_contest(table.campaign, number, mine, table.position)) if mine else None


def of_struck(table: TableContext, entries: Iterable[LogEntry]) -> Own | None:
    mine = seats(table)
    return told(table, concerning.of_struck(entries, mine)) if mine else None


def of_move(table: TableContext, raw: Mapping[str, Any]) -> Own | None:
    """Of a move that is not made yet; None also where the rules forbid it, which they say themselves."""
    mine = seats(table)
    if not mine:
        return None
    try:
        move = table.title.decode(dict(raw), table.position)
        branches = table.title.branches(table.position, move)
        return told(table, concerning.of_branches(table.campaign, move.to_json(), branches, mine, table.position))
    except IllegalMove:
        return None
