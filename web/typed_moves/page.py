"""The page of typed moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.log.selectors import Line
from campaign.models import GAME_MASTER
from engine.language import capitalize
from web.frame.table import TableContext
from web.log.lines import LogRow, rows
from web.plan.page import may_plan
from web.typed_moves.forms import chosen_seat, seat_choices
from web.typed_moves.reader import ReadLine, ResultOfBattle, State, move_reader_at

PICTURES = {
    State.READY: "check",
    State.DIE: "check",
    State.BEYOND: "glass",
    State.RESULT: "swords",
    State.UNREAD: "stop",
    State.REFUSED: "stop",
}
MOST_EXAMPLES = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of the posted lines; the default is a page without posted lines.

    `line` is a form's move as text. `moved` are entries that were made since the page was shown.
    """

    text: str = ""
    readings: Sequence[ReadLine] = ()
    line: str = ""
    notice: str = ""
    moved: Sequence[Line] = ()
    status: int = 200


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A possible meaning of a line, and the value that its button posts."""

    text: str
    value: str


@dataclass(frozen=True, slots=True)
class LineShown:
    """A line as it was understood, with its errors and uncertainties."""

    css: str
    picture: str
    name: str
    text: str
    typed_text: str
    battle: ResultOfBattle | None
    why: str
    rule: str
    suggestions: Sequence[Suggestion]
    note: str


@dataclass(frozen=True, slots=True)
class TypedMovesPage:
    """The page of typed moves.

    `announce_text` and `rest_note` are empty if nothing can be announced, or nothing remains.
    """

    own_line: str
    notice: str
    moved: Sequence[LogRow]
    text: str
    seat: str
    seats: Sequence[tuple[str, str]]
    lines: Sequence[LineShown]
    announce_text: str
    rest_note: str
    can_plan: bool
    examples: Sequence[str]


def typed_moves_page(table: TableContext, answer: Answer, asked: str) -> TypedMovesPage:
    """Return the page. `asked` is the requested seat for lines without a name, if any."""
    seat = chosen_seat(table, asked)
    lead = list(takewhile(lambda reading: reading.is_possible, answer.readings))
    return TypedMovesPage(
        own_line=answer.line,
        notice=answer.notice,
        moved=rows(table, answer.moved) if answer.moved else [],
        text=answer.text,
        seat=seat,
        seats=seat_choices(table),
        lines=[line_shown(number, line) for number, line in enumerate(answer.readings)],
        announce_text=announce_text(len(lead)) if lead else "",
        rest_note=rest_note() if lead and len(lead) < len(answer.readings) else "",
        can_plan=can_plan(table, answer.readings),
        examples=examples(table, seat),
    )


def line_shown(number: int, line: ReadLine) -> LineShown:
    """Return a line; the buttons of its suggestions post its number."""
    reading = line.reading
    near = [] if line.battle else reading.near
    return LineShown(
        css=f"is-{line.state}",
        picture=PICTURES[line.state],
        name=line.name,
        text=reading.text,
        typed_text=reading.typed_text,
        battle=line.battle,
        why="" if line.battle else reading.why,
        rule=reading.rule,
        suggestions=[Suggestion(text, f"{number}:{text}") for text in near],
        note=note_of(line),
    )


def note_of(line: ReadLine) -> str:
    """Return a note about a line that was understood."""
    if line.state is State.DIE:
        return _("A die is thrown here. What follows is shown after the throw.")
    if line.state is State.BEYOND:
        return _("Shown after an earlier die has been thrown.")
    return line.asks


def announce_text(count: int) -> str:
    """Return the text of the button that announces these moves."""
    text = ngettext("Announce this move", "Announce these %(n)s moves", count)
    return text % {"n": count}


def rest_note() -> str:
    return _(
        "The moves are announced in order. Announcing stops at the first line that is not "
        "understood, is not possible or waits for a die. The lines after it stay in the box."
    )


def can_plan(table: TableContext, readings: Sequence[ReadLine]) -> bool:
    """Return whether the reader can add all possible moves to a plan of their own."""
    possible = [line for line in readings if line.is_possible]
    own = [line for line in possible if line.by == line.reading.seat in table.own_seats]
    return bool(own) and len(own) == len(possible) and may_plan(table, own[0].reading.seat)


def examples(table: TableContext, seat: str) -> list[str]:
    """Return a few lines that would be understood now, one of each kind of move.

    The last offer, the end of the slot, is among them.
    """
    if seat != GAME_MASTER and not table.access.opens(seat):
        return []
    by = seat if seat in table.access.voices else GAME_MASTER
    move_reader = move_reader_at(table, seat, by)
    by_move: dict[str, str] = {}
    for offer in move_reader.offers:
        raw = next(iter(offer.moves()), None)
        text = move_reader.line(raw) if raw else ""
        if raw and text:
            by_move.setdefault(str(raw.get("move")), capitalize(text))
    lines = list(by_move.values())
    return [*lines[:MOST_EXAMPLES], *lines[MOST_EXAMPLES:][-1:]]
