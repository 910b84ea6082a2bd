"""One thread: its settings, a check, a test; and the choice of a transport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.forms import BoundField
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext as _

from forum.boards import ShowsTopic, Transport
from forum.boards.registry import transports
from forum.models import Thread
from forum.posts import reports, threads
from web.forum.common import language_names
from web.forum.threads.first_post import FirstPost, first_post_of
from web.forum.threads.forms import ThreadForm
from web.frame.table import TableContext

ASKING_FOR_FOLDS = frozenset({"clipboard", "phpbb", "mybb"})
"""The ways to boards of which only some can fold text."""


class Way(NamedTuple):
    """A way by which posts get to a thread."""

    name: str
    account: str
    """A text about what this way to post needs and what it does."""
    is_automatic: bool
    url: str


@dataclass(frozen=True, slots=True)
class WaysPage:
    """The ways among which the game master chooses."""

    ways: list[Way]
    outbox_url: str


class KindChoice(NamedTuple):
    """A kind of report that can be drafted automatically."""

    key: str
    name: str
    is_chosen: bool


class LanguageChoice(NamedTuple):
    """A language in which reports are posted, with its name in the reader's language."""

    code: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """The form of an existing or a new thread."""

    way: Way
    way_key: str
    form: ThreadForm
    needs: list[BoundField]
    kinds: list[KindChoice]
    languages: list[LanguageChoice]
    thread: Thread | None
    first_post: FirstPost | None
    can_be_checked: bool
    outbox_url: str
    back_url: str

    @property
    def title(self) -> str:
        return self.thread.name if self.thread else pgettext("heading", "Set up a thread")

    @property
    def save_verb(self) -> str:
        return pgettext("button", "Save") if self.thread else _("Set up the thread")

    @property
    def joining_note(self) -> str:
        """A text about a board that joins posts; empty if it is not known to join any."""
        return threads.joining_note(self.thread) if self.thread else ""

    @property
    def asks_for_folds(self) -> bool:
        """Whether the game master must say if the board can fold text."""
        return self.way_key in ASKING_FOR_FOLDS

    @property
    def is_stopped(self) -> bool:
        return self.thread is not None and not self.thread.active

    @property
    def is_locked(self) -> bool:
        """Whether the thread has refused a post."""
        return self.thread is not None and self.thread.locked_at is not None

    @property
    def check_note(self) -> str:
        if self.way.is_automatic:
            return _(
                "Signs in there and shows the board, the topic and whether the account can reply. "
                "Nothing is posted."
            )
        return _("Opens the board as a guest and shows its name and the topic. Nothing is posted.")

    @property
    def test_verb(self) -> str:
        return _("Send a test post") if self.way.is_automatic else _("Write a test post")


def ways_page(table: TableContext) -> WaysPage:
    """Return the ways by which posts can get to a thread."""
    ways = [way_of(table, way) for way in transports().values()]
    return WaysPage(ways, table.url("posts"))


def way_of(table: TableContext, way: Transport) -> Way:
    """Return a transport as the pages show it."""
    url = f"{table.url('new_thread')}?transport={way.key}"
    return Way(str(way.name), str(way.account), way.automatic, url)


def thread_page(
    table: TableContext, way: Transport, form: ThreadForm, thread: Thread | None = None
) -> ThreadPage:
    """Return the form of a thread; without `thread`, of a new thread."""
    kinds, language = form["kinds"].value() or (), form["language"].value()
    offered = reports.offered_kinds(table.campaign)
    return ThreadPage(
        way=way_of(table, way),
        way_key=way.key,
        form=form,
        needs=form.needs(),
        kinds=[
            KindChoice(kind, str(reports.REPORT_NAMES[kind]), kind in kinds) for kind in offered
        ],
        languages=[
            LanguageChoice(code, gettext(name), code == language)
            for code, name in language_names().items()
        ],
        thread=thread,
        first_post=first_post_of(thread, table.clocks) if thread is not None else None,
        can_be_checked=thread is not None
        and isinstance(threads.reading_transport(thread), ShowsTopic),
        outbox_url=table.url("posts"),
        back_url=table.url("posts") if thread else table.url("new_thread"),
    )
