"""The hall of fame: what finished campaigns came to, those that anybody may find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Case, F, IntegerField, When

from campaign import positions
from campaign.models import Campaign, Membership
from engine.strict_json import read
from games.registry import FOUNDINGS, TITLES, solo

GUEST = "a guest"
MOST = 50
LOOKED_AT = 500
"""So many are read for a hall in divisions, each of which shows its best."""
OF_EACH = 10


@dataclass(frozen=True)
class Finished:
    """A campaign in the hall: who came first (his name, or theirs who share it; none where nobody has the seat), with what."""

    campaign: Campaign
    player: str
    seat: str
    points: int
    facts: Mapping[str, Any]
    ended_at: datetime


class Placed(NamedTuple):
    """A line of the hall: `told` says what it came to, `points` is empty where the title's own words say all."""

    place: int
    points: str
    told: str
    finished: Finished


def best(title: str, most: int = 10) -> list[Finished]:
    """The listed campaigns of the title that have ended, the most points first; of these with points who was
    sooner there, without them who lasted longer.

    Where one plays alone, none in which dice were taken back: he who knows what they show plays another game; and none
    that a program played on: it is not his. Two queries.
    """
    if title not in TITLES:
        return []
    found = Campaign.objects.filter(title=title, visibility=Campaign.Visibility.LISTED, ended=True, archived=False)
    found = found.exclude(abandoned=True).exclude(hidden=True).exclude(suspended=True).exclude(points=None)
    if solo(TITLES[title]):
        found = found.filter(retried=False, helped=False)
    length = Case(When(points__gt=0, then=F("turn")), default=-F("turn"), output_field=IntegerField())
    campaigns = list(found.order_by("-points", length, "ended_at", "pk")[:most])
    held = Membership.objects.filter(campaign__in=campaigns, role=Membership.Role.SEAT, until=None).select_related("user")
    names = {(one.campaign_id, one.seat): GUEST if one.user.guest else one.user.username for one in held} if campaigns else {}
    made = []
    for campaign in campaigns:
        standings = read(campaign.result)
        seat, points, rank, facts = standings[0]
        first = [names.get((campaign.pk, one[0]), "") for one in standings if one[2] == rank]
        assert campaign.ended_at is not None
        player = ", ".join(filter(None, dict.fromkeys(first)))
        made.append(Finished(campaign, player, seat, points, facts, campaign.ended_at))
    return made


def divisions(title: str) -> list[tuple[str, list[Placed]]]:
    """The hall in parts, each with its heading: what is alike is compared. One part without a heading in most titles."""
    founding = FOUNDINGS.get(title)
    parts: dict[str, list[Finished]] = {}
    for one in best(title, LOOKED_AT):
        parts.setdefault(founding.division(one.facts) if founding else "", []).append(one)
    if set(parts) <= {""}:
        return [("", _placed(parts.get("", [])[:MOST]))]
    return [(name, _placed(parts[name][:OF_EACH])) for name in sorted(parts)]


def _placed(found: list[Finished]) -> list[Placed]:
    made = []
    for place, one in enumerate(found, 1):
        founding = FOUNDINGS.get(one.campaign.title)
        if founding:
            told, points = founding.told(positions.scenario(one.campaign), one.facts), ""
        else:
            told = ", ".join(f"{key} {value}" for key, value in one.facts.items())
            points = str(one.points)
        made.append(Placed(place, points, told, one))
    return made


def may_enter(campaign: Campaign) -> bool:
    """Would it stand in the hall if it were listed, once it has ended?"""
    return not campaign.abandoned and not ((campaign.retried or campaign.helped) and solo(campaign.game))
