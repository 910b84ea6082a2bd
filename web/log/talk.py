"""The latest talk at a table of several players, for the page on which they play."""

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
    """An utterance of a seat."""

    author: User | None
    seat: str
    name: str
    text: str
    at: datetime
    number: int | None


@dataclass(frozen=True, slots=True)
class RecentTalk:
    """The latest utterances, the oldest first."""

    lines: list[TalkLine]
    may: bool
    """Whether the reader may talk."""
    longest: int
    text: str
    """The reader's text that was refused, to be corrected."""


def unsent_key(table: TableContext) -> str:
    """Return the session key of a text that was refused."""
    return f"unsaid:{table.campaign.pk}"


def recent_talk(request: HttpRequest, table: TableContext) -> RecentTalk | None:
    """Return the latest talk; None if the campaign is played alone. Takes one query."""
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
    """Return the text that was refused, and remove it from the session.

    The session changes only if there is such a text.
    """
    key = unsent_key(table)
    return str(request.session.pop(key, "")) if key in request.session else ""
