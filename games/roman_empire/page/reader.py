"""The stage of the game, and what its reader may do and see."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from games.contract.pages import Reader
from games.kit.records import GM
from games.roman_empire.rules import view
from games.roman_empire.rules.position import LANDS, Position
from games.roman_empire.text.words import faction_name, seat_name


def is_movers(position: Position, reader: Reader) -> bool:
    """Return whether the reader plays and makes the next move."""
    return reader.plays and speaks(position, reader)


def chosen_land(reader: Reader) -> str | None:
    """Return the land that the reader has chosen, if it is one."""
    asked = reader.typed.get("land") or reader.typed.get("at") or reader.asked.get("at", "")
    return asked if asked in LANDS else None


def stage_of(position: Position) -> str:
    """What the page is about: setup, draw, go (it goes on by itself), decide (another is asked),
    act, over.
    """
    if position.phase in ("setup", "over"):
        return position.phase
    if position.pending is not None:
        return "decide"
    if view.automatic(position) is not None:
        return "go"
    return "draw" if position.phase == "draw" else "act"


def speaks(position: Position, reader: Reader) -> bool:
    """Is it the reader's move? The game master may make every seat's; what goes on by itself,
    everybody who plays.
    """
    going = view.automatic(position)
    if going is not None:
        return going != "begin" or reader.host or GM in reader.seats
    return GM in reader.seats or view.mover(position) in (*reader.seats, *reader.opened)


def visible_seats(position: Position, reader: Reader) -> tuple[str, ...]:
    """The seats whose hand the reader sees: their own and what lies open to them; the game master,
    and whoever looks at what is over, sees all of them.
    """
    if GM in reader.seats or position.phase == "over":
        return position.seats
    return tuple(seat for seat in position.seats if seat in (*reader.seats, *reader.opened))


def may_know(position: Position, seen: Collection[str], holder: str, what: str) -> bool:
    """Does any of the reader's seats know this counter (4.2, 4.4)? The game master, who sees all
    seats, does.
    """
    if set(seen) == set(position.seats):
        return True
    return any(view.knows(position, one, holder, what) for one in (None, *seen))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOfFaction:
    """A seat with its name and that of its Faction."""

    key: str
    name: str
    """The name of the Faction."""
    seat_name: str


def named(position: Position, seat: str) -> SeatOfFaction:
    """Return a seat with its names."""
    return SeatOfFaction(
        key=seat, name=faction_name(position.factions[seat]), seat_name=seat_name(seat)
    )
