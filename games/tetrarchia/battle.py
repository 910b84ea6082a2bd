"""Battles: support, multipliers, outcome (5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.effects import Say
from games.tetrarchia.board import EMPERORS, LINKS, REVOLT, UNREST, ordered
from games.tetrarchia.position import Position
from games.tetrarchia.scenario import GREAT, IMPERIUM

D6 = 6


class Value(NamedTuple):
    """What is added to a side's die, by which spaces, and who doubles it (5.2, 5.3)."""

    support: int
    group: tuple[str, ...]
    helpers: tuple[str, ...]

    @property
    def times(self) -> int:
        return int(2 ** len(self.helpers))

    def of(self, die: int) -> int:
        """The side's value with this die."""
        return (die + self.support) * self.times


def group(space: str, counts: Callable[[str], bool]) -> tuple[str, ...]:
    """The largest connected group that includes the space or one linked to it, in board order; of equal ones the first."""
    best: set[str] = set()
    seen: set[str] = set()
    for start in (space, *LINKS[space]):
        if start in seen or not counts(start):
            continue
        found, todo = {start}, [start]
        while todo:
            for key in LINKS[todo.pop()]:
                if key not in found and counts(key):
                    found.add(key)
                    todo.append(key)
        seen |= found
        if len(found) > len(best):
            best = found
    return tuple(ordered(best))


def roman(position: Position, emperor: str, at: str, army: str) -> Value:
    """The Emperor's side in a battle where he stands `at` a space (5.2, 5.3)."""
    mine = group(at, lambda key: position.supports(key, emperor))
    helpers = tuple(e for e, where in position.figures.items() if e != emperor and where is not None and army in LINKS[where])
    return Value(len(mine), mine, helpers)


def barbarian(position: Position, at: str, army: str) -> Value:
    """The army's side against an Emperor `at` a space."""
    theirs = group(army, lambda key: position.tokens.get(key) == REVOLT)
    return Value(len(theirs), theirs, tuple(other for other in position.barbarians if other != army and at in LINKS[other]))


def fight(position: Position, dice: Dice, emperor: str, army: str, purpose: str, attacks: bool) -> str:
    """Throw and resolve: `victory`, `defeat` or `draw`, of the Emperor; `attacks` is whether he does. What follows for
    whoever moves is done; an army that wins has still to enter (5.6)."""
    at = str(position.figures[emperor])
    ours, theirs = roman(position, emperor, at, army), barbarian(position, at, army)
    rolls = {side: dice.roll(f"{purpose}/{side}", D6, position.round) for side in ("roman", "barbarian")}
    values = {"roman": ours.of(rolls["roman"]), "barbarian": theirs.of(rolls["barbarian"])}
    outcome = "draw" if values["roman"] == values["barbarian"] else (
        "victory" if values["roman"] > values["barbarian"] else "defeat"
    )  # fmt: skip
    facts: dict[str, Any] = {"emperor": emperor, "space": at, "army": army, "attacker": emperor if attacks else "barbarians"}
    position.note(
        "attack", emperor, army, "5.1", **facts, no=position.attack_no if attacks else 0, rolls=rolls, values=values,
        roman=told(ours), barbarian=told(theirs),
    )  # fmt: skip
    rule = "5.4" if outcome == "draw" else "5.5" if attacks else "5.6"
    position.note(outcome, emperor, army, rule, **facts, values=values)
    if outcome == "victory":
        position.remove_army(army, Say("beaten", rule, {"emperor": emperor, "army": army}))
        if attacks:
            position.move_figure(emperor, army)
            position.note("moved_in", emperor, army, "5.5", emperor=emperor, space=at, to=army)
        honours(position, emperor)
    elif outcome == "defeat":
        position.remove_figure(emperor, "defeat", rule)
        if attacks and position.tokens.get(at) in EMPERORS:
            position.set_token(at, None, Say("fled", "5.5", {"emperor": emperor}))
        shame(position, emperor)
    return outcome


def told(value: Value) -> dict[str, Any]:
    return {"support": value.support, "group": list(value.group), "helpers": list(value.helpers), "times": value.times}


def honours(position: Position, emperor: str) -> None:
    """What a victory brings with the variants: a token back, glory (7.1, 7.5)."""
    regain(position, emperor)
    if position.on(GREAT) and position.reserve[UNREST]:
        said = Say("glory", "7.5", {"emperor": emperor})
        position.change_reserve(UNREST, -1, said)
        position.account(emperor, "glory", position.glory, emperor, 1, said)


def shame(position: Position, emperor: str) -> None:
    """What a defeat costs with the variant: glory (7.5)."""
    if position.on(GREAT) and position.glory[emperor]:
        said = Say("shame", "7.5", {"emperor": emperor})
        position.account(emperor, "glory", position.glory, emperor, -1, said)
        position.change_reserve(UNREST, 1, said)


def regain(position: Position, emperor: str) -> None:
    """A token given up in an earlier turn comes back (7.1)."""
    now = position.removed_now if emperor == position.emperor else 0
    if position.on(IMPERIUM) and position.removed[emperor] > now:
        said = Say("regained", "7.1", {"emperor": emperor})
        position.account(emperor, "removed", position.removed, emperor, -1, said)
        position.change_supply(emperor, 1, said)
