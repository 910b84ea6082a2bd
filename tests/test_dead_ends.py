"""`manage.py simulate TITLE --dead-ends`: games end, and every seat always has a move."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from games import dead_ends, simulate
from games.dead_ends import Course, course, lines_of_courses, tables
from games.registry import TITLES

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "manage.py", "simulate", "march_on_rome", "--dead-ends"]
QUICK = ("random", "beginner", "cautious", "bold", "sensible", "bar")
"""The programs of the Roman Empire that try no moves, which would take minutes."""


def refuse(position: Any, rng: Any) -> Mapping[str, Any]:
    return {"by": "Z", "move": "nothing-known"}


def test_the_command_counts_games_and_dead_ends() -> None:
    done = subprocess.run(
        [*COMMAND, "--games", "4", "--seed", "few", "--player", "random,sensible"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head == "March on Rome: played by random, sensible, seed “few”"
    assert [line.split()[-1] for line in lines[:2]] == ["4", "0"]
    assert len(lines) == 5


def test_each_kind_of_dead_end_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    title = TITLES["march_on_rome"]
    programs = {"stuck": lambda position, rng: None, "wrong": refuse, **title.players.by_name}
    monkeypatch.setattr(title.players, "by_name", programs)
    stuck = course("march_on_rome", ["stuck"], "any", {})
    assert (stuck.moves, stuck.fault.split(" for ")[0]) == (0, "stuck has no move")
    wrong = course("march_on_rome", ["wrong"], "any", {})
    assert (wrong.moves, wrong.fault.split(" for ")[0]) == (0, "wrong")
    monkeypatch.setattr(dead_ends, "MOST_MOVES", 3)
    endless = course("march_on_rome", ["sensible"], "any", {})
    assert endless == Course("any", 3, "the game does not end")
    monkeypatch.setattr(dead_ends, "CHECKED", 1)
    monkeypatch.setattr(title, "offers", lambda position, seat: [])
    silent = course("march_on_rome", ["sensible"], "any", {})
    assert silent.fault.startswith("no move is offered to ")
    lines = list(lines_of_courses([endless]))
    assert lines[-1] == "seed “any”, move 4: the game does not end"


@pytest.mark.nightly
@pytest.mark.parametrize("key", simulate.playable())
def test_many_games_have_no_dead_end(key: str) -> None:
    """The release is checked with 1,000 games of each title by the command."""
    programs = QUICK if key == "roman_empire" else tuple(TITLES[key].players.by_name)
    options = tables(key)
    courses = [course(key, programs, f"nightly/{n}", options[n % len(options)]) for n in range(60)]
    assert [played for played in courses if played.fault] == []
