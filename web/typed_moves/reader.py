"""The reader of typed lines, each at the position after the lines before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlencode

from django.http import Http404
from django.utils.translation import gettext as _

from battles import projection as battles_projection
from campaign import plans, review
from campaign.log import positions
from campaign.models import GAME_MASTER, LogEntry
from engine.strict_json import canonical
from forum import reading as thread_reading
from forum.models import ImportedPost
from games.contract.battles import ResultInWords
from games.contract.plain import Position
from games.kit.move_words import move_words
from games.kit.reading import lines
from games.kit.reading.lines import (
    addressed,
    depends_on_something,
    is_quotation,
    part_spans,
    plain_line,
    typed_lines,
)
from games.kit.reading.move_reader import MoveReader, MoveReading
from games.kit.reading.tokens import tokenize
from people.validators import fold
from web.frame.table import TableContext
from web.titles.contract import pages_of

MOST = 30
"""The largest number of lines that are read at once."""
MOST_PARTS = 8
"""The largest number of moves in a line."""
MOST_READERS = 4
"""The number of the latest readers of moves that are kept."""
FIGHTING = "fighting"
LARGEST_KEY = 2**63
BATTLE_NUMBER = re.compile(r"#(\d{1,6})\b", re.ASCII)


class State(StrEnum):
    """The state of a line, in this order of the members.

    The line is a possible move; a possible move that throws a die; a move that the rules refuse; a
    line that was not understood; a line after a die, whose move cannot be checked yet; or the
    result of a battle.
    """

    READY = "ready"
    DIE = "die"
    REFUSED = "refused"
    UNREAD = "unread"
    BEYOND = "beyond"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class ResultOfBattle:
    """The battle whose result a line describes, and the address where it can be claimed.

    `figures` are the share of each side and the winner.
    """

    number: int
    url: str
    figures: str


@dataclass(slots=True)
class ReadLine:
    """A line as it was read.

    `name` is the seat's name, `asks` the title's question about the move, `by` its mover.
    """

    reading: MoveReading
    state: State
    name: str
    asks: str = ""
    by: str = ""
    battle: ResultOfBattle | None = None

    @property
    def is_possible(self) -> bool:
        return self.state in (State.READY, State.DIE)

    @property
    def is_no_move(self) -> bool:
        """Return whether the line resembles no move and was not refused by a rule."""
        reading = self.reading
        is_like_move = bool(reading.near) or bool(reading.rule) or reading.is_order
        return self.state is State.UNREAD and not is_like_move

    @property
    def is_chat(self) -> bool:
        """Return whether nothing in the line can be a move that was not understood."""
        return self.is_no_move and self.reading.is_chat

    @property
    def has_failed(self) -> bool:
        return self.state in (State.UNREAD, State.REFUSED)

    @property
    def is_understood(self) -> bool:
        return self.is_possible or self.state is State.BEYOND


def speakers(table: TableContext) -> dict[str, str]:
    """Return the seats by the names that may begin a line, in every language."""
    options = positions.options(table.campaign)
    others = [key for key in table.names if key != GAME_MASTER]
    return lines.speakers(table.title, table.scenario, options, others)


def seat_of(table: TableContext, author: str) -> str:
    """Return the seat whose holder has this name here or on the forum, or whose own name it is.

    Empty if no seat has this name.
    """
    wanted = fold(author.strip())
    for seat in table.seats if wanted else ():
        holder = seat.holder
        own_names = (holder.username, holder.forum_name) if holder is not None else ()
        if wanted in map(fold, (seat.name, *own_names)):
            return seat.key
    return ""


def post_of(table: TableContext, number: int | None) -> ImportedPost:
    """Return the post with this id, if this reader may see it. Raises `Http404`."""
    posts = thread_reading.replies(table.campaign, everything=table.host)
    if number is None or number >= LARGEST_KEY:
        raise Http404
    post = posts.filter(pk=number).first()
    if post is None:
        raise Http404
    return post


def move_reader_at(
    table: TableContext, seat: str, by: str, position: Position = None
) -> MoveReader:
    """Return the reader of moves for a seat, at the present or another position."""
    now = table.position if position is None else position
    return MoveReader(table.title, table.scenario, now, seat, by)


def takes_part(table: TableContext, number: int) -> bool:
    """Return whether the reader may claim a result: they fight the battle, or are game master."""
    return table.access.game_master or any(
        battles_projection.sides(battle, table.access)
        for battle in table.running_battles
        if battle.number == number
    )


def figures_of(result: ResultInWords) -> str:
    """Return the shares of both sides and the winner, such as "Huns 23%, Romans 46%: …"."""
    shares = ", ".join(f"{name} {share}%" for name, share in result.shares)
    return f"{shares}: {result.sentence}" if shares else result.sentence


class Reader:
    """The reader of lines at a table. `seat` is the seat for lines without a name."""

    def __init__(self, table: TableContext, seat: str) -> None:
        self.table, self.seat = table, seat
        self.names = speakers(table)
        self.position = table.position
        self.move_readers: list[MoveReader] = []
        self.open = True

    def read(self, text: str) -> list[ReadLine]:
        """Return the reading of each line; a line with several moves has a reading for each."""
        lines = self.read_each(typed_lines(text)[:MOST])
        return [reading for line in lines for reading in line]

    def read_each(self, lines: Sequence[str]) -> list[list[ReadLine]]:
        """Return the readings of each line: one, or one for each of its moves."""
        return [self.read_whole_line(line) if line else [] for line in lines]

    def read_whole_line(self, typed_text: str) -> list[ReadLine]:
        """Return the reading of a line, or of each of its moves."""
        before = self.position
        line = self.read_line(typed_text)
        is_unread = line.state is State.UNREAD and self.position is before
        return (self.read_parts(typed_text) if is_unread else []) or [line]

    def read_parts(self, typed_text: str) -> list[ReadLine]:
        """Return the readings of a line with several moves; empty if it does not have several.

        If a part is not understood but resembles a move, the user is asked what it means.
        A line with a condition, a negation or a question is not split: its parts would mean
        something else.
        """
        _seat, named = addressed(typed_text, self.names)
        rest = plain_line(named)
        spans = part_spans(rest)
        if not 1 < len(spans) <= MOST_PARTS or depends_on_something(rest):
            return []
        before, head = self.position, typed_text.removesuffix(named)
        readings, start = list[ReadLine](), 0
        while start < len(spans):
            end, reading = self.longest_move(head, rest, spans, start, readings)
            readings.append(reading)
            start = end
        is_like_moves = not any(line.is_chat for line in readings)
        if len(readings) > 1 and readings[0].is_understood and is_like_moves:
            return readings
        self.position, self.open = before, True
        return []

    def longest_move(
        self,
        head: str,
        rest: str,
        spans: Sequence[tuple[int, int]],
        start: int,
        before: Sequence[ReadLine],
    ) -> tuple[int, ReadLine]:
        """Return the longest move that begins with a part, and the part after it.

        A part that names only places continues the move before it: "Walls in Asia and Thracia".
        Without a move, return the reading of the part alone.
        """
        for end in range(len(spans), start, -1):
            line = self.understood(head + rest[spans[start][0] : spans[end - 1][1]])
            if line is not None:
                return end, line
        alone = rest[spans[start][0] : spans[start][1]]
        if before and before[-1].is_understood:
            verb = self.words_before_name(before[-1])
            continued = self.understood(f"{head}{verb} {alone}") if verb else None
            if continued is not None:
                return start + 1, continued
        return start + 1, self.read_line(head + alone)

    def understood(self, typed_text: str) -> ReadLine | None:
        """Return the reading of a possible move of the seat; None for every other line."""
        named, rest = addressed(typed_text, self.names)
        seat, voices = named or self.seat, self.table.access.voices
        by = seat if seat in voices else GAME_MASTER
        if by not in voices:
            return None
        name = self.table.name_of(seat)
        if not self.open:
            return ReadLine(MoveReading(typed_text, seat), State.BEYOND, name, by=by)
        reading = self.move_reader_for(seat, by).read(rest, explains=False)
        if reading.raw is None:
            return None
        line = self.read_for(seat, by, typed_text, rest)
        return line if line.is_understood else None

    def words_before_name(self, line: ReadLine) -> str:
        """Return the words of a line before its first place or holder; empty if it has none."""
        _seat, rest = addressed(line.reading.typed_text, self.names)
        labels = self.move_reader_for(line.reading.seat, line.by).vocabulary.label_book
        tokens = tokenize(rest)
        names = (
            tokens[match.start].start
            for match in labels.in_turn([token.text for token in tokens])
            if match.meaning is not None and match.meaning[0] == "@"
        )
        return rest[: next(names, 0)].strip()

    def count_matching(self, text: str, entries: Sequence[LogEntry]) -> tuple[int, int]:
        """Return how many of the first lines match these entries, and how many entries match."""
        title, count, spent = self.table.title, 0, 0
        for typed in typed_lines(text)[:MOST]:
            before, line = self.position, self.read_line(typed)
            if not line.is_possible or line.reading.raw is None or spent == len(entries):
                break
            move = title.decode(dict(line.reading.raw), before)
            contents = [canonical(part) for part in title.expand(before, move) or [move.to_json()]]
            in_log = [entry.content_json for entry in entries[spent : spent + len(contents)]]
            if in_log[0] != contents[0]:
                break
            count, spent = count + 1, spent + (len(in_log) if in_log == contents else 1)
        return count, spent

    def read_line(self, typed_text: str) -> ReadLine:
        """Return the reading of a line, for the seat that it names or the reader's seat."""
        named, rest = addressed(typed_text, self.names)
        seat, voices = named or self.seat, self.table.access.voices
        name = self.table.name_of(seat)
        by = seat if seat in voices else GAME_MASTER
        if by not in voices:
            why = _("This is not your seat.")
            return ReadLine(MoveReading(typed_text, seat, why=why), State.REFUSED, name)
        if not self.open:
            return ReadLine(MoveReading(typed_text, seat), State.BEYOND, name, by=by)
        line = self.read_for(seat, by, typed_text, rest)
        if line.has_failed and not named and seat != GAME_MASTER and GAME_MASTER in voices:
            # A line without a name may be the game master's own move.
            own = self.read_for(GAME_MASTER, GAME_MASTER, typed_text, rest)
            return line if own.has_failed else own
        return line

    def move_reader_for(self, seat: str, by: str) -> MoveReader:
        """Return the reader of moves for a seat at the present position.

        The latest readers are kept, because each of them lists all moves of its seat.
        """
        for move_reader in self.move_readers:
            is_same = (move_reader.seat, move_reader.by) == (seat, by)
            if is_same and move_reader.position is self.position:
                return move_reader
        move_reader = move_reader_at(self.table, seat, by, self.position)
        self.move_readers = [move_reader, *self.move_readers][:MOST_READERS]
        return move_reader

    def read_for(self, seat: str, by: str, typed_text: str, rest: str) -> ReadLine:
        """Return the reading of a line for this seat; `rest` is the line without its name."""
        table, name = self.table, self.table.name_of(seat)
        reading = self.move_reader_for(seat, by).read(rest)
        reading.typed_text = typed_text
        if reading.raw is None:
            battle = self.result(typed_text)
            state = State.RESULT if battle else State.UNREAD
            return ReadLine(reading, state, name, by=by, battle=battle)
        concerned = review.seats_revealed(table.campaign, table.access, reading.raw)
        if seat == GAME_MASTER and not all(map(table.access.opens, concerned)):
            reading.why = _("You have not opened this hand. Open it first.")
            return ReadLine(reading, State.REFUSED, name, by=by)
        return self.foreseen(reading, name, by)

    def result(self, typed_text: str) -> ResultOfBattle | None:
        """Return the running battle whose sides and shares a result line of the forum names.

        It is None unless there is exactly one such battle, in which the reader takes part.
        """
        if is_quotation(typed_text):
            return None
        numbers = {int(number) for number in BATTLE_NUMBER.findall(typed_text)}
        results = [
            self.result_of(number, typed_text)
            for number, known in self.table.rows.contests.items()
            if known.get("status") == FIGHTING and (not numbers or number in numbers)
        ]
        named = [result for result in results if result is not None]
        is_own = len(named) == 1 and takes_part(self.table, named[0].number)
        return named[0] if is_own else None

    def result_of(self, number: int, typed_text: str) -> ResultOfBattle | None:
        """Return the result of this battle that a line describes; None if it describes none."""
        table, forms = self.table, pages_of(self.table.title.key).battle_forms
        if forms is None:
            return None
        known = table.rows.contests[number]
        typed_in, result = forms.pasted(table, known, {"read": "1", "line": typed_text})
        raw = forms.result_move(number, typed_in)
        if result is None or result.shares is None or raw is None:
            return None
        asked = urlencode({"by": typed_in.get("by", ""), "read": "1", "line": typed_text})
        url = f"{table.url('battle', number)}?{asked}#report"
        return ResultOfBattle(number, url, figures_of(forms.claimed(table, known, raw)))

    def foreseen(self, reading: MoveReading, name: str, by: str) -> ReadLine:
        """Apply a move to the position like a move of a plan, without dice; return its reading."""
        assert reading.raw is not None
        table = self.table
        (step,) = plans.foresee_moves(table.title, self.position, [reading.raw])
        if step.refusal is not None:
            reading.why, reading.rule = table.why_not(step.refusal), step.refusal.rule
            return ReadLine(reading, State.REFUSED, name, by=by)
        asks = move_words(table.title, table.scenario, self.position).why_final(
            reading.raw, self.position
        )
        self.position, self.open = step.after, step.certain
        return ReadLine(reading, State.READY if step.certain else State.DIE, name, asks, by)
