"""The barbarian phase (4.3), and the scores of a game (6.3, 7.5).

The phase has these steps: status, threat, uprisings and their echo, advance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.dice import Dice
from engine.effects import Phrase
from games.tetrarchia.rules import battle
from games.tetrarchia.rules.position import (
    ARMIES,
    BORDER,
    EMPERORS,
    GREAT,
    ITALIA,
    LINKS,
    NUMBERED,
    OF_REGION,
    ONWARD,
    ORDER,
    OUTER,
    OUTSIDE,
    PRINTED,
    REGIONS,
    REVOLT,
    ROMA,
    SPACES,
    TO_ROME,
    UNREST,
    Position,
)

D6 = 6
HOLDS = 4
"""The number from which a broken link counts as a link (4.3)."""


def run_phase(position: Position, dice: Dice) -> None:
    """Carry out the barbarian phase, to the next Emperor's turn or the end of the game."""
    if position.sharing():
        position.remove_figure(position.emperor, "sharing", "8.11")
    if not status(position, dice):
        return
    for emperor, space in position.figures.items():
        if space is not None and position.tokens.get(space) == REVOLT:
            position.remove_figure(emperor, "revolt", "4.3")
    if threats(position, dice) and advance(position, dice):
        position.close_turn()


def purpose_of(position: Position, what: str) -> str:
    """Return the purpose of a roll of the current turn."""
    return f"round-{position.round}/{position.emperor}/{what}"


def link_holds(position: Position, dice: Dice, what: str, **facts: Any) -> bool:
    """Roll whether a broken link counts this once; add an effect if it does not."""
    rolled = dice.roll(purpose_of(position, what), D6, position.round)
    if rolled < HOLDS:
        position.note("not_linked", None, facts["space"], "4.3", roll=rolled, **facts)
    return rolled >= HOLDS


def status(position: Position, dice: Dice) -> bool:
    """Turn Unrest that is linked to Revolt into Revolt, all at once (4.3.1, 8.8).

    Return False if the game is over.
    """
    revolts = {space for space, token in position.tokens.items() if token == REVOLT}
    unrests = sorted(
        (space for space, token in position.tokens.items() if token == UNREST),
        key=ORDER.__getitem__,
    )
    risen = [space for space in unrests if _catches(position, dice, space, revolts)]
    for space in risen:
        if not position.strike(space, REVOLT, Phrase("status_revolt", "4.3", {"space": space})):
            return False
        position.note("status_revolt", None, space, "4.3", space=space)
    return True


def _catches(position: Position, dice: Dice, space: str, revolts: set[str]) -> bool:
    near = {other: broken for other, broken in LINKS[space].items() if other in revolts}
    if not all(near.values()):
        return True
    return any(
        link_holds(position, dice, f"status/{space}/{other}", space=space, to=other, step="status")
        for other in near
    )


def threats(position: Position, dice: Dice) -> bool:
    """Carry out the threat and those that its uprisings cause (4.3.3, 4.3.4).

    Return False if the game is over.
    """
    number = 1
    region = OUTER[dice.roll(purpose_of(position, "threat-1/region"), D6, position.round) - 1]
    while True:
        n = dice.roll(purpose_of(position, f"threat-{number}/number"), D6, position.round)
        space = NUMBERED[region, n]
        token = position.tokens.get(space)
        safe = token in EMPERORS or (token is None and space in PRINTED)
        position.note(
            "threat",
            None,
            space,
            "4.3",
            no=number,
            region=region,
            number=n,
            space=space,
            finds=token,
            holds=safe,
        )
        if safe:
            return True
        if token != REVOLT:
            kind = REVOLT if token == UNREST else UNREST
            if not position.strike(space, kind, Phrase(kind, "4.3", {"space": space})):
                return False
            position.note(kind, None, space, "4.3", space=space)
            return True
        if not uprising(position, dice, number, space):
            return False
        if not position.reserve[ARMIES]:
            return True
        region = OUTER[dice.roll(purpose_of(position, f"echo-{number}"), D6, position.round) - 1]
        border = BORDER[region]
        if (
            border not in position.tokens
            and border not in position.barbarians
            and not position.standing(border)
        ):
            position.add_army(border, "invaders", "4.3")
            return True
        position.note("echo", None, border, "4.3", no=number, region=region, space=border)
        number += 1


