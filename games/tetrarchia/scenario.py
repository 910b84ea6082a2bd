"""Scenario and options: how many play, the level, the variants (2, 3.1, 7)."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from engine.record import only_keys
from games.tetrarchia.board import DIGITS, EMPERORS, OPTIONS, VARIANTS
from games.tetrarchia.faults import Fault

STANDARD = "standard"
NORMAL = (4, 2, 1, 1)
LEVEL = re.compile(r"[0-9]{4}", re.ASCII)
CAESARS = tuple(e.key for e in EMPERORS.values() if e.rank == "caesar")
AMPHIBIOUS, IMPERIUM, MARE, DIARCHIA, PATRES, GREAT = (
    "amphibious", "imperium", "mare_nostrum", "diarchia", "patres_patriae", "the_great",
)  # fmt: skip
SEATS: dict[int, tuple[str, ...]] = {1: ("tetrarchy",), 2: ("east", "west"), 4: tuple(EMPERORS)}


class Scenario(NamedTuple):
    """The one board."""

    key: str = STANDARD

    @property
    def raw(self) -> dict[str, Any]:
        return {"key": self.key}


class Options(NamedTuple):
    """`players` 1 to 4; `caesar`, with three players, whom player C has; the level's digits: tokens, fleets, extra
    revolts, armies; the variants and our own options that are on."""

    players: int = 1
    caesar: str = ""
    level: tuple[int, int, int, int] = NORMAL
    variants: frozenset[str] = frozenset()
    extras: frozenset[str] = frozenset()

    @property
    def digits(self) -> str:
        """The level as it is written: 4211."""
        return "".join(map(str, self.level))

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' seats (2.1)."""
        return ("diocletian", "maximian", self.caesar) if self.players == 3 else SEATS[self.players]

    def player(self, emperor: str) -> str:
        """The seat that enters an Emperor's moves: with three players a Caesar whom nobody has is his Augustus' (2.1)."""
        if self.players == 1:
            return SEATS[1][0]
        if self.players == 2:
            return EMPERORS[emperor].half
        return emperor if emperor in self.seats else EMPERORS[emperor].colleague

    def emperors(self, seat: str) -> list[str]:
        """The Emperors whose moves a seat enters."""
        return [emperor for emperor in EMPERORS if self.player(emperor) == seat]


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
    parts = only_keys("options", raw, {"players", "caesar", "level", "variants", "options", *OPTIONS})
    players = parts.get("players", 1)
    if type(players) is not int or not 1 <= players <= 4:
        raise MalformedRecord("options.players", "whole", least=1, most=4)
    if ("caesar" in parts) != (players == 3):
        raise Fault("options.caesar", "caesar")
    caesar = parts.get("caesar", "")
    if players == 3 and caesar not in CAESARS:
        raise MalformedRecord("options.caesar", "one-of", values=CAESARS)
    variants = chosen("options.variants", parts.get("variants", []), VARIANTS)
    if GREAT in variants and players == 3:
        raise Fault("options.variants", "great")
    level = read_level("options.level", parts.get("level", list(NORMAL)))
    extras = chosen("options.options", parts.get("options", []), OPTIONS)
    for name in OPTIONS:
        on = parts.get(name, name in extras)
        if type(on) is not bool or (name in extras and not on):
            raise Fault(f"options.{name}", "boolean-and-list")
        extras |= {name} if on else set()
    return Options(players, caesar, level, variants, extras)


def read_level(where: str, raw: object) -> tuple[int, int, int, int]:
    """A level as text or as four numbers (3.1)."""
    digits = [int(digit) for digit in raw] if type(raw) is str and LEVEL.fullmatch(raw) else raw
    if type(digits) is list and len(digits) == len(DIGITS) and all(type(digit) is int for digit in digits):
        a, b, c, d = digits
        if all(digit in allowed for digit, allowed in zip(digits, DIGITS.values(), strict=True)):
            return a, b, c, d
    raise Fault(where, "level")


def chosen(where: str, raw: object, allowed: tuple[str, ...]) -> frozenset[str]:
    """What is on of `allowed`: a list of names without repetition."""
    if type(raw) is not list or len(raw) != len({str(one) for one in raw}):
        raise Fault(where, "names-once")
    for one in raw:
        if one not in allowed:
            raise Fault(where, "of", values=allowed)
    return frozenset(raw)
