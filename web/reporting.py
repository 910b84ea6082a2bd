"""What a report shows of the site: the picture of the map, the rules and what is played otherwise (`settings.REPORT_PARTS`).

Which reports a table has, set-up sheets among them (`settings.TOLD_BY_PAGES`): `table` is a `TableContext`, or anything with
its `campaign`, `scenario`, `rows` and `seats`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language

from campaign import positions, rulebook
from campaign.models import Campaign
from engine.report import Block, Contents, Paragraph, Report, Span
from engine.title import Title
from forum import dressing, telling
from web import pictures, titles
from web.titles import extras

PICTURED = frozenset({"opening", "turn", "standings", "final", "battle", "result"})
SINGLE = re.compile(r"setup-([1-9][0-9]{0,8})", re.ASCII)


def contents(table: Any) -> list[Contents]:
    """Every report there is, the latest turn first."""
    own = extras(table.campaign.title, "report")
    return sorted([*telling.contents(table.campaign), *(own.sheets(table) if own else ())], key=lambda item: -item.turn)


def found(table: Any, key: str) -> tuple[Contents, Report] | None:
    """The report of this key, in the language of now; None where there is none."""
    own, single = extras(table.campaign.title, "report"), SINGLE.fullmatch(key)
    if single is None:
        return telling.told(table.campaign, key, table.seats)
    told = own.sheet(table, int(single[1])) if own else None
    if own is None or told is None:
        return None
    return next(item for item in own.sheets(table) if item.key == key), told


def parts(campaign: Campaign, item: Contents, told: Report, site: str) -> dict[str, Sequence[Block]]:
    """The parts `picture` and `rules` of a report, in the language of now."""
    made: dict[str, Sequence[Block]] = {}
    if site and shown(campaign) and (picture := pictured(campaign, item, told)):
        where = site + reverse("map_picture_at", args=[campaign.address, told.last, get_language() or "en"])
        made["picture"] = [Paragraph((Span(picture, picture=where),))]
    if item.turn <= 1 and dressing.opens(campaign, item):
        where = site + reverse("campaign_rules", args=[campaign.address]) if site and rulebook.text(campaign.title) else ""
        made["rules"] = dressing.rules_of(campaign.game.name, where, house_rules(campaign))
    return made


def shown(campaign: Campaign) -> bool:
    """Does a board that asks for a picture of this campaign get it?"""
    return bool(campaign.visibility != Campaign.Visibility.MEMBERS)


def pictured(campaign: Campaign, item: Contents, told: Report) -> str:
    """What is on the picture of the map that goes with this report; empty where none does."""
    if item.kind not in PICTURED or not told.last or not pictures.draws(campaign):
        return ""
    at = pictures.place(campaign, told.last)
    return pictures.caption(campaign, at) if at is not None else ""


def house_rules(campaign: Campaign) -> list[tuple[str, str, str, str]]:
    """What is played otherwise: which rule, how it is here, how it is usually, its paragraph."""
    found = titles.house_rules(campaign.title, positions.scenario(campaign), positions.options(campaign))
    return [(str(one.name), str(one.here), str(one.usual), str(one.rule)) for one in found]


def drawing(title: Title, scenario: Mapping[str, Any]) -> str:
    """The drawing that is shipped with a scenario, as JSON; empty where none is."""
    part = extras(title.key, "shown")
    return str(part.drawing_of(scenario)) if part else ""
