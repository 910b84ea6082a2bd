"""The page to share: map, the story so far, standings, battles of the week, for whoever does not sit at the table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from battles import selectors as battles
from battles.projection import RESOLVED
from campaign.models import Campaign
from web import pictures
from web.titles import extras
from web.views import head
from web.views.common import TableContext, campaign_page, show

WEEK = timedelta(days=7)
SPARK = (84, 22)


class Chapter(NamedTuple):
    """A turn in a few sentences: its number, whether it is closed, paragraphs, the last of its entries."""

    turn: int
    closed: bool
    paragraphs: Sequence[str]
    entry: int


class Count(NamedTuple):
    """A number of the standings and how much of it is new since the turn before."""

    label: str
    now: int
    change: int


class Stand(NamedTuple):
    """A seat's line of the standings; `points` are what it had at the beginning and at the end of each turn."""

    seat: str
    name: str
    counts: Sequence[Count]
    points: Sequence[int]
    note: str


class Story(NamedTuple):
    """What a title tells (`pages/<title>/story.py`, `told`): chapters, the latest first, and standings, the best first."""

    chapters: Sequence[Chapter]
    stands: Sequence[Stand]


@lru_cache(256)
def _told(campaign: Campaign, last_hash: str, language: str) -> Story | None:
    """Told once for each log in each language; its last hash changes with every entry."""
    own = extras(campaign.title, "story")
    return own.told(campaign) if own is not None and campaign.started else None


@require_safe
@campaign_page
def story(request: HttpRequest, table: TableContext) -> HttpResponse:
    campaign = table.campaign
    told = _told(campaign, campaign.last_hash, get_language() or "")
    front = extras(campaign.title, "front")
    at = pictures.place(campaign) if pictures.draws(campaign) else None
    stands = told.stands if told else ()
    public = campaign.visibility != Campaign.Visibility.MEMBERS
    context: dict[str, Any] = {
        "front": front.picture(campaign) if front is not None else None,
        "chapters": [
            {"turn": one.turn, "closed": one.closed, "paragraphs": one.paragraphs,
             "report": table.url("report", f"turn-{one.turn}"),
             "picture": f"{table.url('map_picture')}?at={one.entry}" if at and one.entry else ""}
            for one in (told.chapters if told else ())
        ],
        "stands": [(one, spark(one.points, stands)) for one in stands],
        "waits": head.waits(table) if not table.draft else [],
        "week": week(table),
        "free": [seat for seat in table.seats if seat.holder is None] if not table.solo and not table.finished else [],
        "log_url": table.url("log"),
        "share_url": request.build_absolute_uri(table.url("story")) if public else "",
        "picture_url": request.build_absolute_uri(f"{table.url('map_picture')}?at={at.number}") if at else "",
    }  # fmt: skip
    return show(request, table, "campaign/story.html", context, here="story")


def week(table: TableContext) -> list[dict[str, Any]]:
    """The battles of this turn, those that run, and those that ended in the last seven days; the latest first."""
    if table.draft:
        return []
    own, told = extras(table.campaign.title, "table"), extras(table.campaign.title, "story")
    # By whole days of the reader: the page is the same all day long while nothing happens (web.unchanged).
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    late = Q(turn=table.campaign.turn) | Q(resolved_at__gte=today - WEEK) | ~Q(status=RESOLVED)
    made = []
    for battle in battles.battles(table.campaign).filter(late).order_by("-number"):
        line: dict[str, Any] = {
            "number": battle.number, "url": table.url("battle", battle.number), "attacker": battle.attacker,
            "attacker_name": table.name_of(battle.attacker), "defender": battle.defender,
            "defender_name": table.name_of(battle.defender), "where": "", "kind": battle.kind, "state": battle.status, "tone": "",
            "at": battle.resolved_at,
        }  # fmt: skip
        line |= own.contest(table, battle.known) if own else {}
        if battle.status == RESOLVED:
            line |= {"state": told.outcome(table, battle.known) if told else battle.outcome, "tone": ""}
        made.append(line)
    return made


def spark(points: Sequence[int], of: Sequence[Stand]) -> SafeString:
    """The course of one line, all of a table to one scale. Only numbers of ours go in; a table says the last of them."""
    width, height = SPARK
    values = [value for stand in of for value in stand.points]
    low, high = min(values), max(values)
    step = (width - 8) / max(len(points) - 1, 1)
    spots = [(4 + n * step, height - 4 - (height - 8) * (value - low) / max(high - low, 1)) for n, value in enumerate(points)]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    x, y = spots[-1]
    return SafeString(
        f'<svg class="spark" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">'
        f'<path d="M{line}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="2.6"/></svg>'
    )
