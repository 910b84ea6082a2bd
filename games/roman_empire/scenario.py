"""Scenario and options: how many play, the colours of their Factions, the optional rules (12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from engine.record import only_keys
from games.roman_empire.board import COLOURS, COUNTERS

STANDARD = "standard"
SEATS = ("A", "B", "C", "D")
FLAGS = ("gods_favor", "bribe_barbarians", "strict_domination")
TWO = 2
THREE = 3


class Scenario(NamedTuple):
    """The one board."""

    key: str = STANDARD

    @property
    def raw(self) -> dict[str, Any]:
        return {"key": self.key}


class Options(NamedTuple):
    """`players` 2 to 4; `colours` of the seats' Factions, in the order of the seats; the optional rules that are on."""

    players: int = 4
    colours: tuple[str, ...] = COLOURS
    flags: frozenset[str] = frozenset()

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
        """The player of each seat, named by his first seat: with two players A has A and C, B has B and D."""
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
        raise MalformedRecord("scenario", "no scenario of this name is shipped")
    if only_keys("scenario", raw, {"key"}, {"key"})["key"] != STANDARD:
        raise MalformedRecord("scenario.key", "must be standard")
    return Scenario()


def read_options(raw: object) -> Options:
    """The options of a record. Raises `MalformedRecord`."""
    parts = only_keys("options", raw, {"players", "factions", *FLAGS})
    players = parts.get("players", 4)
    if type(players) is not int or not TWO <= players <= len(SEATS):
        raise MalformedRecord("options.players", "must be a whole number from 2 to 4")
    options = Options(players, COLOURS, read_flags("options", parts))
    if "factions" not in parts:
        return options
    named = only_keys("options.factions", parts["factions"], set(options.seats), set(options.seats))
    colours = tuple(named[seat] for seat in options.seats)
    return options._replace(colours=read_colours("options.factions", colours))


def read_colours(where: str, colours: tuple[object, ...]) -> tuple[str, ...]:
    """Colours of Factions, each once."""
    if any(type(one) is not str or one not in COLOURS for one in colours) or len(set(colours)) != len(colours):
        raise MalformedRecord(where, "must be different colours of " + ", ".join(COLOURS))
    return tuple(map(str, colours))


def read_flags(where: str, parts: Mapping[str, Any]) -> frozenset[str]:
    """The optional rules that are on."""
    for flag in FLAGS:
        if type(parts.get(flag, False)) is not bool:
            raise MalformedRecord(f"{where}.{flag}", "must be true or false")
    return frozenset(flag for flag in FLAGS if parts.get(flag, False))
