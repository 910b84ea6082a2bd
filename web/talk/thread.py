"""The page of a thread with its messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from moderation.models import Kind
from talk import selectors, services
from talk.models import Conversation, Message
from talk.selectors import Reader
from web.frame.table import TableContext
from web.log.lines import LogRow
from web.talk.markup import marked_up
from web.talk.parties import (
    Party,
    ReadingRule,
    Writing,
    may_write,
    parties,
    party,
    quoted_line,
    reading_rule,
    writing,
)


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message."""

    number: int
    party: Party
    person: str
    html: SafeString
    gap: str
    """The note that replaces a removed text."""
    report_url: str
    quote: LogRow | None
    at: datetime
    is_own: bool
    is_new: bool


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """A thread, and the form for an answer."""

    parties: list[Party]
    is_public: bool
    is_own: bool
    is_muted: bool
    messages: list[MessageRow]
    older_url: str
    error: str
    answer: Writing | None
    rule: ReadingRule
    talk_url: str

    @property
    def holders(self) -> str:
        """Return the names of the users in the thread."""
        return " · ".join(party.holder for party in self.parties if party.holder)


def thread_page(
    table: TableContext,
    reader: Reader,
    thread: Conversation,
    *,
    before: int | None,
    quoted: int | None,
    text: str = "",
    error: str = "",
    marks_read: bool = False,
) -> ThreadPage:
    """Return the messages of a thread before this number, the oldest first.

    `quoted` is the entry that an answer quotes, `text` the typed text. Showing a thread marks it as
    read if `marks_read`.
    """
    unread, is_muted = selectors.unread_and_muted(reader, thread)
    written = selectors.messages(reader).filter(conversation=thread)
    older = written.filter(number__lt=before) if before is not None else written
    shown = list(older.order_by("-number")[: selectors.PAGE])[::-1]
    new = {message.number for message in written.order_by("-number")[:unread]} if unread else set()
    if marks_read and unread:
        mark_read(table, reader, thread, 0 if is_muted else unread)
    has_older = bool(shown) and written.filter(number__lt=shown[0].number).exists()
    is_own = reader.takes_part_in(thread)
    return ThreadPage(
        parties=parties(table, reader, thread),
        is_public=thread.is_whole_table,
        is_own=is_own,
        is_muted=is_muted,
        messages=message_rows(table, reader, shown, new),
        older_url=f"?before={shown[0].number}" if has_older else "",
        error=error,
        answer=answer(table, reader, thread, text, quoted) if is_own and may_write(table) else None,
        rule=reading_rule(table),
        talk_url=table.url("talk"),
    )


def mark_read(table: TableContext, reader: Reader, thread: Conversation, counted: int) -> None:
    """Mark a thread as read, and reduce the count in the page's head by `counted` messages."""
    services.mark_read(reader, thread)
    left = max(0, table.notes.talk_new - counted)
    table.notes = replace(table.notes, talk_new=left)


def answer(
    table: TableContext, reader: Reader, thread: Conversation, text: str, quoted: int | None
) -> Writing:
    """Return the form for an answer."""
    return writing(
        table, reader.voices_in(thread), verb=pgettext("button", "Answer"), text=text, quoted=quoted
    )


def message_rows(
    table: TableContext, reader: Reader, messages: Sequence[Message], new: set[int]
) -> list[MessageRow]:
    """Return the messages. `new` are the numbers of those that had not been read."""
    quotes = quoted_lines(table, messages)
    return [
        MessageRow(
            number=message.number,
            party=party(table, message.seat, is_own=message.seat in reader.seats),
            person=message.author.username,
            html=marked_up(message.text, lambda number: table.url("entry", number)),
            gap=message.gap,
            report_url=report_url(reader, message),
            quote=quotes.get(message.quoted_id or 0),
            at=message.at,
            is_own=message.author_id == table.user.pk,
            is_new=message.number in new,
        )
        for message in messages
    ]


def report_url(reader: Reader, message: Message) -> str:
    """Return the page where the reader can report a message.

    It is empty if the message is their own or removed, or if they are only an observer.
    """
    is_own = message.author_id == reader.user.pk
    if (
        message.removed
        or is_own
        or reader.user.guest
        or not reader.takes_part_in(message.conversation)
    ):
        return ""
    key = f"{message.conversation.key}.{message.number}"
    return reverse("report_text", args=[Kind.MESSAGE, key])


def quoted_lines(table: TableContext, messages: Iterable[Message]) -> Mapping[int, LogRow | None]:
    """Return the quoted entries in words, by primary key, as this reader sees them."""
    quoted = {
        message.quoted_id: message.quoted for message in messages if message.quoted is not None
    }
    return {pk: quoted_line(table, entry.number) for pk, entry in quoted.items() if pk is not None}
