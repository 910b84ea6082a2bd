"""Programs that play: one weighs gains against losses, the other makes random moves.

They take their own chance from a `random.Random` argument; only `engine.dice` throws the dice of
the game. A program chooses moves as users do, and its choices are in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from engine.effects import Effect
from games.contract.players import End, Player
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.moves import TO_WIN
from games.march_on_rome.rules.odds import Foe, Question
from games.march_on_rome.rules.position import LOST, PC, SENATE, Position

Raw = Mapping[str, Any]

LEGION = 100
"""The value of a legion for the sensible program; all values are in hundredths of a legion."""
PROVINCE = 500
"""The value of a province: the legions that it will recruit before the reign is over."""
NEEDED = 1500
"""The value of a province while the player has too few of them to win.

With two or three, a lost battle does not end the reign either.
"""
HELD = 800
"""The value of an own province in defence: it recruits in the same year."""
WEAKEN = 150
"""The value of a legion that a rival does not recruit."""
FALL = 600
"""The value of the end of a rival, besides their provinces.

None may live when the player enters Rome (3.5).
"""
THREAT = 60
"""The value of a lost legion of a rival."""
CAPITAL = 10**12
"""The value of the last province.

Its loss ends the reign, so that even the smallest chance is worth every legion.
"""


def random(position: Position, rng: Random) -> Raw | None:
    """Return any legal move; None when the game is over.

    All kinds of moves that are possible have the same chance, and so have their arguments.
    """
    if position.phase == "over":
        return None
    if position.pending:
        if position.pending["kind"] == "answer":
            return {"move": "answer", "accept": rng.random() < 0.5}
        return {
            "move": "devote",
            "legions": rng.randint(position.pending["side"] == "attacker", position.legions[PC]),
        }
    if position.phase != "pc":
        return _next_move(position)
    targets = position.targets()
    kinds = (
        ["pass"]
        + (["ally"] if targets else [])
        + (["attack"] if targets and position.legions[PC] else [])
    )
    kind = rng.choice(kinds)
    return {"move": kind} if kind == "pass" else {"move": kind, "target": rng.choice(targets)}


def sensible(position: Position, rng: Random | None = None) -> Raw | None:
    """Return the most promising move; None when the game is over. It needs no chance of its own."""
    if position.phase == "over":
        return None
    if position.pending:
        return _answer(position)
    if position.phase != "pc":
        return _next_move(position)
    best = 0
    move: Raw = {"move": "pass"}
    for target in position.targets():
        for hope, raw in _actions(position, target):
            if hope > best:
                best, move = hope, raw
    return move


def _next_move(position: Position) -> Raw:
    return {"move": "begin" if position.phase == "setup" else "continue"}


# The value of moves -------------------------------------------------------------------------------


def _province(position: Position) -> int:
    return NEEDED if len(position.lands(PC)) < TO_WIN else PROVINCE


def _worth(position: Position, target: str) -> int:
    """Return the value of taking a province from its holder in battle."""
    owner, worth = position.owner[target], _province(position)
    if owner in (SENATE, LOST):
        return worth
    worth += WEAKEN
    if len(position.lands(owner)) == 1:
        worth += FALL + THREAT * position.legions[owner]
    return worth


def _actions(position: Position, target: str) -> list[tuple[int, Raw]]:
    """Return an attack on a province and an offer to its holder, each with its value."""
    mine, owner, worth = position.legions[PC], position.owner[target], _worth(position, target)
    if owner == LOST:
        strength = position.barbarians.get(target)
        more = odds.bonus(position)
        hopes = [
            _hope(mine, Foe(n, extra=more), worth)
            for n in ([strength] if strength is not None else range(3, 9))
        ]
        fight = sum(hopes) // len(hopes)
        gain, yes = worth + LEGION * (strength or 5), odds.YES_NATION
    elif owner == SENATE:
        fight = _hope(mine, Foe(position.garrison[target]), worth)
        gain, yes = worth + LEGION * position.garrison[target], odds.YES_PROCURATOR
    else:
        theirs = position.legions[owner]
        fight = _hope(mine, Foe(theirs, True), worth)
        if position.dominates(owner, PC, offered=owner):
            return [(fight, {"move": "attack", "target": target})] if mine else []
        lands = len(position.lands(owner))
        gain, yes = (
            lands * (_province(position) + WEAKEN) + FALL + (THREAT + LEGION) * theirs,
            odds.YES_GENERAL,
        )
    offer = (yes.numerator * gain + (yes.denominator - yes.numerator) * fight) // yes.denominator
    moves: list[tuple[int, Raw]] = [(offer, {"move": "ally", "target": target})]
    return [*moves, (fight, {"move": "attack", "target": target})] if mine else moves


@lru_cache(None)
def _hope(mine: int, foe: Foe, worth: int) -> int:
    """Return the mean value of an attack, less the legions lost, with the best commitment."""
    if not mine or not foe.total:
        return worth if mine else 0
    ways = foe.brings(mine, False)
    faces = sum(len(dice) or 1 for dice, _ in ways)
    seen = (
        sum(
            (len(dice) or 1) * _commit(Question(mine, 1, foe, True, n, False), worth)[1]
            for dice, n in ways
        )
        // faces
    )
    return (
        seen + _commit(Question(mine, 1, foe, False, None, False), worth)[1]
    ) // 2 - LEGION * mine


@lru_cache(None)
def _commit(asked: Question, worth: int) -> tuple[int, int]:
    """Return the best number of legions to devote, and its mean value.

    The value is that of the province and of the legions left.
    """
    ways = (
        [((), asked.known)]
        if asked.known is not None
        else asked.foe.brings(asked.mine, not asked.first)
    )
    faces = sum(len(dice) or 1 for dice, _ in ways)
    best = (0, LEGION * asked.mine) if not asked.least else (0, -1)
    for n in range(1, asked.mine + 1):
        hope = 0
        for dice, brings in ways:
            won, left, left_won = odds.weighted_sums(n, brings, asked.first)
            hope += (len(dice) or 1) * (won * worth + LEGION * (left_won if asked.doomed else left))
        hope = hope // (odds.OF * faces) + LEGION * (asked.mine - n)
        if hope > best[1]:
            best = (n, hope)
    return best


def _answer(position: Position) -> Raw:
    """Return the answer to a question.

    It never accepts an offer: a YES ends the reign (5.5). It devotes the number with the best
    value.
    """
    assert position.pending is not None
    if position.pending["kind"] == "answer":
        return {"move": "answer", "accept": False}
    asked = odds.question(position)
    if asked.least:
        assert position.battle is not None
        worth = _worth(position, position.battle["target"])
    else:
        worth = CAPITAL if len(position.lands(PC)) == 1 else HELD
    return {"move": "devote", "legions": _commit(asked, worth)[0]}


# Interface for simulations ------------------------------------------------------------------------

CAUSES = {"merged": "absorbed", "no_province": "no-province", "assassinated": "assassinated"}


class MarchPlayers:
    """The programs; implements `Players` and `WithProgress` of `games.contract.players`."""

    by_name: Mapping[str, Player] = {"sensible": sensible, "random": random}
    labels: Mapping[str, str] = {
        "absorbed": "absorbed by a rival",
        "no-province": "no province left",
        "assassinated": "assassinated",
        "provinces": "provinces at the end",
        "legions": "legions at the end",
    }

    def measure(self, position: Position, whole: bool) -> tuple[int, int] | None:
        """Return the progress in provinces towards those needed to enter Rome (3.5).

        There is no measure of a single year.
        """
        return (min(len(position.lands(PC)), TO_WIN), TO_WIN) if whole else None

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        """Return the result, its cause if it is a defeat (7.1), and the final numbers.

        The result is `unfinished` if the reign has not ended.
        """
        over = next((effect for effect in effects if effect.kind in ("won", "lost")), None)
        cause = CAUSES.get(str(over.facts["why"]), "") if over is not None else ""
        numbers = {
            "years": position.turn,
            "provinces": len(position.lands(PC)),
            "legions": position.legions.get(PC, 0),
        }
        return End(position.result or "unfinished", cause, numbers)
