"""All messages that the reader may read, as a single text file.

It is separate from the audit pack, which is the same for everyone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC

from django.utils import timezone
from django.utils.translation import gettext as _

from talk import selectors
from talk.models import Conversation, Message
from talk.selectors import Reader
from web.frame.table import TableContext

RULE = "=" * 72


def messages_text(table: TableContext, reader: Reader) -> str:
    """Return all messages of the reader, grouped by thread."""
    by_thread: dict[int, list[Message]] = {}
    for message in selectors.messages(reader):
        by_thread.setdefault(message.conversation_id, []).append(message)
    head = f"{table.campaign.name}\n{table.url('talk')}\n"
    return head + "".join("".join(thread_texts(table, messages)) for messages in by_thread.values())


def thread_texts(table: TableContext, messages: Sequence[Message]) -> Iterator[str]:
    """Yield the heading of a thread and its messages."""
    yield f"\n{RULE}\n{thread_heading(table, messages[0].conversation)}\n"
    for message in messages:
        quote = f" (#{message.quoted.number})" if message.quoted is not None else ""
        at = timezone.localtime(message.at, UTC)
        name = table.name_of(message.seat)
        yield (
            f"\n[{at:%Y-%m-%d %H:%M} UTC] {name} ({message.author.username}){quote}\n"
            f"{message.gap or message.text}\n"
        )


def thread_heading(table: TableContext, thread: Conversation) -> str:
    """Return the names of a thread's seats."""
    if thread.is_whole_table:
        return _("To the whole table")
    return " · ".join(table.name_of(key) for key in thread.seats)
