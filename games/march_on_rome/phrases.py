"""Sentences of the page in parts: the words around a holder's name, a province, a number, which pages draw each in its way."""

from __future__ import annotations

from string import Formatter
from typing import Any

from games.march_on_rome.board import BARBARIANS, LOST, SENATE, data, is_general
from games.march_on_rome.map import paint
from games.march_on_rome.scenario import Scenario
from games.march_on_rome.words import general_name, province_name

Part = dict[str, Any]
"""`text`, or `strong`, or `holder` (a paint's key) with his `name`."""


def text(key: str, **named: object) -> str:
    """A phrase of the catalogue as plain text."""
    return str(data("page_en")[key]).format(**named)


def phrase(key: str, **named: Part | str | int) -> list[Part]:
    """A phrase of the catalogue in parts; what is named may be a part itself."""
    made: list[Part] = []
    for literal, name, _, _ in Formatter().parse(str(data("page_en")[key])):
        if literal:
            made.append({"text": literal})
        if name:
            value = named[name]
            made.append(value if isinstance(value, dict) else {"text": str(value)})
    return made


def who(scenario: Scenario, holder: str, province: str = "") -> Part:
    """A holder with his paint: a general by his name, a procurator, a people, invaders."""
    if is_general(holder):
        name = general_name(scenario, holder)
    elif holder == BARBARIANS:
        name = text("invaders")
    elif not province:
        name = text(holder)
    else:
        name = text("procurator") if holder == SENATE else text("people", land=province_name(province))
    return {"holder": paint(holder), "name": name}


def land(province: object) -> Part:
    return {"strong": province_name(province)}


def count(n: int, unit: str = "legion") -> str:
    """So many legions or armies."""
    many = {"legion": "legions", "army": "armies"}[unit]
    return text(unit) if n == 1 else text(many, n=n)


def unit_of(holder: str) -> str:
    """What a holder fights with."""
    return "army" if holder in (LOST, BARBARIANS) else "legion"
