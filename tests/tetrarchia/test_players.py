"""Programs as players: always legal, always to an end.

The tests cover the sensible program's choices and its share of wins by difficulty.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import simulate
from games.tetrarchia.bots.planner import Planner
from games.tetrarchia.bots.players import LEVELS, sensible
from games.tetrarchia.bots.ways import costs
from games.tetrarchia.rules import battle
from tests.tetrarchia.games import options, steps
from tests.tetrarchia.played import game
from tests.tetrarchia.table import TITLE, at

ROOT = Path(__file__).parents[2]
D = "diocletian"


@pytest.mark.long
@pytest.mark.parametrize("player", ["sensible", "random"])
def test_games_of_every_kind_come_to_an_end(player: str) -> None:
    """Every move of the programs is legal, because it was played."""
    for n in range(12):
        shown = options(7 * n + 3)
        log = game(player, f"{player} {n}", shown["level"], *shown["variants"])
        assert log[-1].after.result in ("won", "lost")


def test_the_sensible_player_knows_the_cost_of_a_way() -> None:
    for n in range(6):
        for position, _, _ in steps(f"ways {n}", random.Random(n), options(n * 5)):
            if position.phase == "roman" and position.at is not None:
                planner = Planner(position)
                revolts = frozenset(
                    key for key, token in position.tokens.items() if token == "revolt"
                )
                result = costs(
                    planner.graph, position.at, position.ip, revolts, frozenset(position.barbarians)
                )
                assert result == {
                    key: way.cost
                    for key, way in battle.reach(position, position.at, position.ip).items()
                }


def test_planning_changes_nothing() -> None:
    position = at(
        figures={D: "lugdunensis"},
        barbarians=["narbonensis"],
        tokens={"narbonensis": "revolt", "creta": "unrest"},
    )
    before = position.encode()
    assert sensible(position) == sensible(position)
    assert position.encode() == before


def test_the_sensible_player_secures_the_border_of_the_emperors_space() -> None:
    assert sensible(at(figures={D: "nubia"}, ip=2)) == {"move": "secure"}


def test_the_sensible_player_goes_to_a_border_that_can_be_secured() -> None:
    assert sensible(at(figures={D: "aegyptus"}, ip=3)) == {"move": "move", "path": ["nubia"]}


def test_the_sensible_player_spends_a_token_if_a_point_wins_a_border() -> None:
    shown: dict[str, Any] = {"figures": {D: "aegyptus"}, "ip": 2, "variants": ["imperium"]}
    assert sensible(at(**shown)) == {"move": "imperium", "tokens": 1}
    assert sensible(at(**shown, supply={D: 1})) != {"move": "imperium", "tokens": 1}
    assert sensible(at(figures={D: "aegyptus"}, ip=2)) != {"move": "imperium", "tokens": 1}


def test_the_sensible_player_first_puts_down_the_last_revolt() -> None:
    shown: dict[str, Any] = {"figures": {D: "aegyptus"}, "tokens": {"aegyptus": "revolt"}, "ip": 5}
    assert sensible(at(**shown)) == {"move": "subdue", "how": "remove"}


@pytest.mark.parametrize(
    ("army", "stands"), [("apulia", "roma"), ("etruria", "roma"), ("cisalpina", "etruria")]
)
def test_the_sensible_player_blocks_the_way_to_rome(army: str, stands: str) -> None:
    """The player attacks if that can win.

    Here the Emperor can only block the way, with the support of all of ITALIA.
    """
    move = sensible(at(figures={D: "sicilia"}, fleets=["internum"], barbarians=[army], ip=1))
    assert move == {"move": "move", "path": [stands]}


def test_the_sensible_player_attacks_armies_that_it_beats() -> None:
    shown = {"figures": {D: "roma", "galerius": "sicilia"}, "barbarians": ["apulia"], "ip": 1}
    assert sensible(at(**shown)) == {"move": "attack", "target": "apulia"}


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ({"phase": "setup"}, {"move": "begin"}),
        ({"phase": "over", "result": "won"}, None),
        ({}, {"move": "end_turn"}),
        ({"phase": "fleets"}, {"move": "place_fleets", "zones": ["internum", "aegaeum"]}),
        ({"can_enter": True, "tokens": {"bithynia": "unrest"}}, {"move": "enter", "at": "roma"}),
    ],
)
def test_the_only_possible_move_is_made(position: dict[str, Any], move: Any) -> None:
    assert sensible(at(**position)) == move


def test_the_command_reports_each_difficulty() -> None:
    command = [
        sys.executable,
        "manage.py",
        "simulate",
        "tetrarchia",
        "--games",
        "1",
        "--processes",
        "1",
        "--player",
        "random",
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    first, head, *lines = done.stdout.splitlines()
    assert first == "Tetrarchia: 1 of each difficulty by the player “random”, seed “tabula”"
    assert head.split() == [
        "difficulty",
        "games",
        "won",
        "rounds",
        "borders",
        "secured",
        "score",
        "(6.3)",
    ]
    assert [line.split()[0] for line in lines] == list(LEVELS)
    assert len(set(LEVELS)) >= 9
    done = subprocess.run(
        [*command, "--json"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    shown = json.loads(done.stdout)
    assert (shown["asked"], list(shown["grades"])) == (1, list(LEVELS))
    assert all(grade["games"] == 1 for grade in shown["grades"].values())


def test_the_command_reports_a_requested_level() -> None:
    command = [
        sys.executable,
        "manage.py",
        "simulate",
        "tetrarchia",
        "--games",
        "3",
        "--options",
        '{"level": "5300"}',
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    assert (
        done.stdout.splitlines()[0] == "Tetrarchia: 3 games by the player “sensible”, seed “tabula”"
    )


@pytest.mark.long
@pytest.mark.thorough
def test_the_sensible_player_wins_the_easy_levels() -> None:
    """Of 200 games a level, it wins four of five at 4200; the random player wins none.

    These 40 games are within four standard errors.
    """
    won = [
        simulate.play("tetrarchia", "sensible", f"easy/{n}", {"level": "4200"}).result == "won"
        for n in range(40)
    ]
    assert sum(won) > 21
    assert not any(
        simulate.play("tetrarchia", "random", f"easy/{n}", {"level": "4200"}).result == "won"
        for n in range(20)
    )


def test_a_position_is_never_asked_twice_for_the_same_move() -> None:
    """Each move changes the position, so no program moves in circles."""
    for line, following in zip(
        game("sensible", "a", "4211"), game("sensible", "a", "4211")[1:], strict=False
    ):
        assert TITLE.state(line.after) != TITLE.state(following.after)
