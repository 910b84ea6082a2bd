"""Battles (4), also in invasions (6.1), and offers of alliance (5)."""

from __future__ import annotations

from typing import Any

from engine.dice import Dice
from engine.effects import Phrase
from games.march_on_rome.rules.position import (
    BARBARIANS,
    LOST,
    OTHER,
    PC,
    SENATE,
    SIDES,
    TABLES,
    Battle,
    Pending,
    Position,
    devotes,
    is_general,
    losses,
    row,
)

D6 = 6
STRIKES = 3
"""How many dice a side throws in a segment (4.7)."""
EXTRA = 2
"""The additional armies of barbarians with the initiative, with the optional rule (7.2)."""
INVASION = "invasion"


def strength(position: Position, dice: Dice, province: str) -> int:
    """Return the strength of a barbarian nation; roll it if it is not known this turn (4.2)."""
    if province not in position.barbarians:
        base, turn = TABLES["barbarians"]["base"], position.turn
        rolled = base + dice.roll(f"turn-{turn}/barbarians/{province}", D6, turn)
        position.change_barbarians(
            province, rolled, Phrase("strength", "4.2", {"province": province})
        )
    return position.barbarians[province]


def begin(
    position: Position, dice: Dice, attacker: str, target: str, cause: str, horde: int = 0
) -> None:
    """Fight a battle for the target.

    It goes on to its end, or until the player has to say how many legions they devote.
    """
    position.battle_no += 1
    defender = position.owner[target]
    if defender == LOST:
        strength(position, dice, target)
    battle: Battle = {
        "no": position.battle_no,
        "target": target,
        "attacker": attacker,
        "defender": defender,
        "cause": cause,
        "initiative": None,
        "devoted": {"attacker": None, "defender": None},
    }
    if cause == INVASION:
        battle["horde"] = horde
    position.battle = battle
    totals = {side: position.total(side, battle) for side in SIDES}
    note(position, "battle", "4.1", defender=defender, cause=cause, totals=totals)
    if not totals["attacker"] or not totals["defender"]:
        settle(position, "attacker" if totals["attacker"] else "defender", totals, walkover=True)
        return
    turn, again = position.turn, 0
    while True:
        mark = f"/reroll-{again}" if again else ""
        rolled = {
            side: dice.roll(_purpose(position, f"initiative/{side}{mark}"), D6, turn)
            for side in SIDES
        }
        if rolled["attacker"] != rolled["defender"]:
            break
        again += 1
    first = "attacker" if rolled["attacker"] > rolled["defender"] else "defender"
    position.battle = {**battle, "initiative": first}
    note(position, "initiative", "4.4", side=first, rolls=rolled, ties=again)
    commit(position, dice)


def commit(position: Position, dice: Dice) -> None:
    """Let each side devote its legions, the side without the initiative first (4.5).

    A side that has already devoted its legions is left out.
    """
    battle = running(position)
    first = str(battle["initiative"])
    for side in (OTHER[first], first):
        if battle["devoted"][side] is not None:
            continue
        who = battle["attacker"] if side == "attacker" else battle["defender"]
        if who == PC:
            position.pending = Pending(kind="devote", side=side)
            return
        own, other = position.total(side, battle), position.total(OTHER[side], battle)
        rolled = None
        if is_general(who):
            rolled = dice.roll(_purpose(position, f"devote/{side}"), D6, position.turn)
            devoted = devotes(rolled, own, other, side == first)
        elif who != SENATE and side == first and position.options.barbarian_initiative:
            devoted = own + EXTRA
        else:
            devoted = own
        devote(position, side, devoted, rolled)
        battle = running(position)
    clash(position, dice)


def devote(position: Position, side: str, legions: int, rolled: int | None = None) -> None:
    """Devote legions of a side to the battle."""
    battle = running(position)
    position.battle = {**battle, "devoted": {**battle["devoted"], side: legions}}
    note(
        position,
        "battle_devoted",
        "4.5",
        side=side,
        legions=legions,
        roll=rolled,
        total=position.total(side, battle),
    )


def clash(position: Position, dice: Dice) -> None:
    """Fight the segments (4.7).

    First there are as many as the die shows, then more as long as the sides are equal.
    """
    battle, turn = running(position), position.turn
    left = {side: battle["devoted"][side] or 0 for side in SIDES}
    x = losses(sum(left.values()))
    segments = dice.roll(_purpose(position, "segments"), D6, turn)
    first = str(battle["initiative"])
    note(position, "segments", "4.7", segments=segments, X=x)
    fought = 0
    while all(left.values()) and (fought < segments or left["attacker"] == left["defender"]):
        fought += 1
        rolls: dict[str, list[int]] = {}
        hits: dict[str, int] = {}
        for side in (first, OTHER[first]):
            if not left[side]:
                break
            rolls[side] = dice.roll_several(
                _purpose(position, f"segment-{fought}/{side}"), D6, STRIKES, turn
            )
            hits[side] = rolls[side].count(1)
            left[OTHER[side]] = max(0, left[OTHER[side]] - x * hits[side])
        note(
            position,
            "segment",
            "4.7",
            segment=fought,
            first=first,
            rolls=rolls,
            hits=hits,
            X=x,
            left=dict(left),
        )
    settle(position, "attacker" if left["attacker"] > left["defender"] else "defender", left)


