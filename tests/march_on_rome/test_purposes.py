"""The fixed rolls that a record may have (RULES, Rolls)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.errors import MalformedRecord
from games.replay import replay
from tests.march_on_rome.reigns import steps
from tests.march_on_rome.table import SCENARIO, TITLE

SIDES = {
    "setup/pc/province": 8,
    "setup/pc/legions": 6,
    "setup/npc-count": 12,
    "setup/npc-1/legions/1": 8,
    "setup/npc-1/legions/2": 6,
    "setup/npc-2/legions/1": 8,
    "setup/npc-3/legions/1": 6,
    "setup/npc-4/legions/1": 4,
    "setup/npc-4/province": 8,
    "setup/npc-2/province/reroll-1": 8,
    "setup/npc-2/province/reroll-12": 8,
    "setup/garrison/spain": 6,
    "setup/garrison/africa": 6,
    "turn-1/npc-order/npc-1": 20,
    "turn-12/npc-order/npc-31/reroll-2": 20,
    "turn-3/npc-2/action": 6,
    "turn-3/npc-2/home": 18,
    "turn-3/npc-2/neighbour": 6,
    "turn-3/npc-2/answer": 6,
    "turn-3/pc/answer": 6,
    "turn-999/barbarians/dacia": 6,
    "turn-1/barbarians/spain": 6,
    "turn-3/battle-11/initiative/attacker": 6,
    "turn-3/battle-1/initiative/defender/reroll-3": 6,
    "turn-3/battle-1/devote/attacker": 6,
    "turn-3/battle-1/devote/defender": 6,
    "turn-3/battle-1/segments": 6,
    "turn-3/battle-1/segment-17/attacker/1": 6,
    "turn-3/battle-1/segment-1/defender/3": 6,
    "turn-3/events": 6,
    "turn-3/event-6": 20,
    "turn-3/event-1/legions": 6,
    "turn-3/event-1/core": 8,
    "turn-3/event-1/core/reroll-1": 8,
    "turn-3/event-1/province": 20,
    "turn-3/event-1/province/reroll-4": 20,
    "turn-3/event-1/invader": 8,
    "turn-3/event-1/strength": 6,
    "turn-3/event-2/victim": 18,
}
UNKNOWN = [
    "",
    "start",
    "setup",
    "setup/pc",
    "setup/pc/province/reroll-1",
    "setup/npc-count/reroll-1",
    "setup/npc-0/province",
    "setup/npc-5/province",
    "setup/npc-2/legions/2",
    "setup/npc-1/legions/3",
    "setup/npc-5/legions",
    "setup/garrison/dacia",
    "setup/garrison/rome",
    "turn-0/events",
    "turn-01/events",
    "turn-1/events/reroll-1",
    "turn-/events",
    "turn-1.5/events",
    "turn-1/event-0",
    "turn-1/event-7",
    "turn-1/event-1/victim/reroll-1",
    "turn-1/event-1/legions/1",
    "turn-1/npc-order/pc",
    "turn-1/npc-order",
    "turn-1/pc/action",
    "turn-1/npc-01/action",
    "turn-1/npc-1/action/reroll-1",
    "turn-1/barbarians/carthage",
    "turn-1/battle-0/segments",
    "turn-1/battle-1",
    "turn-1/battle-1/initiative",
    "turn-1/battle-1/initiative/senate",
    "turn-1/battle-1/segment-1",
    "turn-1/battle-1/segment-1/attacker/4",
    "turn-1/battle-1/segment-0/attacker/1",
    "turn-1/events ",
    " turn-1/events",
    "turn-1/events\n",
    "turn-1/card/romans",
    "TURN-1/events",
    "turn-１/events",
    "x" * 10_000,
    "turn-9999999999/events",
    "turn-1/battle-1/devote/attacker/reroll-1",
    "setup/pc/legions\ud800",
]


def legal(purpose: str, value: Any) -> bool:
    try:
        TITLE.check_roll(SCENARIO, TITLE.options({}), purpose, value)
    except MalformedRecord:
        return False
    return True


@pytest.mark.parametrize("purpose", SIDES)
def test_each_purpose_has_its_die(purpose: str) -> None:
    assert [value for value in range(-1, 25) if legal(purpose, value)] == list(
        range(1, SIDES[purpose] + 1)
    )
    assert not any(legal(purpose, value) for value in (True, 1.0, "1", None, [1], [], {}))


@pytest.mark.parametrize("purpose", UNKNOWN)
def test_unknown_purposes_are_refused(purpose: str) -> None:
    assert not legal(purpose, 1)
    assert not legal(purpose, [1, 1, 1])


def test_a_segment_has_three_strikes() -> None:
    purpose = "turn-3/battle-1/segment-4/attacker"
    assert legal(purpose, [1, 6, 3])
    for wrong in (
        [],
        [1, 1],
        [1, 1, 1, 1],
        [0, 1, 1],
        [1, 7, 1],
        [1, True, 1],
        3,
        None,
        "111",
        [[1], 1, 1],
    ):
        assert not legal(purpose, wrong)


def test_a_rivals_legions_come_from_the_possible_tables() -> None:
    assert [n for n in range(1, 14) if legal("setup/npc-1/legions", [n])] == list(range(1, 9))
    assert legal("setup/npc-1/legions", [6, 6])
    assert not legal("setup/npc-1/legions", [6, 7])
    assert not legal("setup/npc-2/legions", [6, 6])
    assert [n for n in range(14) if legal("setup/npc-3/legions", [n])] == list(range(1, 7))
    assert [n for n in range(14) if legal("setup/npc-4/legions", [n])] == [1, 2, 3, 4]
    assert not legal("setup/npc-1/legions", 5)


def test_a_record_with_such_a_roll_is_malformed() -> None:
    for fixed in (
        {"turn-1/event-7": 1},
        {"turn-1/events": 7},
        {"turn-1/battle-1/segment-1/attacker": [1, 1]},
    ):
        created = {"format": "march_on_rome/1", "dice": {"fixed": fixed}, "moves": []}
        assert replay(created, 0)["error"] | {"message": ""} == {
            "move": None,
            "code": "malformed-record",
            "message": "",
        }


def test_every_roll_of_many_reigns_is_unique_and_within_its_die() -> None:
    kinds = set()
    for n in range(60):
        seen = set()
        for _, _, played in steps(f"purposes {n}", random.Random(n)):
            for roll in played.rolls:
                assert roll.purpose not in seen
                seen.add(roll.purpose)
                assert legal(roll.purpose, roll.value)
                head = roll.purpose.split("/")[0]
                assert roll.turn == (0 if head == "setup" else int(head.removeprefix("turn-")))
                assert 1 <= roll.value <= roll.sides
                line = TITLE.roll_line(SCENARIO, roll)
                assert "/" not in line
                assert "{" not in line
                kinds.add(
                    (line.split(":")[-1] if ":" in line else "") or roll.purpose.split("/")[-1]
                )
    assert len(kinds) > 15
