"""What may be said now: the arguments of every legal move, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

from engine.errors import IllegalMove
from games.tetrarchia import roads
from games.tetrarchia.board import ADJACENT, EMPERORS, LINKS, ROMA, ZONES
from games.tetrarchia.form import ATTRIBUTES, TetrarchyMove
from games.tetrarchia.position import Position

Given = Mapping[str, Any]


def choices(position: Position, cls: type[TetrarchyMove], seat: str, by: str) -> tuple[list[Given], IllegalMove | None]:
    """The arguments with which this seat may say a move of this kind, and why there are none.

    Of the ways to a space only the cheapest is listed, of equal ones `roads.reach`'s.
    """
    found: list[Given] = []
    refused: IllegalMove | None = None
    admitted = False
    for given in CANDIDATES[cls.name](position):
        move = make(cls, seat, given, by)
        try:
            if not admitted:
                move.admit(position)
                admitted = True
            move.check(position)
        except IllegalMove as refusal:
            refused = refused or refusal
            if not admitted:
                break
        else:
            found.append(given)
    return found, None if found else refused


def make(cls: type[TetrarchyMove], seat: str, given: Given, by: str = "") -> TetrarchyMove:
    """The seat's move with these arguments in record form, said by itself if nobody else is named."""
    made: Any = cls
    named = {ATTRIBUTES.get(key, key): tuple(value) if type(value) is list else value for key, value in given.items()}
    move: TetrarchyMove = made(by=by or seat, seat=seat, **named)
    return move


def _nothing(position: Position) -> Iterator[Given]:
    yield {}


def _fleets(position: Position) -> Iterator[Given]:
    for zones in combinations(ZONES, position.options.level[1]):
        yield {"zones": list(zones)}


def _enter(position: Position) -> Iterator[Given]:
    yield {"at": ROMA}
    yield {"at": EMPERORS[position.emperor].capital}


def _paths(position: Position) -> Iterator[Given]:
    if position.at is None:
        yield {"path": [ROMA]}
        return
    taken = set(position.figures.values())
    ways = roads.reach(position, position.at, position.ip)
    found = [way.path for space, way in ways.items() if space not in taken]
    for path in found or [(space,) for space in LINKS[position.at]]:
        yield {"path": list(path)}


def _sails(position: Position) -> Iterator[Given]:
    for zone in ZONES:
        for other in ADJACENT[zone]:
            yield {"from": zone, "to": other}


def _ways(position: Position) -> Iterator[Given]:
    yield {"how": "remove"}
    yield {"how": "calm"}


def _targets(position: Position) -> Iterator[Given]:
    for space in position.barbarians or (LINKS[position.at] if position.at else (ROMA,)):
        yield {"target": space}


def _tokens(position: Position) -> Iterator[Given]:
    for n in range(1, max(1, position.supply[position.emperor]) + 1):
        yield {"tokens": n}


CANDIDATES: dict[str, Callable[[Position], Iterator[Given]]] = {
    "place_fleets": _fleets, "enter": _enter, "move": _paths, "sail": _sails, "subdue": _ways, "attack": _targets,
    "imperium": _tokens, **dict.fromkeys(("begin", "secure", "patres", "end_turn"), _nothing),
}  # fmt: skip
