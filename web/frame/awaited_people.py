"""The people for whom a campaign waits at a seat, and the deadlines that a game master decides."""

from __future__ import annotations

from django.utils import timezone

from campaign.clocks import selectors
from campaign.models import Clock
from web.frame.table import TableContext


def program_word(table: TableContext, seat: str) -> str:
    """Return the level of the program that plays a seat among people; empty without a program."""
    return next((place.program for place in table.seats if place.key == seat), "")


def substitute(table: TableContext, seat: str, contest: int | None) -> str:
    """Return the substitute whom a battle is waiting for at this seat; empty if it is the holder.

    The holder answers a challenge. After that the substitute acts.
    """
    challenged = table.rows.contests.get(contest or 0, {}).get("status") == "challenged"
    return "" if challenged else table.substitutes.get((contest, seat), "")


def people(table: TableContext, seat: str, contest: int | None) -> list[str]:
    """Return the names of the people whom the table is waiting for at a seat."""
    instead = substitute(table, seat, contest)
    return [instead] if instead else table.holders(seat)


def for_reader(table: TableContext, seat: str, contest: int | None) -> bool:
    """Return whether the table is waiting for the reader at this seat."""
    if substitute(table, seat, contest):
        return any(
            (place.contest, place.seat) == (contest, seat) for place in table.access.substitutions
        )
    return table.is_mine(seat)


def clocks_to_decide(table: TableContext) -> list[Clock]:
    """Return the overdue clocks about which the game master has to decide.

    Their terms say so, nothing more happens automatically, and the seat is not the reader's own.
    """
    now, terms = timezone.now(), selectors.terms_of(table.campaign)
    return [
        clock
        for clock in table.clocks
        if clock.seat not in table.own_seats
        and asks_the_game_master(terms.get(clock.kind))
        and clock.overdue(now)
        and not clock.held
        and not acts_later(clock)
    ]


def asks_the_game_master(terms: selectors.Terms | None) -> bool:
    """Return whether these terms leave the decision to the game master."""
    return terms is not None and terms.asks


def acts_later(clock: Clock) -> bool:
    """Return whether a clock is going to act automatically."""
    return clock.acts_at is not None and clock.acted_entry_id is None
