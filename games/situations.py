"""The command `manage.py situations`, which plays a title's worked examples.

It needs only the standard library and no database. An example is a fenced JSON block of a markdown
file: `{"id", "position", "move" or "moves", "dice", "expect"}`. `position` is a partial state,
which the title completes with defaults. `dice` must be used up exactly. Dictionaries in
`expect.state` are compared on the keys given (null: absent or null), all other values exactly.
`expect.error` is the code of the refusal of the last move.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.errors import IllegalMove, MalformedRecord
from engine.play import play
from engine.strict_json import check_keys, read
from games.contract.title import Title, WithSituations
from games.registry import TITLES

OPENING = re.compile(r" {0,3}(`{3,}|~{3,})\s*(\S*)")
KEYS = {"id", "position", "move", "moves", "dice", "expect"}


class Block(NamedTuple):
    """A fenced JSON block: its text, and the line of its fence."""

    text: str
    line: int


class Example(NamedTuple):
    """A well-formed worked example."""

    position: Any
    moves: list[Any]
    dice: dict[str, Any]
    state: dict[str, Any]
    error: str | None


def blocks(text: str) -> Iterator[Block]:
    """Yield the JSON blocks of a markdown text, in order; an open block ends with the text."""
    fence, kind, begun = "", "", 0
    inside: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = OPENING.match(line)
        if not fence and match:
            fence, kind, begun, inside = match[1], match[2].lower(), number, []
        elif fence and match and match[1].startswith(fence) and line.strip() == match[1]:
            if kind == "json":
                yield Block("\n".join(inside), begun)
            fence = ""
        elif fence:
            inside.append(line)
    if fence and kind == "json":
        yield Block("\n".join(inside), begun)


def example(raw: dict[str, Any]) -> Example:
    """Return the example that the object of a block describes.

    Raises:
        MalformedRecord: The object has another form.
    """
    check_keys("", raw, KEYS, {"id", "expect"})
    if ("move" in raw) == ("moves" in raw):
        raise MalformedRecord("move", "either move or moves")
    moves = raw.get("moves", [raw.get("move")])
    if type(moves) is not list or not moves:
        raise MalformedRecord("moves", "must be a list with at least one element")
    dice = raw.get("dice", {})
    if type(dice) is not dict:
        raise MalformedRecord("dice", "object")
    expect = check_keys("expect", raw["expect"], {"state", "error"})
    state, error = expect.get("state", {}), expect.get("error")
    if not expect or type(state) is not dict or type(error) not in (str, type(None)):
        raise MalformedRecord("expect", "must be a state, an error code, or both")
    return Example(raw.get("position", {}), moves, dice, state, error)


def outcome(title: Title, example: Example) -> list[str]:
    """Play an example and return its differences from what it expects.

    Raises:
        MalformedRecord: The position, a move or a die is malformed.
        IllegalMove: The rules forbid the position.
    """
    if not isinstance(title, WithSituations):
        raise MalformedRecord("", f"{title.name} cannot read situations")
    scenario, options = title.scenario(next(iter(title.scenarios().values()))), title.options({})
    position = title.situation(example.position, options)
    for purpose, value in example.dice.items():
        title.check_roll(scenario, options, purpose, value)
    dice = Dice(title.last_link(scenario), fixed=example.dice)
    left, code = set(dice.fixed), None
    for number, raw in enumerate(example.moves, 1):
        try:
            played = play(position, title.decode(raw, position), dice)
        except IllegalMove as refusal:
            if refusal.code == "no-dice":
                return [
                    (
                        f"move {number} needs the die {refusal.facts.get('purpose')}, which the"
                        " example does not give"
                    )
                ]
            if number < len(example.moves) or example.error is None:
                return [
                    (
                        f"move {number} is refused with {refusal.code}:"
                        f" {title.refusal(scenario, refusal)}"
                    )
                ]
            code = refusal.code
            break
        left -= {roll.purpose for roll in played.rolls}
        position = played.after
    differences = []
    if code != example.error:
        differences.append(f"error: expected {example.error}, found {code or 'none'}")
    differences += differing(example.state, title.state(position), "")
    if left:
        differences.append("dice not used: " + ", ".join(sorted(left)))
    return differences


def differing(expected: Any, actual: Any, where: str) -> list[str]:
    """Return the differences between a value and the expected value.

    Dictionaries are compared on the keys given, all other values exactly.
    """
    if type(expected) is dict and type(actual) is dict:
        return [
            text
            for key, value in expected.items()
            for text in differing(value, actual.get(key), f"{where}.{key}" if where else key)
        ]
    if expected == actual and isinstance(expected, bool) == isinstance(actual, bool):
        return []
    return [f"{where}: expected {_shown(expected)}, found {_shown(actual)}"]


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def judge(title: Title, block: Block) -> tuple[str, list[str]]:
    """Return the name of an example and what is wrong with it. Never raises."""
    name = f"block at line {block.line}"
    try:
        raw = read(block.text)
        if type(raw) is dict and type(raw.get("id")) is str:
            name = raw["id"]
        return name, outcome(title, example(check_keys("", raw, KEYS)))
    except MalformedRecord as error:
        return name, [f"malformed: {error}"]
    except IllegalMove as refusal:
        return name, [f"refused with {refusal.code}"]
    except Exception as error:
        # An impossible position may break a rule anywhere. The other examples must still be
        # reported.
        return name, [f"cannot be played: {type(error).__name__}: {error}"]


def main(arguments: list[str]) -> int:
    """Run the command.

    The exit status is 1 if an example failed, 2 if the title or a file does not exist.
    """
    parser = argparse.ArgumentParser(
        prog="manage.py situations", description="Play a title's worked examples."
    )
    parser.add_argument("title", help="one of " + ", ".join(sorted(TITLES)))
    parser.add_argument(
        "file", nargs="+", type=Path, help="a markdown file with examples in fenced JSON blocks"
    )
    options = parser.parse_args(arguments)
    title = TITLES.get(options.title)
    if title is None or not isinstance(title, WithSituations):
        sys.stderr.write(f"{options.title} is not a title that can read situations\n")
        return 2
    passed = failed = 0
    for file in options.file:
        try:
            text = file.read_text(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            sys.stderr.write(f"{file}: {error.strerror}\n")
            return 2
        for block in blocks(text):
            name, wrong = judge(title, block)
            passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
            if wrong:
                print(f"{name}: " + "; ".join(wrong))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
