"""Common parts of the pages of talk: parties, the reading rule, the field for a message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.http import Http404

from campaign.errors import NoSuchEntry
from campaign.founding import SIGHTS
from campaign.log import selectors as log
from campaign.models import GAME_MASTER
from people import services as people_services
from talk import selectors
from talk.models import Conversation
from talk.selectors import LONGEST_MESSAGE, Reader
from web.frame.table import TableContext
from web.log.lines import LogRow, rows


class Party(NamedTuple):
    """A seat or the game master, with the users who hold it."""

    key: str
    name: str
    holder: str
    is_own: bool = False

    @property
    def is_game_master(self) -> bool:
        return self.key == GAME_MASTER


def party(table: TableContext, key: str, *, is_own: bool = False) -> Party:
    """Return a seat or the game master."""
    return Party(key, table.name_of(key), ", ".join(table.holders(key)), is_own)


def parties(table: TableContext, reader: Reader, thread: Conversation) -> list[Party]:
    """Return the other parties of a thread."""
    names = {seat.key: seat.name for seat in table.seats}
    return [party(table, key) for key in selectors.other_parties(reader, thread, names)]


def reader_of(table: TableContext) -> Reader:
    """Return the reader.

    Raise `Http404` if the campaign has no talk, `NotAllowed` if they may not read it.
    """
    if table.solo or table.campaign.programs:
        raise Http404
    places = table.places if table.user.is_authenticated else []
    return selectors.reader(table.campaign, table.user, places)


def may_write(table: TableContext) -> bool:
    """Return whether the reader can write new messages."""
    return not table.campaign.archived and not people_services.is_guest(table.user)


class SightChoice(NamedTuple):
    """Another possible rule on what the game master may read."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadingRule:
    """The rule on what the game master may read, and the choices of those who may change it."""

    text: str
    others: list[SightChoice]
    """The rules that the reader may choose instead."""
    talk_url: str
    file_url: str
    reports_url: str


def reading_rule(table: TableContext) -> ReadingRule:
    """Return the rule on what the game master may read."""
    own = table.campaign.sight
    others = [SightChoice(key, str(text)) for key, text in SIGHTS.items() if key != own]
    return ReadingRule(
        text=str(SIGHTS[own]),
        others=others if table.access.chief else [],
        talk_url=table.url("talk"),
        file_url=table.url("talk_file"),
        reports_url=table.url("reported") if table.host else "",
    )


@dataclass(frozen=True, slots=True)
class Writing:
    """The field for a message."""

    voices: list[Party]
    """The parties for whom the reader may write."""
    voice: str
    text: str
    quote: LogRow | None
    verb: str
    longest: int = LONGEST_MESSAGE

    @property
    def choices(self) -> list[Party]:
        """Return the parties to choose from; empty if there is no choice."""
        return self.voices if len(self.voices) > 1 else []


def writing(
    table: TableContext,
    voices: Iterable[str],
    *,
    verb: str,
    voice: str = "",
    text: str = "",
    quoted: int | None = None,
) -> Writing:
    """Return the field for a message. `quoted` is the number of an entry."""
    return Writing(
        voices=[party(table, key) for key in voices],
        voice=voice,
        text=text,
        quote=quoted_line(table, quoted),
        verb=verb,
    )


def quoted_line(table: TableContext, number: int | None) -> LogRow | None:
    """Return a log entry in words, as this reader sees it; None if there is none."""
    if number is None:
        return None
    try:
        return rows(table, [log.entry(table.campaign, table.user, number)])[0]
    except NoSuchEntry:
        return None
