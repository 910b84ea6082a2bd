"""The note that an act concerns the game master's own seat, for game masters who also play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from campaign import review
from campaign.models import LogEntry, Membership
from engine.errors import IllegalMove
from web.frame.table import TableContext


class OwnSeats(NamedTuple):
    """The game master's own seats that an act concerns, and the users who may countersign it."""

    seats: list[tuple[str, str]]
    """Their keys and names."""
    countersigners: list[str]
    """The names of the users who may countersign."""
    named: bool
    """Whether these users were named as countersigners; otherwise they are the other players."""
    left: list[str]
    """The names of the seats that the game master gave up recently."""

    @property
    def text(self) -> str:
        """Return a sentence on the users who are asked to countersign."""
        names = {"names": ", ".join(self.countersigners)}
        if not self.countersigners:
            return _("No one here can countersign it, so it is marked “not countersigned”.")
        if self.named:
            text = _(
                "It is valid at once, and marked “not countersigned” until one of these people "
                "has looked at it: %(names)s."
            )
        else:
            text = _(
                "It is valid at once, and marked “not countersigned” until another player has"
                " looked at it: %(names)s."
            )
        return text % names


def seats(table: TableContext) -> frozenset[str]:
    """Return the seats of a game master who plays with others; empty for every other reader."""
    if not table.host:
        return frozenset()
    return review.own_seats(table.campaign, table.user, table.access, table.memberships)


def note(table: TableContext, touched: Iterable[str]) -> OwnSeats | None:
    """Return the note on an act that concerns these own seats; None if there are none."""
    keys = sorted(touched)
    if not keys:
        return None
    members = review.seats_to_countersign(table.places, table.user.pk, keys)
    return OwnSeats(
        seats=[(key, table.name_of(key)) for key in keys],
        countersigners=sorted(member.user.username for member in members),
        named=any(member.role != Membership.Role.SEAT for member in members),
        left=[table.name_of(key) for key in keys if key not in table.access.seats],
    )


def always(table: TableContext) -> OwnSeats | None:
    """Return the note on an act that concerns every seat."""
    return note(table, seats(table))


def of_seat(table: TableContext, *keys: str) -> OwnSeats | None:
    """Return the note on an act that concerns these seats."""
    return note(table, seats(table) & set(keys))


def of_contest(table: TableContext, number: int) -> OwnSeats | None:
    """Return the note on an act that concerns a battle."""
    own = seats(table)
    if not own:
        return None
    return note(table, review.of_contest(table.campaign, number, own, table.position))


def of_struck(table: TableContext, entries: Iterable[LogEntry]) -> OwnSeats | None:
    """Return the note on an undo that strikes these entries."""
    own = seats(table)
    return note(table, review.of_struck(entries, own)) if own else None


def of_move(table: TableContext, raw: Mapping[str, object]) -> OwnSeats | None:
    """Return the note on a future move; None also if the rules refuse the move."""
    own = seats(table)
    if not own:
        return None
    try:
        move = table.title.decode(dict(raw), table.position)
        branches = table.title.branches(table.position, move)
        touched = review.of_branches(table.campaign, move.to_json(), branches, own, table.position)
    except IllegalMove:
        return None
    return note(table, touched)
