"""The table of all ratings, drawn on a common scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from battles import ratings as rated
from battles.ratings import Half, Rating, Ratings

MARGIN = 4
"""The space between the ends of the bars and of their column, in per cent."""
BATTLES, CAMPAIGNS = "battles", "campaigns"
HEADINGS = {
    BATTLES: pgettext_lazy("heading", "Battles"),
    CAMPAIGNS: pgettext_lazy("heading", "Campaigns"),
}


class Bar(NamedTuple):
    """An interval on the scale that all bars of a table share, in per cent."""

    start: int
    width: int
    value: int
    """The position of the rating itself."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A user's row in the table."""

    rank: int | None
    name: str
    url: str
    is_own: bool
    rating: Rating
    bar: Bar
    results: int
    results_text: str

    @property
    def rank_text(self) -> str:
        return pgettext("ratings", "rank %(n)s") % {"n": self.rank}


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The ratings by battles or by campaigns."""

    key: str
    heading: str
    note: str
    rows: list[RatingRow]
    settled: int


@dataclass(frozen=True, slots=True)
class RatingsPage:
    """All ratings."""

    tables: list[RatingTable]
    base: int
    takes_part: bool


def halves(ratings: Ratings) -> dict[str, Half]:
    """Return the ratings by battles and by campaigns."""
    return {BATTLES: ratings.battles, CAMPAIGNS: ratings.campaigns}


def ratings_page(reader: int | None) -> RatingsPage:
    """Return all ratings. `reader` is the primary key of the reader."""
    ratings = rated.ratings()
    return RatingsPage(
        tables=[
            RatingTable(
                key=key,
                heading=str(HEADINGS[key]),
                note=note_of(key),
                rows=rating_rows(ratings, key, half, reader),
                settled=half.settled,
            )
            for key, half in halves(ratings).items()
        ],
        base=round(rated.BASE),
        takes_part=reader in ratings.names,
    )


def note_of(key: str) -> str:
    """Return a note on the results that count for a rating."""
    return _("battles between two people") if key == BATTLES else _("by final rank")


def rating_rows(ratings: Ratings, key: str, half: Half, reader: int | None) -> list[RatingRow]:
    """Return the rows of a table."""
    lines = half.lines()
    bars = bars_of(line.rating for line in lines)
    return [
        RatingRow(
            rank=line.rank,
            name=ratings.names[line.user],
            url=person_url(line.user),
            is_own=line.user == reader,
            rating=line.rating,
            bar=bar,
            results=line.results,
            results_text=results_text(key, line.results),
        )
        for line, bar in zip(lines, bars, strict=True)
    ]


def results_text(key: str, number: int) -> str:
    """Return the number of results behind a rating, in words."""
    if key == BATTLES:
        text = ngettext("%(n)s battle", "%(n)s battles", number)
    else:
        text = ngettext("%(n)s campaign", "%(n)s campaigns", number)
    return text % {"n": number}


def person_url(user: int) -> str:
    """Return the page of a user's rating."""
    return reverse("ratings_person", args=[user])


def bars_of(ratings: Iterable[Rating]) -> list[Bar]:
    """Return the intervals of a table on a common scale, from the lowest end to the highest."""
    shown = list(ratings)
    if not shown:
        return []
    low = min(rating.low for rating in shown)
    scale = (100 - 2 * MARGIN) / max(1, max(rating.high for rating in shown) - low)

    def place(value: int) -> int:
        return MARGIN + round((value - low) * scale)

    return [
        Bar(place(rating.low), place(rating.high) - place(rating.low), place(rating.value))
        for rating in shown
    ]
