"""Records of the title (RECORD, Other titles; RULES, For records)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.dice import chain, draw
from engine.errors import MalformedRecord
from games.replay import replay
from games.situations import main
from games.tetrarchia.rules.position import HERE
from tests.tetrarchia.table import SCENARIO, TITLE, at, enter

ROOT = Path(__file__).parents[2]
BEGIN = {"move": "begin"}
FLEETS = {"move": "place_fleets", "zones": ["internum", "aegaeum"]}
FIRST = (BEGIN, FLEETS, enter("roma"))


def record(*moves: Any, **parts: Any) -> dict[str, Any]:
    return {"format": "tetrarchia/1", "dice": {"seed": "any text"}, "moves": list(moves)} | parts


def error(created: dict[str, Any]) -> tuple[int | None, str]:
    result = replay(created)["error"]
    assert result["message"]
    return result["move"], result["code"]


@pytest.mark.parametrize("scenario", ["standard", {"key": "standard"}, None])
def test_the_scenario_may_be_missing(scenario: Any) -> None:
    parts = {} if scenario is None else {"scenario": scenario}
    assert replay(record(*FIRST, **parts)) == replay(record(*FIRST))
    assert replay(record(*FIRST))["figures"]["diocletian"] == "roma"


@pytest.mark.parametrize(
    "scenario", [None, 5, "other", {}, {"key": "other"}, {"key": "standard", "name": "x"}]
)
def test_an_invalid_scenario_is_refused(scenario: Any) -> None:
    assert error(record(scenario=scenario)) == (None, "malformed-record")


def test_the_state_is_that_of_the_rules() -> None:
    state = replay(
        record(
            BEGIN, options={"level": "5302", "variants": ["the_great"], "options": ["amphibious"]}
        )
    )
    assert list(state) == [
        "phase",
        "round",
        "emperor",
        "ip",
        "level",
        "variants",
        "options",
        "figures",
        "tokens",
        "barbarians",
        "fleets",
        "supply",
        "reserve",
        "attack_no",
        "can_enter",
        "ip_mod",
        "patres_done",
        "removed",
        "removed_now",
        "glory",
        "result",
        "reason",
    ]
    assert (state["level"], state["variants"], state["options"]) == (
        [5, 3, 0, 2],
        ["the_great"],
        ["amphibious"],
    )
    assert set(state["supply"].values()) == {5}
    assert (len(state["tokens"]), len(state["barbarians"])) == (6, 2)


def test_the_rolls_of_a_round_come_from_its_link() -> None:
    links = chain("any text", 1000)
    state = replay(record(BEGIN, options={"level": "4200"}))
    n = draw(links[0], "setup/revolt/hispania", 6)
    assert n == 1 or f"I {n}" == next(
        p["coord"]
        for p in json.loads((HERE / "board.json").read_text())["provinces"]
        if p["key"] in state["tokens"]
    )
    end = {"move": "end_turn"}
    assert error(record(*FIRST, end, dice={"links": links[:1]})) == (3, "no-dice")
    assert replay(record(*FIRST, end, dice={"links": links[:2]})) == replay(record(*FIRST, end))


def test_an_illegal_move_stops_the_replay() -> None:
    assert error(record(*FIRST, enter("roma"))) == (3, "cannot-enter")
    assert error(record(*FIRST, {"by": "galerius", "move": "end_turn"})) == (3, "not-your-turn")


def test_a_record_may_name_the_players_of_moves() -> None:
    options = {"players": 4}
    moves = [
        {"by": "gm", **BEGIN},
        {"by": "diocletian", **FLEETS},
        {"by": "gm", "for": "diocletian", **enter("roma")},
    ]
    assert replay(record(*moves, options=options)) == replay(record(*FIRST))
    assert error(record(BEGIN, {"by": "maximian", **FLEETS}, options=options)) == (
        1,
        "not-your-turn",
    )


@pytest.mark.parametrize(
    "raw",
    [
        {"by": "east", "move": "sail", "from": "internum", "to": "aegaeum"},
        {"by": "east", "move": "move", "path": ["etruria"]},
        {"by": "gm", "for": "east", "move": "subdue", "how": "calm"},
        {"by": "galerius", "move": "patres"},
        {"by": "gm", "move": "begin"},
        {"by": "east", "move": "imperium", "tokens": 2},
    ],
)
def test_encoded_moves_are_read_back(raw: dict[str, Any]) -> None:
    position = at({"players": 2})
    assert TITLE.decode(raw, position).to_json() == raw


SITUATIONS: list[Any] = [
    None,
    [],
    {"nonsense": 1},
    {"phase": "war"},
    {"round": 0},
    {"round": "1"},
    {"emperor": "nero"},
    {"ip": -1},
    {"level": "9999"},
    {"variants": ["nero"]},
    {"options": ["nero"]},
    {"options": {"amphibious": 1}},
    {"figures": {"nero": "roma"}},
    {"figures": {"diocletian": "atlantis"}},
    {"figures": []},
    {"tokens": {"roma": "nero"}},
    {"tokens": {"atlantis": "revolt"}},
    {"tokens": {"nubia": "revolt"}},
    {"barbarians": ["atlantis"]},
    {"barbarians": ["nubia", "nubia"]},
    {"barbarians": {}},
    {"fleets": ["nowhere"]},
    {"fleets": ["internum", "internum"]},
    {"supply": {"diocletian": -1}},
    {"supply": {"nero": 1}},
    {"reserve": {"gold": 1}},
    {"attack_no": None},
    {"can_enter": 1},
    {"ip_mod": {"galerius": "1"}},
    {"patres_done": "galerius"},
    {"removed": {"galerius": 1.5}},
    {"removed_now": True},
    {"glory": {"galerius": -1}},
    {"result": "draw"},
    {"reason": "plague"},
]


@pytest.mark.parametrize("raw", SITUATIONS)
def test_invalid_situations_are_refused(raw: Any) -> None:
    with pytest.raises(MalformedRecord):
        TITLE.situation(raw, TITLE.options({}))


def test_omitted_keys_of_a_situation_have_defaults() -> None:
    raw = TITLE.state(
        at(
            tokens={"asia": "diocletian", "creta": "unrest", "achaia": "revolt"},
            barbarians=["nubia"],
            removed={"galerius": 2},
            glory={"maximian": 3},
        )
    )
    assert (raw["phase"], raw["round"], raw["emperor"], raw["ip"], raw["level"]) == (
        "roman",
        1,
        "diocletian",
        6,
        [4, 2, 1, 1],
    )
    assert raw["supply"] == {"diocletian": 3, "galerius": 2, "constantius": 4, "maximian": 4}
    assert raw["reserve"] == {"unrest": 17, "revolt": 20, "barbarians": 2}
    assert raw["can_enter"] is False


@pytest.mark.parametrize(
    ("purpose", "value"),
    [
        ("", 1),
        ("setup", 1),
        ("setup/revolt/italia", 2),
        ("setup/revolt/hispania/reroll-0", 2),
        ("setup/extra-3/region", 1),
        ("setup/extra-1", 1),
        ("setup/barbarian-3", 1),
        ("round-0/diocletian/threat-1/region", 1),
        ("round-1/nero/threat-1/region", 1),
        ("round-1/diocletian/threat-2/region", 1),
        ("round-01/diocletian/threat-1/number", 1),
        ("round-1/diocletian/echo-0", 1),
        ("round-1/diocletian/advance/atlantis", 1),
        ("round-1/diocletian/status/creta/roma", 1),
        ("round-1/diocletian/echo-1 ", 1),
        ("round-1/diocletian/uprising-1/nubia", 1),
        ("round-1/diocletian/battle/roma", 1),
        ("turn-1/diocletian/echo-1", 1),
        *(("round-1/diocletian/echo-1", value) for value in (0, 7, 1.0, "1", True, None, [1])),
    ],
)
def test_invalid_rolls_are_refused(purpose: str, value: Any) -> None:
    with pytest.raises(MalformedRecord):
        TITLE.check_roll(SCENARIO, TITLE.options({}), purpose, value)
    assert error(record(dice={"fixed": {purpose: value}})) == (None, "malformed-record")


def test_the_commands_know_the_title_without_django(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record(*FIRST)))
    for arguments, shown in (
        (["replay", str(path)], '"phase": "roman"'),
        (["situations", "tetrarchia", str(HERE / "RULES.md")], "19 passed, 0 failed"),
        (["simulate", "tetrarchia", "--games", "1", "--player", "random"], "Tetrarchia: 1 of each"),
    ):
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={"PATH": "", "DJANGO_SETTINGS_MODULE": "no.such.settings"},
        )
        assert (done.returncode, shown in done.stdout) == (0, True), done.stdout + done.stderr


def test_situations_of_the_rules(capsys: Any) -> None:
    assert main(["tetrarchia", str(HERE / "RULES.md")]) == 0
    assert capsys.readouterr().out == "19 passed, 0 failed\n"
