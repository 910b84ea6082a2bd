"""What a report shows of the site: the picture of the map, the rules and what is played otherwise (`settings.REPORT_PARTS`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language

from campaign import positions, rulebook
from campaign.models import Campaign
from engine.report import Block, Contents, Paragraph, Report, Span
from forum import dressing
from web import pictures
from web.titles import extras

PICTURED = frozenset({"opening", "turn", "standings", "final", "battle", "result"})


def parts(campaign: Campaign, item: Contents, told: Report, site: str) -> dict[str, Sequence[Block]]:
    """The parts `picture` and `rules` of a report, in the language of now."""
    found: dict[str, Sequence[Block]] = {}
    if site and shown(campaign) and (picture := pictured(campaign, item, told)):
        where = site + reverse("map_picture_at", args=[campaign.address, told.last, get_language() or "en"])
        found["picture"] = [Paragraph((Span(picture, picture=where),))]
    if item.turn <= 1 and dressing.opens(campaign, item):
        where = site + reverse("campaign_rules", args=[campaign.address]) if site and rulebook.text(campaign.title) else ""
        found["rules"] = dressing.rules_of(campaign.game.name, where, _house_rules(campaign))
    return found


def shown(campaign: Campaign) -> bool:
    """Does a board that asks for a picture of this campaign get it?"""
    return bool(campaign.visibility != Campaign.Visibility.MEMBERS)


def pictured(campaign: Campaign, item: Contents, told: Report) -> str:
    """What is on the picture of the map that goes with this report; empty where none does."""
    if item.kind not in PICTURED or not told.last or not pictures.draws(campaign):
        return ""
    at = pictures.place(campaign, told.last)
    return pictures.caption(campaign, at) if at is not None else ""


def _house_rules(campaign: Campaign) -> list[tuple[str, str, str, str]]:
    told: Any = getattr(extras(campaign.title, "founding"), "house_rules", None)
    found = told(positions.scenario(campaign), positions.options(campaign)) if told else ()
    return [(str(one.name), str(one.here), str(one.usual), str(one.rule)) for one in found]
