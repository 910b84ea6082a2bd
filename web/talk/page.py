"""The page of the reader's threads, with the form for a new message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.models import GAME_MASTER
from talk import selectors, services
from talk.selectors import Reader
from web.frame.table import TableContext
from web.talk.parties import (
    Party,
    ReadingRule,
    Writing,
    may_write,
    parties,
    party,
    reading_rule,
    writing,
)

LONGEST_SNIPPET = 120


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A thread in the list."""

    url: str
    parties: list[Party]
    is_public: bool
    """Whether this is the thread of the whole table."""
    last_writer: str
    snippet: str
    at: datetime
    unread: int
    is_muted: bool
    is_own: bool
    """Whether the reader is a member of the thread, not only an observer."""

    @property
    def is_new(self) -> bool:
        return self.unread > 0 and not self.is_muted


class Recipient(NamedTuple):
    """A seat to which a message can be sent."""

    party: Party
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class NewMessage:
    """The form for the first message of a thread."""

    recipients: list[Recipient]
    to_all: str
    to_all_is_chosen: bool
    writing: Writing
    error: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class TalkPage:
    """All threads of the reader."""

    new_message: NewMessage | None
    threads: list[ThreadRow]
    rule: ReadingRule
    talk_url: str


class Draft(NamedTuple):
    """The data typed into the form for a first message, or suggested by an address."""

    recipients: Sequence[str] = ()
    voice: str = ""
    text: str = ""
    quoted: int | None = None
    error: str = ""


def talk_page(table: TableContext, reader: Reader, draft: Draft) -> TalkPage:
    """Return all threads of the reader."""
    threads = [thread_row(table, reader, row) for row in selectors.threads(reader)]
    writes = may_write(table)
    return TalkPage(
        new_message=new_message(table, reader, draft, is_first=not threads) if writes else None,
        threads=threads,
        rule=reading_rule(table),
        talk_url=table.url("talk"),
    )


def new_message(table: TableContext, reader: Reader, draft: Draft, *, is_first: bool) -> NewMessage:
    """Return the form for a first message. It is unfolded if there are no threads yet."""
    keys = [*(seat.key for seat in table.seats), GAME_MASTER]
    is_asked = bool(draft.error or draft.recipients or draft.quoted is not None)
    return NewMessage(
        recipients=[
            Recipient(party(table, key), key in draft.recipients)
            for key in keys
            if (key,) != reader.voices
        ],
        to_all=services.TO_WHOLE_TABLE,
        to_all_is_chosen=services.TO_WHOLE_TABLE in draft.recipients,
        writing=writing(
            table,
            reader.voices,
            verb=_("Send"),
            voice=draft.voice,
            text=draft.text,
            quoted=draft.quoted,
        ),
        error=draft.error,
        is_open=is_asked or is_first,
    )


def thread_row(table: TableContext, reader: Reader, row: selectors.ThreadSummary) -> ThreadRow:
    """Return a thread as a row of the list."""
    last = row.last
    text = " ".join((last.text or last.gap).split())
    snippet = text[:LONGEST_SNIPPET] + ("…" if len(text) > LONGEST_SNIPPET else "")
    return ThreadRow(
        url=f"{table.url('talk_thread', row.thread.key)}#m{last.number}",
        parties=parties(table, reader, row.thread),
        is_public=row.thread.is_whole_table,
        last_writer=pgettext("talk", "You")
        if last.seat in reader.seats
        else table.name_of(last.seat),
        snippet=snippet or "…",
        at=last.at,
        unread=row.unread,
        is_muted=row.muted,
        is_own=row.mine,
    )
