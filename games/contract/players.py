"""Players by program: who plays a title's seats where no person does, and how one of their games is told in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect


class Player(Protocol):
    """A player by program. He chooses as people do: his own chance comes from `rng`, never from the game's dice."""

    def __call__(self, position: Any, rng: Random) -> Mapping[str, Any] | None:
        """The next move in record form, whoever's it is; None where the campaign is over."""
        ...


class End(NamedTuple):
    """How a game ended: its result (`won`, `lost` …), the cause, numbers to be compared, by their names, and what was
    made by whom (`kind-…`), whose shares of all that their kind made are to be compared."""

    result: str
    cause: str
    numbers: Mapping[str, int]
    shares: Mapping[str, int] = {}


class Players(Protocol):
    """What a title gives to be played by program (`games.registry.PLAYERS`)."""

    by_name: Mapping[str, Player]
    """The players, the best first."""
    labels: Mapping[str, str]
    """Words for results, causes and numbers."""

    def end(self, position: Any, effects: Sequence[Effect]) -> End:
        """How the game ended, from its last position and what the last move did."""
        ...


class Rank(NamedTuple):
    """Of one program in many games among others: how often it came first, shared places counted in full, and its mean rank."""

    campaigns: int
    first: float
    mean: float


@runtime_checkable
class Opponents(Protocol):
    """What `Players` give beside, where programs can hold seats beside people."""

    levels: Mapping[str, str]
    """The programs to choose from, the weakest first, each in a word of the language of now."""

    def asks(self, position: Any, seats: Mapping[str, str], by_hand: bool) -> Callable[[Random], dict[str, Any]] | None:
        """What makes the next move, in record form, where that is not the person's; None where the table waits for them or
        the game is over. `seats` are those of programs; `by_hand`: battles of the others are left to them."""
        ...


@runtime_checkable
class Measured(Protocol):
    """What `Players` give beside, where it can be said how far a campaign, or its turn, has come."""

    def measure(self, position: Any, whole: bool) -> tuple[int, int] | None:
        """How far, and of how much: of the whole campaign, else of the turn that runs; None where no number says."""
        ...


@runtime_checkable
class Contested(Protocol):
    """What `Players` give beside, where several play against each other."""

    def tournament(self, hero: str, others: str, campaigns: int, seed: str) -> Rank:
        """One program among those of another, by their names."""
        ...


@runtime_checkable
class Graded(Protocol):
    """What `Players` give beside, where a title is played at several difficulties."""

    grades: Mapping[str, Mapping[str, Any]]
    """Options by difficulty, the easiest first: what is simulated, one after another, unless options are asked for."""
    games: int
    """How many games of each are enough."""


@runtime_checkable
class Balanced(Protocol):
    """What `Players` give beside, where the balance of a scenario that somebody writes can be tried."""

    def balance(self, scenario: Mapping[str, Any], player: str, seed: str) -> list[Any] | None:
        """One campaign of a scenario, all seats by one program: the number of its battles, then for each nation in the order of
        their keys points, rank, provinces at the end, whether it fell, its opening place. None where it did not end."""
        ...
