"""RECORD: every input gets an error in time, and never a traceback."""

import copy
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from games.replay import replay
from tests.grand_campaign.table import (
    CASES,
    START,
    adjust,
    give,
    land,
    move,
    play,
    record,
    report,
    respond,
)

ROOT = Path(__file__).resolve().parents[2]
FORM = ("malformed-record", "bad-argument", "unknown-nation", "unknown-province", "unknown-move")
WRONG = [
    None,
    True,
    False,
    0,
    -1,
    1,
    1.5,
    10**400,
    float("nan"),
    float("inf"),
    "",
    "zzz",
    "\x00",
    "\ud800",
    "amber ",
    "AMBER",
    "__class__",
    [],
    [[]],
    ["amber"],
    {},
    {"amber": 1},
]


def soon(document, seconds=1.0):
    """Return the answer, which must be an error in the contract's form.

    It must come within these seconds of processor time.
    """
    start = time.process_time()
    answer = replay(document)
    taken = time.process_time() - start
    assert taken < seconds, f"{taken:.2f} seconds"
    error = answer["error"]
    assert set(error) == {"move", "code", "message"}
    return error


def text(**parts):
    return json.dumps({**record(), **parts})


def command(data, *arguments):
    return subprocess.run(
        [sys.executable, "manage.py", "replay", "-", *arguments],
        cwd=ROOT,
        input=data,
        capture_output=True,
        timeout=60,
    )


