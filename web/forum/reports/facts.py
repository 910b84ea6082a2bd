"""Which reports a campaign has, and the parts that the site adds to them.

The package below knows the reports of the log. A title may add sheets that say how a battle is set
up; the site adds the picture of the map, the rules and the forecast. The API asks for the same
facts through `forum.hooks`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language, pgettext_lazy

from campaign import forecasts, rulebook
from campaign.log import positions
from campaign.log.selectors import Reading
from campaign.models import Campaign, Membership
from forum.posts import reports
from games.contract.battles import Fighting
from games.contract.maps import Mapped
from games.contract.report import Block, Contents, Paragraph, Report, Span
from games.contract.title import Title
from web.exports import images
from web.forecast import chapter
from web.frame import files
from web.tasks import ask_to_draw
from web.titles import extras

KIND_NAMES = {
    **reports.NAMES,
    "chronicle": pgettext_lazy("report", "chronicle"),
    "setup": pgettext_lazy("report", "set-up"),
    "trade": pgettext_lazy("report", "trade"),
}
KINDS_WITH_PICTURE = frozenset({"opening", "turn", "standings", "final", "battle", "result"})
SETUP_KEY = re.compile(r"setup-([1-9][0-9]{0,8})", re.ASCII)
"""The key of a set-up sheet; the number is that of its battle."""


def contents(table: Reading) -> list[Contents]:
    """Return every report of the campaign, the latest turn first."""
    items = [*reports.contents(table.campaign), *setup_contents(table)]
    return sorted(items, key=lambda item: -item.turn)


def setup_contents(table: Reading) -> Sequence[Contents]:
    """Return the title's reports that say how battles are set up."""
    title = table.title
    if not isinstance(title, Fighting):
        return ()
    return title.setup_contents(table.scenario, table.rows.contests)


def setup_report(table: Reading, number: int) -> Report | None:
    """Return how a battle is set up; None if it is not being fought."""
    title = table.title
    if not isinstance(title, Fighting):
        return None
    players = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
    return title.setup_report(
        table.scenario, table.rows.contests, number, table.campaign.name, players
    )


def name_of(table: Reading, item: Contents) -> str:
    """Return the name of a report in the current language."""
    of_moves = reports.contents_of_moves(table.campaign)
    known = next((known.name for known in of_moves if known.key == item.key), None)
    if known is not None:
        return known
    return next(known.name for known in contents(table) if known.key == item.key)


def report_by_key(
    table: Reading, key: str, memberships: Sequence[Membership] | None = None
) -> tuple[Contents, Report] | None:
    """Return the report of this key in the current language; None if there is none.

    `memberships` are those of the campaign, past ones included, if they are known.
    """
    setup = SETUP_KEY.fullmatch(key)
    if setup is None:
        return reports.report_with_line(table.campaign, key, table.seats, memberships)
    sheet = setup_report(table, int(setup[1]))
    if sheet is None:
        return None
    return next(item for item in setup_contents(table) if item.key == key), sheet


def parts(
    campaign: Campaign, item: Contents, report: Report, site: str
) -> dict[str, Sequence[Block]]:
    """Return the parts `picture`, `rules` and `forecast` of a report in the current language.

    `site` begins the addresses in the parts; without it they have none.
    """
    parts_here: dict[str, Sequence[Block]] = {}
    if picture := picture_part(campaign, item, report, site):
        parts_here["picture"] = [picture]
    if item.turn <= 1 and reports.opens(campaign, item):
        parts_here["rules"] = rules_part(campaign, site)
    if chapter := forecast_part(campaign, item):
        parts_here["forecast"] = chapter
    return parts_here


def picture_part(campaign: Campaign, item: Contents, report: Report, site: str) -> Paragraph | None:
    """Return the picture of the map as it is after the report's last entry."""
    if not site or not allows_picture(campaign):
        return None
    caption = picture_caption(campaign, item, report)
    if not caption:
        return None
    language = get_language() or "en"
    address = reverse("map_picture_at", args=[campaign.address, report.last, language])
    return Paragraph((Span(caption, picture=site + address),))


def rules_part(campaign: Campaign, site: str) -> Sequence[Block]:
    """Return what the first report says about the rules."""
    changed = rulebook.house_rules(campaign, positions.scenario(campaign))
    has_address = site and rulebook.rules_text(campaign.title)
    address = site + reverse("campaign_rules", args=[campaign.address]) if has_address else ""
    return reports.rules_of(positions.plays(campaign), address, changed)


def forecast_part(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Return the forecast of a finished turn; empty if the campaign reports none."""
    if item.kind not in reports.WHOLE or not item.complete or not forecasts.reported(campaign):
        return ()
    return chapter.chapter(campaign, item.turn) or ()


def allows_picture(campaign: Campaign) -> bool:
    """Return whether a board that asks for a picture of this campaign gets it."""
    return campaign.visibility != Campaign.Visibility.MEMBERS


def picture_caption(campaign: Campaign, item: Contents, report: Report) -> str:
    """Return what the map that belongs to this report shows; empty if no map belongs to it."""
    if (
        item.kind not in KINDS_WITH_PICTURE
        or not report.last
        or not isinstance(campaign.game, Mapped)
    ):
        return ""
    place = images.place(campaign, report.last)
    return images.caption(campaign, place) if place is not None else ""


def picture_waits(campaign: Campaign, kind: str, number: int | None, language: str) -> bool:
    """Return whether the picture of a report still has to be drawn, and have it drawn then.

    `number` is the last entry of the report. A report is copied when its picture is there.
    """
    if kind not in KINDS_WITH_PICTURE or not number or not allows_picture(campaign):
        return False
    with reports.speaking(language):
        return asks_for_picture(campaign, number)


def asks_for_picture(campaign: Campaign, number: int) -> bool:
    """Ask a worker for the picture after an entry, in the active language.

    Return False if it has been drawn, or if there is none.
    """
    place = images.place(campaign, number) if isinstance(campaign.game, Mapped) else None
    if place is None:
        return False
    picture = images.picture_after(campaign, place)
    if files.there(images.file(campaign, picture.number, picture.digest)):
        return False
    ask_to_draw(campaign, picture)
    return True


def drawing(title: Title, scenario: Mapping[str, Any]) -> str:
    """Return the drawing that belongs to a scenario, as JSON; empty if there is none."""
    part = extras(title.key, "shown")
    return str(part.drawing_of(scenario)) if part else ""
