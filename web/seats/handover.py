"""The page on which a new holder reads everything that was handed over with a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import npgettext, pgettext

from campaign.log import selectors as log_selectors
from campaign.log.selectors import Line
from campaign.models import SeatHandover
from campaign.seats import selectors
from games.registry import word
from web.battles.page import BattleSummary, battle_summaries
from web.frame.table import TableContext
from web.frame.waiting_lines import waits
from web.log.lines import LogRow, rows
from web.moves.actions import move_words_of
from web.nation.accounts import AccountLine, account_lines
from web.nation.contract import TitlePart
from web.titles.contract import pages_of

LINES = 60
"""The number of log entries that the page shows."""


class TurnChoice(NamedTuple):
    """A turn from whose opening on the entries can be listed."""

    number: int
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Since:
    """The entries since a move or a turn."""

    title: str
    count: str
    turns: list[TurnChoice]
    from_last_move: bool
    """Whether the entries since the previous holder's last move can be listed."""
    lines: list[LogRow]
    earlier: int | None
    """The oldest listed entry, if there are earlier entries."""


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a seat: its accounts, and the title's part."""

    facts: list[str]
    fallen: str
    accounts: list[AccountLine]
    template: str
    details: object
    """The argument of the macro `details_sheets` in the title's own template."""

    @property
    def is_short(self) -> bool:
        """Whether the accounts fit into one row."""
        return len(self.accounts) < 5


@dataclass(frozen=True, slots=True)
class Task:
    """Something that the turn is waiting for this seat to do."""

    text: str
    contest: int | None
    since: datetime | None
    url: str
    verb: str


@dataclass(frozen=True, slots=True)
class Deadline:
    """A clock that is waiting for this seat."""

    kind: str
    contest: int | None
    url: str
    due_at: datetime
    held: bool


@dataclass(frozen=True, slots=True)
class HandoverPage:
    """The first page for a new holder of a seat."""

    seat: str
    name: str
    at: datetime
    leaver: str
    """The previous holder; empty if there was none."""
    is_unread: bool
    seat_url: str
    seat_link: str
    notes_title: str
    notes_url: str
    note: str
    note_number: int | None
    position: Position | None
    since: Since
    tasks: list[Task]
    deadlines: list[Deadline]
    orders: list[str]
    orders_url: str
    battles: list[BattleSummary] | None
    """The running battles; None if the title's own page shows them."""


def handover_page(
    table: TableContext, seat: str, handover: SeatHandover, asked_turn: int | None
) -> HandoverPage:
    """Return the page of a hand-over. `asked_turn` is the turn in the address."""
    leaver = handover.leaver.username if handover.leaver else ""
    plain = table.pages is None
    return HandoverPage(
        seat=seat,
        name=table.name_of(seat),
        at=handover.at,
        leaver=leaver,
        is_unread=not handover.dismissed_at,
        seat_url=seat_url(table, seat),
        seat_link=_("Go to the nation") if plain else pgettext("seats", "Go to the table"),
        notes_title=_("What %(who)s left for you") % {"who": leaver}
        if leaver
        else pgettext("heading", "Notes"),
        notes_url=table.url("seat_notes", seat),
        note=selectors.text_of(handover.note),
        note_number=handover.note_id,
        position=position(table, seat),
        since=since(table, handover, leaver, asked_turn),
        tasks=tasks_of(table, seat),
        deadlines=deadlines_of(table, seat),
        orders=selectors.ended_orders(table.campaign, handover),
        orders_url=table.url("standing", seat),
        battles=battles_of(table, seat) if plain else None,
    )


def seat_url(table: TableContext, seat: str) -> str:
    """Return the page on which a seat is played: its nation's page, or the title's own page."""
    if table.pages is not None or not table.campaign.started:
        return table.home
    return table.url("nation", seat)


# The entries since a move or a turn


