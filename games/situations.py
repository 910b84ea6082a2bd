"""`manage.py situations`: a title's worked examples, played. Standard library, no database.

An example is a fenced JSON block of a markdown file: `{"id", "position", "move" or "moves", "dice",
"expect"}`. `position` is a partial state, whose defaults the title knows; `dice` must be used up
exactly; of `expect.state` dictionaries are compared on the keys given (null: absent or null), all
other values exactly; `expect.error` is the code that refuses the last move.
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
from engine.strict_json import only_keys, read
from games.contract.title import Situated, Title
from games.registry import TITLES

OPENING = re.compile(r" {0,3}(`{3,}|~{3,})\s*(\S*)")
KEYS = {"id", "position", "move", "moves", "dice", "expect"}


class Block(NamedTuple):
    """A fenced JSON block: its text, and the line of its fence."""

    text: str
    line: int


class Example(NamedTuple):
    """A worked example whose form is right."""

    position: Any
    moves: list[Any]
    dice: dict[str, Any]
    state: dict[str, Any]
    error: str | None


def blocks(text: str) -> Iterator[Block]:
    """The JSON blocks of a markdown text, in order; one that nobody closes goes to the end."""
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
    """The example of a block's object. Raises `MalformedRecord`."""
    only_keys("", raw, KEYS, {"id", "expect"})
    if ("move" in raw) == ("moves" in raw):
        raise MalformedRecord("move", "either move or moves")
    moves = raw.get("moves", [raw.get("move")])
    if type(moves) is not list or not moves:
        raise MalformedRecord("moves", "must be a list that is not empty")
    dice = raw.get("dice", {})
    if type(dice) is not dict:
        raise MalformedRecord("dice", "object")
    expect = only_keys("expect", raw["expect"], {"state", "error"})
    state, error = expect.get("state", {}), expect.get("error")
    if not expect or type(state) is not dict or type(error) not in (str, type(None)):
        raise MalformedRecord("expect", "must be a state, an error code, or both")
    return Example(raw.get("position", {}), moves, dice, state, error)


def outcome(title: Title, example: Example) -> list[str]:
    """What differs from what the example expects; nothing where it holds. Raises `MalformedRecord`,
    `IllegalMove`.
    """
    if not isinstance(title, Situated):
        raise MalformedRecord("", f"{title.name} reads no situations")
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
                        f"move {number} asks for the die {refusal.facts.get('purpose')}, which the"
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
    told_differences = []
    if code != example.error:
        told_differences.append(f"error: expected {example.error}, is {code or 'none'}")
    told_differences += differing(example.state, title.state(position), "")
    if left:
        told_differences.append("dice not used: " + ", ".join(sorted(left)))
    return told_differences


def differing(expected: Any, actual: Any, where: str) -> list[str]:
    """How a value differs from the one expected: dictionaries on the keys given, all else
    exactly.
    """
    if type(expected) is dict and type(actual) is dict:
        return [
            text
            for key, value in expected.items()
            for text in differing(value, actual.get(key), f"{where}.{key}" if where else key)
        ]
    if expected == actual and isinstance(expected, bool) == isinstance(actual, bool):
        return []
    return [f"{where}: expected {_shown(expected)}, is {_shown(actual)}"]


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def judge(title: Title, block: Block) -> tuple[str, list[str]]:
    """The example's name, and what is wrong with it; nothing where it holds. Never raises."""
    name = f"block at line {block.line}"
    try:
        raw = read(block.text)
        if type(raw) is dict and type(raw.get("id")) is str:
            name = raw["id"]
        return name, outcome(title, example(only_keys("", raw, KEYS)))
    except MalformedRecord as error:
        return name, [f"malformed: {error}"]
    except IllegalMove as refusal:
        return name, [f"refused with {refusal.code}"]
    except Exception as error:
        # A position nobody can come to may trip a rule anywhere: the other examples are still to be
        # told.
        return name, [f"cannot be played: {type(error).__name__}: {error}"]


def main(arguments: list[str]) -> int:
    """The command. Exit status 1 if an example failed, 2 where there is no such title or file."""
    parser = argparse.ArgumentParser(
        prog="manage.py situations", description="Play a title's worked examples."
    )
    parser.add_argument("title", help="one of " + ", ".join(sorted(TITLES)))
    parser.add_argument(
        "file", nargs="+", type=Path, help="a markdown file with examples in fenced JSON blocks"
    )
    options = parser.parse_args(arguments)
    title = TITLES.get(options.title)
    if title is None or not isinstance(title, Situated):
        sys.stderr.write(f"{options.title} is no title that reads situations\n")
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
