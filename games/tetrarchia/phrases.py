"""Words of the page, from its catalogue in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.language import catalogue
from games.tetrarchia.board import EMPERORS, HERE, SPACES


def book() -> Mapping[str, Any]:
    made: Mapping[str, Any] = catalogue(HERE, "page")
    return made


def text(key: str, **named: object) -> str:
    """A phrase of the catalogue."""
    return str(book()[key]).format(**named)


def counted(key: str, n: int, **named: object) -> str:
    """A phrase that counts: the catalogue has one for one and one for more."""
    one, many = book()[key]
    return str(one if n == 1 else many).format(n=n, **named)


def space(key: str) -> str:
    return SPACES[key].name


def emperor(key: str) -> str:
    return EMPERORS[key].name


def chain(spaces: tuple[str, ...]) -> str:
    """A connected group, by its spaces: "CISALPINA – ETRVRIA – ROMA"; a long one by its ends."""
    names = [SPACES[key].name for key in spaces]
    return text("from-to", first=names[0], last=names[-1]) if len(names) > 5 else " – ".join(names)
