"""Words of the page, from its catalogue in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.language import catalogue
from games.roman_empire.board import EMPERORS, HERE, LANDS, Emperor
from games.roman_empire.words import group_name, numeral

__all__ = ["bonus", "book", "counted", "emperor", "group_name", "land", "numeral", "text"]


def book() -> Mapping[str, Any]:
    made: Mapping[str, Any] = catalogue(HERE, "page")
    return made


def text(key: str, **named: object) -> str:
    """A phrase of the catalogue."""
    return str(book()[key]).format(**named)


def counted(key: str, n: int) -> str:
    """A phrase that counts: the catalogue has one for one and one for more."""
    one, many = book()[key]
    return str(one if n == 1 else many).format(n=n)


def land(key: str) -> str:
    return LANDS[key].name


def emperor(key: int | None) -> str:
    return EMPERORS[key].name if key in EMPERORS else ""


def bonus(of: Emperor) -> str:
    """What an Emperor brings (7), in words; without anything it says so."""
    return text(f"bonus-{of.bonus or 'none'}", n=of.value)