TEXTS = {
    "nothing": "",
    "blank": " \n\t ",
    "half a file": text()[: len(text()) // 2],
    "all but the last character": text()[:-1],
    "two documents": text() + text(),
    "trailing comma": text()[:-1] + ",}",
    "a comment": "// record\n" + text(),
    "single quotes": text().replace('"', "'"),
    "NaN": text(moves=[START]).replace('"start": 1', '"start": NaN'),
    "Infinity": text().replace('"start": 1', '"start": Infinity'),
    "-Infinity": text().replace('"start": 1', '"start": -Infinity'),
    "a number beyond floats": text().replace('"start": 1', '"start": 1e999'),
    "a huge number": text().replace('"start": 1', '"start": ' + "9" * 100_000),
    "a huge exponent": text().replace('"start": 1', '"start": 1e999999999999'),
    "a duplicate key": text()[:-1] + ', "moves": []}',
    "a duplicate seed": text().replace('"seed": "case"', '"seed": "case", "seed": "other"'),
    "a duplicate roll": text().replace('"start": 1', '"start": 1, "start": 1'),
    "a duplicate in the scenario": text().replace('"turns": 6', '"turns": 6, "turns": 6'),
    "a lone surrogate as seed": text().replace('"seed": "case"', '"seed": "\\ud800"'),
    "a lone surrogate as format": text().replace("grand-campaign/1", "\\udfff"),
    "a lone surrogate as purpose": text().replace('"start": 1', '"\\ud800": 1'),
    "a control character": text().replace("case", "ca\x00se"),
    "1,000 lists": "[" * 1000 + "]" * 1000,
    "1,000 objects": '{"a":' * 1000 + "1" + "}" * 1000,
    "100,000 lists": "[" * 100_000,
    "100,000 objects": '{"a":' * 100_000,
    "1,000 levels in a seed": text().replace('"case"', "[" * 1000 + "]" * 1000),
    "1,000 levels in the options": (
        text().replace('"hands": "open"', '"hands": ' + '{"a":' * 1000 + "1" + "}" * 1000)
    ),
    "1,000 levels in the scenario": (
        text().replace('"turns": 6', '"turns": ' + "[" * 1000 + "]" * 1000)
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_are_no_record(name):
    error = soon(TEXTS[name])
    assert (error["move"], error["code"]) == (None, "malformed-record")


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe\x00",
        b"\x80",
        text().encode().replace(b"case", b"ca\xffse"),
        text().encode().replace(b"case", b"\xed\xa0\x80"),
        text().encode()[:-1] + b"\xc3",
        b"\x00" * 1000,
        bytes(range(256)),
    ],
)
def test_bytes_that_are_no_utf_8(data):
    error = soon(data)
    assert (error["move"], error["code"]) == (None, "malformed-record")


@pytest.mark.parametrize(
    "change",
    [
        "[" * 1000 + "]" * 1000,
        "NaN",
        "Infinity",
        "1e999",
        "9" * 100_000,
        "-" + "9" * 5000,
        "1e400",
        "true",
        '"5"',
        "1.0",
        "null",
    ],
)
def test_hostile_numbers_in_a_move(change):
    written = text(moves=[START, adjust("amber", "income", 12345)]).replace("12345", change)
    error = soon(written)
    assert error["code"] in ("malformed-record", "bad-argument")


@pytest.mark.parametrize("share", ["NaN", "1e999", "9" * 5000, "true", "[]", "-1e-999", "1e-400"])
def test_hostile_shares(share):
    moves = [START, land("amber", "a2", "b2")]
    moves += [report(1, routed={"attacker": 54321, "defender": 100})]
    answer = replay(text(moves=moves).replace("54321", share))
    if "error" in answer:
        assert answer["error"]["code"] in ("malformed-record", "bad-argument")
    else:
        assert share.endswith(("e-999", "e-400"))


def test_a_duplicate_key_in_a_move():
    written = text(moves=[START, move("amber", "end-slot")])
    written = written.replace('"by": "amber"', '"by": "birch", "by": "amber"')
    assert soon(written)["code"] in ("malformed-record", "bad-argument")


def test_a_lone_surrogate_in_a_reason():
    written = text(moves=[START, adjust("amber", "income", 5)]).replace('"test"', '"\\ud800"')
    assert soon(written)["code"] in ("malformed-record", "bad-argument")


MOVES = [
    move("amber", "build", structure="shrines"),
    move("amber", "fortify", province="a2"),
    move("amber", "fleet", province="a3"),
    land("amber", "a2", "b2", battle="open", siege_train=False, cards=[]),
    respond("birch", 1, "accept", cards=[]),
    play("amber", "spy", target="birch", steal="scouts"),
    play("amber", "diplomat", province="i1"),
    play("amber", "diplomat", truce="birch"),
    play("amber", "traitor", province="b2"),
    play("amber", "assassin", target="birch", destroy="spy"),
    play("amber", "local-insurrection", province="b2", battle="open"),
    move("birch", "keep", card="bodyguard", value=True),
    move("amber", "offer", card="scouts"),
    move("amber", "take", from_="birch", card="scouts", give="scouts"),
    report(1, winner="attacker"),
    report(1, routed={"attacker": 0, "defender": 50}),
    report(1, called_off=True),
    report(1, naval="draw"),
    {"by": "gm", "move": "forfeit", "attack": 1, "side": "attacker"},
    adjust("amber", "income", 5),
    {"by": "gm", "move": "set-owner", "province": "i1", "owner": "amber", "reason": "test"},
    *give("amber", "spy"),
    {"by": "gm", "move": "discard-card", "nation": "amber", "card": "scouts", "reason": "test"},
    {"by": "gm", "for": "amber", "move": "end-slot"},
]


@pytest.mark.parametrize("played", MOVES, ids=lambda one: one["move"])
def test_wrong_types_in_every_argument_of_every_move(played):
    """The answer is an error with a code of the contract, or the legal move; never an exception."""
    hand = give("amber", "spy", "diplomat", "traitor", "assassin", "local-insurrection")
    launch = [land("amber", "a2", "b2")] if {"attack"} & set(played) else []
    base = record(hand, launch)
    for key in played:
        for wrong in WRONG:
            written = copy.deepcopy(base)
            written["moves"].append({**played, key: wrong})
            answer = replay(written)
            if "error" in answer:
                assert answer["error"]["move"] in (None, len(written["moves"]) - 1)
                assert isinstance(answer["error"]["message"], str)
            if not isinstance(wrong, str) and key in ("by", "move", "for", "card", "reason"):
                assert answer["error"]["code"] in FORM, (key, wrong)


def test_wrong_types_in_every_place_of_the_record():
    whole = record(land("amber", "a2", "b2"))

    def places(value, path=()):
        if path:
            yield path
        if isinstance(value, dict):
            for key in value:
                yield from places(value[key], (*path, key))
        elif isinstance(value, list):
            for index in range(min(2, len(value))):
                yield from places(value[index], (*path, index))

    for path in places(whole):
        for wrong in WRONG:
            written = copy.deepcopy(whole)
            inner = written
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = wrong
            answer = replay(written)
            assert ("error" in answer) or "turn" in answer, path


def test_half_of_every_case():
    for path in CASES.glob("[0-9a-z]*.json"):
        result = path.read_text(encoding="utf-8")
        error = soon(result[: len(result) // 2])
        assert error["code"] == "malformed-record"


def test_dice_off_the_die_anywhere():
    for purpose in record()["dice"]["fixed"]:
        for wrong in (0, -1, 101, 1.5, "1", None, True, [], 10**30):
            error = soon(record(dice={purpose: wrong}))
            assert (error["move"], error["code"]) == (None, "malformed-record")


def test_keys_that_are_no_text():
    assert soon({1: 2})["code"] == "malformed-record"
    assert soon({**record(), None: 1})["code"] == "malformed-record"
    written = record()
    written["moves"].append({"by": "amber", "move": "end-slot", 5: 5})
    assert soon(written)["code"] in ("malformed-record", "bad-argument")


@pytest.mark.parametrize(
    "data",
    [
        '{"format": "' + "x" * 50_000_000,
        '{"format": "' + "x" * 50_000_000 + '"}',
        "[" + "0," * 25_000_000 + "0]",
        "[" * 50_000_000,
        " " * 50_000_000 + text(),
        text()[:-1] + " " * 50_000_000 + "}",
    ],
    ids=["unended", "text", "list", "nesting", "blanks before", "blanks within"],
)
def test_50_mb(data):
    error = soon(data, seconds=10)
    assert (error["move"], error["code"]) == (None, "malformed-record")


def test_more_than_20_mb_are_no_record_but_less_are():
    blanks = " " * 19_000_000
    assert replay(text()[:-1] + blanks + "}")["turn"] == 1
    assert soon(text()[:-1] + blanks + " " * 2_500_000 + "}", 5)["code"] == "malformed-record"


def test_19_mb_of_moves_within_4_seconds():
    long = {**adjust("amber", "income", 5), "reason": "x" * 4000}
    written = json.dumps(record([long] * 4500, move("amber", "nonsense")))
    assert 18_000_000 < len(written) < 20_000_000
    error = soon(written, seconds=4)
    assert (error["move"], error["code"]) == (4501, "unknown-move")


def test_many_structures_in_the_rules_are_played_quickly():
    """The record is legal, if unusual; 1,000 moves take less than a second."""
    rows = [[f"s{number}", 0, 0, 0] for number in range(1000)]
    built = [move("amber", "build", structure=row[0]) for row in rows]
    written = json.dumps(record(built, move("amber", "nonsense"), rules={"religious": rows}))
    assert soon(written)["move"] == 1001


@pytest.mark.parametrize(
    "name", ["half a file", "NaN", "1,000 objects", "a lone surrogate as seed"]
)
def test_the_command_line_says_so_with_status_2(name):
    done = command(TEXTS[name].encode())
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "malformed-record"
    assert b"Traceback" not in done.stderr


def test_the_command_line_with_invalid_utf_8_and_with_50_mb():
    for data in (b"\xff\xfe{", b"[" * 50_000_000):
        done = command(data)
        assert done.returncode == 2
        assert json.loads(done.stdout)["error"]["code"] == "malformed-record"
        assert b"Traceback" not in done.stderr


def test_the_command_line_answers_a_bad_move_with_status_2():
    written = text(moves=[START, move("amber", "end-slot", note="bye")])
    done = command(written.encode())
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert (error["move"], error["code"]) == (1, "bad-argument")
    done = command(written.encode(), "--upto", "1")
    assert done.returncode == 0


def test_many_hostile_lines_at_once(tmp_path):
    """Each line gets its answer, and so does the valid line among them."""
    lines = [value.replace("\n", " ") for value in TEXTS.values() if "\x00" not in value]
    lines = [line for line in lines if line.strip()]
    file = tmp_path / "hostile.jsonl"
    file.write_bytes("\n".join([*lines, text()]).encode() + b"\n\xff\xfe\n")
    done = subprocess.run(
        [sys.executable, "manage.py", "replay", "--many", str(file)],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines) + 2
    assert answers[-2]["turn"] == 1
    others = [*answers[:-2], answers[-1]]
    assert {answer["error"]["code"] for answer in others} == {"malformed-record"}
