"""Players by program: one that weighs points against armies, and one that says anything.

Chance that they need for themselves comes from a `random.Random` given to them. The game's own dice are thrown by
`engine.dice` alone: a player by program chooses as people do, and what he chose stands in the log. Both read the whole
position, hands of others included, and use of it only what their seat may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engine.effects import Effect
from engine.players import End, Player
from games.roman_empire import view
from games.roman_empire.board import CHART, EMPERORS
from games.roman_empire.choices import choices
from games.roman_empire.form import MOVES
from games.roman_empire.position import F, P, Position
from games.roman_empire.scenario import SEATS
from games.roman_empire.sense import sensible
from games.roman_empire.words import numeral

Raw = Mapping[str, Any]
ENDS = ("end_phase", "end_sub")
EAGER = 0.93
"""How often the random player does something else than end."""


def random(position: Position, rng: Random) -> Raw | None:
    """Any legal move, evenly among the kinds there are and then among their arguments; None when all is over."""
    going = view.automatic(position)
    if going is not None:
        return {"move": going}
    seat = view.mover(position)
    if seat is None:
        return None
    ends: list[tuple[str, list[Mapping[str, Any]]]] = []
    acts: list[tuple[str, list[Mapping[str, Any]]]] = []
    for name, cls in MOVES.items():
        found = [] if cls.automatic else choices(position, cls, seat, seat)[0]
        if found:
            (ends if name in ENDS else acts).append((name, found))
    kinds = acts if acts and (not ends or rng.random() < EAGER) else ends
    name, found = rng.choice(kinds)
    return {"by": seat, "move": name, **rng.choice(found)}


class EmpirePlayers:
    """See `engine.players.Players` and `Graded`."""

    grades: Mapping[str, Mapping[str, Any]] = {f"{n} players": {"players": n} for n in (2, 3, 4)}
    games = 200
    by_name: Mapping[str, Player] = {"sensible": sensible, "random": random}
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
        **{f"emperor-{one.id}": f"{numeral(one.period)} {one.n} {one.name}" for one in EMPERORS.values()},
    }

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
        made = {f"seat-{seat}": sum(of.values()) for seat, of in position.vp.items()} | position.earned
        return End(str(result["winner"]), "", numbers, made)
