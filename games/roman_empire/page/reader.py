"""The stage of the game, and what its reader may do and see."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from games.contract.pages import Reader
from games.kit.records import GM
from games.roman_empire.rules import view
from games.roman_empire.rules.position import LANDS, Position
from games.roman_empire.text.words import faction_name, seat_name


def makes_next_move(position: Position, reader: Reader) -> bool:
    """Return whether the reader plays and makes the next move."""
    return reader.plays and may_move(position, reader)


def chosen_land(reader: Reader) -> str | None:
    """Return the land that the reader has chosen; None if it does not exist."""
    values = reader.form_values
    chosen = values.get("land") or values.get("at") or reader.query.get("at", "")
    return chosen if chosen in LANDS else None


def stage_of(position: Position) -> str:
    """Return the stage of the game for the page.

    It is `setup`, `draw`, `go` (an automatic move is next), `decide` (another seat has to decide),
    `act` or `over`.
    """
    if position.phase in ("setup", "over"):
        return position.phase
    if position.pending is not None:
        return "decide"
    if view.automatic(position) is not None:
        return "go"
    return "draw" if position.phase == "draw" else "act"


def may_move(position: Position, reader: Reader) -> bool:
    """Return whether the reader may make the next move.

    The game master may move for every seat; every player may make an automatic move.
    """
    going = view.automatic(position)
    if going is not None:
        return going != "begin" or reader.host or GM in reader.seats
    return GM in reader.seats or view.mover(position) in (*reader.seats, *reader.opened)


def visible_seats(position: Position, reader: Reader) -> tuple[str, ...]:
    """Return the seats whose hand the reader sees: their own and those open to them.

    The game master sees all hands, and so do all readers after the end of the game.
    """
    if GM in reader.seats or position.phase == "over":
        return position.seats
    return tuple(seat for seat in position.seats if seat in (*reader.seats, *reader.opened))


def may_know(position: Position, seen: Collection[str], holder: str, what: str) -> bool:
    """Return whether any of the reader's seats knows this counter (4.2, 4.4).

    A reader who sees all seats knows every counter.
    """
    if set(seen) == set(position.seats):
        return True
    return any(view.knows(position, seat, holder, what) for seat in (None, *seen))


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
