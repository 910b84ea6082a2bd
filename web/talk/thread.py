"""The messages of one thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from moderation.models import Kind
from talk import selectors, services
from talk.models import Conversation, Message
from talk.selectors import Reader
from web.frame.table import TableContext
from web.log.lines import Row
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
    """The note in the place of a removed text."""
    report_url: str
    quote: Row | None
    at: datetime
    is_own: bool
    is_new: bool


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """A thread, and the form of an answer."""

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
        """Return the people in the thread."""
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
    """Return the messages of a thread before this one, the oldest first.

    `quoted` is the entry that an answer quotes, `text` what was typed. To look at a thread is to
    have read it, if the request may write.
    """
    unread, is_muted = selectors.mark(reader, thread)
    written = selectors.messages(reader).filter(conversation=thread)
    older = written.filter(number__lt=before) if before is not None else written
    shown = list(older.order_by("-number")[: selectors.PAGE])[::-1]
    new = {message.number for message in written.order_by("-number")[:unread]} if unread else set()
    if marks_read and unread:
        mark_read(table, reader, thread, 0 if is_muted else unread)
    has_older = bool(shown) and written.filter(number__lt=shown[0].number).exists()
    is_own = reader.belongs(thread)
    return ThreadPage(
        parties=parties(table, reader, thread),
        is_public=thread.everybody,
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
    """Mark a thread as read. The head of the page counts so many messages less."""
    services.read_on(reader, thread)
    left = max(0, table.notes.talk_new - counted)
    table.notes = replace(table.notes, talk_new=left)


def answer(
    table: TableContext, reader: Reader, thread: Conversation, text: str, quoted: int | None
) -> Writing:
    """Return the form of an answer."""
    return writing(table, reader.voices_in(thread), verb=_("Answer"), text=text, quoted=quoted)


def message_rows(
    table: TableContext, reader: Reader, messages: Sequence[Message], new: set[int]
) -> list[MessageRow]:
    """Return the messages. `new` are the numbers of those that were not read before."""
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
    """Return where the reader reports a message.

    It is empty if the message is their own or gone, or if they only look on.
    """
    is_own = message.author_id == reader.user.pk
    if message.removed or is_own or reader.user.guest or not reader.belongs(message.conversation):
        return ""
    key = f"{message.conversation.key}.{message.number}"
    return reverse("report_text", args=[Kind.MESSAGE, key])


def quoted_lines(table: TableContext, messages: Iterable[Message]) -> Mapping[int, Row | None]:
    """Return the quoted entries in words by their keys, as this reader sees them."""
    quoted = {
        message.quoted_id: message.quoted for message in messages if message.quoted is not None
    }
    return {pk: quoted_line(table, entry.number) for pk, entry in quoted.items() if pk is not None}
