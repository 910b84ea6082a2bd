"""The commands that show the state of a campaign and the tasks of the user."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log import positions
from campaign.models import Campaign
from engine.language import capitalize
from forum.dialects import escape_markdown
from games.contract.title import Waiting
from web.discord.answers import MOST_OPTIONS, Answer, choices, full_url, link, message, row
from web.discord.asker import Asker
from web.frame import awaited_people
from web.frame.front import Task, tasks_of
from web.frame.table import TableContext


def show_table(asker: Asker) -> Answer:
    """Answer with the state of a campaign. Everyone sees it unless it is for members only."""
    table = asker.table()
    lines = [
        f"**{escape_markdown(table.campaign.name)}**",
        escape_markdown(positions.plays(table.campaign)),
        *state_lines(table),
    ]
    return message(
        "\n".join(lines),
        [row(link(pgettext("link", "Open the table"), table.home))],
        only_for_asker=table.campaign.visibility == Campaign.Visibility.MEMBERS,
    )


def state_lines(table: TableContext) -> Iterator[str]:
    """Yield the turn, the seats that it is waiting for, and the first deadline."""
    if not table.campaign.started:
        yield _("The campaign has not started.")
        return
    if table.campaign.ended:
        yield pgettext("state", "The campaign has ended.")
        return
    yield pgettext("report", "Turn {turn}").format(turn=table.campaign.turn)
    for wait in table.waited_for:
        yield waiting_line(table, wait)
    for clock in table.clocks[:1]:
        yield f"⏰ <t:{int(clock.due_at.timestamp())}:f>"


def waiting_line(table: TableContext, wait: Waiting) -> str:
    seat = table.name_of(wait.seat)
    people = escape_markdown(
        ", ".join(awaited_people.people(table, wait.seat, wait.contest)) or seat
    )
    task = escape_markdown(table.sentence(wait.what))
    return f"• {escape_markdown(capitalize(seat))} ({people}): {task}"


def show_next(asker: Asker) -> Answer:
    """Answer with the user's tasks in all their campaigns."""
    tasks = tasks_of(asker.user)
    if not tasks:
        return message(_("You have nothing to do right now."))
    return message("\n".join(task_line(task) for task in tasks[:MOST_OPTIONS]))


def task_line(task: Task) -> str:
    due = f", <t:{int(task.due.at.timestamp())}:R>" if task.due else ""
    name, text = escape_markdown(task.campaign.name), escape_markdown(task.text)
    return f"• **{name}**: [{text}](<{full_url(task.url)}>){due}"


def propose_campaigns(asker: Asker) -> Answer:
    """Answer with the user's campaigns whose names contain the typed text."""
    typed = asker.option("campaign").casefold()
    campaigns = asker.campaigns()
    fitting = [campaign for campaign in campaigns if typed in campaign.name.casefold()]
    return choices([(campaign.public_id, campaign.name) for campaign in fitting])
