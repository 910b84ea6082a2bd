"""Campaigns that programs play in a child process without Django.

Each result is sent as soon as its campaign has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic, thread_time
from typing import Any, NamedTuple

from games.contract.players import Forecaster, WithBalance
from games.registry import TITLES


class Stretch(NamedTuple):
    """Campaigns that begin from the same position: its key, its public part, and their seeds."""

    key: str
    public: Any
    seeds: Sequence[str]


def balance(
    title: str,
    scenario: Mapping[str, Any],
    player: str,
    numbers: Sequence[int],
    seconds: float,
    report: Callable[..., None],
) -> None:
    """Play the campaigns of a play-test with these numbers for at most `seconds`; send each row.

    Campaign n has its own seed, so the result does not depend on how many are played at a time.
    """
    players = TITLES[title].players
    assert isinstance(players, WithBalance)
    begun = monotonic()
    for number in numbers:
        report(players.balance(scenario, player, f"playtest/{number}"))
        if monotonic() - begun >= seconds:
            return


def play_on(
    title: str,
    stretches: Sequence[Stretch],
    core: float,
    seconds: float,
    report: Callable[..., None],
) -> None:
    """Play campaigns to their end within the seconds of a core and of the clock.

    Sends the key, the row and the core seconds of each.
    """
    players = TITLES[title].players
    assert isinstance(players, Forecaster)
    begun, before = monotonic(), thread_time()
    for key, public, seeds in stretches:
        for seed in seeds:
            row = players.play_on(public, seed)
            spent = thread_time() - before
            report(key, row, spent)
            if spent >= core or monotonic() - begun >= seconds:
                return
