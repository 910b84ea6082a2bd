"""Guesses about the meaning of a post on a board. A guess changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.models import GAME_MASTER
from forum.models import ImportedPost
from games.kit.reading.lines import addressed, typed_lines
from games.kit.reading.move_reader import MoveReader
from web.frame.table import TableContext
from web.typed_moves.reader import Reader, move_reader_at, seat_of, speakers

NEWEST = 10
"""The number of the newest posts whose meaning is guessed."""
MOST_SEATS = 3
"""The largest number of seats whose moves are searched: a seat may have a thousand moves."""
MOST_LINES = 30
"""The largest number of lines of a post that are read."""


class Meaning(NamedTuple):
    """A sentence about a post, and the page to which it links.

    `line` is the line that was read as a move, as it was typed.
    """

    text: str
    url: str = ""
    line: str = ""


def is_unread(post: ImportedPost) -> bool:
    """Return whether no one has read the post as moves since it was written or changed."""
    return post.taken_at is None or has_changed_since_read(post)


def has_changed_since_read(post: ImportedPost) -> bool:
    """Return whether the post has changed since it was read as moves."""
    read_at, changed_at = post.taken_at, post.changed_at
    return read_at is not None and changed_at is not None and changed_at > read_at


class Guesser:
    """Guesses about the posts of one page, with the move readers that they share."""

    def __init__(self, table: TableContext) -> None:
        self.table = table
        self.move_readers: dict[str, MoveReader] = {}
        self.reader: Reader | None = None
        self.speaker_names: dict[str, str] | None = None

    def guesses(self, posts: Sequence[ImportedPost]) -> dict[int, list[Meaning]]:
        """Return the meanings of the newest posts that have not been read as moves, by post id."""
        open_posts = [
            post
            for post in posts
            if post.gone_at is None and (post.post is not None or is_unread(post))
        ]
        return {post.pk: self.meanings(post) for post in open_posts[:NEWEST]}

    def meanings(self, post: ImportedPost) -> list[Meaning]:
        """Return the possible meanings of one post."""
        if post.post is not None:
            return [own_report(self.table, post)]
        if self.table.pages is not None or not self.table.campaign.started:
            return []
        return [*self.moves(post, seat_of(self.table, post.author)), *self.results(post)]

    def moves(self, post: ImportedPost, seat: str) -> Iterator[Meaning]:
        """Yield the lines that are moves which the author's seat may make now.

        Only users who may move for that seat see them.
        """
        campaign = self.table.campaign
        if not seat or not self.table.access.speaks_for(seat):
            return
        if campaign.ended or campaign.stopped:
            return
        move_reader = self.move_reader(seat)
        if move_reader is None:
            return
        for typed in typed_lines(post.text)[:MOST_LINES]:
            named, rest = addressed(typed, self.speakers())
            reading = move_reader.read(rest) if named in ("", seat) else None
            if reading is not None and reading.raw is not None:
                yield Meaning(reading.text, line=rest)

    def results(self, post: ImportedPost) -> Iterator[Meaning]:
        """Yield the lines that are the result of a running battle of the reader."""
        if not self.table.access.voices:
            return
        for typed in typed_lines(post.text)[:MOST_LINES]:
            has_number = any(sign.isdigit() for sign in typed)
            battle = self.result_reader().result(typed) if has_number else None
            if battle is not None:
                text = _("%(figures)s This looks like the result of battle #%(number)s: claim it…")
                facts = {"figures": battle.figures, "number": battle.number}
                yield Meaning(text % facts, battle.url)

    def move_reader(self, seat: str) -> MoveReader | None:
        """Return the reader for moves of a seat; None after the largest number of seats."""
        if seat not in self.move_readers and len(self.move_readers) < MOST_SEATS:
            by = seat if seat in self.table.access.voices else GAME_MASTER
            self.move_readers[seat] = move_reader_at(self.table, seat, by)
        return self.move_readers.get(seat)

    def result_reader(self) -> Reader:
        """Return the reader for results."""
        if self.reader is None:
            self.reader = Reader(self.table, "")
        return self.reader

    def speakers(self) -> dict[str, str]:
        """Return the names with which a line can say for which seat it is."""
        if self.speaker_names is None:
            self.speaker_names = speakers(self.table)
        return self.speaker_names


def own_report(table: TableContext, post: ImportedPost) -> Meaning:
    """Return the meaning of a post that is a report of this campaign, or quotes one."""
    assert post.post is not None
    report = post.post.report
    url = table.url("report", report) if report not in ("", "test") else ""
    return Meaning(
        pgettext("forum", "Our report.")
        if post.is_own_report
        else _("It quotes one of our reports."),
        url,
    )
