"""Sentences of the page in parts: the words around a holder's name, a province, a number, which pages draw each in its way."""

from __future__ import annotations

from string import Formatter
from typing import Any

from engine.language import Name, catalogue
from games.march_on_rome.board import BARBARIANS, HERE, LOST, SENATE, is_general
from games.march_on_rome.map import paint
from games.march_on_rome.scenario import Scenario
from games.march_on_rome.words import general_name, province_name

Part = dict[str, Any]
"""`text`, or `strong`, or `holder` (a paint's key) with his `name`."""


def text(key: str, **named: object) -> str:
    """A phrase of the catalogue as plain text."""
    return str(catalogue(HERE, "page")[key]).format(**named)


def phrase(key: str, **named: Part | str | int) -> list[Part]:
    """A phrase of the catalogue in parts; what is named may be a part itself. What a language puts before a name stands
    before its part."""
    made: list[Part] = []
    for literal, name, form, _ in Formatter().parse(str(catalogue(HERE, "page")[key])):
        if literal:
            made.append({"text": literal})
        if name:
            value = named[name]
            part = value if isinstance(value, dict) else {"text": value}
            one = next(part[kind] for kind in ("name", "strong", "text") if kind in part)
            before = format(one, form).removesuffix(one) if form and isinstance(one, Name) else ""
            made += [{"text": before}, part] if before else [part if isinstance(value, dict) else {"text": format(one)}]
    return made


def who(scenario: Scenario, holder: str, province: str = "") -> Part:
    """A holder with his paint: a general by his name, a procurator, a people, invaders."""
    if is_general(holder):
        name = general_name(scenario, holder)
    elif holder == BARBARIANS:
        name = Name.of(text("invaders"))
    elif not province:
        name = Name.of(text(holder))
    else:
        name = Name.of(text("procurator") if holder == SENATE else text("people", land=province_name(province)))
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
