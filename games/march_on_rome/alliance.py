"""Offers of alliance, and the mergers they end in (5)."""

from __future__ import annotations

from engine.dice import Dice
from engine.effects import Say
from games.march_on_rome import battle
from games.march_on_rome.board import LOST, PC, SENATE, row
from games.march_on_rome.position import Position

D6 = 6


def offer(position: Position, dice: Dice, general: str, target: str) -> None:
    """A general offers an alliance to the holder of the target: a merger, a battle, or a question to the player."""
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
        accepts = row("answer_npc", _answer(position, dice, general))["dominant" if top == holder else "not_dominant"]
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
    """NO: the side that offered attacks the province at once (5.1)."""
    holder = position.owner[target]
    position.note("refused", holder, target, "5.1", general=general, target=target, holder=holder)
    battle.begin(position, dice, general, target, "refused")


def merge(position: Position, top: str, other: str, target: str) -> None:
    """All legions and provinces of the other general go to the dominant one (5.3)."""
    position.note("merged", top, target, "5.3", top=top, other=other, target=target)
    said = Say("merged", "5.3", {"top": top, "other": other, "target": target})
    legions = position.legions[other]
    for province in position.lands(other):
        position.set_owner(province, top, said)
    position.change_legions(other, -legions, said)
    position.change_legions(top, legions, said)
    position.remove(other, said)


def absorb_procurator(position: Position, general: str, target: str) -> None:
    """A procurator and his garrison join the general (5.3)."""
    _absorb(position, general, target, SENATE, position.garrison[target])


def absorb_nation(position: Position, dice: Dice, general: str, target: str) -> None:
    """A barbarian nation joins the general with its strength, rolled now if it is not known (5.3)."""
    _absorb(position, general, target, LOST, battle.strength(position, dice, target))


def _absorb(position: Position, general: str, target: str, other: str, legions: int) -> None:
    position.note("merged", general, target, "5.3", top=general, other=other, target=target)
    said = Say("merged", "5.3", {"top": general, "other": other, "target": target})
    position.set_owner(target, general, said)
    position.change_legions(general, legions, said)
