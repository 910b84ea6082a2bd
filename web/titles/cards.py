"""The titles as cards: what each is, for how many, what it looks like."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from campaign import practice, rulebook
from engine.language import language
from games.contract.title import Introduced
from games.registry import FOUNDINGS, LESSONS, PAGES, TITLES, solo, together


class Card(NamedTuple):
    """`picture` is a file of `static/`, `emblem` a template; both are empty where the title gives none, so are the texts.
    `practised`: programs can hold seats; `board`: it is played on a page of its own; `lesson`: it has a
    guided first game."""

    key: str
    name: str
    seats: int
    alone: bool
    together: bool
    about: str
    lasts: str
    picture: str
    emblem: str
    ruled: bool
    practised: bool
    board: bool
    lesson: bool


def cards() -> list[Card]:
    """Every title we host."""
    return [_card(key, language()) for key in TITLES]


def alone() -> list[Card]:
    """Those that one can play at once."""
    return [card for card in cards() if card.alone]


@cache
def _card(key: str, _language: str) -> Card:
    title = TITLES[key]
    first = next(iter(title.scenarios().values()))
    seats = len(title.seats(title.scenario(first), title.options({})))
    founding = FOUNDINGS.get(title.key)
    about, lasts = (title.about, title.lasts) if isinstance(title, Introduced) else ("", "")
    return Card(
        title.key,
        title.name,
        seats,
        solo(title),
        together(title),
        about,
        lasts,
        founding.picture if founding else "",
        _emblem(key),
        bool(rulebook.rules_text(key)),
        practice.opponents(key) is not None,
        key in PAGES,
        key in LESSONS,
    )


def _emblem(key: str) -> str:
    name = f"titles/{key}/_emblem.html"
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return ""
    return name
