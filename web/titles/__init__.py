"""Titles as cards, and whether a campaign can be shown as a film or in its history."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.urls import reverse

from campaign import practice, rulebook
from engine.language import language
from games.contract.film import WithFilms
from games.contract.pages import WithMoveFilm, WithPastPages
from games.contract.title import WithIntroduction
from games.registry import TITLES, solo, together
from web.frame.table import TableContext


def remembers(table: TableContext) -> bool:
    """Return whether earlier positions of the campaign can be shown.

    They can, unless the title has its own page and that page cannot show them.
    """
    return table.pages is None or isinstance(table.pages, WithPastPages)


def films(table: TableContext) -> bool:
    """Return whether the log of a campaign can be shown as a film."""
    shown = (
        isinstance(table.title, WithFilms)
        if table.pages is None
        else isinstance(table.pages, WithMoveFilm)
    )
    return shown and remembers(table) and table.campaign.started


# The titles as cards


class Card(NamedTuple):
    """A title as a card.

    `picture` is a file of `static/`, `emblem` a template; they and the texts are empty if the title
    has none. `practised` means that programs can hold seats, `board` that the title has its own
    page, and `lesson` that it has a guided first game.
    """

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
    """Return all titles of this site."""
    return [card_of(key, language()) for key in TITLES]


def alone() -> list[Card]:
    """Return the titles that can be played alone."""
    return [card for card in cards() if card.alone]


@cache
def card_of(key: str, _language: str) -> Card:
    """Return a title as a card, in the language of the reader."""
    title = TITLES[key]
    first = next(iter(title.scenarios().values()))
    seats = len(title.seats(title.scenario(first), title.options({})))
    about, lasts = (title.about, title.lasts) if isinstance(title, WithIntroduction) else ("", "")
    return Card(
        title.key,
        title.name,
        seats,
        solo(title),
        together(title),
        about,
        lasts,
        title.founding.picture if title.founding else "",
        emblem_of(key),
        bool(rulebook.rules_text(key)),
        practice.opponents(key) is not None,
        title.pages is not None,
        title.lesson is not None,
    )


def rules_url(key: str) -> str:
    """Return the address of a title's rules, empty if it has no text of them."""
    return reverse("rules", args=[key]) if rulebook.rules_text(key) else ""


def emblem_of(key: str) -> str:
    """Return the template of a title's emblem, empty if it has none."""
    name = f"titles/{key}/_emblem.html"
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return ""
    return name
