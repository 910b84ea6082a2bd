"""Read lines one after the other, each at the position that those before it would make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from campaign import plans, review
from campaign.log import positions
from campaign.models import GAME_MASTER, LogEntry
from engine.strict_json import canonical
from games.contract.plain import Position
from games.kit.move_words import move_words
from games.kit.reading import lines
from games.kit.reading.lines import addressed, parts, typed_lines
from games.kit.reading.move_reader import MoveReader, MoveReading
from web.frame.table import TableContext
from web.titles.contract import pages_of

MOST = 30
"""The most lines that are read at once."""
MOST_PARTS = 6
"""The most moves in a line."""
FIGHTING = "fighting"


class State(StrEnum):
    """What a line says: a possible move, one that waits for a die (what follows is not read), one
    that the rules refuse, nothing, a move behind a die, a result of a battle.
    """

    READY = "ready"
    DIE = "die"
    REFUSED = "refused"
    UNREAD = "unread"
    BEYOND = "beyond"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class ResultOfBattle:
    """The battle whose result a line has, and the address where it is claimed."""

    number: int
    url: str


@dataclass(slots=True)
class ReadLine:
    """A line as it was read. `name` is the seat's, `asks` what the title asks about the move, `by`
    who would make it.
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
    def has_failed(self) -> bool:
        return self.state in (State.UNREAD, State.REFUSED)

    @property
    def is_understood(self) -> bool:
        return self.is_possible or self.state is State.BEYOND


def speakers(table: TableContext) -> dict[str, str]:
    """Return the seats by their names at the beginning of a line, in every language."""
    options = positions.options(table.campaign)
    others = [key for key in table.names if key != GAME_MASTER]
    return lines.speakers(table.title, table.scenario, options, others)


def move_reader_at(
    table: TableContext, seat: str, by: str, position: Position = None
) -> MoveReader:
    """Return what understands lines for a seat, at the position of now or another one."""
    now = table.position if position is None else position
    return MoveReader(table.title, table.scenario, now, seat, by)


class Reader:
    """Reads lines at a table. `seat` is for whom a line without a name speaks."""

    def __init__(self, table: TableContext, seat: str) -> None:
        self.table, self.seat = table, seat
        self.names = speakers(table)
        self.position = table.position
        self.move_reader: MoveReader | None = None
        self.open = True

    def read(self, text: str) -> list[ReadLine]:
        """Return what each line says; a line with several moves counts as one for each."""
        readings: list[ReadLine] = []
        for typed in typed_lines(text)[:MOST]:
            before = self.position
            line = self.read_line(typed)
            is_unread = line.state is State.UNREAD and self.position is before
            readings += (self.read_parts(typed) if is_unread else []) or [line]
        return readings[:MOST]

    def read_parts(self, typed: str) -> list[ReadLine]:
        """Return the moves of a line that has more than one; empty if a part of it is not
        understood.
        """
        _seat, rest = addressed(typed, self.names)
        pieces = parts(rest)
        if not 1 < len(pieces) <= MOST_PARTS:
            return []
        before, head = self.position, typed.removesuffix(rest)
        readings = [self.read_line(head + piece) for piece in pieces]
        if all(line.is_understood for line in readings):
            return readings
        self.position, self.open = before, True
        return []

    def count_matching(self, text: str, entries: Sequence[LogEntry]) -> tuple[int, int]:
        """Return how many of the lines, from the first on, these entries say, and how many entries
        they take.
        """
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

    def read_line(self, typed: str) -> ReadLine:
        """Return what a line says, for the seat that it names or the reader's."""
        named, rest = addressed(typed, self.names)
        seat, voices = named or self.seat, self.table.access.voices
        name = self.table.name_of(seat)
        by = seat if seat in voices else GAME_MASTER
        if by not in voices:
            why = _("You do not hold this seat.")
            return ReadLine(MoveReading(typed, seat, why=why), State.REFUSED, name)
        if not self.open:
            return ReadLine(MoveReading(typed, seat), State.BEYOND, name, by=by)
        line = self.read_for(seat, by, typed, rest)
        if line.has_failed and not named and seat != GAME_MASTER and GAME_MASTER in voices:
            # A line without a name may be the game master's own.
            own = self.read_for(GAME_MASTER, GAME_MASTER, typed, rest)
            return line if own.has_failed else own
        return line

    def move_reader_for(self, seat: str, by: str) -> MoveReader:
        """Return the reader of a seat, the same as long as the position stays."""
        move_reader = self.move_reader
        if (
            move_reader is None
            or (move_reader.seat, move_reader.by) != (seat, by)
            or move_reader.position is not self.position
        ):
            move_reader = self.move_reader = move_reader_at(self.table, seat, by, self.position)
        return move_reader

    def read_for(self, seat: str, by: str, typed: str, rest: str) -> ReadLine:
        """Return what a line says for this seat. `rest` is the line without the seat's name."""
        table, name = self.table, self.table.name_of(seat)
        reading = self.move_reader_for(seat, by).read(rest)
        reading.typed = typed
        if reading.raw is None:
            battle = self.result(typed)
            state = State.RESULT if battle else State.UNREAD
            return ReadLine(reading, state, name, by=by, battle=battle)
        concerned = review.about(table.campaign, table.access, reading.raw)
        if seat == GAME_MASTER and not all(map(table.access.opens, concerned)):
            reading.why = _("This hand is closed to you. Open it first.")
            return ReadLine(reading, State.REFUSED, name, by=by)
        return self.foreseen(reading, name, by)

    def result(self, typed: str) -> ResultOfBattle | None:
        """Return the running battle whose two sides and shares a result line of the forum names;
        None unless there is exactly one.
        """
        forms = pages_of(self.table.title.key).battle_forms
        if forms is None:
            return None
        results = []
        for number, known in self.table.rows.contests.items():
            if known.get("status") == FIGHTING:
                typed_in, result = forms.pasted(self.table, known, {"read": "1", "line": typed})
                if result is not None and result.shares is not None:
                    asked = urlencode({"by": typed_in.get("by", ""), "read": "1", "line": typed})
                    url = f"{self.table.url('battle', number)}?{asked}#report"
                    results.append(ResultOfBattle(number, url))
        return results[0] if len(results) == 1 else None

    def foreseen(self, reading: MoveReading, name: str, by: str) -> ReadLine:
        """Return what a move does to the position, as a plan's move: nothing is rolled."""
        assert reading.raw is not None
        table = self.table
        (step,) = plans.foresee(table.title, self.position, [reading.raw])
        if step.refusal is not None:
            reading.why, reading.rule = table.why_not(step.refusal), step.refusal.rule
            return ReadLine(reading, State.REFUSED, name, by=by)
        asks = move_words(table.title, table.scenario, self.position).final(
            reading.raw, self.position
        )
        self.position, self.open = step.after, step.certain
        return ReadLine(reading, State.READY if step.certain else State.DIE, name, asks, by)
