"""The reports that a campaign has, and whether the pictures in them are drawn.

A title may add reports that say how a battle is set up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.translation import pgettext_lazy

from campaign import files
from campaign.log.selectors import CampaignView
from campaign.models import Campaign, Membership
from campaign.pictures import images
from campaign.tasks import ask_to_draw
from forum.posts import report_parts, reports
from games.contract.battles import WithBattles
from games.contract.maps import WithMaps
from games.contract.report import Contents, Report

KIND_NAMES = {
    **reports.REPORT_NAMES,
    "chronicle": pgettext_lazy("report", "chronicle"),
    "setup": pgettext_lazy("report", "set-up"),
    "trade": pgettext_lazy("report", "trade"),
}
SETUP_KEY = re.compile(r"setup-([1-9][0-9]{0,8})", re.ASCII)
"""The key of a set-up sheet, with the number of its battle."""


def contents(table: CampaignView) -> list[Contents]:
    """Return all reports of the campaign, the latest turn first."""
    items = [*reports.contents(table.campaign), *setup_contents(table)]
    return sorted(items, key=lambda item: -item.turn)


def setup_contents(table: CampaignView) -> Sequence[Contents]:
    """Return the title's set-up sheets, which say how battles are set up."""
    title = table.title
    if not isinstance(title, WithBattles):
        return ()
    return title.setup_contents(table.scenario, table.rows.contests)


def setup_report(table: CampaignView, number: int) -> Report | None:
    """Return the set-up sheet of a battle; None if the battle is not being fought."""
    title = table.title
    if not isinstance(title, WithBattles):
        return None
    players = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
    return title.setup_report(
        table.scenario, table.rows.contests, number, table.campaign.name, players
    )


def name_of(table: CampaignView, item: Contents) -> str:
    """Return the name of a report in the current language."""
    of_moves = reports.contents_of_moves(table.campaign)
    known = next((known.name for known in of_moves if known.key == item.key), None)
    if known is not None:
        return known
    return next(known.name for known in contents(table) if known.key == item.key)


def report_by_key(
    table: CampaignView,
    key: str,
    memberships: Sequence[Membership] | None = None,
    tone: str = reports.DEFAULT,
) -> tuple[Contents, Report] | None:
    """Return the report with this key in the current language; None if there is none.

    `memberships` are those of the campaign, including past ones, if they are known.
    """
    setup = SETUP_KEY.fullmatch(key)
    if setup is None:
        return reports.report_with_line(table.campaign, key, table.seats, memberships, tone)
    sheet = setup_report(table, int(setup[1]))
    if sheet is None:
        return None
    return next(item for item in setup_contents(table) if item.key == key), sheet


def picture_waits(campaign: Campaign, kind: str, number: int | None, language: str) -> bool:
    """Return whether the picture of a report still has to be drawn; if so, request it.

    `number` is the last entry of the report. A report can be copied once its picture exists.
    """
    if (
        kind not in report_parts.KINDS_WITH_PICTURE
        or not number
        or not report_parts.allows_picture(campaign)
    ):
        return False
    with reports.in_language(language):
        return asks_for_picture(campaign, number)


def asks_for_picture(campaign: Campaign, number: int) -> bool:
    """Ask a worker for the picture after an entry, in the active language.

    Return False if it has been drawn, or if there is none.
    """
    place = images.place(campaign, number) if isinstance(campaign.game, WithMaps) else None
    if place is None:
        return False
    picture = images.picture_after(campaign, place)
    if files.exists(images.file(campaign, picture.number, picture.digest)):
        return False
    ask_to_draw(campaign, picture)
    return True
