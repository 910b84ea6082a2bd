"""`manage.py situations`: its output and its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.march_on_rome.rules.position import HERE
from games.situations import blocks, main

GOOD: dict[str, Any] = {
    "id": "walk-over",
    "position": {"owner": {"italy": "pc", "gaul": "senate"}, "legions": {"pc": 4}},
    "move": {"move": "attack", "target": "gaul"},
    "dice": {},
    "expect": {
        "state": {
            "owner": {"gaul": "pc"},
            "garrison": {"gaul": None},
            "battle": None,
            "phase": "npc",
        }
    },
}


def situations(tmp_path: Path, capsys: Any, *shown: Any) -> tuple[int, list[str]]:
    """Return a function that runs the command on these blocks and returns status and lines.

    Blocks are objects, or texts that are used unchanged.
    """
    fenced = [
        f"```json\n{part if isinstance(part, str) else json.dumps(part)}\n```" for part in shown
    ]
    file = tmp_path / "examples.md"
    file.write_text("# Examples\n\n" + "\nSome prose.\n".join(fenced) + "\n", encoding="utf-8")
    status = main(["march_on_rome", str(file)])
    return status, capsys.readouterr().out.splitlines()


def test_the_rules_examples_by_the_command_itself(tmp_path: Path) -> None:
    """The command runs without Django, in any folder."""
    rules = HERE / "RULES.md"
    manage = Path(__file__).parents[1] / "manage.py"
    done = subprocess.run(
        [sys.executable, str(manage), "situations", "march_on_rome", str(rules), str(rules)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PATH": "", "DJANGO_SETTINGS_MODULE": "no.such.settings"},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "36 passed, 0 failed\n", "")


def test_all_pass(tmp_path: Path, capsys: Any) -> None:
    assert situations(tmp_path, capsys, GOOD) == (0, ["1 passed, 0 failed"])
    assert situations(tmp_path, capsys) == (0, ["0 passed, 0 failed"])


def test_differences_are_shown(tmp_path: Path, capsys: Any) -> None:
    bad = GOOD | {
        "id": "bad",
        "expect": {"state": {"phase": "pc", "legions": {"pc": 5, "npc-1": None}, "queue": []}},
    }
    assert situations(tmp_path, capsys, GOOD, bad) == (
        1,
        [
            (
                'bad: phase: expected "pc", found "npc"; legions.pc: expected 5, found 4; queue:'
                " expected [], found null"
            ),
            "1 passed, 1 failed",
        ],
    )


def test_dice_are_used_up_exactly(tmp_path: Path, capsys: Any) -> None:
    more = GOOD | {"dice": {"turn-1/events": 3, "turn-1/battle-1/segments": 2}}
    less = GOOD | {"position": {"owner": {"italy": "pc"}, "legions": {"pc": 4}}}
    lists = GOOD | {"dice": {"turn-1/battle-1/segment-1/attacker": [1, 2, 3]}}
    status, lines = situations(tmp_path, capsys, more, less, lists)
    assert (status, lines[-1]) == (1, "0 passed, 3 failed")
    assert lines[0] == "walk-over: dice not used: turn-1/battle-1/segments, turn-1/events"
    assert (
        lines[1]
        == "walk-over: move 1 needs the die turn-1/barbarians/gaul, which the example does not"
        " give"
    )
    head = "turn-1/battle-1/segment-1/attacker"
    assert lines[2] == f"walk-over: dice not used: {head}/1, {head}/2, {head}/3"


def test_refusals(tmp_path: Path, capsys: Any) -> None:
    far = {"move": "attack", "target": "syria"}
    shown = [
        GOOD
        | {
            "id": "right",
            "move": far,
            "expect": {"error": "not-adjacent", "state": {"phase": "pc"}},
        },
        GOOD | {"id": "other", "move": far, "expect": {"error": "own-province"}},
        GOOD | {"id": "legal", "expect": {"error": "own-province"}},
        GOOD | {"id": "refused", "move": far},
        {
            **GOOD,
            "id": "early",
            "moves": [far, {"move": "pass"}],
            "expect": {"error": "not-adjacent"},
        },
    ]
    shown[-1].pop("move")
    status, lines = situations(tmp_path, capsys, *shown)
    assert (status, lines) == (
        1,
        [
            "other: error: expected own-province, found not-adjacent",
            "legal: error: expected own-province, found none",
            (
                "refused: move 1 is refused with not-adjacent: Syria does not border any of your "
                "provinces."
            ),
            (
                "early: move 1 is refused with not-adjacent: Syria does not border any of your "
                "provinces."
            ),
            "1 passed, 4 failed",
        ],
    )


MALFORMED = [
    "",
    "{",
    "[]",
    "5",
    "null",
    '"text"',
    "NaN",
    '{"id": "a", "id": "b"}',
    "[" * 100_000,
    "1" * 10_000,
    *(
        json.dumps(GOOD | change)
        for change in (
            {"position": 5},
            {"position": {"owner": {"carthage": "pc"}}},
            {"position": {"owner": {"gaul": "hannibal"}}},
            {"position": {"owner": {"gaul": 5}}},
            {"position": {"turn": 0}},
            {"position": {"turn": "1"}},
            {"position": {"phase": "war"}},
            {"position": {"phase": None}},
            {"position": {"legions": {"pc": -3}}},
            {"position": {"garrison": {"gaul": 1}}},
            {"position": {"queue": "npc-1"}},
            {"position": {"queue": [["npc-1"]]}},
            {"position": {"battle": {}}},
            {"position": {"battle": 5}},
            {"position": {"pending": {}}},
            {"position": {"pending": {"kind": "devote", "side": "attacker"}}},
            {"position": {"pending": {"kind": "answer", "from": "npc-1", "target": "gaul"}}},
            {"position": {"options": 5}},
            {"position": {"barbarians": {"gaul": -1}}},
            {"position": {"senators": 3}},
            {"moves": []},
            {"moves": 5, "move": None},
            {"dice": []},
            {"dice": {"turn-1/events": 7}},
            {"dice": {"rain": 1}},
            {"expect": {}},
            {"expect": 5},
            {"expect": {"state": 5}},
            {"expect": {"error": 5}},
            {"expct": {}},
        )
    ),
]


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: text[:60])
def test_a_malformed_block_fails_by_its_name(tmp_path: Path, capsys: Any, text: str) -> None:
    status, lines = situations(tmp_path, capsys, text, GOOD)
    assert (status, lines[1:]) == (1, ["1 passed, 1 failed"])
    assert lines[0].startswith(("walk-over: malformed: ", "block at line 3: malformed: "))


def test_which_blocks_are_examples() -> None:
    text = (
        "```json\na\n```\n```\nno\n```\n~~~ json\nb\n```\n~~~\n````json\n```json\nc\n````\n```"
        " python\nno\n```\n```json\nopen"
    )
    assert [(block.text, block.line) for block in blocks(text)] == [
        ("a", 1),
        ("b\n```", 7),
        ("```json\nc", 11),
        ("open", 18),
    ]


def test_there_is_no_such_title_or_file(tmp_path: Path, capsys: Any) -> None:
    assert main(["carthage", str(HERE / "RULES.md")]) == 2
    assert main(["grand_campaign", str(HERE / "RULES.md")]) == 2
    assert main(["march_on_rome", str(tmp_path / "none.md")]) == 2
    assert main(["march_on_rome", str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 4
