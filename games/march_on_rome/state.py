"""A position read from a partial state, as the worked examples tell it (RULES, Worked examples)."""

from __future__ import annotations

import re
from typing import Any

from engine.errors import MalformedRecord
from engine.record import only_keys
from games.march_on_rome.board import BARBARIANS, LOST, PC, PROVINCES, SENATE, is_general, number
from games.march_on_rome.faults import Fault
from games.march_on_rome.position import SIDES, Battle, Position
from games.march_on_rome.scenario import Options, Scenario, read_options

PHASES = ("setup", "pc", "npc", "recruit", "events", "over")
GENERAL = re.compile(r"pc|npc-[1-9][0-9]{0,8}", re.ASCII)
MOST = 10**9
NUMBERS = ("event_no", "battle_no", "npc_seq")
KEYS = {
    "turn", "phase", "owner", "garrison", "legions", "queue", "events_left", "barbarians", "battle", "pending", "result",
    "options", *NUMBERS,
}  # fmt: skip


def read_position(raw: object, scenario: Scenario, options: Options) -> Position:
    """The position of a state. What is missing: turn 1, phase `pc`, all else empty; provinces without an owner are `lost`,
    procurators without a garrison have none, generals that own provinces and are not told of have no legions.

    Raises `MalformedRecord` with the key that is wrong.
    """
    parts = only_keys("position", raw, KEYS)
    if "options" in parts:
        options = read_options(parts["options"])
    position = Position(scenario, options)
    position.turn = _whole("turn", parts.get("turn", 1), 1)
    position.phase = _one_of("phase", parts.get("phase", "pc"), PHASES)
    for key, owner in _object("owner", parts.get("owner", {})).items():
        _one_of("owner", key, PROVINCES)
        if owner not in (SENATE, LOST):
            _general("owner", owner)
        position.owner[key] = owner
    owners = set(position.owner.values())
    if position.phase != "over":
        position.legions = {general: 0 for general in owners if is_general(general)}
    for key, value in _object("legions", parts.get("legions", {})).items():
        position.legions[_general("legions", key)] = _whole("legions", value)
    position.legions = {key: position.legions[key] for key in position.generals()}
    position.garrison = dict.fromkeys(position.lands(SENATE), 0)
    for key, value in _object("garrison", parts.get("garrison", {})).items():
        position.garrison[_one_of("garrison", key, position.garrison)] = _whole("garrison", value)
    for key, value in _object("barbarians", parts.get("barbarians", {})).items():
        position.barbarians[_one_of("barbarians", key, position.lands(LOST))] = _whole("barbarians", value)
    if parts.get("queue") is not None:
        position.queue = [_general("queue", general) for general in _list("queue", parts["queue"])]
    if parts.get("events_left") is not None:
        position.events_left = _whole("events_left", parts["events_left"])
    for name in NUMBERS:
        setattr(position, name, _whole(name, parts.get(name, 0)))
    position.npc_seq = max([position.npc_seq, *map(number, position.legions)])
    if parts.get("result") is not None:
        position.result = _one_of("result", parts["result"], ("won", "lost"))
    if parts.get("battle") is not None:
        position.battle = _battle(position, parts["battle"])
    if parts.get("pending") is not None:
        _pending(position, parts["pending"])
    return position


def _battle(position: Position, raw: object) -> Battle:
    where = "position.battle"
    needed = {"no", "target", "attacker", "defender", "cause", "initiative", "devoted"}
    parts = only_keys(where, raw, needed | {"horde"}, needed)
    cause = _one_of("battle.cause", parts["cause"], ("attack", "refused", "invasion"))
    if (cause == "invasion") != ("horde" in parts) or (cause == "invasion") != (parts["attacker"] == BARBARIANS):
        raise Fault(where, "horde")
    target = _one_of("battle.target", parts["target"], PROVINCES)
    devoted = only_keys(f"{where}.devoted", parts["devoted"], set(SIDES), set(SIDES))
    if parts["defender"] != position.owner[target] or (cause != "invasion" and parts["attacker"] not in position.legions):
        raise Fault(where, "battle-sides")
    battle: Battle = {
        "no": _whole("battle.no", parts["no"], 1),
        "target": target,
        "attacker": parts["attacker"],
        "defender": parts["defender"],
        "cause": cause,
        "initiative": _one_of("battle.initiative", parts["initiative"], SIDES),
        "devoted": {side: None if devoted[side] is None else _whole("battle.devoted", devoted[side]) for side in SIDES},
    }
    if cause == "invasion":
        battle["horde"] = _whole("battle.horde", parts["horde"], 1)
    if battle["defender"] == LOST and target not in position.barbarians:
        raise Fault("position.barbarians", "strength", target=target)
    return battle


def _pending(position: Position, raw: object) -> None:
    where = "position.pending"
    parts = _object("pending", raw)
    if parts.get("kind") == "devote":
        only_keys(where, raw, {"kind", "side"}, {"side"})
        side = _one_of("pending.side", parts["side"], SIDES)
        if position.battle is None or position.battle["attacker" if side == "attacker" else "defender"] != PC:
            raise Fault(where, "no-side")
        position.pending = {"kind": "devote", "side": side}
        return
    only_keys(where, raw, {"kind", "from", "target"}, {"kind", "from", "target"})
    _one_of("pending.kind", parts["kind"], ("answer",))
    if parts["from"] not in position.npcs() or position.owner.get(parts["target"]) != PC:
        raise Fault(where, "offer")
    position.pending = {"kind": "answer", "from": parts["from"], "target": parts["target"]}


def _object(where: str, value: object) -> dict[str, Any]:
    if type(value) is not dict:
        raise MalformedRecord(f"position.{where}", "object")
    return value


def _list(where: str, value: object) -> list[Any]:
    if type(value) is not list:
        raise MalformedRecord(f"position.{where}", "list")
    return value


def _whole(where: str, value: object, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= MOST:
        raise MalformedRecord(f"position.{where}", "whole-least", least=least)
    return value


def _one_of(where: str, value: object, allowed: Any) -> str:
    if type(value) is not str or value not in allowed:
        raise MalformedRecord(f"position.{where}", "one-of", values=allowed)
    return value


def _general(where: str, value: object) -> str:
    if type(value) is not str or not GENERAL.fullmatch(value):
        raise Fault(f"position.{where}", "general")
    return value
