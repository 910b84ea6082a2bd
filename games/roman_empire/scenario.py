"""Scenario and options: how many play, the colours of their Factions, the optional rules (12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from engine.record import only_keys
from games.roman_empire.board import COLOURS, COUNTERS
from games.roman_empire.faults import Fault

STANDARD = "standard"
SEATS = ("A", "B", "C", "D")
FLAGS = ("gods_favor", "bribe_barbarians", "strict_domination")
TWO = 2
THREE = 3
LONGEST = 40


class Scenario(NamedTuple):
    """The one board."""

    key: str = STANDARD

    @property
    def raw(self) -> dict[str, Any]:
        return {"key": self.key}


class Options(NamedTuple):
    """`players` 2 to 4; `colours` of the seats' Factions, in the order of the seats; the optional rules that are on;
    `names` of the seats' players where a record tells who has which, else empty."""

    players: int = 4
    colours: tuple[str, ...] = COLOURS
    flags: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """Each player's seat; with two players each has two (12)."""
        return SEATS[: THREE if self.players == THREE else len(SEATS)]

    @property
    def factions(self) -> dict[str, str]:
        """The colour of each seat's Faction (3.2)."""
        return dict(zip(self.seats, self.colours, strict=False))

    @property
    def owners(self) -> dict[str, str]:
        """The player of each seat, by name or by his first seat: if nothing is said, of two players A has A and C, B has B
        and D."""
        if self.names:
            return dict(zip(self.seats, self.names, strict=True))
        return {seat: SEATS[at % self.players] for at, seat in enumerate(self.seats)}

    @property
    def raw(self) -> dict[str, bool]:
        return {flag: flag in self.flags for flag in FLAGS}


def legions(seats: int) -> int:
    """The Legions a Faction starts with, and may be recruited up to (2, 6.2, 12)."""
    return COUNTERS["starting_legions_3p" if seats == THREE else "starting_legions"]


def read_scenario(raw: object) -> Scenario:
    if raw == STANDARD:
        return Scenario()
    if type(raw) is str:
        raise MalformedRecord("scenario", "not-shipped")
    if only_keys("scenario", raw, {"key"}, {"key"})["key"] != STANDARD:
        raise Fault("scenario.key", "standard")
    return Scenario()


def read_options(raw: object) -> Options:
    """The options of a record. Raises `MalformedRecord`."""
    parts = only_keys("options", raw, {"players", "factions", *FLAGS})
    players, names = _players(parts.get("players", 4))
    options = Options(players, COLOURS, read_flags("options", parts), names)
    if "factions" not in parts:
        return options
    named = only_keys("options.factions", parts["factions"], set(options.seats), set(options.seats))
    colours = tuple(named[seat] for seat in options.seats)
    return options._replace(colours=read_colours("options.factions", colours))


def _players(raw: object) -> tuple[int, tuple[str, ...]]:
    """How many play: a number, or an object that names the player of each seat, two seats each if there are two."""
    if type(raw) is int and TWO <= raw <= len(SEATS):
        return raw, ()
    if type(raw) is not dict:
        raise Fault("options.players", "players")
    names = tuple(str(raw.get(seat)) for seat in SEATS if seat in raw)
    players = len(set(names))
    fair = players == len(names) >= THREE or sorted(map(names.count, set(names))) == [TWO, TWO]
    if not fair or set(raw) != set(SEATS[: len(names)]) or not all(type(name) is str and is_name(name) for name in raw.values()):
        raise Fault("options.players", "players-of-seats")
    return players, names


def is_name(text: str) -> bool:
    """Is it 1 to 40 printable characters?"""
    return 1 <= len(text) <= LONGEST and text.isprintable() and bool(text.strip())


def read_colours(where: str, colours: tuple[object, ...]) -> tuple[str, ...]:
    """Colours of Factions, each once."""
    if any(type(one) is not str or one not in COLOURS for one in colours) or len(set(colours)) != len(colours):
        raise Fault(where, "colours", values=COLOURS)
    return tuple(map(str, colours))


def read_flags(where: str, parts: Mapping[str, Any]) -> frozenset[str]:
    """The optional rules that are on."""
    for flag in FLAGS:
        if type(parts.get(flag, False)) is not bool:
            raise MalformedRecord(f"{where}.{flag}", "boolean")
    return frozenset(flag for flag in FLAGS if parts.get(flag, False))
