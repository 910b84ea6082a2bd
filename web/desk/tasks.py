"""List what waits for the game master beside the form that is open on the page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from notices import texts as notice_texts
from web import waiting as table_waiting
from web.desk.battles import Ruling
from web.desk.turn import Outbox
from web.desk.waiting_list import WaitedFor, help_to_extend
from web.frame.campaign_page import TableContext
from web.titles.talk import capital


class Task(NamedTuple):
    """A thing that waits for the game master."""

    text: str
    since: datetime | None
    url: str
    verb: str


def announcement_task(outbox: Outbox | None) -> Task | None:
    """Return the task to post the announcement; None if there is none to post."""
    if outbox is None or not outbox.lacks_announcement:
        return None
    return Task(
        text=_("Post the announcement with the promise of the dice before you start."),
        since=None,
        url=outbox.url,
        verb=_("Outbox"),
    )


def tasks_of(
    table: TableContext,
    things: Sequence[WaitedFor],
    judged: Ruling | None,
    outbox: Outbox | None,
) -> list[Task]:
    """Return what waits for the game master beside the ruling that is open on the page."""
    tasks = []
    for thing in things:
        if thing.own and thing.helps:
            text, help_ = f"{thing.seats[0].name}: {thing.title}", thing.helps[0]
            tasks.append(Task(text, thing.since, help_.url, help_.verb))
        elif thing.mine and thing.contest is not None and not is_judged(thing, judged):
            url = f"?judge={thing.contest}#mine"
            tasks.append(Task(thing.title, thing.since, url, _("Judge")))
    tasks += overdue_tasks(table, things)
    if outbox is not None and outbox.waiting:
        text = ngettext(
            "%(n)d post is ready to be posted", "%(n)d posts are ready to be posted", outbox.waiting
        )
        tasks.append(Task(text % {"n": outbox.waiting}, None, outbox.url, _("Outbox")))
    return tasks


def is_judged(thing: WaitedFor, judged: Ruling | None) -> bool:
    """Return whether the page has the form for this battle's ruling."""
    return judged is not None and judged.battle == thing.contest


def overdue_tasks(table: TableContext, things: Sequence[WaitedFor]) -> list[Task]:
    """Return a task for each overdue matter on which the game master has to decide."""
    by_clock = {thing.due.clock.pk: thing for thing in things if thing.due is not None}
    tasks = []
    for clock in table_waiting.asked(table):
        seat = table.name_of(clock.seat) if clock.seat else ""
        facts = {**notice_texts.facts_of(clock), "seat": seat}
        matter = capital(notice_texts.task(table.campaign.title, clock.kind, facts))
        thing = by_clock.get(clock.pk)
        links = [help_ for help_ in thing.helps if help_.url] if thing is not None else []
        link = links[0] if links else help_to_extend(table, clock.pk)
        text = _("%(task)s is overdue: decide how to continue.") % {"task": matter}
        tasks.append(Task(text, clock.due_at, link.url, link.verb))
    return tasks
