"""The views of a reign: rows for the table, offers, and pending tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from engine.effects import Phrase
from engine.errors import IllegalMove
from engine.strict_json import check_keys
from games.contract.title import Branch, Field, Offer, Rows, SeatInfo, Standing, Waiting
from games.kit.records import (
    certain_branch,
    links_by_turn,
    read_list,
    read_mapping,
    read_one_of,
    read_whole,
)
from games.march_on_rome.rules import moves
from games.march_on_rome.rules.position import (
    BARBARIANS,
    LOST,
    PC,
    PROVINCES,
    SENATE,
    SIDES,
    Battle,
    Fault,
    Options,
    Position,
    Scenario,
    is_general,
    npc,
    number,
    read_options,
)
from games.march_on_rome.text import words

COLOUR = "#9c2f24"
LAST_LINK = 1000
GROUPS = {"devote": "battle", "answer": "offer", "begin": "year", "continue": "year"}


def seats(scenario: Scenario, options: Options) -> list[SeatInfo]:
    """Return the only seat, with the general's name."""
    return [SeatInfo(PC, words.general_name(scenario, PC), COLOUR, words.book()["seat"])]


def generals(position: Position) -> list[str]:
    """Return all generals so far, including the dead, whose ledgers remain."""
    return [PC, *(npc(n) for n in range(1, position.npc_seq + 1))]


def rows(position: Position) -> Rows:
    """Return the position as title-neutral rows.

    There are no contests: battles end within a move or two and are described by their effects.
    """
    everyone = generals(position)
    accounts = {(who, "legions"): position.legions.get(who, 0) for who in everyone}
    accounts[SENATE, "garrison"] = sum(position.garrison.values())
    accounts[LOST, "armies"] = sum(position.barbarians.values())
    return Rows(
        holders={
            who: {"living": who in position.legions, "provinces": len(position.lands(who))}
            for who in everyone
        }
        | {who: {"provinces": len(position.lands(who))} for who in (SENATE, LOST)},
        accounts=accounts,
        holdings={
            key: {
                "owner": owner,
                "garrison": position.garrison.get(key),
                "armies": position.barbarians.get(key),
            }
            for key, owner in position.owner.items()
        },
        items={},
        contests={},
    )


def view(position: Position, seat: str | None) -> dict[str, Any]:
    """Return the state of RULES, which is public, with `slot`.

    `slot` is the player's seat while the game goes on.
    """
    return position.encode() | {"slot": None if position.phase == "over" else PC}


def waiting(position: Position) -> list[Waiting]:
    """Return the tasks that the player has to do before the game can go on."""
    pending = position.pending
    if position.phase == "over":
        return []
    if pending is not None and pending["kind"] == "devote":
        assert position.battle is not None
        return [Waiting(PC, Phrase("wait-devote", "4.5", {"target": position.battle["target"]}))]
    if pending is not None:
        return [
            Waiting(
                PC,
                Phrase(
                    "wait-answer", "5.5", {"general": pending["from"], "target": pending["target"]}
                ),
            )
        ]
    if position.phase == "setup":
        return [Waiting(PC, Phrase("wait-begin", "2"))]
    return [
        Waiting(
            PC,
            Phrase(
                "wait-year" if position.phase == "pc" else "wait-continue",
                "3",
                {"turn": position.turn},
            ),
        )
    ]


def offers(position: Position, seat: str, by: str) -> list[Offer]:
    """Return all seven moves of the player, each with its values or the rule that forbids it."""
    return [_offer(position, cls, by) for cls in moves.MOVES.values()] if seat == PC else []


