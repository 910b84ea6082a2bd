"""The programs of History of the Roman Empire, and whole games that they play (docs/bots.md).

Chance that they need for themselves comes from a `random.Random` that is given to them; the game's
own dice are thrown by `engine.dice` alone. All are given the whole position, hands of others
included, and use only what their seat may know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from engine.dice import Dice
from engine.effects import Effect
from engine.play import perform
from games.contract.players import End, Player, Rank
from games.kit.records import GM
from games.roman_empire.bots.choosing import sensible
from games.roman_empire.bots.manners import bold, cautious, cunning, explained, random
from games.roman_empire.rules import phases, view
from games.roman_empire.rules.moves import decode
from games.roman_empire.rules.position import (
    CHART,
    DONE,
    EMPERORS,
    FACTION,
    PEOPLE,
    PERIODS,
    SEATS,
    F,
    Options,
    P,
    Position,
    Scenario,
)
from games.roman_empire.text.english import BOTS
from games.roman_empire.text.words import numeral

LEVELS = ("cautious", "bold", "cunning")
"""The programs that may hold a seat beside people, the weakest first."""


def _go_on(going: str, rng: Random) -> dict[str, Any]:
    return {"by": GM, "move": going}


def game(seats: Mapping[str, str], seed: str, options: Options) -> Position:
    """A whole game from its seed, each seat played by the program of this name."""
    position, dice, rng = (
        Position(Scenario(), options),
        Dice(view.LAST_LINK, seed=seed),
        Random(seed),
    )
    while True:
        choice = explained(seats.get(view.mover(position) or "", "sensible"), position, rng)
        if choice is None:
            return position
        perform(position, decode(dict(choice.raw), position), dice)
        dice.thrown.clear()


class EmpirePlayers:
    """See `games.contract.players.Players`, `Graded`, `Opponents` and `Contested`."""

    grades: Mapping[str, Mapping[str, Any]] = {f"{n} players": {"players": n} for n in (2, 3, 4)}
    games = 200
    by_name: Mapping[str, Player] = {
        "sensible": sensible,
        "cunning": cunning,
        "bold": bold,
        "cautious": cautious,
        "random": random,
    }
    labels: Mapping[str, str] = {
        "grade": "table",
        "A": "seat A wins",
        "B": "seat B wins",
        "C": "seat C wins",
        "D": "seat D wins",
        "points": "points of the winner",
        "last": "points of the last",
        "p": "Peoples, all seats",
        "f": "Factions, all seats",
        "legions": "Legions lost",
        "romans": "lands of Factions",
        "shares": "share of all points",
        "seat": "By seat",
        "people": "By People, in the order of the turns",
        "emperor": "By Emperor, in the order of the turns",
        **{f"seat-{seat}": f"seat {seat}" for seat in SEATS},
        **{f"people-{one.id}": f"{numeral(one.period)} {one.n} {one.name}" for one in CHART},
        **{
            f"emperor-{one.id}": f"{numeral(one.period)} {one.n} {one.name}"
            for one in EMPERORS.values()
        },
    }

    @property
    def levels(self) -> Mapping[str, str]:
        return {level: BOTS.text(level) for level in LEVELS}

    @property
    def manners(self) -> Mapping[str, str]:
        """What each level is like, in a few words of the language of now."""
        return {level: BOTS.text(f"{level}-about") for level in LEVELS}

    def asks(
        self, position: Position, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], dict[str, Any]] | None:
        """Programs make the moves of their seats, also retreats in another's phase; what goes on by
        itself, a program makes go on, but the beginning. There are no battles to be fought by hand.
        """
        going = view.automatic(position)
        if going is not None:
            return None if going == "begin" else partial(_go_on, going)
        seat = view.mover(position)
        return (
            partial(self._move, position, seats[seat])
            if seat is not None and seat in seats
            else None
        )

    def measure(self, position: Position, whole: bool) -> tuple[int, int]:
        """By the phases that have been called (4.4)."""
        phases_of_turn = 2 * len(position.seats)
        called = (
            phases_of_turn - len(position.queue)
            if position.phase in (PEOPLE, FACTION, "turns")
            else 0
        )
        ended = called - (position.phase in (PEOPLE, FACTION) and position.step != DONE)
        if not whole:
            return ended, phases_of_turn
        over = position.phase == "over"
        return (
            PERIODS if over else position.period - 1
        ) * phases_of_turn + ended, PERIODS * phases_of_turn

    @staticmethod
    def _move(position: Position, level: str, rng: Random) -> dict[str, Any]:
        choice = explained(level, position, rng)
        assert choice is not None
        return dict(choice.raw)

    def tournament(self, hero: str, others: str, campaigns: int, seed: str) -> Rank:
        """One program among three of another, in each seat as often."""
        first, ranks = 0, 0
        for n in range(campaigns):
            options = Options()
            seat = options.seats[n % len(options.seats)]
            position = game(
                {one: hero if one == seat else others for one in options.seats},
                f"{seed}/{n}",
                options,
            )
            assert position.result is not None
            rank = (
                phases.ranking(position, position.result["totals"]).index(position.owners[seat]) + 1
            )
            first, ranks = first + (rank == 1), ranks + rank
        return Rank(campaigns, first / campaigns, ranks / campaigns)

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        """Who won, and what all had at the end; `unfinished` if nothing had ended."""
        result = position.result or {"winner": "unfinished", "totals": {"": 0}}
        totals = result["totals"].values()
        numbers = {
            "points": max(totals),
            "last": min(totals),
            "p": sum(of[P] for of in position.vp.values()),
            "f": sum(of[F] for of in position.vp.values()),
            "legions": sum(position.losses.values()),
            "romans": sum(len(position.held(colour)) for colour in position.factions.values()),
        }
        points = {
            f"seat-{seat}": sum(of.values()) for seat, of in position.vp.items()
        } | position.earned
        return End(str(result["winner"]), "", numbers, points)
