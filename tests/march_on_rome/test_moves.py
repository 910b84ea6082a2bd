"""The form of moves, and the order in which they are refused (RULES, Moves)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from engine.errors import IllegalMove
from games.march_on_rome.rules.moves import MOVES
from tests.march_on_rome.table import (
    GO_ON,
    PASS,
    SCENARIO,
    TITLE,
    ally,
    answer,
    at,
    attack,
    devote,
    refused,
)

BEGIN = {"move": "begin"}
PEACE: dict[str, Any] = {
    "owner": {"italy": "pc", "gaul": "npc-1"},
    "legions": {"pc": 3, "npc-1": 3},
}
BATTLE = {
    "no": 1,
    "target": "gaul",
    "attacker": "pc",
    "defender": "npc-1",
    "cause": "attack",
    "initiative": "defender",
    "devoted": {"attacker": None, "defender": None},
}
ASKED_TO_DEVOTE = PEACE | {
    "battle_no": 1,
    "battle": BATTLE,
    "pending": {"kind": "devote", "side": "attacker"},
}
ASKED_TO_ANSWER = PEACE | {
    "phase": "npc",
    "queue": [],
    "pending": {"kind": "answer", "from": "npc-1", "target": "italy"},
}
OVER = PEACE | {"phase": "over", "result": "won"}
PHASES = ("setup", "pc", "npc", "recruit", "events")
ALL = {
    "begin": BEGIN,
    "pass": PASS,
    "attack": attack("gaul"),
    "ally": ally("gaul"),
    "devote": devote(1),
    "answer": answer(True),
    "continue": GO_ON,
}


def test_there_are_seven_moves() -> None:
    assert list(MOVES) == list(ALL)


@pytest.mark.parametrize("move", ALL.values(), ids=ALL)
def test_game_over_is_named_first(move: Any) -> None:
    assert refused(OVER, move) == "game-over"
    assert refused(OVER | {"result": "lost"}, attack("nowhere")) == "game-over"


@pytest.mark.parametrize("move", ALL.values(), ids=ALL)
def test_pending_decisions_are_named_second(move: Any) -> None:
    if move["move"] != "devote":
        assert refused(ASKED_TO_DEVOTE, move) == "pending-decision"
    if move["move"] != "answer":
        assert refused(ASKED_TO_ANSWER, move) == "pending-decision"
    if move["move"] in ("devote", "answer"):
        for phase in PHASES:
            assert refused(PEACE | {"phase": phase}, move) == "nothing-pending"


def test_the_phase_is_named_third() -> None:
    legal = {"begin": ("setup",), "continue": ("npc", "recruit", "events")}
    for name in ("begin", "continue", "pass", "attack", "ally"):
        for phase in PHASES:
            if phase not in legal.get(name, ("pc",)):
                assert refused(PEACE | {"phase": phase}, ALL[name]) == "wrong-phase"
    assert refused(PEACE | {"phase": "npc"}, attack("nowhere")) == "wrong-phase"


def test_province_owner_border_legions_and_number_follow() -> None:
    unarmed = {"owner": {"italy": "pc", "gaul": "pc", "illyrica": "senate"}, "legions": {"pc": 0}}
    assert refused(unarmed, attack("nowhere")) == "unknown-province"
    assert refused(unarmed, attack("gaul")) == "own-province"
    assert refused(unarmed, attack("syria")) == "not-adjacent"
    assert refused(unarmed, attack("illyrica")) == "no-legions"
    for number in (0, 4, -3):
        assert refused(ASKED_TO_DEVOTE, devote(number)) == "bad-number"


NONSENSE = [
    None,
    5,
    "pass",
    [],
    {},
    {"move": None},
    {"move": 5},
    {"move": ["pass"]},
    {"by": "pc"},
    {"move": "attack"},
    {"move": "attack", "target": None},
    {"move": "attack", "target": 3},
    {"move": "attack", "target": ["gaul"]},
    {"move": "attack", "target": {"gaul": 1}},
    {"move": "attack", "target": "gaul", "from": "italy"},
    {"move": "ally"},
    {"move": "devote"},
    {"move": "devote", "legions": "3"},
    {"move": "devote", "legions": True},
    {"move": "devote", "legions": Decimal("1.0")},
    {"move": "devote", "legions": None},
    {"move": "answer"},
    {"move": "answer", "accept": 1},
    {"move": "answer", "accept": "true"},
    {"move": "pass", "target": "gaul"},
    {"move": "continue", "turn": 1},
    {"move": "pass", "by": "npc-1"},
    {"move": "pass", "by": None},
    {"move": "pass", "by": "gm"},
    {"move": "pass", "by": "pc", "for": "pc"},
    {"move": "pass", "for": "pc"},
    {"move": "pass", "by": "gm", "for": "npc-1"},
    {"move": "pass", "by": ["pc"]},
    {"move": "pass", "by": "gm", "for": {}},
]


@pytest.mark.parametrize("raw", NONSENSE, ids=repr)
@pytest.mark.parametrize(
    "position",
    [PEACE, ASKED_TO_DEVOTE, ASKED_TO_ANSWER, OVER],
    ids=["peace", "devote", "answer", "over"],
)
def test_invalid_arguments_are_refused(raw: Any, position: dict[str, Any]) -> None:
    assert refused(position, raw) == "bad-arguments"


@pytest.mark.parametrize(
    "name", ["", "PASS", "pass ", "conquer", "__init__", "x" * 10_000, "\ud800", "{name}"]
)
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        TITLE.decode({"move": name}, at(**PEACE))
    assert refusal.value.code == "unknown-move"
    assert len(TITLE.refusal(SCENARIO, refusal.value)) < 100


def test_an_encoded_move_is_read_back() -> None:
    position = at(**PEACE)
    for raw in ALL.values():
        written = TITLE.decode(raw, position).to_json()
        assert written == {"by": "pc"} | raw
        assert TITLE.decode(written, position).to_json() == written
    for_him = {"by": "gm", "for": "pc"} | attack("gaul")
    assert TITLE.decode(for_him, position).to_json() == for_him


def test_every_refusal_is_a_sentence() -> None:
    seen = set()
    for position in (
        PEACE,
        ASKED_TO_DEVOTE,
        ASKED_TO_ANSWER,
        OVER,
        *(PEACE | {"phase": phase} for phase in PHASES),
    ):
        here = at(**position)
        for raw in [
            *ALL.values(),
            *NONSENSE,
            attack("nowhere"),
            attack("syria"),
            attack("italy"),
            devote(9),
        ]:
            try:
                move = TITLE.decode(raw, here)
                move.admit(here)
                move.check(here)
            except IllegalMove as refusal:
                sentence = TITLE.refusal(SCENARIO, refusal)
                seen.add(sentence)
                assert sentence[0].isupper()
                assert sentence.endswith(".")
                assert "{" not in sentence.replace("{gaul", "")
    assert len(seen) > 20
