"""Faults of a record in the reader's language: every id has a sentence with every fact."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.errors import FAULTS, MalformedRecord
from engine.language import use_language
from engine.strict_json import UNREAD, read
from games.grand_campaign.drawing.own_drawing import number
from games.grand_campaign.rules.numbers import Fault

ROOT = Path(__file__).resolve().parents[2]


def raised(folder: str, name: str) -> Iterator[tuple[str, set[str]]]:
    """Return each id that the code of a folder raises, with the names of its facts.

    Sentences in place of an id are left out.
    """
    for file in (ROOT / folder).rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(call, ast.Call)
                and getattr(call.func, "id", "") == name
                and len(call.args) == 2
            ):
                content = call.args[1]
                for branch in (
                    (content.body, content.orelse) if isinstance(content, ast.IfExp) else (content,)
                ):
                    if isinstance(branch, ast.Constant) and " " not in str(branch.value):
                        yield str(branch.value), {str(fact.arg) for fact in call.keywords}


TITLES = ("grand_campaign", "march_on_rome", "tetrarchia", "roman_empire")
PLACES = [("engine", "MalformedRecord"), ("games", "MalformedRecord")] + [
    (f"games/{title}", name) for title in TITLES for name in ("MalformedRecord", "Fault")
]


def fault_of(folder: str) -> Any:
    """The title's own class of faults."""
    rules = "numbers" if folder.endswith("grand_campaign") else "position"
    return import_module(f"{folder.replace('/', '.')}.rules.{rules}").Fault


@pytest.mark.parametrize(("folder", "name"), PLACES)
def test_every_id_has_its_sentence_and_every_fact_its_place(folder: str, name: str) -> None:
    known, result = dict(FAULTS.english), list(raised(folder, name))
    if name == "Fault":
        own = fault_of(folder).BOOK.english
        assert set(own) <= {message for message, _facts in result}
        known |= own
    for message, facts in result:
        assert set(re.findall(r"{(\w+)}", known[message])) <= facts, message
    assert set(UNREAD.values()) <= set(known)


def test_a_fault_is_read_in_the_current_language() -> None:
    with pytest.raises(MalformedRecord) as unread:
        read('{"key" 1}')
    assert str(unread.value) == "not JSON: Expecting ':' delimiter at line 1, column 8"
    with pytest.raises(Fault) as far:
        number(0, "provinces.hills.size", 0.5, 80)
    assert str(far.value) == "provinces.hills.size: must be a number from 0.5 to 80"
    with use_language("it"):
        assert str(unread.value) == "non è JSON: manca un «:» alla riga 1, colonna 8"
        assert str(far.value.at("here")) == "here: deve essere un numero da 0,5 a 80"
    assert MalformedRecord("file", "The table says it itself").why == "The table says it itself"
