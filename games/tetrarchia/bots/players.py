"""Programs that play: one plans each turn for all four Emperors, the other makes random moves.

They take their own chance from a `random.Random` argument; only `engine.dice` throws the dice of
the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from engine.effects import Effect
from games.contract.players import End, Player
from games.tetrarchia.bots.planner import Planner
from games.tetrarchia.bots.ways import Raw
from games.tetrarchia.rules import barbarians, battle
from games.tetrarchia.rules.moves import MOVES
from games.tetrarchia.rules.position import BORDER, EMPERORS, IMPERIUM, ROMA, Position
from games.tetrarchia.rules.view import choices
from games.tetrarchia.text.english import BOTS

FLEETS = ("internum", "aegaeum", "atlanticum")
"""The zones for the sensible program's fleets, the most useful first."""
# The tokens that it never gives up for points (7.1), and the least gain for which it gives up one.
SPARE, WORTH = 1, 20
LEVELS = ("5300", "5200", "4300", "4200", "4100", "4210", "4201", "4211", "3211", "4222", "3122")
"""The levels that are simulated, by expected difficulty.

They include the easiest, the one for beginners, the normal one, the hardest.
"""
EAGER = 0.85
"""How often the random player makes another move than the one that ends a turn."""


def random(position: Position, rng: Random) -> Raw | None:
    """Return any legal move; None when the game is over.

    All kinds of moves that are possible have the same chance, and so have their arguments.
    """
    if position.phase == "over":
        return None
    seat = position.options.player(position.emperor)
    kinds = {}
    for name, cls in MOVES.items():
        if (
            cls.phase == position.phase
            and (not cls.variant or position.has_variant(cls.variant))
            and name not in ("begin", "end_turn")
        ):
            ways, _ = choices(position, cls, seat, seat)
            if ways:
                kinds[name] = ways
    if not kinds or (position.phase == "roman" and not position.can_enter and rng.random() > EAGER):
        return {"move": "begin" if position.phase == "setup" else "end_turn"}
    name = rng.choice(list(kinds))
    return {"move": name, **rng.choice(kinds[name])}


def sensible(position: Position, rng: Random | None = None) -> Raw | None:
    """Return the first step of the best plan; None when the game is over. It needs no chance."""
    if position.phase == "over":
        return None
    if position.phase == "setup":
        return {"move": "begin"}
    if position.phase == "fleets":
        return {"move": "place_fleets", "zones": list(FLEETS[: position.options.level[1]])}
    if position.can_enter:
        return _enter(position)
    if position.at is None:
        return {"move": "end_turn"}
    planner = Planner(position)
    best = planner.plan(position.at, position.ip)
    if (
        position.has_variant(IMPERIUM)
        and position.supply[position.emperor] > SPARE
        and not position.sharing()
    ):
        more = planner.plan(position.at, position.ip + 1)
        if more.value > best.value + WORTH:
            return {"move": "imperium", "tokens": 1}
    step = best.first
    if step is None or step.stays(position.at):
        return {"move": "end_turn"} if step is None or step.move is None else step.move
    way = battle.reach(position, position.at, position.ip)[step.at]
    return {"move": "move", "path": list(way.path)}


def _enter(position: Position) -> Raw:
    """Return the entry from which the better plan begins."""
    capital = EMPERORS[position.emperor].capital
    free = (
        capital not in position.tokens
        and capital not in position.barbarians
        and not position.standing(capital)
    )
    planner = Planner(position)
    best = max(
        (capital, ROMA) if free else (ROMA,),
        key=lambda space: planner.plan(space, position.ip).value,
    )
    return {"move": "enter", "at": best}


LEVELS_OF_PROGRAMS = ("random", "sensible")
"""The programs that may play an Emperor beside users, the weakest first."""


class TetrarchiaPlayers:
    """The programs; implements `Players`, `WithGrades`, `Opponents` and `WithProgress`.

    All of these are in `games.contract.players`.
    """

    grades: Mapping[str, Mapping[str, Any]] = {level: {"level": level} for level in LEVELS}
    games = 200

    by_name: Mapping[str, Player] = {"sensible": sensible, "random": random}
    labels: Mapping[str, str] = {
        "rounds": "rounds",
        "rome": "barbarians in ROMA",
        "no_revolt": "no Revolt token left",
        "no_unrest": "no Unrest token left",
        "secured": "borders secured",
        "score": "score (6.3)",
    }

    @property
    def levels(self) -> Mapping[str, str]:
        return {level: BOTS.text(level) for level in LEVELS_OF_PROGRAMS}

    @property
    def manners(self) -> Mapping[str, str]:
        """Return a short description of each level, in the reader's language."""
        return {level: BOTS.text(f"{level}-about") for level in LEVELS_OF_PROGRAMS}

    def asks(
        self, position: Position, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], dict[str, Any]] | None:
        """Return the function that makes a program's next move; None if no program moves now.

        Programs make the moves of their Emperors, but not the `begin` move. No battles are fought
        outside the site.
        """
        seat = (
            None
            if position.phase in ("setup", "over")
            else position.options.player(position.emperor)
        )
        return (
            partial(self._move, position, seat, seats[seat])
            if seat is not None and seat in seats
            else None
        )

    def _move(self, position: Position, seat: str, level: str, rng: Random) -> dict[str, Any]:
        move = self.by_name[level](position, rng)
        assert move is not None
        return {"by": seat, **move}

    def measure(self, position: Position, whole: bool) -> tuple[int, int]:
        """Return the progress: secured borders (six of them win), or the Emperors of a round."""
        if whole:
            return len(position.secured()), len(BORDER)
        return list(EMPERORS).index(position.emperor), len(EMPERORS)

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        """Return the result, its cause if it is a defeat (6.2), and the final numbers.

        The result is `unfinished` if the game has not ended.
        """
        numbers = {
            "rounds": position.round,
            "secured": len(position.secured()),
            "score": barbarians.score(position).points,
        }
        return End(position.result or "unfinished", position.reason or "", numbers)
