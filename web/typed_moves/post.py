"""A post of a thread, read line by line: its open lines, as users may have changed them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django import forms
from django.http import QueryDict

from engine.strict_json import is_clean_text, read_whole_number
from forum import post_lines
from forum.models import ImportedPost
from forum.post_lines import DecidedLine, Decision, OpenLine
from games.kit.reading.lines import LONGEST_LINE
from web.frame.requests import seen_number
from web.frame.table import TableContext
from web.typed_moves.reader import MOST, Reader, ReadLine, State, seat_of

BETWEEN_PARTS = "; "
"""The sign between the moves of a line that is written anew."""


class LineKind(StrEnum):
    """The meaning of a line: moves, the result of a battle, a question back, or no move."""

    MOVE = "move"
    RESULT = "result"
    QUESTION = "question"
    NO_MOVE = "no-move"


@dataclass(frozen=True, slots=True)
class LineOfPost:
    """An open line, its text as the user left it, and its readings, one for each of its moves."""

    line: str
    text: str
    readings: Sequence[ReadLine]

    @property
    def kind(self) -> LineKind:
        if all(reading.is_understood for reading in self.readings) and self.readings:
            return LineKind.MOVE
        if any(reading.state is State.RESULT for reading in self.readings):
            return LineKind.RESULT
        if all(reading.is_no_move for reading in self.readings):
            return LineKind.NO_MOVE
        return LineKind.QUESTION

    @property
    def is_chat(self) -> bool:
        """Return whether nothing in the line can be a move."""
        return all(reading.is_chat for reading in self.readings)

    def rest_after(self, count: int) -> str:
        """Return the text without its first moves."""
        texts = [reading.reading.typed_text for reading in self.readings]
        return self.text if count == 0 else BETWEEN_PARTS.join(texts[count:])


@dataclass(frozen=True, slots=True)
class ReadPost:
    """A post with the readings of its first open lines.

    `more` is the number of open lines after these. `is_stale` says that some of the lines that the
    user sent have been decided meanwhile.
    """

    post: ImportedPost
    seat: str
    lines: Sequence[LineOfPost]
    more: int = 0
    is_stale: bool = False

    @property
    def moves(self) -> list[ReadLine]:
        """Return the readings in their order that announcing goes through.

        Results, and lines that are no moves, do not interrupt it; questions do.
        """
        kinds = (LineKind.MOVE, LineKind.QUESTION)
        return [reading for line in self.lines if line.kind in kinds for reading in line.readings]

    @property
    def is_finished(self) -> bool:
        """Return whether only lines are left in which nothing can be a move."""
        return not self.more and all(line.is_chat for line in self.lines)

    def decisions_after(self, count: int) -> list[DecidedLine]:
        """Return the decisions that follow from announcing this many moves."""
        return [decided for _line, decided in self.after(count) if decided is not None]

    def open_after(self, count: int) -> list[OpenLine]:
        """Return the lines that are open after announcing this many moves, with their texts."""
        return [
            OpenLine(line.line, decided.rest if decided else line.text)
            for line, decided in self.after(count)
            if decided is None or decided.decision is Decision.PART
        ]

    def after(self, count: int) -> Iterator[tuple[LineOfPost, DecidedLine | None]]:
        """Yield each line with the decision that follows from announcing this many moves."""
        left = count
        for line in self.lines:
            if left == 0 or line.kind not in (LineKind.MOVE, LineKind.QUESTION):
                yield line, None
                continue
            spent = min(left, len(line.readings))
            left -= spent
            is_whole = spent == len(line.readings)
            decision = Decision.MOVE if is_whole else Decision.PART
            rest = "" if is_whole else line.rest_after(spent)
            yield line, DecidedLine(line.line, decision, rest)


class PostForm(forms.Form):
    """A post, its lines as they were shown and as the user left them, and a chosen button.

    `choose` is a line's number, a colon and its new text; `aside` is the number of a line.
    """

    post = forms.CharField(required=False)
    choose = forms.CharField(required=False, strip=False)
    aside = forms.CharField(required=False)
    seen = forms.CharField(required=False)

    @property
    def number(self) -> int | None:
        return read_whole_number(str(self["post"].value() or ""), 19)

    @property
    def seen_entry(self) -> int:
        """Return the last entry that the page had shown."""
        return seen_number(str(self["seen"].value() or ""))

    @property
    def lines(self) -> list[OpenLine]:
        """Return the lines that were sent, with the chosen suggestion in its place."""
        assert isinstance(self.data, QueryDict)
        shown, typed = (self.data.getlist(name)[:MOST] for name in ("shown", "line"))
        lines = [OpenLine(line, clean(text)) for line, text in zip(shown, typed, strict=False)]
        number, _colon, text = str(self["choose"].value() or "").partition(":")
        at = read_whole_number(number, 3)
        if at is not None and at < len(lines) and text:
            lines[at] = OpenLine(lines[at].line, clean(text))
        return lines

    @property
    def line_aside(self) -> str:
        """Return the line that the user sets aside; empty if it is none."""
        lines, at = self.lines, read_whole_number(str(self["aside"].value() or ""), 3)
        return lines[at].line if at is not None and at < len(lines) else ""


def clean(text: str) -> str:
    """Return a changed line; empty if it cannot be shown."""
    text = " ".join(text.split())[:LONGEST_LINE]
    return text if is_clean_text(text, LONGEST_LINE) else ""


def read_post(table: TableContext, post: ImportedPost, sent: Sequence[OpenLine] = ()) -> ReadPost:
    """Read the first open lines of a post, with the texts of the lines that the user sent."""
    still_open, changed = post_lines.open_lines(post), list(sent)
    lines = []
    for line in still_open:
        own = next((mine for mine in changed if mine.line == line.line), None)
        if own is not None:
            changed.remove(own)
        lines.append(own or line)
    seat = seat_of(table, post.author)
    readings = Reader(table, seat).read_each([line.text for line in lines[:MOST]])
    return ReadPost(
        post=post,
        seat=seat,
        lines=[
            LineOfPost(line.line, line.text, read)
            for line, read in zip(lines, readings, strict=False)
        ],
        more=max(len(lines) - MOST, 0),
        is_stale=bool(changed),
    )
