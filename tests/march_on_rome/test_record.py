"""Records of the title (RECORD, Other titles)."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Dice, chain, draw
from engine.errors import IllegalMove
from engine.play import play
from games.replay import replay
from tests.march_on_rome.reigns import reign
from tests.march_on_rome.table import TITLE, at

ROOT = Path(__file__).parents[2]
BEGIN = {"move": "begin"}


def record(*moves: Any, **parts: Any) -> dict[str, Any]:
    return {"format": "march_on_rome/1", "dice": {"seed": "any text"}, "moves": list(moves)} | parts


def error(created: dict[str, Any], upto: int | None = None) -> tuple[int | None, str]:
    result = replay(created, upto)["error"]
    assert result["message"]
    return result["move"], result["code"]


@pytest.mark.parametrize(
    "scenario",
    ["standard", {"key": "standard"}, {"key": "standard", "general": "Clodius Albinus"}, None],
)
def test_the_scenario_may_be_missing_and_changes_nothing(scenario: Any) -> None:
    parts = {} if scenario is None else {"scenario": scenario}
    assert replay(record(BEGIN, **parts)) == replay(record(BEGIN))
    assert replay(record(BEGIN, **parts))["phase"] == "pc"


@pytest.mark.parametrize(
    "scenario",
    [
        None,
        5,
        [],
        {},
        "other",
        "420ad",
        {"key": "other"},
        {"general": "X"},
        *({"key": "standard", "general": name} for name in ("", "x" * 41, "a\nb", " ", 5)),
        {"key": "standard", "turns": 6},
    ],
)
def test_an_invalid_scenario_is_refused(scenario: Any) -> None:
    assert error(record(scenario=scenario), 0) == (None, "malformed-record")


def test_the_grand_campaign_still_requires_a_scenario() -> None:
    assert error({"format": "grand-campaign/1", "dice": {}, "moves": []}) == (
        None,
        "malformed-record",
    )


@pytest.mark.parametrize(
    "options",
    [None, [], {"hands": "open"}, {"barbarian_initiative": 1}, {"barbarian_initiative": None}],
)
def test_invalid_options_are_refused(options: Any) -> None:
    assert error(record(options=options), 0) == (None, "malformed-record")


def test_the_options_are_in_the_state() -> None:
    assert replay(record())["options"] == {"barbarian_initiative": False}
    assert replay(record(options={"barbarian_initiative": True}))["options"] == {
        "barbarian_initiative": True
    }


def test_the_state_is_that_of_the_rules() -> None:
    state = replay(record(BEGIN))
    assert set(state) == {
        "turn",
        "phase",
        "owner",
        "garrison",
        "legions",
        "queue",
        "events_left",
        "event_no",
        "battle_no",
        "barbarians",
        "battle",
        "pending",
        "npc_seq",
        "result",
        "options",
    }
    assert len(state["owner"]) == 18


def test_dice_come_from_the_link_of_their_year() -> None:
    links = chain("any text", 1000)
    state = replay(record(BEGIN))
    legions = draw(links[0], "setup/pc/legions", 6) + 2
    assert state["legions"]["pc"] == legions
    created = record(BEGIN, {"move": "pass"}, {"move": "continue"})
    order = sorted(
        (g for g in state["legions"] if g != "pc"),
        key=lambda g: draw(links[1], f"turn-1/npc-order/{g}", 20),
    )
    assert replay(created)["queue"] == order
    assert replay(created | {"dice": {"links": links[:2]}}) == replay(created)


def test_a_missing_link_gives_no_dice() -> None:
    links = chain("any text", 1000)
    moves = (BEGIN, {"move": "pass"}, {"move": "continue"})
    assert error(record(*moves, dice={"links": links[:1]})) == (2, "no-dice")
    assert error(record(*moves, dice={})) == (0, "no-dice")
    assert error(record(dice={"links": [*links, "0" * 64]}), 0) == (None, "malformed-record")
    assert replay(record(*moves, dice={"links": links}))["queue"] is not None


def test_the_thousandth_year_is_the_last_with_a_link() -> None:
    situation = {
        "phase": "npc",
        "owner": {"italy": "pc", "gaul": "npc-1"},
        "legions": {"pc": 1, "npc-1": 1},
    }
    dice = Dice(1000, seed="any text")
    order = {"move": "continue"}
    last = at(**situation, turn=1000)
    assert play(last, TITLE.decode(order, last), dice).rolls[0].value == draw(
        chain("any text", 1000)[1000], "turn-1000/npc-order/npc-1", 20
    )
    beyond = at(**situation, turn=1001)
    with pytest.raises(IllegalMove) as refusal:
        play(beyond, TITLE.decode(order, beyond), dice)
    assert refusal.value.code == "no-dice"
    fixed = Dice(1000, fixed={"turn-1001/npc-order/npc-1": 4})
    assert play(beyond, TITLE.decode(order, beyond), fixed).after.queue == ["npc-1"]
    assert TITLE.links_due(last) == 1000
    assert TITLE.links_due(beyond) == 1001


def test_lists_and_single_dice() -> None:
    fixed = {"setup/npc-count": 2, "setup/npc-1/legions": [6, 5]}
    assert replay(record(BEGIN, dice={"seed": "x", "fixed": fixed}))["legions"]["npc-1"] == 14
    fixed = {"setup/npc-count": 2, "setup/npc-1/legions/1": 6, "setup/npc-1/legions/2": 5}
    assert replay(record(BEGIN, dice={"seed": "x", "fixed": fixed}))["legions"]["npc-1"] == 14
    fixed = {"setup/npc-count": 2, "setup/npc-1/legions": [6, 5], "setup/npc-1/legions/1": 6}
    assert error(record(dice={"seed": "x", "fixed": fixed}), 0) == (None, "malformed-record")


@pytest.mark.parametrize("values", [[5], [8]])
def test_a_list_that_does_not_fit_the_die_is_refused(values: list[int]) -> None:
    """The die is known only after the count has been rolled.

    A rival's legions are two d6 or one d8.
    """
    fixed = {"setup/npc-count": 2, "setup/npc-1/legions": values}
    assert error(record(BEGIN, dice={"seed": "x", "fixed": fixed})) == (None, "malformed-record")
    assert "turn" in replay(
        record(BEGIN, dice={"seed": "x", "fixed": fixed | {"setup/npc-count": 4}})
    )


def test_a_span_die_beyond_its_span_is_malformed() -> None:
    fixed = {"turn-1/events": 1, "turn-1/event-1": 1, "turn-1/event-1/victim": 18}
    moves = [BEGIN, {"move": "pass"}] + [{"move": "continue"}] * 9
    result = error(
        record(
            *moves,
            dice={
                "seed": "any text",
                "fixed": fixed | {"setup/npc-count": 1, "turn-1/npc-1/action": 1},
            },
        )
    )
    assert result == (None, "malformed-record")


def test_errors_name_the_move() -> None:
    assert error(record(BEGIN, BEGIN)) == (1, "wrong-phase")
    assert error(record(BEGIN, {"move": "attack", "target": "carthage"})) == (1, "unknown-province")
    assert error(record(BEGIN, {"move": "dance"})) == (1, "unknown-move")
    assert error(record(BEGIN, 7)) == (1, "bad-arguments")
    assert replay(record(BEGIN, 7), 1)["phase"] == "pc"
    assert error(record({"move": "pass"})) == (0, "wrong-phase")


def test_a_move_may_name_its_player() -> None:
    assert replay(record({"by": "pc", "move": "begin"})) == replay(record(BEGIN))


def test_upto_gives_every_position_of_the_reign() -> None:
    moves, states = reign("upto", random.Random(5))
    created = record(*moves, dice={"seed": "upto"})
    for n in range(0, len(moves) + 1, 7):
        assert replay(created, n) == states[n]
    assert replay(created) == states[-1]
    assert error(created | {"moves": [*moves, {"move": "continue"}]}) == (len(moves), "game-over")


def test_a_running_reigns_record_needs_no_seed() -> None:
    """The table exports every roll so far under `fixed`, die by die."""
    moves, states = reign("bare", random.Random(8))
    created = record(*moves, dice={"seed": "bare"})
    thrown = {}
    dice, position = (
        Dice(1000, seed="bare"),
        TITLE.setup(TITLE.scenario("standard"), TITLE.options({})),
    )
    for move in moves:
        played = play(position, TITLE.decode(move, position), dice)
        thrown |= {roll.purpose: roll.value for roll in played.rolls}
        position = played.after
    assert replay(created | {"dice": {"fixed": thrown}}) == replay(created) == states[-1]


def test_the_command_reads_many_records_at_once() -> None:
    reigns = [reign(f"many {n}", random.Random(n)) for n in range(5)]
    lines = [
        json.dumps(record(*moves, dice={"seed": f"many {n}"}))
        for n, (moves, _) in enumerate(reigns)
    ]
    lines.insert(
        2,
        json.dumps(
            record(
                BEGIN,
                {"move": "attack", "target": "asia"},
                dice={"seed": "x", "fixed": {"setup/pc/province": 1}},
            )
        ),
    )
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "replay", "--many", "-"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert answers.pop(2)["error"]["code"] == "not-adjacent"
    assert answers == [states[-1] for _, states in reigns]
