"""What a game came to: the score, and with `the_great` who is titled (6.3, 7.5)."""

from __future__ import annotations

from typing import NamedTuple

from games.tetrarchia.board import EMPERORS, ITALIA, OF_REGION, OUTSIDE, REGIONS, REVOLT, UNREST
from games.tetrarchia.position import Position
from games.tetrarchia.scenario import GREAT

WEIGHT = {UNREST: 1, REVOLT: 2}
HEAVY = 6
"""A region whose tokens cost more than this to remove counts (6.3)."""
QUIET = 4
LEAD = 2
"""By how much one must lead to be titled (7.5)."""


class Score(NamedTuple):
    """The parts of a score: borders secured, ITALIA without Revolt, armies on the board, heavy regions."""

    secured: int
    quiet: bool
    armies: int
    heavy: tuple[str, ...]

    @property
    def points(self) -> int:
        """From -16 to 10."""
        unsecured = len(OUTSIDE) - self.secured
        return self.secured + QUIET * self.quiet - unsecured - self.armies - len(self.heavy)


def score(position: Position) -> Score:
    """What the state is worth (6.3)."""
    tokens = position.tokens
    return Score(
        len(position.secured()),
        all(tokens.get(key) != REVOLT for key in OF_REGION[ITALIA]),
        len(position.barbarians),
        tuple(region for region in REGIONS if weight(position, region) > HEAVY),
    )


def weight(position: Position, region: str) -> int:
    """What it would cost to remove all Unrest and Revolt of a region."""
    return sum(WEIGHT.get(position.tokens.get(key, ""), 0) for key in OF_REGION[region])


def personal(position: Position) -> dict[str, int]:
    """Borders with his token, and glory, of each Emperor (7.5)."""
    borders = [position.tokens.get(space) for space in OUTSIDE]
    return {emperor: borders.count(emperor) + position.glory[emperor] for emperor in EMPERORS}


def titles(position: Position) -> dict[str, str]:
    """Who is `great`, or else Emperor of the `east` or `west`; nobody but after a win with the variant."""
    if not position.on(GREAT) or position.result != "won":
        return {}
    scores = personal(position)
    for emperor, mine in scores.items():
        if all(mine >= LEAD + other for key, other in scores.items() if key != emperor):
            return {emperor: "great"}
    return {key: e.half for key, e in EMPERORS.items() if scores[key] >= LEAD + scores[e.colleague]}


def objective(position: Position, seat: str) -> bool | None:
    """Has a seat what it wants beside the common win? None where nothing more is wanted (7.5)."""
    if not position.on(GREAT) or position.result is None:
        return None
    if position.result == "lost":
        return False
    found, mine = titles(position), position.options.emperors(seat)
    if position.options.players == 1:
        return not found
    if position.options.players == 2:
        return any(found.get(emperor) == "great" for emperor in mine)
    return any(emperor in found for emperor in mine)
