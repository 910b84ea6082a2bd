"""Campaigns that programs play in a child process, which needs no Django; each is passed on as soon as it has ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic, thread_time
from typing import Any, NamedTuple

from games.contract.players import Balanced, Forecaster
from games.registry import PLAYERS


class Stretch(NamedTuple):
    """Campaigns that begin from one position: which it is among all, what everyone may know of it, a seed for each."""

    key: str
    public: Any
    seeds: Sequence[str]


def balance(
    title: str, scenario: Mapping[str, Any], player: str, numbers: Sequence[int], seconds: float, tell: Callable[..., None]
) -> None:
    """Play the campaigns of a play-test that have these numbers, for so many seconds at most; tell the row of each.

    Campaign n has its own seed: the result does not depend on how many are played at one go.
    """
    players = PLAYERS[title]
    assert isinstance(players, Balanced)
    begun = monotonic()
    for number in numbers:
        tell(players.balance(scenario, player, f"playtest/{number}"))
        if monotonic() - begun >= seconds:
            return


def play_on(title: str, stretches: Sequence[Stretch], core: float, seconds: float, tell: Callable[..., None]) -> None:
    """Play campaigns on for so many seconds of a core and of the clock; tell of each its key, its row, the core's seconds."""
    players = PLAYERS[title]
    assert isinstance(players, Forecaster)
    begun, before = monotonic(), thread_time()
    for key, public, seeds in stretches:
        for seed in seeds:
            row = players.play_on(public, seed)
            spent = thread_time() - before
            tell(key, row, spent)
            if spent >= core or monotonic() - begun >= seconds:
                return
