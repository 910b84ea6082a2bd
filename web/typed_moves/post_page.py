"""The page of a post whose lines are read as moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from forum import post_lines
from web.frame.table import TableContext
from web.typed_moves.page import LineShown, Suggestion, announce_text, line_shown
from web.typed_moves.post import BETWEEN_PARTS, LineKind, LineOfPost, ReadPost


@dataclass(frozen=True, slots=True)
class PostLineShown:
    """An open line: its text in the post and as the user left it, and its moves.

    `mark` is empty for a line that was understood or asked back.
    """

    number: int
    line: str
    text: str
    mark: str
    moves: Sequence[LineShown]


@dataclass(frozen=True, slots=True)
class PostPage:
    """The page of a post. `announce_text` is empty if nothing can be announced.

    `more_text` says how many lines follow when these are decided; it is empty if none follow.
    """

    key: int
    author: str
    at: datetime
    thread: str
    url: str
    replies_url: str
    seat: str
    seat_name: str
    counts: str
    lines: Sequence[PostLineShown]
    announce_text: str
    stops_before: bool
    more_text: str
    may_reopen: bool


def post_page(table: TableContext, read: ReadPost) -> PostPage:
    """Return the page of a post."""
    post, moves = read.post, read.moves
    possible = next((at for at, move in enumerate(moves) if not move.is_possible), len(moves))
    return PostPage(
        key=post.pk,
        author=post.author or pgettext("author of a post", "unknown"),
        at=post.posted_at or post.imported_at,
        thread=post.thread.name,
        url=post.permalink,
        replies_url=f"{table.url('heard')}#p{post.pk}",
        seat=read.seat,
        seat_name=table.name_of(read.seat),
        counts=counts_text(read),
        lines=[post_line_shown(number, line) for number, line in enumerate(read.lines)],
        announce_text=announce_text(possible) if possible else "",
        stops_before=0 < possible < len(moves),
        more_text=more_text(read.more) if read.more else "",
        may_reopen=post_lines.may_reopen(post),
    )


def post_line_shown(number: int, line: LineOfPost) -> PostLineShown:
    """Return a line; the button of a suggestion posts the whole line with this suggestion."""
    texts = [reading.reading.typed_text for reading in line.readings]
    moves = []
    for at, reading in enumerate(line.readings):
        shown = line_shown(number, reading)
        suggestions = [
            Suggestion(
                suggestion.text,
                f"{number}:{BETWEEN_PARTS.join([*texts[:at], suggestion.text, *texts[at + 1 :]])}",
            )
            for suggestion in shown.suggestions
        ]
        moves.append(replace(shown, suggestions=suggestions))
    is_no_move = line.kind is LineKind.NO_MOVE
    return PostLineShown(
        number=number,
        line=line.line,
        text=line.text,
        mark=_("not a move") if is_no_move else "",
        moves=[] if is_no_move else moves,
    )


def counts_text(read: ReadPost) -> str:
    """Return how many lines of the post are moves, results, questions and neither."""
    kinds = Counter(line.kind for line in read.lines)
    decided = post_lines.count_decided(read.post)
    counts = (
        (kinds[LineKind.MOVE], ngettext("%(n)s move", "%(n)s moves", kinds[LineKind.MOVE])),
        (kinds[LineKind.RESULT], ngettext("%(n)s result", "%(n)s results", kinds[LineKind.RESULT])),
        (
            kinds[LineKind.QUESTION],
            ngettext("%(n)s question", "%(n)s questions", kinds[LineKind.QUESTION]),
        ),
        (
            kinds[LineKind.NO_MOVE],
            ngettext(
                "%(n)s line without a move",
                "%(n)s lines without a move",
                kinds[LineKind.NO_MOVE],
            ),
        ),
        (decided, ngettext("%(n)s line already decided", "%(n)s lines already decided", decided)),
        (read.more, ngettext("%(n)s line not read yet", "%(n)s lines not read yet", read.more)),
    )
    whole = len(read.lines) + decided + read.more
    lines = npgettext("typed moves", "%(n)s line", "%(n)s lines", whole) % {"n": whole}
    parts = ", ".join(text % {"n": count} for count, text in counts if count)
    return _("%(lines)s: %(parts)s") % {"lines": lines, "parts": parts} if parts else lines


def more_text(count: int) -> str:
    """Return the note about the lines after those that are shown."""
    text = ngettext(
        "%(n)s more line follows when these are decided.",
        "%(n)s more lines follow when these are decided.",
        count,
    )
    return text % {"n": count}
