"""Sentences of the page in parts: the words around the name of a holder, a province, a number."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter

from engine.language import Name
from games.march_on_rome.drawing.map import paint
from games.march_on_rome.rules.position import (
    BARBARIANS,
    LOST,
    SENATE,
    Scenario,
    is_general,
)
from games.march_on_rome.text.english import PAGE
from games.march_on_rome.text.words import general_name, province_name


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """A part of a sentence: text, an emphasized word, or a holder with its name.

    `holder` is the key of its paint.
    """

    text: str = ""
    strong: str = ""
    holder: str = ""
    name: str = ""

    @property
    def words(self) -> str:
        """Return the part as plain text."""
        return self.name or self.strong or self.text


phrase_text = PAGE.text
"""A phrase of the catalogue as plain text."""


def phrase(key: str, **named: PhrasePart | str | int) -> list[PhrasePart]:
    """Return a phrase of the catalogue in parts; a named value may be a part itself.

    The article or preposition that a language puts before a name is a part of its own.
    """
    pieces: list[PhrasePart] = []
    for literal, name, form, _ in Formatter().parse(str(PAGE.read()[key])):
        if literal:
            pieces.append(PhrasePart(text=literal))
        if name:
            value = named[name]
            words = value.words if isinstance(value, PhrasePart) else value
            before = ""
            if form and isinstance(words, Name):
                before = format(words, form).removesuffix(words)
            part = value if isinstance(value, PhrasePart) else PhrasePart(text=format(value))
            pieces += [PhrasePart(text=before), part] if before else [part]
    return pieces


def holder_with_paint(scenario: Scenario, holder: str, province: str = "") -> PhrasePart:
    """Return a holder with its paint: a general by name, a procurator, a people, invaders."""
    if is_general(holder):
        name = general_name(scenario, holder)
    elif holder == BARBARIANS:
        name = Name.parse(phrase_text("invaders"))
    elif not province:
        name = Name.parse(phrase_text(holder))
    else:
        name = Name.parse(
            phrase_text("procurator")
            if holder == SENATE
            else phrase_text("people", land=province_name(province))
        )
    return PhrasePart(holder=paint(holder), name=name)


def land(province: object) -> PhrasePart:
    return PhrasePart(strong=province_name(province))


def count(n: int, unit: str = "legion") -> str:
    """Return a number of legions or armies in words."""
    return PAGE.counted(unit, n)


def unit_of(holder: str) -> str:
    """Return the unit of a holder: `army` or `legion`."""
    return "army" if holder in (LOST, BARBARIANS) else "legion"
