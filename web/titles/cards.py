"""The titles as cards: what each is, for how many, what it looks like."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from games.registry import FOUNDINGS, TITLES, solo


class Card(NamedTuple):
    """`picture` is a file of `static/`, empty where the title gives none; so is `about`."""

    key: str
    name: str
    seats: int
    alone: bool
    about: str
    picture: str


def cards() -> list[Card]:
    """Every title we host."""
    return [_card(key) for key in TITLES]


def alone() -> list[Card]:
    """Those that one can play at once."""
    return [card for card in cards() if card.alone]


@cache
def _card(key: str) -> Card:
    title = TITLES[key]
    first = next(iter(title.scenarios().values()))
    seats = len(title.seats(title.scenario(first), title.options({})))
    founding = FOUNDINGS.get(title.key)
    about, picture = (founding.about, founding.picture) if founding else ("", "")
    return Card(title.key, title.name, seats, solo(title), about, picture)
