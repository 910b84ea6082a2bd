"""The hall of fame of a title, which everyone may read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from battles.ratings import rated_titles
from campaign import status
from campaign.status import HallLine
from games.registry import TITLES
from web.titles import Card, cards, rules_url


@dataclass(frozen=True, slots=True)
class HallRow:
    """A campaign in the hall. `points` is empty if the outcome contains everything."""

    place: int
    player: str
    points: str
    outcome: str
    url: str
    helped: bool
    with_programs: bool
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class Division:
    """A part of the hall with campaigns that can be compared."""

    heading: str
    rows: list[HallRow]

    @property
    def label(self) -> str:
        """The name of the part."""
        return self.heading or _("Best results")

    @property
    def has_points(self) -> bool:
        """Whether the campaigns are compared by points."""
        return bool(self.rows) and bool(self.rows[0].points)


@dataclass(frozen=True, slots=True)
class HallPage:
    """The hall of fame of a title."""

    name: str
    divisions: list[Division]
    card: Card
    others: list[Card]
    rated: bool
    rules_url: str
    """Empty if the title has no rules text."""


def hall_page(title: str) -> HallPage:
    """Return the hall of fame of a title."""
    known = cards()
    return HallPage(
        name=TITLES[title].name,
        divisions=divisions(title),
        card=next(card for card in known if card.key == title),
        others=[card for card in known if card.key != title],
        rated=title in rated_titles(),
        rules_url=rules_url(title),
    )


def divisions(title: str) -> list[Division]:
    """Return the parts of the hall."""
    return [
        Division(heading, [hall_row(placed) for placed in rows])
        for heading, rows in status.divisions(title)
    ]


def hall_row(placed: HallLine) -> HallRow:
    """Return a campaign of the hall."""
    campaign = placed.finished.campaign
    return HallRow(
        place=placed.place,
        player=placed.finished.player or _("no current player"),
        points=placed.points,
        outcome=capfirst(placed.outcome or campaign.name),
        url=reverse("table", args=[campaign.address]),
        helped=campaign.helped,
        with_programs=bool(campaign.programs),
        ended_at=placed.finished.ended_at,
    )
