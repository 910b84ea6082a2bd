"""The sample cases, run in the process and through the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.replay import replay
from tests.grand_campaign.table import CASES

ROOT = Path(__file__).resolve().parents[2]
ALL = sorted(path.stem for path in CASES.glob("*.json") if not path.stem.startswith("_"))


def case(name):
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def document(case):
    """Return the record of a case as a value, or its literal text."""
    if "text" in case:
        return case["text"]
    result = case["record"]
    place = result.get("scenario")
    if isinstance(place, str) and place.startswith("_"):
        place = {"base": place}
    if isinstance(place, dict) and "base" in place:
        base = json.loads((CASES / f"{place['base']}.json").read_text(encoding="utf-8"))
        base.update({key: value for key, value in place.items() if key != "base"})
        result["scenario"] = base
    if "pad" in case:
        lacking = case["pad"]["moves"] - len(result["moves"])
        result["moves"] = result["moves"] + [{"by": "gm", "move": "open-turn"}] * lacking
    return result


def questions(case):
    """Return the questions of a case: up to which move to play, and the expected answer."""
    for check in case.get("checks", []):
        yield check.get("upto", case.get("upto")), check["expect"]
    if "expect" in case:
        yield case.get("upto"), case["expect"]


def at(state, path):
    for part in path.split("."):
        if isinstance(state, list):
            if int(part) >= len(state):
                return "__absent__"
            state = state[int(part)]
        elif not isinstance(state, dict) or part not in state:
            return "__absent__"
        else:
            state = state[part]
    return state


def agrees(answer, expect):
    if "error" in expect:
        assert "error" in answer, "nothing was refused"
        assert set(answer["error"]) == {"move", "code", "message"}
        if expect["error"]["code"] is not None:
            assert answer["error"]["code"] == expect["error"]["code"], answer["error"]
        if "move" in expect["error"]:
            assert answer["error"]["move"] == expect["error"]["move"], answer["error"]
        return
    assert "error" not in answer, answer["error"]
    for path, value in expect.items():
        assert at(answer, path) == value, path


def command(*arguments, text=None):
    return subprocess.run(
        [sys.executable, "manage.py", "replay", *arguments],
        cwd=ROOT,
        input=text,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_there_are_55_cases():
    assert len(ALL) == 55


@pytest.mark.parametrize("name", ALL)
def test_a_case_has_its_expected_answer(name):
    result = case(name)
    for upto, expect in questions(result):
        agrees(replay(document(result), upto), expect)


@pytest.mark.parametrize("name", ALL)
def test_a_case_has_the_same_answer_as_text_and_as_bytes(name):
    result = case(name)
    text = document(result)
    text = text if isinstance(text, str) else json.dumps(text)
    for upto, expect in questions(result):
        agrees(replay(text, upto=upto), expect)
        agrees(replay(text.encode(), upto=upto), expect)


@pytest.mark.parametrize(
    "name", [name for name in ALL if {"pad", "file", "text"} & set(case(name))] + ["d-formula-7"]
)
def test_a_case_has_the_same_answer_on_the_command_line(name, tmp_path):
    result = case(name)
    text = document(result)
    file = tmp_path / "record.json"
    file.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    for upto, expect in questions(result):
        more = [] if upto is None else ["--upto", str(upto)]
        done = command(str(file), *more)
        answer = json.loads(done.stdout)
        agrees(answer, expect)
        assert done.returncode == (2 if "error" in answer else 0)
        assert "Traceback" not in done.stderr


def test_all_cases_at_once_through_many(tmp_path):
    """Each line has a record and gets an answer; an error is an answer too, and the status is 0."""
    asked = [
        (name, document(case(name)), expect)
        for name in ALL
        for upto, expect in questions(case(name))
        if upto is None and "text" not in case(name)
    ]
    assert len(asked) > 40
    file = tmp_path / "cases.jsonl"
    lines = [json.dumps(result) for _, result, _ in asked]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = command("--many", str(file))
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked)
    for (name, _, expect), answer in zip(asked, answers, strict=True):
        try:
            agrees(answer, expect)
        except AssertionError as wrong:
            raise AssertionError(f"{name}: {wrong}") from wrong


def test_standard_input_and_exit_status():
    good = json.dumps(document(case("3.6-exemption")))
    bad = json.dumps(document(case("4.1-not-in-hand")))
    done = command("-", text=good)
    assert done.returncode == 0
    assert json.loads(done.stdout)["nations"]["amber"]["stability"] == 8
    done = command("-", "--upto", "2", text=good)
    assert json.loads(done.stdout)["nations"]["amber"]["stability"] == 7
    done = command("-", text=bad)
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert (error["move"], error["code"]) == (1, "no-such-card")
    done = command("-", text="")
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert (error["move"], error["code"]) == (None, "malformed-record")


def test_many_from_standard_input_keeps_going_after_an_error():
    good = json.dumps(document(case("3.6-exemption")))
    done = command("--many", "-", text=f"{good}\nnonsense\n{good}\n")
    assert done.returncode == 0
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert first == third
    assert first["turn"] == 1
    assert second["error"]["code"] == "malformed-record"
