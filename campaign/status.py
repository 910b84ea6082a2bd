"""A campaign's life: what its status is, and what may be done in it."""

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
    """The one word for these flags, the strongest first; `flags` has them as attributes."""
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
    """Raises `NotNow` where no move may be made now: abandoned or archived by nobody, paused by the
    game master only, whose corrections go on.
    """
    must_verify(campaign)
    if campaign.suspended:
        raise NotNow(
            "suspended",
            _(
                "The host has suspended this campaign. Nobody moves until the host ends the"
                " suspension; nothing is lost."
            ),
        )
    if campaign.archived:
        raise NotNow(
            "archived",
            _(
                "This campaign is in the archive. The game master must take it out before anybody"
                " moves."
            ),
        )
    if campaign.abandoned:
        raise NotNow(
            "abandoned",
            _(
                "This campaign has been abandoned. The game master can take that back; then moves"
                " go on."
            ),
        )
    if campaign.paused and not by_master:
        raise NotNow(
            "paused",
            _(
                "This campaign is paused. Moves go on when the game master resumes it; nothing is"
                " lost."
            ),
        )
    if campaign.lobby_open and not campaign.started:
        raise NotNow(
            "lobby-open", _("The lobby is open. Draw the seats first, then start the campaign.")
        )


# The hall of fame: what finished campaigns came to, those that anybody may find.

GUEST = "a guest"
MOST = 50
LOOKED_AT = 500
"""So many are read for a hall in divisions, each of which shows its best."""
OF_EACH = 10


@dataclass(frozen=True)
class Finished:
    """A campaign in the hall: who came first (their name, or the names of those who share it; none
    where nobody has the seat), with what.
    """

    campaign: Campaign
    player: str
    seat: str
    points: int
    facts: Mapping[str, Any]
    ended_at: datetime


class Placed(NamedTuple):
    """A line of the hall: `told` says what it came to, `points` is empty where the title's own
    words say all.
    """

    place: int
    points: str
    outcome: str
    finished: Finished


def best(title: str, most: int = 10) -> list[Finished]:
    """The listed campaigns of the title that have ended, the most points first; of these with
    points who was sooner there, without them who lasted longer.

    None that began as a record, whose dice somebody may have chosen, and no lesson. Where one plays
    alone, none in which dice were taken back: who knows what they show plays another game. One that
    a program helped is shown as such, in every title. Two queries.
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
    if solo(TITLES[title]):
        candidates = candidates.filter(retried=False)
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
            (one.campaign_id, one.seat): GUEST if one.user.guest else one.user.username
            for one in held
        }
        if campaigns
        else {}
    )
    finished = []
    for campaign in campaigns:
        standings = campaign.result
        assert standings is not None
        seat, points, rank, facts = standings[0]
        first = [names.get((campaign.pk, one[0]), "") for one in standings if one[2] == rank]
        assert campaign.ended_at is not None
        player = ", ".join(filter(None, dict.fromkeys(first)))
        finished.append(Finished(campaign, player, seat, points, facts, campaign.ended_at))
    return finished


def divisions(title: str) -> list[tuple[str, list[Placed]]]:
    """The hall in parts, each with its heading: what is alike is compared. One part without a
    heading in most titles.
    """
    founding = TITLES[title].founding
    parts: dict[str, list[Finished]] = {}
    for one in best(title, LOOKED_AT):
        parts.setdefault(founding.division(one.facts) if founding else "", []).append(one)
    if set(parts) <= {""}:
        return [("", _placed(parts.get("", [])[:MOST]))]
    return [(name, _placed(parts[name][:OF_EACH])) for name in sorted(parts)]


def _placed(finished: list[Finished]) -> list[Placed]:
    placed = []
    for place, one in enumerate(finished, 1):
        founding = one.campaign.game.founding
        if founding:
            told_points, points = (
                founding.outcome_line(positions.scenario(one.campaign), one.facts),
                "",
            )
        else:
            told_points = ", ".join(f"{key} {value}" for key, value in one.facts.items())
            points = str(one.points)
        placed.append(Placed(place, points, told_points, one))
    return placed


def may_enter(campaign: Campaign) -> bool:
    """Would it stand in the hall if it were listed, once it has ended?"""
    return (
        not campaign.abandoned
        and not campaign.lesson
        and not (campaign.retried and solo(campaign.game))
    )
