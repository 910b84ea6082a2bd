"""Replay of a campaign's log by its rules, for a checker outside the site (`static/verify.py`).

It needs only the standard library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.errors import IllegalMove, MalformedRecord
from engine.play import play
from engine.strict_json import read
from games.contract.title import options_of_genesis
from games.registry import by_format


class Needs(NamedTuple):
    """The facts that the rules require in a move's log entry."""

    seat: str
    audience: list[str] | None
    rolls: list[list[Any]]
    """Purpose, sides, value, link and audience of each roll, in their order."""


class Replay:
    """The moves in force, each with the position after it.

    A move is a canonical JSON text, identified by its place in the log.
    """

    def __init__(self, genesis: str) -> None:
        """Begin the campaign that a log's first entry describes."""
        begin = read(genesis)
        self.title = by_format()[begin["format"]]
        self._scenario = self.title.scenario(begin["scenario"])
        first = self.title.setup(
            self._scenario, self.title.options(options_of_genesis(self.title, begin))
        )
        self._after: dict[int, Any] = {-1: first}

    @property
    def _position(self) -> Any:
        return next(reversed(self._after.values()))

    @property
    def in_force(self) -> list[int]:
        """Return the places of the moves in force, in their order."""
        return [place for place in self._after if place >= 0]

    @property
    def links_due(self) -> int:
        """Return how many links of the dice are published at the current position."""
        return self.title.links_due(self._position)

    def play(self, place: int, move: str, values: Mapping[str, int]) -> Needs:
        """Play a move after those in force, with these values of the dice by purpose.

        Raises:
            ValueError: The rules forbid the move, or a roll has no value; the message says which.
        """
        before = self._position
        try:
            played = play(before, self.title.decode(read(move), before), Dice(0, fixed=values))
        except IllegalMove as refusal:
            raise ValueError(self._sentence(refusal)) from None
        except MalformedRecord as wrong:
            raise ValueError(str(wrong)) from None
        self._after[place] = played.after
        rolls = [[*roll[:4], _listed(roll.audience)] for roll in played.rolls]
        return Needs(played.move.seat, _listed(self.title.audience(before, played.move)), rolls)

    def _sentence(self, refusal: IllegalMove) -> str:
        if refusal.code == "no-dice":
            return f"the rules need the roll {refusal.facts['purpose']}, which is not in the log"
        return f"the rules forbid it: {self.title.refusal(self._scenario, refusal)}"

    def put_in_force(
        self, places: Sequence[int], moves: Mapping[int, str], values: Mapping[str, int]
    ) -> None:
        """Put exactly these moves in force. Moves after the first difference are played again."""
        same = [-1]
        for old, new in zip(self.in_force, places, strict=False):
            if old != new:
                break
            same.append(old)
        self._after = {place: self._after[place] for place in same}
        for place in places[len(same) - 1 :]:
            self.play(place, moves[place], values)


def _listed(audience: Sequence[str] | None) -> list[str] | None:
    return None if audience is None else sorted(audience)
