"""The game master's tasks, apart from the form that is open on the page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.language import capitalize
from notices.deadlines import deadline_facts, task_name
from web.desk.battles import Ruling
from web.desk.turn import Outbox
from web.desk.waiting_list import WaitingRow, help_to_extend
from web.frame import awaited_people as table_waiting
from web.frame.table import TableContext


class Task(NamedTuple):
    """A task for the game master."""

    text: str
    since: datetime | None
    url: str
    verb: str


def announcement_task(outbox: Outbox | None) -> Task | None:
    """Return the task to post the announcement; None if it need not be posted."""
    if outbox is None or not outbox.lacks_announcement:
        return None
    return Task(
        text=_("Post the announcement with the commitment of the dice before you start."),
        since=None,
        url=outbox.url,
        verb=pgettext("button", "Outbox"),
    )


def tasks_of(
    table: TableContext,
    rows: Sequence[WaitingRow],
    judged: Ruling | None,
    outbox: Outbox | None,
) -> list[Task]:
    """Return the game master's tasks, apart from the ruling that is open on the page."""
    tasks = []
    for row in rows:
        if row.own and row.helps:
            text, help_ = f"{row.seats[0].name}: {row.title}", row.helps[0]
            tasks.append(Task(text, row.since, help_.url, help_.verb))
        elif row.mine and row.contest is not None and not is_judged(row, judged):
            url = f"?judge={row.contest}#mine"
            tasks.append(Task(row.title, row.since, url, pgettext("desk", "Make a ruling")))
    tasks += overdue_tasks(table, rows)
    if outbox is not None and outbox.waiting:
        text = ngettext("%(n)d post is ready", "%(n)d posts are ready", outbox.waiting)
        tasks.append(
            Task(text % {"n": outbox.waiting}, None, outbox.url, pgettext("desk", "Outbox"))
        )
    return tasks


def is_judged(row: WaitingRow, judged: Ruling | None) -> bool:
    """Return whether the page has the form for this battle's ruling."""
    return judged is not None and judged.battle == row.contest


def overdue_tasks(table: TableContext, rows: Sequence[WaitingRow]) -> list[Task]:
    """Return a task for each overdue matter that the game master has to decide."""
    by_clock = {row.due.clock.pk: row for row in rows if row.due is not None}
    tasks = []
    for clock in table_waiting.clocks_to_decide(table):
        seat = table.name_of(clock.seat) if clock.seat else ""
        facts = {**deadline_facts(clock), "seat": seat}
        matter = capitalize(task_name(table.campaign.title, clock.kind, facts))
        row = by_clock.get(clock.pk)
        links = [help_ for help_ in row.helps if help_.url] if row is not None else []
        link = links[0] if links else help_to_extend(table, clock.pk)
        text = _("Overdue: %(task)s. Decide how to continue.") % {"task": matter}
        tasks.append(Task(text, clock.due_at, link.url, link.verb))
    return tasks