def settle(
    position: Position,
    winner: str,
    left: dict[str, int],
    walkover: bool = False,
    conceded: bool = False,
) -> None:
    """End the battle: losses, the province, generals who are out (4.8, 6.1).

    `left` are the devoted legions that are left.
    """
    battle = running(position)
    target, defender = battle["target"], battle["defender"]
    invaded = battle["cause"] == INVASION and winner == "attacker"
    note(
        position,
        "battle_over",
        "4.8",
        winner=winner,
        left=left,
        walkover=walkover,
        conceded=conceded,
        defender=defender,
    )
    position.battle = None
    if not walkover and not conceded:
        cause = Phrase("fallen", "4.8", {"no": battle["no"], "province": target})
        for side in SIDES:
            fallen = (battle["devoted"][side] or 0) - left[side]
            if invaded and side == "defender":
                fallen, cause = battle["devoted"][side] or 0, cause._replace(rule="6.1")
            _lose(position, battle, side, fallen, cause)
    facts = {"by": battle["attacker"], "holder": defender, "no": battle["no"]}
    if winner == "defender":
        return
    if battle["cause"] == INVASION:
        position.set_owner(target, LOST, Phrase("province_lost", "6.1", facts))
    else:
        position.set_owner(target, battle["attacker"], Phrase("province_taken", "4.8", facts))
    if is_general(defender) and not position.lands(defender):
        position.remove(defender, Phrase("no_province", "4.9", {"general": defender}))


def _lose(position: Position, battle: Battle, side: str, fallen: int, cause: Phrase) -> None:
    """Remove the fallen from their owner; a horde has no owner (6.1)."""
    who, target = battle["attacker"] if side == "attacker" else battle["defender"], battle["target"]
    if who == SENATE:
        position.change_garrison(target, -fallen, cause)
    elif who == LOST:
        # The two additional armies of 7.2 do not belong to the nation, which cannot lose more than
        # it has.
        position.change_barbarians(target, -min(fallen, position.barbarians[target]), cause)
    elif who != BARBARIANS:
        position.change_legions(who, -fallen, cause)


def running(position: Position) -> Battle:
    """Return the battle in progress."""
    assert position.battle is not None
    return position.battle


def note(position: Position, kind: str, rule: str, /, **facts: Any) -> None:
    """Add an effect of the battle in progress."""
    battle = running(position)
    position.note(
        kind,
        battle["attacker"],
        battle["target"],
        rule,
        no=battle["no"],
        target=battle["target"],
        attacker=battle["attacker"],
        **facts,
    )


def _purpose(position: Position, what: str) -> str:
    return f"turn-{position.turn}/battle-{running(position)['no']}/{what}"


# Offers of alliance, and mergers (5).


def offer(position: Position, dice: Dice, general: str, target: str) -> None:
    """Offer an alliance to the holder of the target.

    It leads to a merger, a battle, or a question to the player.
    """
    holder = position.owner[target]
    position.note("offered", general, target, "5.1", general=general, target=target, holder=holder)
    if holder == PC:
        if position.dominates(general, PC, offered=PC):
            position.pending = {"kind": "answer", "from": general, "target": target}
        else:
            merge(position, PC, general, target)
        return
    if holder in (SENATE, LOST):
        top, column = general, "procurator" if holder == SENATE else "barbarian"
        accepts = row("answer_other", _answer(position, dice, general))[column]
    else:
        top = holder if position.dominates(holder, general, offered=holder) else general
        accepts = row("answer_npc", _answer(position, dice, general))[
            "dominant" if top == holder else "not_dominant"
        ]
    if not accepts:
        refuse(position, dice, general, target)
    elif holder == SENATE:
        absorb_procurator(position, general, target)
    elif holder == LOST:
        absorb_nation(position, dice, general, target)
    else:
        merge(position, top, general if top == holder else holder, target)


def _answer(position: Position, dice: Dice, general: str) -> int:
    return dice.roll(f"turn-{position.turn}/{general}/answer", D6, position.turn)


def refuse(position: Position, dice: Dice, general: str, target: str) -> None:
    """Refuse an offer: the side that offered attacks the province at once (5.1)."""
    holder = position.owner[target]
    position.note("refused", holder, target, "5.1", general=general, target=target, holder=holder)
    begin(position, dice, general, target, "refused")


def merge(position: Position, top: str, other: str, target: str) -> None:
    """Give all legions and provinces of the other general to the dominant one (5.3)."""
    position.note("merged", top, target, "5.3", top=top, other=other, target=target)
    cause = Phrase("merged", "5.3", {"top": top, "other": other, "target": target})
    legions = position.legions[other]
    for province in position.lands(other):
        position.set_owner(province, top, cause)
    position.change_legions(other, -legions, cause)
    position.change_legions(top, legions, cause)
    position.remove(other, cause)


def absorb_procurator(position: Position, general: str, target: str) -> None:
    """Add a procurator and their garrison to the general (5.3)."""
    _absorb(position, general, target, SENATE, position.garrison[target])


def absorb_nation(position: Position, dice: Dice, general: str, target: str) -> None:
    """Add a barbarian nation to the general; its strength is rolled if it is not known (5.3)."""
    _absorb(position, general, target, LOST, strength(position, dice, target))


def _absorb(position: Position, general: str, target: str, other: str, legions: int) -> None:
    position.note("merged", general, target, "5.3", top=general, other=other, target=target)
    cause = Phrase("merged", "5.3", {"top": general, "other": other, "target": target})
    position.set_owner(target, general, cause)
    position.change_legions(general, legions, cause)
