"""A position read from a partial state, as the worked examples tell it (RULES, Worked examples)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.errors import MalformedRecord
from engine.record import only_keys
from games.tetrarchia.board import (
    ARMIES,
    BARBARIANS,
    EMPERORS,
    IP,
    OPTIONS,
    OUTSIDE,
    REVOLT,
    SPACES,
    TOKENS,
    UNREST,
    VARIANTS,
    ZONES,
    ordered,
)  # fmt: skip
from games.tetrarchia.faults import Fault
from games.tetrarchia.position import COUNTED, Position
from games.tetrarchia.scenario import Options, Scenario, chosen, read_level

PHASES = ("setup", "fleets", "roman", "over")
REASONS = ("rome", "no_revolt", "no_unrest")
MOST = 10**6
KEYS = {
    "phase", "round", "emperor", "ip", "level", "variants", "options", "figures", "tokens", "barbarians", "fleets", "supply",
    "reserve", "attack_no", "can_enter", "ip_mod", "patres_done", "removed", "removed_now", "glory", "result", "reason",
}  # fmt: skip


def read_position(raw: object, scenario: Scenario, options: Options) -> Position:
    """The position of a state. What is missing: phase roman, round 1, Diocletian with 6 IP, all else empty; supply and
    reserve are what the board, the tokens given up and the glory leave of what there is.

    Raises `MalformedRecord` with the key that is wrong.
    """
    parts = only_keys("position", raw, KEYS)
    options = _options(parts, options)
    position = Position(scenario, options)
    position.phase = _one_of("phase", parts.get("phase", "roman"), PHASES)
    position.round = _whole("round", parts.get("round", 1), 1)
    position.emperor = _one_of("emperor", parts.get("emperor", position.emperor), EMPERORS)
    position.ip = _whole("ip", parts.get("ip", IP))
    for emperor, space in _object("figures", parts.get("figures", {}), EMPERORS).items():
        position.figures[emperor] = None if space is None else _one_of("figures", space, SPACES)
    tokens = _object("tokens", parts.get("tokens", {}), SPACES)
    for space in ordered(space for space in tokens if tokens[space] is not None):
        position.tokens[space] = _one_of("tokens", tokens[space], (UNREST, REVOLT, *EMPERORS))
        if space in OUTSIDE and position.tokens[space] not in EMPERORS:
            raise Fault(f"position.tokens.{space}", "token-beyond")
    position.barbarians = ordered(_names("barbarians", parts.get("barbarians", []), SPACES))
    position.set_fleets(_names("fleets", parts.get("fleets", []), ZONES))
    position.patres_done = _names("patres_done", parts.get("patres_done", []), EMPERORS)
    for key in ("removed", "glory"):
        getattr(position, key).update(_numbers(key, parts.get(key, {}), EMPERORS))
    for emperor, change in _object("ip_mod", parts.get("ip_mod", {}), EMPERORS).items():
        position.ip_mod[emperor] = _whole("ip_mod", change, -IP)
    _count(position, parts)
    position.attack_no = _whole("attack_no", parts.get("attack_no", 0))
    position.removed_now = _whole("removed_now", parts.get("removed_now", 0))
    position.can_enter = _flag("can_enter", parts.get("can_enter", False))
    if parts.get("result") is not None:
        position.result = _one_of("result", parts["result"], ("won", "lost"))
    if parts.get("reason") is not None:
        position.reason = _one_of("reason", parts["reason"], REASONS)
    return position


def _options(parts: dict[str, Any], options: Options) -> Options:
    """Level, variants and our own options stand in the state itself; of these also as an object of flags."""
    extras = parts.get("options", sorted(options.extras))
    if type(extras) is dict:
        extras = [key for key, on in extras.items() if _flag("options", on)]
    variants = parts.get("variants", sorted(options.variants))
    return options._replace(
        level=read_level("position.level", parts.get("level", list(options.level))),
        variants=chosen("position.variants", variants, VARIANTS),
        extras=chosen("position.options", extras, OPTIONS),
    )


def _count(position: Position, parts: dict[str, Any]) -> None:
    """Supply and reserve: what is told of them, the rest counted."""
    on_board = list(position.tokens.values())
    for emperor in EMPERORS:
        position.supply[emperor] = position.options.level[0] - on_board.count(emperor) - position.removed[emperor]
    position.reserve = {
        UNREST: TOKENS - on_board.count(UNREST) - sum(position.glory.values()),
        REVOLT: TOKENS - on_board.count(REVOLT),
        ARMIES: BARBARIANS - len(position.barbarians),
    }
    # An example may put more on the board than the level or the box has: there is nothing left of it then.
    for book in (position.supply, position.reserve):
        book.update({key: max(0, n) for key, n in book.items()})
    position.supply.update(_numbers("supply", parts.get("supply", {}), EMPERORS))
    position.reserve.update(_numbers("reserve", parts.get("reserve", {}), COUNTED))


def _object(where: str, value: object, keys: Iterable[str]) -> dict[str, Any]:
    return only_keys(f"position.{where}", value, set(keys))


def _numbers(where: str, value: object, keys: Iterable[str]) -> dict[str, int]:
    return {key: _whole(where, n) for key, n in _object(where, value, keys).items()}


def _names(where: str, value: object, allowed: Iterable[str]) -> list[str]:
    if type(value) is not list:
        raise MalformedRecord(f"position.{where}", "list")
    names = [_one_of(where, one, allowed) for one in value]
    if len(names) != len(set(names)):
        raise MalformedRecord(f"position.{where}", "named-twice")
    return names


def _whole(where: str, value: object, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= MOST:
        raise MalformedRecord(f"position.{where}", "whole-least", least=least)
    return value


def _flag(where: str, value: object) -> bool:
    if type(value) is not bool:
        raise MalformedRecord(f"position.{where}", "boolean")
    return value


def _one_of(where: str, value: object, allowed: Iterable[str]) -> str:
    if type(value) is not str or value not in allowed:
        raise MalformedRecord(f"position.{where}", "one-of", values=allowed)
    return value
