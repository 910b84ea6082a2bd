"""The life of a campaign: its status, what may be done in it, and the hall of fame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Case, F, IntegerField, Q, When
from django.utils.translation import gettext as _

from campaign.errors import LogFault, NotNow
from campaign.log import positions
from campaign.models import Campaign, LogEntry, Membership
from games.registry import TITLES, solo

FLAGS = ("started", "ended", "lobby_open", "paused", "abandoned", "archived", "suspended", "hidden")


def status(flags: Any) -> Campaign.Status:
    """Return the status for these flags, the strongest first; `flags` has them as attributes."""
    words = Campaign.Status
    if flags.suspended:
        return words.SUSPENDED
    if flags.archived:
        return words.ARCHIVED
    if flags.abandoned:
        return words.ABANDONED
    if not flags.started:
        return words.SEATING if flags.lobby_open else words.DRAFT
    if flags.ended:
        return words.FINISHED
    return words.PAUSED if flags.paused else words.RUNNING


def update_flags(flags: Any, kind: str, *, ended: bool) -> None:
    """Set the flags that depend on the moves; acts set the others (`Act.flags`).

    `ended` says whether the position after the entry has final standings.
    """
    flags.ended = ended
    if kind == LogEntry.Kind.MOVE:
        flags.started = True


def must_verify(campaign: Campaign) -> None:
    """Raise `LogFault` if the stored log has failed its check."""
    if campaign.fault:
        raise LogFault


def must_be_played(campaign: Campaign, by_master: bool) -> None:
    """Raise `NotNow` if no move may be made now.

    In a pause the game master may still make corrections (`by_master`).
    """
    must_verify(campaign)
    if campaign.suspended:
        raise NotNow(
            "suspended",
            _(
                "The host has suspended this campaign. No one can move until the host ends the "
                "suspension; nothing is lost."
            ),
        )
    if campaign.archived:
        raise NotNow(
            "archived",
            _(
                "This campaign is in the archive. The game master must take it out before anyone "
                "can move."
            ),
        )
    if campaign.abandoned:
        raise NotNow(
            "abandoned",
            _(
                "This campaign has been abandoned. You can move again if the game master resumes "
                "it."
            ),
        )
    if campaign.paused and not by_master:
        raise NotNow(
            "paused",
            _(
                "This campaign is paused. You can move again when the game master resumes it; "
                "nothing is lost."
            ),
        )
    if campaign.lobby_open and not campaign.started:
        raise NotNow(
            "lobby-open", _("The lobby is open. Draw the seats first, then start the campaign.")
        )


# The hall of fame: the results of finished campaigns that are listed.

GUEST = "a guest"
MOST = 50
LOOKED_AT = 500
"""The number of campaigns that are read for a hall in divisions, each of which shows its best."""
OF_EACH = 10


@dataclass(frozen=True)
class HallCampaign:
    """A campaign in the hall of fame, with its winner and their points.

    `player` are the names of the users who share first place, empty if the seat had no holder.
    """

    campaign: Campaign
    player: str
    seat: str
    points: int
    facts: Mapping[str, Any]
    ended_at: datetime


class HallLine(NamedTuple):
    """A line of the hall of fame.

    `outcome` is the result in words; `points` is empty if these words say everything.
    """

    place: int
    points: str
    outcome: str
    finished: HallCampaign


def best(title: str, most: int = 10) -> list[HallCampaign]:
    """Return the listed campaigns of the title that have ended, the most points first.

    Of campaigns with the same positive number of points, the shorter comes first, otherwise the
    longer. Left out are lessons, campaigns that began as a record, whose dice someone may have
    chosen, and campaigns of one player, alone or with programs, who knew dice because they were
    undone or came from an earlier campaign. A campaign that a program helped is marked. Two
    queries.
    """
    if title not in TITLES:
        return []
    candidates = Campaign.objects.filter(
        title=title, visibility=Campaign.Visibility.LISTED, ended=True, archived=False
    )
    candidates = (
        candidates.exclude(imported=True)
        .filter(lesson="")
        .exclude(abandoned=True)
        .exclude(hidden=True)
        .exclude(suspended=True)
        .exclude(points=None)
    )
    # One player who knows the dice plays another game; among several players no one gains by it.
    knows_dice = Q(retried=True)
    if not solo(TITLES[title]):
        knows_dice &= Q(programs__isnull=False)
    candidates = candidates.exclude(knows_dice)
    length = Case(
        When(points__gt=0, then=F("turn")), default=-F("turn"), output_field=IntegerField()
    )
    campaigns = list(candidates.order_by("-points", length, "ended_at", "pk")[:most])
    at_the_end = Q(until=None) | Q(until__gt=F("campaign__ended_at"))
    held = Membership.objects.filter(
        at_the_end,
        campaign__in=campaigns,
        role=Membership.Role.SEAT,
        since__lte=F("campaign__ended_at"),
    )
    held = held.select_related("user")
    names = (
        {
            (place.campaign_id, place.seat): GUEST if place.user.guest else place.user.username
            for place in held
        }
        if campaigns
        else {}
    )
    finished = []
    for campaign in campaigns:
        standings = campaign.result
        assert standings is not None
        seat, points, rank, facts = standings[0]
        first = [
            names.get((campaign.pk, standing[0]), "")
            for standing in standings
            if standing[2] == rank
        ]
        assert campaign.ended_at is not None
        player = ", ".join(filter(None, dict.fromkeys(first)))
        finished.append(HallCampaign(campaign, player, seat, points, facts, campaign.ended_at))
    return finished


def divisions(title: str) -> list[tuple[str, list[HallLine]]]:
    """Return the hall of fame in divisions, each with its heading.

    Most titles have one division without a heading.
    """
    founding = TITLES[title].founding
    parts: dict[str, list[HallCampaign]] = {}
    for campaign in best(title, LOOKED_AT):
        parts.setdefault(founding.division(campaign.facts) if founding else "", []).append(campaign)
    if set(parts) <= {""}:
        return [("", _placed(parts.get("", [])[:MOST]))]
    return [(name, _placed(parts[name][:OF_EACH])) for name in sorted(parts)]


def _placed(finished: list[HallCampaign]) -> list[HallLine]:
    """Return the lines of a division."""
    placed = []
    for place, winner in enumerate(finished, 1):
        founding = winner.campaign.game.founding
        if founding:
            outcome, points = (
                founding.outcome_line(positions.scenario(winner.campaign), winner.facts),
                "",
            )
        else:
            outcome = ", ".join(f"{key} {value}" for key, value in winner.facts.items())
            points = str(winner.points)
        placed.append(HallLine(place, points, outcome, winner))
    return placed


def may_enter(campaign: Campaign) -> bool:
    """Return whether a campaign would be in the hall if it had ended and were listed."""
    return (
        not campaign.abandoned
        and not campaign.lesson
        and not (campaign.retried and (campaign.programs or solo(campaign.game)))
    )