def _offer(position: Position, cls: type[moves.MarchMove], by: str) -> Offer:
    def allowed(key: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        if key == "target":
            return position.targets()
        if key == "accept":
            return [True, False]
        least, most = moves.bounds(position)
        return range(least, most + 1)

    kinds = {"target": "province", "accept": "flag", "legions": "number"}
    fields = tuple(Field(key, kinds[key]) for key in cls.form)
    offer = Offer(
        cls.name, cls.name, GROUPS.get(cls.name, "turn"), by, PC, fields=fields, allowed=allowed
    )
    try:
        cls.probe(position, by)
    except IllegalMove as refusal:
        offer.refusal = refusal
    return offer


def branches(position: Position, move: moves.MarchMove) -> list[Branch]:
    return certain_branch(position, move, LAST_LINK)


def links_due(position: Position) -> int:
    return links_by_turn(position.phase, position.turn, LAST_LINK)


def score(position: Position) -> list[Standing] | None:
    """Return a point for a reign that was won; None while it goes on."""
    if position.result is None:
        return None
    facts = {
        "result": position.result,
        "year": position.turn,
        "provinces": len(position.lands(PC)),
        "legions": position.legions.get(PC, 0),
    }
    return [Standing(PC, int(position.result == "won"), 1, facts)]


# A position read from a partial state, as worked examples have it (RULES, Worked examples).

PHASES = ("setup", "pc", "npc", "recruit", "events", "over")
GENERAL = re.compile(r"pc|npc-[1-9][0-9]{0,8}", re.ASCII)
read_number = partial(read_whole, most=10**9)
NUMBERS = ("event_no", "battle_no", "npc_seq")
KEYS = {
    "turn",
    "phase",
    "owner",
    "garrison",
    "legions",
    "queue",
    "events_left",
    "barbarians",
    "battle",
    "pending",
    "result",
    "options",
    *NUMBERS,
}


def read_position(raw: object, scenario: Scenario, options: Options) -> Position:
    """Return the position of a partial state.

    The defaults are: turn 1, phase `pc`, everything else empty. Provinces without an owner are
    `lost`; procurators without a garrison, and generals that own provinces but have no entry, have
    no legions.

    Raises:
        MalformedRecord: A value is wrong; the error has its key.
    """
    parts = check_keys("position", raw, KEYS)
    if "options" in parts:
        options = read_options(parts["options"])
    position = Position(scenario, options)
    position.turn = read_number("turn", parts.get("turn", 1), 1)
    position.phase = read_one_of("phase", parts.get("phase", "pc"), PHASES)
    for key, owner in read_mapping("owner", parts.get("owner", {})).items():
        read_one_of("owner", key, PROVINCES)
        if owner not in (SENATE, LOST):
            _general("owner", owner)
        position.owner[key] = owner
    owners = set(position.owner.values())
    if position.phase != "over":
        position.legions = {general: 0 for general in owners if is_general(general)}
    for key, value in read_mapping("legions", parts.get("legions", {})).items():
        position.legions[_general("legions", key)] = read_number("legions", value)
    position.legions = {key: position.legions[key] for key in position.generals()}
    position.garrison = dict.fromkeys(position.lands(SENATE), 0)
    for key, value in read_mapping("garrison", parts.get("garrison", {})).items():
        position.garrison[read_one_of("garrison", key, position.garrison)] = read_number(
            "garrison", value
        )
    for key, value in read_mapping("barbarians", parts.get("barbarians", {})).items():
        position.barbarians[read_one_of("barbarians", key, position.lands(LOST))] = read_number(
            "barbarians", value
        )
    if parts.get("queue") is not None:
        position.queue = [
            _general("queue", general) for general in read_list("queue", parts["queue"])
        ]
    if parts.get("events_left") is not None:
        position.events_left = read_number("events_left", parts["events_left"])
    for name in NUMBERS:
        setattr(position, name, read_number(name, parts.get(name, 0)))
    position.npc_seq = max([position.npc_seq, *map(number, position.legions)])
    if parts.get("result") is not None:
        position.result = read_one_of("result", parts["result"], ("won", "lost"))
    if parts.get("battle") is not None:
        position.battle = _battle(position, parts["battle"])
    if parts.get("pending") is not None:
        _pending(position, parts["pending"])
    return position


def _battle(position: Position, raw: object) -> Battle:
    where = "position.battle"
    needed = {"no", "target", "attacker", "defender", "cause", "initiative", "devoted"}
    parts = check_keys(where, raw, needed | {"horde"}, needed)
    cause = read_one_of("battle.cause", parts["cause"], ("attack", "refused", "invasion"))
    if (cause == "invasion") != ("horde" in parts) or (cause == "invasion") != (
        parts["attacker"] == BARBARIANS
    ):
        raise Fault(where, "horde")
    target = read_one_of("battle.target", parts["target"], PROVINCES)
    devoted = check_keys(f"{where}.devoted", parts["devoted"], set(SIDES), set(SIDES))
    if parts["defender"] != position.owner[target] or (
        cause != "invasion" and parts["attacker"] not in position.legions
    ):
        raise Fault(where, "battle-sides")
    battle: Battle = {
        "no": read_number("battle.no", parts["no"], 1),
        "target": target,
        "attacker": parts["attacker"],
        "defender": parts["defender"],
        "cause": cause,
        "initiative": read_one_of("battle.initiative", parts["initiative"], SIDES),
        "devoted": {
            side: None if devoted[side] is None else read_number("battle.devoted", devoted[side])
            for side in SIDES
        },
    }
    if cause == "invasion":
        battle["horde"] = read_number("battle.horde", parts["horde"], 1)
    if battle["defender"] == LOST and target not in position.barbarians:
        raise Fault("position.barbarians", "strength", target=target)
    return battle


def _pending(position: Position, raw: object) -> None:
    where = "position.pending"
    parts = read_mapping("pending", raw)
    if parts.get("kind") == "devote":
        check_keys(where, raw, {"kind", "side"}, {"side"})
        side = read_one_of("pending.side", parts["side"], SIDES)
        if (
            position.battle is None
            or position.battle["attacker" if side == "attacker" else "defender"] != PC
        ):
            raise Fault(where, "no-side")
        position.pending = {"kind": "devote", "side": side}
        return
    check_keys(where, raw, {"kind", "from", "target"}, {"kind", "from", "target"})
    read_one_of("pending.kind", parts["kind"], ("answer",))
    if parts["from"] not in position.npcs() or position.owner.get(parts["target"]) != PC:
        raise Fault(where, "offer")
    position.pending = {"kind": "answer", "from": parts["from"], "target": parts["target"]}


def _general(where: str, value: object) -> str:
    if type(value) is not str or not GENERAL.fullmatch(value):
        raise Fault(f"position.{where}", "general")
    return value
