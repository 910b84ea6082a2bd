"""The programs of History of the Roman Empire, and the games they play (docs/play/opponents.md).

They take their own chance from a `random.Random` argument; only `engine.dice` throws the dice of
the game. They are given the whole position, including the hands of others, but use only what their
seat may know.
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
from games.roman_empire.bots.manners import (
    bar,
    beginner,
    bold,
    cautious,
    cunning,
    explained,
    random,
)
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

LEVELS = ("beginner", "cautious", "bold", "cunning")
"""The programs that may hold a seat beside users, the weakest first."""


def _go_on(going: str, rng: Random) -> dict[str, Any]:
    return {"by": GM, "move": going}


def game(seats: Mapping[str, str], seed: str, options: Options) -> Position:
    """Play a whole game from its seed, each seat by the program with this name."""
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
    """The programs; implements `Players`, `WithGrades`, `Opponents` and `WithTournaments`.

    All of these are in `games.contract.players`.
    """

    grades: Mapping[str, Mapping[str, Any]] = {f"{n} players": {"players": n} for n in (2, 3, 4)}
    games = 200
    by_name: Mapping[str, Player] = {
        "sensible": sensible,
        "cunning": cunning,
        "bold": bold,
        "cautious": cautious,
        "beginner": beginner,
        "bar": bar,
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
        **{
            f"people-{people.id}": f"{numeral(people.period)} {people.n} {people.name}"
            for people in CHART
        },
        **{
            f"emperor-{emperor.id}": f"{numeral(emperor.period)} {emperor.n} {emperor.name}"
            for emperor in EMPERORS.values()
        },
    }

    @property
    def levels(self) -> Mapping[str, str]:
        return {level: BOTS.text(level) for level in LEVELS}

    @property
    def manners(self) -> Mapping[str, str]:
        """Return a short description of each level, in the reader's language."""
        return {level: BOTS.text(f"{level}-about") for level in LEVELS}

    def asks(
        self, position: Position, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], dict[str, Any]] | None:
        """Return the function that makes a program's next move; None if no program moves now.

        Programs make the moves of their seats, including retreats in another seat's phase, and the
        automatic moves except the beginning. No battles are fought outside the site.
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
        """Return the progress in phases: those that have ended, and all of them (4.4)."""
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
        """Play a program against three of another, in each seat equally often."""
        first, ranks = 0, 0
        for n in range(campaigns):
            options = Options()
            seat = options.seats[n % len(options.seats)]
            position = game(
                {other: hero if other == seat else others for other in options.seats},
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
        """Return the winner and the final numbers; `unfinished` if the game has not ended."""
        result = position.result or {"winner": "unfinished", "totals": {"": 0}}
        totals = result["totals"].values()
        numbers = {
            "points": max(totals),
            "last": min(totals),
            "p": sum(points[P] for points in position.vp.values()),
            "f": sum(points[F] for points in position.vp.values()),
            "legions": sum(position.losses.values()),
            "romans": sum(len(position.lands_of(colour)) for colour in position.factions.values()),
        }
        points = {
            f"seat-{seat}": sum(tracks.values()) for seat, tracks in position.vp.items()
        } | position.earned
        return End(str(result["winner"]), "", numbers, points)