def uprising(position: Position, dice: Dice, number: int, space: str) -> bool:
    """Place Revolt in every province linked to a space (4.3.4).

    Return False if the game is over.
    """
    position.note("uprising", None, space, "4.3", no=number, space=space)
    for other, broken in LINKS[space].items():
        if SPACES[other].outside or position.tokens.get(other) == REVOLT:
            continue
        if broken and not link_holds(
            position, dice, f"uprising-{number}/{other}", space=other, to=space, step="uprising"
        ):
            continue
        if not position.strike(other, REVOLT, Phrase("revolt", "4.3", {"space": other})):
            return False
        position.note("revolt", None, other, "4.3", space=other)
    return True


def advance(position: Position, dice: Dice) -> bool:
    """Move every army, the nearest to ROMA first (4.3.5). Return False if the game is over."""
    for space in sorted(position.barbarians, key=_place):
        to = ONWARD[space]
        if to in position.barbarians:
            position.note("blocked", None, space, "4.3", space=space, to=to)
            continue
        if LINKS[space].get(to) and not link_holds(
            position, dice, f"advance/{space}", space=space, to=to, step="advance"
        ):
            continue
        # There may be two Emperors in ROMA (4.1), but never at the end of a turn (8.11).
        for emperor in position.standing(to):
            if (
                battle.fight(
                    position, dice, emperor, space, purpose_of(position, f"battle/{space}"), False
                )
                != "defeat"
            ):
                break
        else:
            if not enter(position, space, to):
                return False
    return True


def _place(space: str) -> tuple[int, int, int]:
    """Return an army's place in the order: steps to ROMA, then region, then number (8.15).

    ITALIA is the first region.
    """
    region = SPACES[space].region
    return TO_ROME[space], -1 if region == ITALIA else list(REGIONS).index(region), SPACES[space].n


def enter(position: Position, space: str, to: str) -> bool:
    """Let an army enter and devastate a space (4.3.5). Return False if the game is over."""
    position.move_army(space, to)
    if to == ROMA:
        position.end("lost", "rome")
        return False
    if not position.strike(to, REVOLT, Phrase("devastation", "4.3", {"space": to})):
        return False
    position.note("devastation", None, to, "4.3", space=to)
    return True


# The scores of a game, and the titles of the variant `the_great` (6.3, 7.5).

WEIGHT = {UNREST: 1, REVOLT: 2}
HEAVY = 6
"""A region counts if the tokens in it cost more than this to remove (6.3)."""
QUIET = 4
LEAD = 2
"""The lead that a title requires (7.5)."""


class Score(NamedTuple):
    """The parts of a score.

    - secured: the number of secured borders
    - quiet: whether ITALIA has no Revolt
    - armies: the number of armies on the board
    - heavy: the heavy regions
    """

    secured: int
    quiet: bool
    armies: int
    heavy: tuple[str, ...]

    @property
    def points(self) -> int:
        """Return the score, from -16 to 10."""
        unsecured = len(OUTSIDE) - self.secured
        return self.secured + QUIET * self.quiet - unsecured - self.armies - len(self.heavy)


def score(position: Position) -> Score:
    """Return the score of a position (6.3)."""
    tokens = position.tokens
    return Score(
        len(position.secured()),
        all(tokens.get(key) != REVOLT for key in OF_REGION[ITALIA]),
        len(position.barbarians),
        tuple(region for region in REGIONS if weight(position, region) > HEAVY),
    )


def weight(position: Position, region: str) -> int:
    """Return the cost of removing all Unrest and Revolt of a region."""
    return sum(WEIGHT.get(position.tokens.get(key, ""), 0) for key in OF_REGION[region])


def personal(position: Position) -> dict[str, int]:
    """Return each Emperor's borders with their token, plus glory (7.5)."""
    borders = [position.tokens.get(space) for space in OUTSIDE]
    return {emperor: borders.count(emperor) + position.glory[emperor] for emperor in EMPERORS}


def titles(position: Position) -> dict[str, str]:
    """Return the Emperor who is `great`, or else the Emperors of the `east` and `west`.

    There are titles only after a win with the variant.
    """
    if not position.has_variant(GREAT) or position.result != "won":
        return {}
    scores = personal(position)
    for emperor, mine in scores.items():
        if all(mine >= LEAD + other for key, other in scores.items() if key != emperor):
            return {emperor: "great"}
    return {key: e.half for key, e in EMPERORS.items() if scores[key] >= LEAD + scores[e.colleague]}


def objective(position: Position, seat: str) -> bool | None:
    """Return whether a seat has reached its objective; None if it has none (7.5)."""
    if not position.has_variant(GREAT) or position.result is None:
        return None
    if position.result == "lost":
        return False
    held, mine = titles(position), position.options.emperors(seat)
    if position.options.players == 1:
        return not held
    if position.options.players == 2:
        return any(held.get(emperor) == "great" for emperor in mine)
    return any(emperor in held for emperor in mine)
