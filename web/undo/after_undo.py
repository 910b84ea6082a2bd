"""The page after an undo: the state of the campaign, the struck moves, the next steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.clocks import services as clocks
from campaign.log import selectors
from campaign.log.history import UndoAct
from campaign.log.rewind import Rewind
from campaign.log.selectors import Line
from campaign.models import Clock
from forum.posts import outbox, reports
from games.contract.history import ChangedPlace
from web.desk.waiting_list import Reminder, WaitingRow, waiting_rows
from web.frame.table import TableContext
from web.history.contract import TitleParts
from web.history.earlier_table import at_position
from web.history.position_diff import PositionDiff, compare
from web.log.lines import LogRow, rows
from web.titles.contract import pages_of
from web.undo.consequences import BattleChange, acts_about, battle_changes

LATEST, LISTED = 4, 200


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class NextStep:
    """A task for the game master after an undo, or a task that other members now have."""

    name: str
    text: str
    verb: str = ""
    url: str = ""
    is_main: bool = False
    links: tuple[Link, ...] = ()
    battle: Link | None = None
    due_at: datetime | None = None
    due_left: str = ""
    reminder: Reminder | None = None


@dataclass(frozen=True, slots=True)
class RunningDeadline:
    """A running deadline, and what the undo did to it."""

    kind: str
    seat: str
    battle: Link | None
    at: datetime
    note: str


@dataclass(frozen=True, slots=True)
class AfterUndoPage:
    """The state of the campaign after an undo."""

    number: int
    last: int
    """The last entry that remains in force."""
    count: int
    first_struck: int | None
    last_struck: int | None
    began: datetime
    ended: datetime
    next_steps: list[NextStep]
    deadlines: list[RunningDeadline]
    diff: PositionDiff
    battles: list[BattleChange]
    own_line: list[LogRow]
    lines: list[LogRow]
    own: TitleParts | None

    @property
    def struck_text(self) -> str:
        """Return which entries are struck; empty if only hidden moves are."""
        if self.first_struck is None:
            return ""
        if self.first_struck == self.last_struck:
            text = _("Entry %(first_struck)s is struck:")
        else:
            text = _("Entries %(first_struck)s to %(last_struck)s are struck:")
        return text % {"first_struck": self.first_struck, "last_struck": self.last_struck}

    @property
    def gap_text(self) -> str:
        """Return the note that the log shows in place of the struck lines."""
        if self.first_struck is None or self.first_struck == self.last_struck:
            return pgettext("undo", "struck")
        return _("%(first_struck)s to %(last_struck)s struck") % {
            "first_struck": self.first_struck,
            "last_struck": self.last_struck,
        }


def after_undo_page(table: TableContext, turn: UndoAct, back: Rewind) -> AfterUndoPage:
    """Return the page; `back` is the restoration of the undo."""
    assert turn.act.number is not None
    past_table = at_position(table, back.position)
    diff = compare(past_table, table)
    log = selectors.log(table.campaign, table.access, limit=LISTED)
    in_force = [line for line in log if not line.struck]
    struck = [entry.number for entry in back.moves if entry.number is not None]
    return AfterUndoPage(
        number=turn.act.number,
        last=turn.act.content["after"],
        count=len(back.moves),
        first_struck=min(struck, default=None),
        last_struck=max(struck, default=None),
        began=back.moves[0].at,
        ended=back.moves[-1].at,
        next_steps=next_steps(table, back, turn),
        deadlines=running_deadlines(table, back, turn),
        diff=diff,
        battles=battle_changes(table, diff.battles, acts_about(table, back)),
        own_line=rows(table, [line for line in in_force if line.number == turn.act.number]),
        lines=rows(table, last_moves(in_force)),
        own=own_parts(table, diff.places),
    )


def last_moves(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.entry.is_move and line.number is not None][:LATEST]


def own_parts(table: TableContext, changed: Sequence[ChangedPlace]) -> TitleParts | None:
    own = pages_of(table.title.key).history
    return own.parts(table, None, changed, moving=False) if own else None


# Next steps


def next_steps(table: TableContext, back: Rewind, turn: UndoAct) -> list[NextStep]:
    """Return the next steps: correct posts, remind others, read the reason."""
    return [*correction(table, back), *waited_for(table), reason(table, turn)]


def correction(table: TableContext, back: Rewind) -> list[NextStep]:
    """Return the step to correct posts that report struck moves, if there are any."""
    if reports.reporter(table.campaign) is None:
        return []
    struck = set(back.rows)
    posts = [
        item.head
        for item in outbox.outbox_reports(table.campaign)
        if item.head.posted_at and item.head.entry_id in struck
    ]
    if not posts:
        return []
    text = ngettext(
        "%(n)d post reports struck moves.", "%(n)d posts report struck moves.", len(posts)
    )
    links = (Link(post.subject or post.report, table.url("post", post.number)) for post in posts)
    return [
        NextStep(
            name=_("Post a correction"),
            text=text % {"n": len(posts)},
            verb=pgettext("button", "Outbox"),
            url=table.url("posts"),
            is_main=True,
            links=tuple(links),
        )
    ]


def waited_for(table: TableContext) -> list[NextStep]:
    """Return the steps that the turn waits for."""
    return [waiting_step(table, row) for row in waiting_rows(table, table.running_battles)]


def waiting_step(table: TableContext, row: WaitingRow) -> NextStep:
    is_own, due = row.mine or row.own, row.due
    battle = Link(f"#{row.contest}", row.url) if row.contest is not None else None
    return NextStep(
        name=pgettext("undo", "You") if is_own else row.people,
        text=row.text,
        verb=pgettext("button", "Desk") if is_own else "",
        url=table.url("desk") if is_own else "",
        battle=battle,
        due_at=due.at if due else None,
        due_left=due.left if due else "",
        reminder=None if is_own else row.remind,
    )


def reason(table: TableContext, turn: UndoAct) -> NextStep:
    return NextStep(
        name=_("The reason, visible to everyone"),
        text=_("“%(reason)s”") % {"reason": turn.act.content.get("reason", "")},
        verb=pgettext("button", "Entry %(n)s") % {"n": turn.act.number},
        url=table.url("entry", turn.act.number),
    )


# Deadlines


def running_deadlines(table: TableContext, back: Rewind, turn: UndoAct) -> list[RunningDeadline]:
    """Return the running deadlines: new, resumed and unchanged."""
    again = set(clocks.ending_clocks(back, table.clocks))
    return [running_deadline(table, clock, turn, is_again=clock in again) for clock in table.clocks]


def running_deadline(
    table: TableContext, clock: Clock, turn: UndoAct, *, is_again: bool
) -> RunningDeadline:
    note = _("as before")
    if clock.started_at >= turn.act.at:
        note = pgettext("undo", "new")
    elif is_again:
        note = _("runs again")
    battle = None
    if clock.contest is not None:
        battle = Link(f"#{clock.contest}", table.url("battle", clock.contest))
    return RunningDeadline(
        kind=str(Clock.Kind(clock.kind).label),
        seat=table.name_of(clock.seat) if clock.seat else "",
        battle=battle,
        at=clock.due_at,
        note=note,
    )