def since(
    table: TableContext, handover: SeatHandover, leaver: str, asked_turn: int | None
) -> Since:
    """Return the entries since the turn in the address, or the previous holder's last move."""
    turns, last = log_selectors.turns(table.campaign), last_move(handover)
    number, after = beginning(turns, asked_turn, last)
    newer = entries_after(table, after) if after is not None else []
    lines = rows(table, newer[:LINES])
    numbers = [line.number for line in lines if line.number is not None]
    earlier = min(numbers, default=None) if len(newer) > LINES else None
    return Since(
        title=since_title(table, number, leaver if last else ""),
        count=count_text(len(lines)) if lines and earlier is None else "",
        turns=[turn_choice(table, turn[0], number) for turn in turns if turn[0]],
        from_last_move=bool(last),
        lines=lines,
        earlier=earlier,
    )


def beginning(
    turns: Sequence[tuple[int, int, int]], asked: int | None, last: int | None
) -> tuple[int | None, int | None]:
    """Return the turn from which entries are listed, if it is a turn, and the entry before them."""
    chosen = next((turn for turn in turns if turn[0] == asked), None)
    if chosen is None and last is None and turns:
        chosen = turns[-1]
    return (None, last) if chosen is None else (chosen[0], chosen[1] - 1)


def last_move(handover: SeatHandover) -> int | None:
    """Return the previous holder's last move that everyone can see."""
    last: int | None = vars(handover)["last_said"]
    return last


def entries_after(table: TableContext, number: int) -> list[Line]:
    """Return the newest entries after a number, one more than the page shows."""
    lines = log_selectors.log(table.campaign, table.access, limit=LINES + 1)
    return [line for line in lines if line.number is None or line.number > number]


def since_title(table: TableContext, turn: int | None, leaver: str) -> str:
    """Return the heading of the list of entries."""
    if turn is None and leaver:
        return _("Since %(who)s’s last move") % {"who": leaver}
    return pgettext("heading", "What happened")


def count_text(lines: int) -> str:
    """Return the number of listed entries in words."""
    text = npgettext("seats", "%(n)s entry, newest first", "%(n)s entries, newest first", lines)
    return text % {"n": lines}


def turn_choice(table: TableContext, number: int, chosen: int | None) -> TurnChoice:
    """Return a turn as a choice."""
    name = word(table.campaign.title, "turn_number").format(n=number)
    return TurnChoice(number, name, number == chosen)


# The position


def position(table: TableContext, seat: str) -> Position | None:
    """Return the position of a seat; None if the title's own page shows it."""
    if table.pages is not None or not table.campaign.started:
        return None
    title = pages_of(table.title.key).nation
    part = title.title_part(table, seat) if title is not None else TitlePart()
    return Position(
        facts=[table.name_of(seat), *part.facts],
        fallen=part.fallen,
        accounts=account_lines(table, seat, move_words_of(table), part.account_notes),
        template=part.template,
        details=part.details,
    )


# Tasks and deadlines


def tasks_of(table: TableContext, seat: str) -> list[Task]:
    """Return the tasks of a seat in this turn."""
    return [
        Task(line.text, line.contest, line.since, line.url, line.verb)
        for line in waits(table)
        if any(other.key == seat for other in line.seats)
    ]


def deadlines_of(table: TableContext, seat: str) -> list[Deadline]:
    """Return the clocks that are waiting for a seat."""
    return [
        Deadline(
            kind=clock.get_kind_display(),
            contest=clock.contest,
            url=(
                table.url("battle", clock.contest)
                if clock.contest is not None and table.pages is None
                else ""
            ),
            due_at=clock.due_at,
            held=clock.held,
        )
        for clock in table.clocks
        if seat in (clock.seat, *clock.seats)
    ]


def battles_of(table: TableContext, seat: str) -> list[BattleSummary]:
    """Return the running battles of a seat, including challenges, the oldest first."""
    running = table.running_battles
    return battle_summaries(table, [battle for battle in running if seat in battle.parties])
