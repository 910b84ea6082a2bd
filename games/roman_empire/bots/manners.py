"""Programs of four levels, a program that follows the bar's proposals, and a random program.

See docs/play/opponents.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engine.dice import Dice
from engine.play import perform
from games.roman_empire.bots.choosing import best
from games.roman_empire.bots.preparing import LATE
from games.roman_empire.bots.styles import (
    BEGINNER,
    BOLD,
    CAUTIOUS,
    GREEDY,
    GUARDED,
    SENSIBLE,
    SUGGESTED,
    Choice,
    Raw,
    Style,
)
from games.roman_empire.rules import phases, view
from games.roman_empire.rules.choices import choices
from games.roman_empire.rules.moves import MOVES, decode
from games.roman_empire.rules.position import DONE, FACTION, Position

STYLES = {"beginner": BEGINNER, "cautious": CAUTIOUS, "bold": BOLD, "bar": SUGGESTED}


def beginner(position: Position, rng: object = None) -> Raw | None:
    """Return the move of a program that counts only the points of this phase.

    It plays no cards, and ignores what its attacks cost the others.
    """
    choice = explained("beginner", position, Random(0))
    return None if choice is None else choice.raw


def bar(position: Position, rng: object = None) -> Raw | None:
    """Return the move of a player who only presses what the bar of the page proposes."""
    choice = explained("bar", position, Random(0))
    return None if choice is None else choice.raw


def cautious(position: Position, rng: object = None) -> Raw | None:
    """Return the move of a program that attacks only if it wins more often than not.

    It keeps armies together and saves points.
    """
    choice = explained("cautious", position, Random(0))
    return None if choice is None else choice.raw


def bold(position: Position, rng: object = None) -> Raw | None:
    """Return the move of a program that attacks if a victory is worth more than it costs.

    It prefers to attack the leader, and spends its points.
    """
    choice = explained("bold", position, Random(0))
    return None if choice is None else choice.raw


def cunning(position: Position, rng: Random) -> Raw | None:
    """Return the move of a program that tries several moves and takes the best.

    It plays each to the end of the phase several times, and passes weak counters on.
    """
    choice = explained("cunning", position, rng)
    return None if choice is None else choice.raw


MANNERS = (Style(trade=1.5), CAUTIOUS, BOLD, GREEDY, GUARDED)
"""The styles that propose moves to `cunning`.

The first of them deals counters, and answers for the other seats in trials.
"""
TRIALS = 4
"""How often each proposal is played to the end of the phase.

It is a number and not a time, so that the same chance gives the same move.
"""
AHEAD = 0.5
"""The weight of the points that a Faction would score again if nothing changed."""
REAR = 0.35
"""The value of an army at the end of a phase."""


def explained(level: str, position: Position, rng: Random) -> Choice | None:
    """Return the move of a program of this level, with its reason."""
    if level == "random":
        raw = random(position, rng)
        return None if raw is None else Choice(raw, "any")
    if level != "cunning":
        return best(position, STYLES.get(level, SENSIBLE))
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
    """Return the value of a move if the rest of the phase is played in this style.

    The trial has dice of its own.
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
    return situation_value(trial, seat)


def situation_value(position: Position, seat: str) -> float:
    """Return the value of a player's situation, less the mean of the other players.

    It counts points, the points that Factions would score again, and armies.
    """
    worth: dict[str, float] = {}
    for other in position.seats:
        again = phases.score(position, other, FACTION).points if position.period < LATE else 0
        armies = position.on_map(position.factions[other]) if position.period < LATE else 0
        value = sum(position.vp[other].values()) + AHEAD * again + REAR * armies
        worth[position.owners[other]] = worth.get(position.owners[other], 0.0) + value
    mine = worth.pop(position.owners[seat])
    return mine - sum(worth.values()) / max(1, len(worth))


ENDS = ("end_phase", "end_sub")
EAGER = 0.93
"""How often the random player makes another move than one that ends the phase."""


def random(position: Position, rng: Random) -> Raw | None:
    """Return any legal move; None when the game is over.

    All kinds of moves that are possible have the same chance, and so have their arguments.
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
