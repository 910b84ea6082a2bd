"""Players by program: one that weighs what it can gain against what it may lose, and one that says
anything.

Chance that they need for themselves comes from a `random.Random` given to them. The game's own dice
are thrown by `engine.dice` alone: a player by program chooses as people do, and what it chose
stands in the log.
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
"""What a legion is worth to the sensible player; all worths are in hundredths of one."""
PROVINCE = 500
"""A province: what it will recruit before the reign is over."""
NEEDED = 1500
"""A province while it has fewer than it takes to win; two or three also keep a lost battle from
ending the reign.
"""
HELD = 800
"""A province of its own, to be defended: it recruits this very year."""
WEAKEN = 150
"""That a rival recruits one legion less."""
FALL = 600
"""The end of a rival, beside their provinces: none may live when Rome is entered (3.5)."""
THREAT = 60
"""A rival's legion that is gone."""
CAPITAL = 10**12
"""The last province: without it the reign is over, so the least chance is worth every legion."""


def random(position: Position, rng: Random) -> Raw | None:
    """Any legal move, evenly among the kinds there are and then among their arguments; None when
    all is over.
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
    """The move with the most to be hoped for; None when all is over. It needs no chance."""
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


# What there is to hope for ------------------------------------------------------------------------


def _province(position: Position) -> int:
    return NEEDED if len(position.lands(PC)) < TO_WIN else PROVINCE


def _worth(position: Position, target: str) -> int:
    """What it is worth to take a province from its holder in battle."""
    owner, worth = position.owner[target], _province(position)
    if owner in (SENATE, LOST):
        return worth
    worth += WEAKEN
    if len(position.lands(owner)) == 1:
        worth += FALL + THREAT * position.legions[owner]
    return worth


def _actions(position: Position, target: str) -> list[tuple[int, Raw]]:
    """What may be hoped of an attack on a province and of an offer to its holder."""
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
        his = position.legions[owner]
        fight = _hope(mine, Foe(his, True), worth)
        if position.dominates(owner, PC, offered=owner):
            return [(fight, {"move": "attack", "target": target})] if mine else []
        lands = len(position.lands(owner))
        gain, yes = (
            lands * (_province(position) + WEAKEN) + FALL + (THREAT + LEGION) * his,
            odds.YES_GENERAL,
        )
    offer = (yes.numerator * gain + (yes.denominator - yes.numerator) * fight) // yes.denominator
    moves: list[tuple[int, Raw]] = [(offer, {"move": "ally", "target": target})]
    return [*moves, (fight, {"move": "attack", "target": target})] if mine else moves


@lru_cache(None)
def _hope(mine: int, foe: Foe, worth: int) -> int:
    """What an attack brings on the average, legions lost counted, if each side commits in
    its turn.
    """
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
    """The number to devote for what is to be hoped for, and that: the province's worth and the
    legions left.
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
            won, left, left_won = odds.means(n, brings, asked.first)
            hope += (len(dice) or 1) * (won * worth + LEGION * (left_won if asked.doomed else left))
        hope = hope // (odds.OF * faces) + LEGION * (asked.mine - n)
        if hope > best[1]:
            best = (n, hope)
    return best


def _answer(position: Position) -> Raw:
    """It never submits: a YES ends the reign (5.5). It devotes by what it hopes for."""
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


# What simulations ask -----------------------------------------------------------------------------

CAUSES = {"merged": "absorbed", "no_province": "no-province", "assassinated": "assassinated"}


class MarchPlayers:
    """See `games.contract.players.Players` and `Measured`."""

    by_name: Mapping[str, Player] = {"sensible": sensible, "random": random}
    labels: Mapping[str, str] = {
        "absorbed": "absorbed by a rival",
        "no-province": "no province left",
        "assassinated": "assassinated",
        "provinces": "provinces at the end",
        "legions": "legions at the end",
    }

    def measure(self, position: Position, whole: bool) -> tuple[int, int] | None:
        """By the provinces that are needed to enter Rome (3.5); of a year no number says."""
        return (min(len(position.lands(PC)), TO_WIN), TO_WIN) if whole else None

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        """Won or lost, why it was lost (7.1), and how much there was at the end; `unfinished` if
        nothing had ended.
        """
        over = next((effect for effect in effects if effect.kind in ("won", "lost")), None)
        cause = CAUSES.get(str(over.facts["why"]), "") if over is not None else ""
        numbers = {
            "years": position.turn,
            "provinces": len(position.lands(PC)),
            "legions": position.legions.get(PC, 0),
        }
        return End(position.result or "unfinished", cause, numbers)
