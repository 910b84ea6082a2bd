"""What was said last at a table of several, for the page on which it is played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest

from campaign.log.acts.words import TALK
from campaign.log.talk import LONGEST
from campaign.models import LogEntry
from people.models import User
from web.frame.table import TableContext

SHOWN = 12


@dataclass(frozen=True, slots=True)
class TalkLine:
    """Something that was said."""

    author: User | None
    seat: str
    name: str
    text: str
    at: datetime
    number: int | None


@dataclass(frozen=True, slots=True)
class RecentTalk:
    """The last things said, the oldest first."""

    lines: list[TalkLine]
    may: bool
    """Whether the reader may speak."""
    longest: int
    text: str
    """What the reader typed and could not be said."""


def unsent_key(table: TableContext) -> str:
    """Return the key under which a session keeps what could not be said."""
    return f"unsaid:{table.campaign.pk}"


def recent_talk(request: HttpRequest, table: TableContext) -> RecentTalk | None:
    """Return the last things said; None if the campaign is played alone. Takes one query."""
    if table.solo:
        return None
    talks = table.campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=TALK.name)
    newest = talks.order_by("-sequence").select_related("actor")[:SHOWN]
    return RecentTalk(
        lines=[talk_line(table, entry) for entry in reversed(newest)],
        may=bool(table.access.voices) and not table.campaign.archived,
        longest=LONGEST,
        text=take_unsent(request, table),
    )


def talk_line(table: TableContext, entry: LogEntry) -> TalkLine:
    return TalkLine(
        author=entry.actor,
        seat=entry.seat,
        name=table.name_of(entry.seat),
        text=entry.content["text"],
        at=entry.at,
        number=entry.number,
    )


def take_unsent(request: HttpRequest, table: TableContext) -> str:
    """Return what could not be said, and forget it. The session changes only if there is any."""
    key = unsent_key(table)
    return str(request.session.pop(key, "")) if key in request.session else ""
