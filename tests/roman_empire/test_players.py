"""Programs as players: always legal, always to an end; the sensible program and the command."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Dice
from engine.play import perform
from games import simulate
from games.roman_empire.bots.choosing import sensible
from games.roman_empire.bots.manners import explained
from games.roman_empire.bots.placing import chance, race
from games.roman_empire.bots.players import LEVELS, EmpirePlayers
from games.roman_empire.rules.view import mover
from tests.roman_empire.games import options, steps
from tests.roman_empire.table import TITLE, at, faction, held, peoples

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> str:
    command = [sys.executable, "manage.py", "simulate", "roman_empire", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
    ).stdout


def test_the_command_reports_each_number_of_players_in_two_processes() -> None:
    shown = json.loads(run("--games", "1", "--player", "random", "--processes", "2", "--json"))
    assert (shown["title"], shown["asked"]) == ("roman_empire", 1)
    assert list(shown["grades"]) == ["2 players", "3 players", "4 players"]
    for tally in shown["grades"].values():
        assert sum(result["games"] for result in tally["results"].values()) == 1
        kinds = {name.partition("-")[0] for name in tally["shares"]}
        assert kinds == {"seat", "people", "emperor"}
        for kind in kinds:
            assert sum(
                share for name, share in tally["shares"].items() if name.startswith(f"{kind}-")
            ) == pytest.approx(1)
        assert set(tally["numbers"]) == {"points", "last", "p", "f", "legions", "romans"}


def test_the_command_as_text() -> None:
    first, head, *rows = run("--games", "1", "--player", "random", "--processes", "1").splitlines()
    assert (
        first
        == "History of the Roman Empire: 1 of each table by the player “random”, seed “tabula”"
    )
    assert head.split()[:2] == ["table", "games"]
    assert [row.split()[:3] for row in rows[:3]] == [
        ["2", "players", "1"],
        ["3", "players", "1"],
        ["4", "players", "1"],
    ]
    assert rows[4].split() == [
        "share",
        "of",
        "all",
        "points",
        "2",
        "players",
        "3",
        "players",
        "4",
        "players",
    ]
    assert [row[:6] for row in rows[5:9]] == ["seat A", "seat B", "seat C", "seat D"]
    assert any(row.startswith("VII 6 Romulus Augustulus") for row in rows)


@pytest.mark.long
def test_the_same_seed_gives_the_same_game() -> None:
    one, two = (simulate.play("roman_empire", "random", "same", {"players": 3}) for _ in range(2))
    assert one == two
    assert one.result in ("A", "B", "C")
    assert simulate.play("roman_empire", "random", "other", {"players": 3}) != one


def test_the_sensible_player_needs_no_chance_and_beats_the_random_one() -> None:
    """Seats A and C are played sensibly, B and D at random."""
    wins = 0
    for n in range(3):
        position, dice = (
            TITLE.setup(TITLE.scenario("standard"), TITLE.options({"players": 2})),
            Dice(7, seed=f"match {n}"),
        )
        choice = random.Random(n)
        while True:
            player = "sensible" if mover(position) in ("A", "C") else "random"
            raw = EmpirePlayers.by_name[player](position, choice)
            if raw is None:
                break
            perform(position, TITLE.decode(dict(raw), position), dice)
        wins += position.result["winner"] == "A"
    assert wins == 3


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (
            faction({}, step="start", in_hand=7),
            {"by": "A", "move": "choose_start", "land": "syria"},
        ),
        (
            peoples("galli", {}, step="start", start_land="lugdunensis", in_hand=7),
            {
                "by": "A",
                "move": "place",
                "land": "lugdunensis",
                "from": "start",
                "loot": None,
                "fort": None,
            },
        ),
        (
            peoples("galli", {"lugdunensis": held("galli", 3)}, step="start", in_hand=0),
            {"by": "A", "move": "take_up", "land": "lugdunensis", "n": 2},
        ),
        ({"phase": "turns"}, {"move": "open"}),
        ({"phase": "draw"}, {"move": "order"}),
    ],
)
def test_the_sensible_player_chooses_the_expected_move(
    position: dict[str, Any], move: dict[str, Any]
) -> None:
    assert sensible(at(**position)) == move


def test_chances_by_hand() -> None:
    """Two dice against one: of 216 throws 125 win, 55 lose, 36 are thrown again."""
    assert chance(2, 1, 0, False, False) == 125 / 180
    assert chance(2, 1, 0, False, True) == 161 / 216
    assert race(0.5, 1, 1) == (0.5, 0.5)
    assert race(0.5, 2, 1)[0] == 0.25
    assert race(0.5, 0, 3) == (1.0, 0.0)


def test_a_game_ends_with_every_option() -> None:
    last = None
    for _, _, played in steps("whole", options(6), "random"):
        last = played.after
    assert last is not None
    assert last.phase == "over"
    end = EmpirePlayers().end(last, ())
    assert end.numbers["points"] >= end.numbers["last"]


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_offers_only_legal_moves_and_says_why(level: str) -> None:
    """In positions of random games with every option, the level's move is legal.

    Equal chance gives the same move, and each move has a sentence. The random player reaches the
    positions, so that a level also meets those that it would avoid.
    """
    asked = 0
    for n in (3, 6, 8):
        for at_step, (position, _, _) in enumerate(steps(f"legal/{n}", options(n), "random")):
            if at_step % 40:
                continue
            one, two = (explained(level, position, random.Random(at_step)) for _twice in range(2))
            assert one is not None
            assert one == two
            assert one.sentence.endswith(".")
            assert "{" not in one.sentence
            perform(position.copy(), TITLE.decode(dict(one.raw), position), Dice(7, seed="1"))
            asked += 1
    assert asked == 44


def test_facts_hidden_from_a_level_do_not_change_its_move() -> None:
    """Other hands and counters that have not been called make no difference."""
    for at_step, (position, _, _) in enumerate(steps("blind", {"players": 4}, "random")):
        seat = mover(position)
        if at_step % 60 or seat is None:
            continue
        other = position.copy()
        for card in other.hand:
            if card != seat:
                other.hand[card] = []
        other.queue = other.queue[::-1]
        for level in LEVELS:
            assert explained(level, position, random.Random(1)) == explained(
                level, other, random.Random(1)
            )


def test_a_program_moves_only_for_its_own_seats() -> None:
    players, programs = EmpirePlayers(), {"B": "cautious", "C": "bold", "D": "cunning"}
    position, dice, mine = (
        TITLE.setup(TITLE.scenario("standard"), TITLE.options({})),
        Dice(7, seed="asks"),
        0,
    )
    assert players.asks(position, programs, False) is None  # the user starts the game
    perform(position, TITLE.decode({"move": "begin"}, position), dice)
    for step in range(120):
        asked = players.asks(position, programs, False)
        if asked is None:
            mine += 1
            assert mover(position) == "A"
            raw: dict[str, Any] = dict(sensible(position) or {})
        else:
            raw = asked(random.Random(step))
            assert raw["by"] in ("gm", *programs)
        perform(position, TITLE.decode(raw, position), dice)
    assert mine > 10


@pytest.mark.long
def test_one_program_plays_against_three_others() -> None:
    rank = EmpirePlayers().tournament("bold", "cautious", 2, "table")
    assert rank == EmpirePlayers().tournament("bold", "cautious", 2, "table")
    assert (rank.campaigns, 1 <= rank.mean <= 4) == (2, True)


@pytest.mark.long
@pytest.mark.thorough
def test_the_tournament_prints_a_table() -> None:
    first, head, *rows = run(
        "--tournament", "--player", "sensible", "--games", "1", "--processes", "2"
    ).splitlines()
    assert first == "History of the Roman Empire: 1 games each, seed “tabula”"
    assert head.split() == ["one", "among", "first", "mean", "rank"]
    assert [row.split()[:2] for row in rows] == [
        ["cunning", "sensible"],
        ["bold", "sensible"],
        ["cautious", "sensible"],
        ["beginner", "sensible"],
    ]
