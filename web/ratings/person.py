"""The page of a user's ratings, with the results behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from battles import ratings as rated
from battles.ratings import Counted, Ratings, Share
from campaign.log import positions
from campaign.models import Campaign
from people.models import User
from web.frame.chip import Chip
from web.ratings.page import BATTLES, HEADINGS, RatingRow, halves, person_url, rating_rows

OUTCOMES = {
    1: pgettext_lazy("battle", "won"),
    0: pgettext_lazy("battle", "drawn"),
    -1: pgettext_lazy("battle", "lost"),
}
TONES = {1: "good", 0: "", -1: "bad"}


class Opponent(NamedTuple):
    """An opponent against whom a result counts."""

    name: str
    url: str


class Nation(NamedTuple):
    """A seat that took part."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a battle or a campaign for a user."""

    chip: Chip
    seats: list[str]
    losses: tuple[float, ...] = ()
    """The routed share of the user's army and of the opponent's, in per cent."""
    chance: int | None = None
    """The probability of the victory before the battle, in per cent."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A result behind a rating.

    Campaign, nations and address are empty if the reader may not see the campaign.
    """

    at: datetime
    campaign: str
    url: str
    nations: list[Nation]
    opponents: list[Opponent]
    outcome: Outcome
    change: int
    after: int


@dataclass(frozen=True, slots=True)
class RatingSheet:
    """The rating by battles or by campaigns."""

    key: str
    heading: str
    row: RatingRow | None
    results: list[ResultRow]

    @property
    def is_of_battles(self) -> bool:
        return self.key == BATTLES


@dataclass(frozen=True, slots=True)
class PersonPage:
    """A user's ratings."""

    name: str
    number: int
    sheets: list[RatingSheet]
    is_own: bool

    @property
    def title(self) -> str:
        return _("Ratings of %(person)s") % {"person": self.name}


def person_page(number: int, reader: User | AnonymousUser) -> PersonPage | None:
    """Return a user's ratings; None for users who do not take part, and for unknown users."""
    ratings = rated.ratings()
    if number not in ratings.names:
        return None
    user = reader if reader.is_authenticated else None
    results = {key: half.results_of(number) for key, half in halves(ratings).items()}
    counted = [result.campaign for parts in results.values() for result, _share in parts]
    open_to = rated.open_campaigns(counted, user)
    return PersonPage(
        name=ratings.names[number],
        number=number,
        sheets=[
            RatingSheet(
                key=key,
                heading=str(HEADINGS[key]),
                row=row_of(rating_rows(ratings, key, half, None), number),
                results=[
                    result_row(ratings, result, share, open_to) for result, share in results[key]
                ],
            )
            for key, half in halves(ratings).items()
        ],
        is_own=user is not None and user.pk == number,
    )


def row_of(rows: list[RatingRow], number: int) -> RatingRow | None:
    """Return a user's row of the table."""
    return next((row for row in rows if row.url == person_url(number)), None)


def result_row(
    ratings: Ratings, result: Counted, share: Share, open_to: Mapping[int, Campaign]
) -> ResultRow:
    """Return a result, with its campaign if the reader may see that."""
    campaign = open_to.get(result.campaign)
    outcome = outcome_of(result, share) if result.fought else rank_of(share)
    names = positions.seats(campaign) if campaign is not None else {}
    return ResultRow(
        at=result.at,
        campaign=campaign.name if campaign is not None else "",
        url=result_url(campaign, result) if campaign is not None else "",
        nations=[Nation(seat, names[seat]) for seat in outcome.seats if seat in names],
        opponents=[
            Opponent(ratings.names[other.user], person_url(other.user))
            for other in result.shares
            if other.user != share.user
        ],
        outcome=outcome,
        change=share.after.value - share.before.value,
        after=share.after.value,
    )


def result_url(campaign: Campaign, result: Counted) -> str:
    """Return the page of a battle or of a campaign."""
    if result.fought:
        return reverse("battle", args=[campaign.address, result.number])
    return reverse("table", args=[campaign.address])


def rank_of(share: Share) -> Outcome:
    """Return the rank in a campaign that has ended."""
    tone = "good" if share.rank == 1 else ""
    return Outcome(Chip(pgettext("state", "rank %(n)s") % {"n": share.rank}, tone), [share.seat])


def outcome_of(result: Counted, share: Share) -> Outcome:
    """Return the result of a battle for a side."""
    assert result.fought is not None
    fought, (first, second) = result.fought, result.shares
    sign = 1 if first is share else -1
    victory = {"attacker": 1, "defender": -1, "draw": 0}[fought.winner] * sign
    expected = rated.expected(first.before, second.before, fought.edge)
    return Outcome(
        chip=Chip(str(OUTCOMES[victory]), TONES[victory]),
        seats=[side.seat for side in result.shares],
        losses=(fought.lost or ())[::sign],
        chance=round(100 * (expected if sign > 0 else 1 - expected)),
    )
