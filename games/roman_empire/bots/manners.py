"""Three manners of play, and a program that makes any move (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engine.dice import Dice
from engine.play import perform
from games.roman_empire.bots.choosing import best
from games.roman_empire.bots.preparing import LATE
from games.roman_empire.bots.styles import (
    BOLD,
    CAUTIOUS,
    GREEDY,
    GUARDED,
    SENSIBLE,
    Choice,
    Raw,
    Style,
)
from games.roman_empire.rules import phases, view
from games.roman_empire.rules.choices import choices
from games.roman_empire.rules.moves import MOVES, decode
from games.roman_empire.rules.position import DONE, FACTION, Position


def cautious(position: Position, rng: object = None) -> Raw | None:
    """Attacks where it wins more often than not, keeps armies together and points in hand."""
    choice = explained("cautious", position, Random(0))
    return None if choice is None else choice.raw


def bold(position: Position, rng: object = None) -> Raw | None:
    """Attacks where a victory promises more than it costs, the leader first, and spends what it
    has.
    """
    choice = explained("bold", position, Random(0))
    return None if choice is None else choice.raw


def cunning(position: Position, rng: Random) -> Raw | None:
    """Tries what the manners propose by playing the phase to its end several times, and passes weak
    counters on.
    """
    choice = explained("cunning", position, rng)
    return None if choice is None else choice.raw


MANNERS = (Style(trade=1.5), CAUTIOUS, BOLD, GREEDY, GUARDED)
"""What `cunning` chooses from; the first one draws counters and answers for others in what it
tries.
"""
TRIALS = 4
"""So often each proposal is played to the end of the phase: a number, no time, so that one chance
gives one move.
"""
AHEAD = 0.5
"""What the points are worth that a Faction would score again as it stands."""
REAR = 0.35
"""What an army is worth at the end of a phase."""


def explained(level: str, position: Position, rng: Random) -> Choice | None:
    """The move of a program by its level, and why."""
    if level == "random":
        raw = random(position, rng)
        return None if raw is None else Choice(raw, "any")
    if level != "cunning":
        return best(position, {"cautious": CAUTIOUS, "bold": BOLD}.get(level, SENSIBLE))
    first = best(position, MANNERS[0])
    seat = view.mover(position)
    if first is None or seat is None or position.pending is not None or position.draw is not None:
        return first
    proposals: list[tuple[Choice, Style]] = [(first, MANNERS[0])]
    for style in MANNERS[1:]:
        choice = best(position, style)
        if choice is not None and all(choice.raw != other.raw for other, _style in proposals):
            proposals.append((choice, style))
    if len(proposals) == 1:
        return first
    seeds = [f"{rng.getrandbits(64):016x}" for _trial in range(TRIALS)]
    worths = [
        sum(_trial(position, seat, choice, style, seed) for seed in seeds)
        for choice, style in proposals
    ]
    choice = proposals[worths.index(max(worths))][0]
    return choice._replace(
        why="tried", facts={"n": len(proposals) * TRIALS, "because": choice.sentence}
    )


def _trial(position: Position, seat: str, choice: Choice, style: Style, seed: str) -> float:
    """What comes of a move if the rest of the phase is played in this manner, with dice of
    its own.
    """
    trial, dice = position.copy(), Dice(view.LAST_LINK, seed=seed)
    here = (position.period, position.phase, position.active)
    move: Choice | None = choice
    while move is not None:
        perform(trial, decode(dict(move.raw), trial), dice)
        dice.thrown.clear()
        if trial.step == DONE or (trial.period, trial.phase, trial.active) != here:
            break
        move = best(trial, style if view.mover(trial) == seat else MANNERS[0])
    return standing(trial, seat)


def standing(position: Position, seat: str) -> float:
    """What a player has come to, less what the others have: points, those that Factions would score
    again, armies.
    """
    worth: dict[str, float] = {}
    for one in position.seats:
        again = phases.score(position, one, FACTION).points if position.period < LATE else 0
        armies = position.on_map(position.factions[one]) if position.period < LATE else 0
        value = sum(position.vp[one].values()) + AHEAD * again + REAR * armies
        worth[position.owners[one]] = worth.get(position.owners[one], 0.0) + value
    mine = worth.pop(position.owners[seat])
    return mine - sum(worth.values()) / max(1, len(worth))


ENDS = ("end_phase", "end_sub")
EAGER = 0.93
"""How often the random player does something else than end."""


def random(position: Position, rng: Random) -> Raw | None:
    """Any legal move, evenly among the kinds there are and then among their arguments; None when
    all is over.
    """
    going = view.automatic(position)
    if going is not None:
        return {"move": going}
    seat = view.mover(position)
    if seat is None:
        return None
    ends: list[tuple[str, list[Mapping[str, Any]]]] = []
    acts: list[tuple[str, list[Mapping[str, Any]]]] = []
    for name, cls in MOVES.items():
        ways = [] if cls.automatic else choices(position, cls, seat, seat)[0]
        if ways:
            (ends if name in ENDS else acts).append((name, ways))
    kinds = acts if acts and (not ends or rng.random() < EAGER) else ends
    name, ways = rng.choice(kinds)
    return {"by": seat, "move": name, **rng.choice(ways)}
