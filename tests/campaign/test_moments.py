"""The entries at which a log can be viewed, and the position after each."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import history, positions


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    history.memory.clear()


def stones_after_entry(table: Any, number: int) -> dict[str, int]:
    """Return the stones of each seat after the entry of this number."""
    road = history.trail(table.reload())
    place = road.at(number)
    assert place is not None
    return dict(history.after(table.campaign, road.stops[place].moves).stones)


def entry_numbers(table: Any) -> list[int]:
    return [stop.number for stop in history.trail(table.reload()).stops]


def test_the_position_after_any_entry_is_shown(running: Any) -> None:
    last = running.reload().last_number
    running.play("bee", "add", stones=2)
    running.play("bee", "add", stones=3)
    running.play("bee", "end")
    running.play("ant", "end")
    running.play("bee", "add", stones=1)
    assert [stones_after_entry(running, last + step) for step in range(6)] == [
        {"ant": 0, "bee": 0},
        {"ant": 0, "bee": 2},
        {"ant": 0, "bee": 5},
        {"ant": 0, "bee": 5},
        {"ant": 0, "bee": 5},
        {"ant": 0, "bee": 6},
    ]
    assert entry_numbers(running)[-1] == last + 5


def test_an_act_is_a_moment_without_a_change_of_position(running: Any) -> None:
    running.play("bee", "add", stones=2)
    services.change_life(running.campaign, running.gm, "paused", "Tea.")
    last = running.reload().last_number
    assert not history.trail(running.campaign).stops[-1].is_move
    assert stones_after_entry(running, last) == {"ant": 0, "bee": 2}


def test_undone_entries_are_no_moments_until_they_are_restored(running: Any) -> None:
    running.play("bee", "add", stones=2)
    kept = running.reload().last_number
    running.play("bee", "add", stones=3)
    assert stones_after_entry(running, kept + 1) == {"ant": 0, "bee": 5}
    running.undo(kept)
    assert entry_numbers(running)[-2:] == [kept, kept + 2]
    assert stones_after_entry(running, kept + 2) == {"ant": 0, "bee": 2}
    services.restore(running.campaign, running.gm, kept + 2, "It stood.")
    assert entry_numbers(running)[-3:] == [kept, kept + 1, kept + 3]
    assert stones_after_entry(running, kept + 1) == {"ant": 0, "bee": 5}


def test_an_undo_beneath_a_hidden_move_is_no_old_position(running: Any) -> None:
    """The hidden move stays in force without the move that it followed.

    The hash of the entry alone would not show this.
    """
    running.play("bee", "add", stones=3)
    running.play("bee", "hide", secret=4)
    running.play("bee", "end")
    running.play("ant", "add", stones=1)
    moves = len(positions.moves_in_force(running.reload()))
    assert dict(history.after(running.campaign, moves - 1).stones) == {"ant": 0, "bee": 3}
    struck = running.campaign.entries.get(act="add", seat="bee")
    # This is the state after a seat's own undo if another seat has moved in secret since.
    running.campaign.entries.filter(pk=struck.pk).update(
        struck_by=running.campaign.entries.get(number=0)
    )
    history.trails.cache_clear()
    assert dict(history.after(running.campaign, moves - 2).stones) == {"ant": 0, "bee": 0}


def test_a_hidden_move_is_no_moment_but_counts(running: Any) -> None:
    running.play("bee", "hide", secret=4)
    assert (
        history.trail(running.reload()).stops[-1].moves
        == len(positions.moves_in_force(running.campaign)) - 1
    )
    running.play("bee", "add", stones=1)
    stop = history.trail(running.reload()).stops[-1]
    assert stop.moves == len(positions.moves_in_force(running.campaign))
    assert history.after(running.campaign, stop.moves).secret == {"ant": 0, "bee": 4}


def test_places_of_numbers_and_of_turns(running: Any) -> None:
    running.play("bee", "end")
    road = history.trail(running.reload())
    assert [road.stops[place].turn for place in road.ends] == sorted(
        {stop.turn for stop in road.stops}
    )
    assert road.ends[-1] == len(road.stops) - 1
    last = road.stops[-1].number
    assert road.at(last) == len(road.stops) - 1
    assert (road.at(last + 1), road.at(-1)) == (None, None)
    assert (road.before(last), road.before(0), road.before(10**8)) == (
        len(road.stops) - 2,
        0,
        len(road.stops) - 1,
    )


def test_a_step_reads_and_plays_only_the_entries_between(
    running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(60):
        running.play(running.campaign.active_seat, "end")
    moves = len(history.trail(running.reload()).sequences)
    played: list[int] = []
    monkeypatch.setattr(
        history,
        "perform",
        lambda position, move, dice: played.append(1) or positions.perform(position, move, dice),
    )
    asked = []
    for count in (moves - 1, moves - 1, moves - 2, moves - 4, 30, 31):
        with CaptureQueriesContext(connection) as queries:
            history.after(running.campaign, count)
        asked.append((len(played), len(queries)))
        played.clear()
    assert asked == [(moves - 1, 1), (0, 0), (0, 0), (moves - 4 - 50, 1), (5, 1), (1, 1)]


def test_a_row_read_before_a_move_gives_the_position_before_it(running: Any) -> None:
    """The picture of an entry is named by its content.

    A move that is made meanwhile must not appear in it.
    """
    stale = type(running.campaign).objects.get(pk=running.reload().pk)
    running.play("bee", "add", stones=2)
    positions.memory.clear()
    then = history.after(stale, len(history.trail(stale).sequences))
    assert dict(then.stones) == {"ant": 0, "bee": 0}
    assert dict(positions.current(running.reload()).stones) == {"ant": 0, "bee": 2}
