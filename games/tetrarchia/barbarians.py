"""The barbarian phase: status, threat, uprisings and their echo, the advance (4.3)."""

from __future__ import annotations

from engine.dice import Dice
from engine.effects import Say
from games.tetrarchia import battle
from games.tetrarchia.board import (
    ARMIES,
    BORDER,
    EMPERORS,
    ITALIA,
    LINKS,
    NUMBERED,
    ONWARD,
    ORDER,
    OUTER,
    PRINTED,
    REGIONS,
    REVOLT,
    ROMA,
    SPACES,
    TO_ROME,
    UNREST,
)  # fmt: skip
from games.tetrarchia.position import Position

D6 = 6
HOLDS = 4
"""From this number on a broken link is one (4.3)."""


def phase(position: Position, dice: Dice) -> None:
    """What `end_turn` runs, to the next Emperor's turn or the end of the game."""
    if position.sharing():
        position.remove_figure(position.emperor, "sharing", "8.11")
    if not status(position, dice):
        return
    for emperor, space in position.figures.items():
        if space is not None and position.tokens.get(space) == REVOLT:
            position.remove_figure(emperor, "revolt", "4.3")
    if threats(position, dice) and advance(position, dice):
        position.close_turn()


def key(position: Position, what: str) -> str:
    """The purpose of a roll of the current turn."""
    return f"round-{position.round}/{position.emperor}/{what}"


def holds(position: Position, dice: Dice, what: str, **facts: str) -> bool:
    """Is a broken link one, this once? A note where it is not."""
    rolled = dice.roll(key(position, what), D6, position.round)
    if rolled < HOLDS:
        position.note("not_linked", None, facts["space"], "4.3", roll=rolled, **facts)
    return rolled >= HOLDS


def status(position: Position, dice: Dice) -> bool:
    """Unrest linked to Revolt becomes Revolt, all at once (4.3.1, 8.8). False where the game is over."""
    revolts = {space for space, token in position.tokens.items() if token == REVOLT}
    unrests = sorted((space for space, token in position.tokens.items() if token == UNREST), key=ORDER.__getitem__)
    risen = [space for space in unrests if _catches(position, dice, space, revolts)]
    for space in risen:
        if not position.strike(space, REVOLT, Say("status_revolt", "4.3", {"space": space})):
            return False
        position.note("status_revolt", None, space, "4.3", space=space)
    return True


def _catches(position: Position, dice: Dice, space: str, revolts: set[str]) -> bool:
    near = {other: broken for other, broken in LINKS[space].items() if other in revolts}
    if not all(near.values()):
        return True
    return any(holds(position, dice, f"status/{space}/{other}", space=space, to=other, step="status") for other in near)


def threats(position: Position, dice: Dice) -> bool:
    """The threat and those that its uprisings bring (4.3.3, 4.3.4). False where the game is over."""
    number = 1
    region = OUTER[dice.roll(key(position, "threat-1/region"), D6, position.round) - 1]
    while True:
        n = dice.roll(key(position, f"threat-{number}/number"), D6, position.round)
        space = NUMBERED[region, n]
        token = position.tokens.get(space)
        safe = token in EMPERORS or (token is None and space in PRINTED)
        position.note("threat", None, space, "4.3", no=number, region=region, number=n, space=space, finds=token, holds=safe)
        if safe:
            return True
        if token != REVOLT:
            kind = REVOLT if token == UNREST else UNREST
            if not position.strike(space, kind, Say(kind, "4.3", {"space": space})):
                return False
            position.note(kind, None, space, "4.3", space=space)
            return True
        if not uprising(position, dice, number, space):
            return False
        if not position.reserve[ARMIES]:
            return True
        region = OUTER[dice.roll(key(position, f"echo-{number}"), D6, position.round) - 1]
        border = BORDER[region]
        if border not in position.tokens and border not in position.barbarians and not position.standing(border):
            position.add_army(border, "invaders", "4.3")
            return True
        position.note("echo", None, border, "4.3", no=number, region=region, space=border)
        number += 1


def uprising(position: Position, dice: Dice, number: int, space: str) -> bool:
    """Revolt in every province linked to a space (4.3.4). False where the game is over."""
    position.note("uprising", None, space, "4.3", no=number, space=space)
    for other, broken in LINKS[space].items():
        if SPACES[other].outside or position.tokens.get(other) == REVOLT:
            continue
        if broken and not holds(position, dice, f"uprising-{number}/{other}", space=other, to=space, step="uprising"):
            continue
        if not position.strike(other, REVOLT, Say("revolt", "4.3", {"space": other})):
            return False
        position.note("revolt", None, other, "4.3", space=other)
    return True


def advance(position: Position, dice: Dice) -> bool:
    """Every army moves, the nearest to ROMA first (4.3.5). False where the game is over."""
    for space in sorted(position.barbarians, key=_place):
        to = ONWARD[space]
        if to in position.barbarians:
            position.note("blocked", None, space, "4.3", space=space, to=to)
            continue
        if LINKS[space].get(to) and not holds(position, dice, f"advance/{space}", space=space, to=to, step="advance"):
            continue
        # In ROMA two may stand (4.1), never at the end of a turn (8.11).
        for emperor in position.standing(to):
            if battle.fight(position, dice, emperor, space, key(position, f"battle/{space}"), False) != "defeat":
                break
        else:
            if not enter(position, space, to):
                return False
    return True


def _place(space: str) -> tuple[int, int, int]:
    """An army's place in the order: steps to ROMA, then ITALIA, I to VI, then numbers (8.15)."""
    region = SPACES[space].region
    return TO_ROME[space], -1 if region == ITALIA else list(REGIONS).index(region), SPACES[space].n


def enter(position: Position, space: str, to: str) -> bool:
    """An army enters a space and lays it waste (4.3.5). False where the game is over."""
    position.move_army(space, to)
    if to == ROMA:
        position.end("lost", "rome")
        return False
    if not position.strike(to, REVOLT, Say("devastation", "4.3", {"space": to})):
        return False
    position.note("devastation", None, to, "4.3", space=to)
    return True
