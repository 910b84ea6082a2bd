"""What a post on a board might mean at the table: a guess that does nothing by itself.

`settings.POST_READERS` are dotted functions `read(table, post, seat) -> Iterable[Meaning]`; the seat is that of the member
whose name the author has, "" where nobody's. They are asked in their order, for the newest posts only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from forum.models import HeardPost
from people.validators import fold
from web import dictation
from web.views.common import TableContext

NEWEST = 10
"""Posts that are guessed at."""
MOST_SEATS = 3
"""Whose moves are gone through for it: a seat may have a thousand."""
MOST_LINES = 30


class Meaning(NamedTuple):
    """A sentence for people, and where one goes with it; `line` is what was read so, as it was typed."""

    text: str
    url: str = ""
    line: str = ""


def seat_of(table: TableContext, author: str) -> str:
    """The seat of the member who has this name here or on the forum, or whose nation has it; "" where nobody has."""
    wanted = fold(author.strip())
    for seat in table.seats if wanted else ():
        who = seat.holder
        if wanted in map(fold, (seat.name, *((who.username, who.forum_name) if who is not None else ()))):
            return seat.key
    return ""


def guesses(table: TableContext, posts: Sequence[HeardPost]) -> dict[int, list[Meaning]]:
    """By the rows' numbers."""
    readers = [import_string(name) for name in settings.POST_READERS]
    made = {}
    for post in posts[:NEWEST]:
        seat = seat_of(table, post.author)
        made[post.pk] = [meaning for read in readers for meaning in read(table, post, seat)]
    return made


def ours(table: TableContext, post: HeardPost, seat: str) -> Iterator[Meaning]:
    """A report of this campaign, or a quotation of one."""
    if post.post is None:
        return
    url = table.url("report", post.post.report) if post.post.report not in ("", "test") else ""
    yield Meaning(_("Our report.") if post.ours else _("It quotes a report of ours."), url)


def moves(table: TableContext, post: HeardPost, seat: str) -> Iterable[Meaning]:
    """Lines that say a move which its author's seat may make now; told to who may speak for that seat and nobody else."""
    if not seat or post.post is not None or table.pages is not None or not table.access.speaks_for(seat):
        return
    if not table.campaign.started or table.finished or table.stopped:
        return
    listener = _listener(table, seat)
    if listener is None:
        return
    names = dictation.speakers(table)
    for typed in dictation.lines(post.text)[:MOST_LINES]:
        named, rest = dictation.addressed(typed, names)
        found = listener.known.get(dictation.fold(rest), []) if named in ("", None, seat) else []
        found = [one for one in found if one.plain] or found
        if len(found) == 1:
            yield Meaning(dictation.capital(listener.line(found[0].raw)), line=rest)


def _listener(table: TableContext, seat: str) -> Any:
    """One a seat and page; None where enough seats were gone through."""
    known: dict[str, Any] = table.__dict__.setdefault("_listeners", {})
    if seat not in known and len(known) < MOST_SEATS:
        by = seat if seat in table.access.voices else dictation.GAME_MASTER
        known[seat] = dictation.Listener(table, seat, by, table.position)
    return known.get(seat)
