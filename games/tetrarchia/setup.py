"""The first threats, and the fleets (3)."""

from __future__ import annotations

from engine.dice import Dice
from engine.effects import Say
from games.tetrarchia.board import BORDER, NUMBERED, OUTER, REVOLT
from games.tetrarchia.position import FIRST, Position

D6 = 6


def begin(position: Position, dice: Dice) -> None:
    """Revolts in every outer region, those of the level, its armies (3.2 to 3.4)."""
    _, _, extra, armies = position.options.level
    for region in OUTER:
        _revolt(position, NUMBERED[region, _first(dice, region)], "3.2")
    for number in range(1, extra + 1):
        _revolt(position, _free(position, dice, number), "3.3")
    for number in range(1, armies + 1):
        position.add_army(_outside(position, dice, number), "invaders", "3.4")
    position.phase = "fleets"
    position.note("begun", None, "", "3.2", level=position.options.digits)


def place_fleets(position: Position, zones: tuple[str, ...]) -> None:
    """The fleets take their zones, and Diocletian's first turn begins (3.5, 3.6)."""
    position.set_fleets(list(zones))
    position.note("fleets", None, "", "3.5", zones=list(position.fleets))
    position.open_turn(FIRST)


def again(number: int) -> str:
    """What a purpose ends in when it is rolled once more."""
    return f"/reroll-{number}" if number else ""


def _revolt(position: Position, space: str, rule: str) -> None:
    position.strike(space, REVOLT, Say("revolt", rule, {"space": space}))
    position.note("revolt", None, space, rule, space=space)


def _first(dice: Dice, region: str) -> int:
    tries = 0
    while (number := dice.roll(f"setup/revolt/{region}{again(tries)}", D6, 0)) == 1:
        tries += 1
    return number


def _free(position: Position, dice: Dice, extra: int) -> str:
    tries = 0
    while True:
        region = OUTER[dice.roll(f"setup/extra-{extra}/region{again(tries)}", D6, 0) - 1]
        space = NUMBERED[region, dice.roll(f"setup/extra-{extra}/number{again(tries)}", D6, 0)]
        if space not in position.tokens:
            return space
        tries += 1


def _outside(position: Position, dice: Dice, army: int) -> str:
    tries = 0
    while True:
        space = BORDER[OUTER[dice.roll(f"setup/barbarian-{army}{again(tries)}", D6, 0) - 1]]
        if space not in position.barbarians:
            return space
        tries += 1
