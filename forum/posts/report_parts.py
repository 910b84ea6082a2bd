"""Additional parts of a report: the picture of the map, the rules, the forecast."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from campaign import forecasts, rulebook
from campaign.log import positions
from campaign.models import Campaign
from campaign.pictures import images
from forum.posts import forecast_chapter
from games.contract.maps import WithMaps
from games.contract.report import Block, Bullets, Contents, Heading, Paragraph, Report, Span
from games.contract.rules import HouseRule

KINDS_WITH_PICTURE = frozenset({"opening", "turn", "standings", "final", "battle", "result"})
OPENERS = frozenset({"turn", "year", "round", "period", "announcement"})
"""The kinds that open a turn, in addition to `opening`."""
WHOLE = frozenset({"turn", "year", "round", "period"})
"""The kinds that cover a whole turn, with its slots, battles and rulings."""


def parts(
    campaign: Campaign, item: Contents, report: Report, site: str
) -> dict[str, Sequence[Block]]:
    """Return the parts `picture`, `rules` and `forecast` of a report in the current language.

    `site` begins the addresses in the parts. If it is empty, the parts have no addresses.
    """
    parts_here: dict[str, Sequence[Block]] = {}
    if picture := picture_part(campaign, item, report, site):
        parts_here["picture"] = [picture]
    if item.turn <= 1 and opens(item):
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
    """Return the chapter about the rules in the first report."""
    changed = rulebook.house_rules(campaign, positions.scenario(campaign))
    has_address = site and rulebook.rules_text(campaign.title)
    address = site + reverse("campaign_rules", args=[campaign.address]) if has_address else ""
    return rules_of(positions.plays(campaign), address, changed)


def forecast_part(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Return the forecast of a finished turn; empty if the campaign does not report forecasts."""
    if item.kind not in WHOLE or not item.complete or not forecasts.reported(campaign):
        return ()
    return forecast_chapter.chapter(campaign, item.turn) or ()


def allows_picture(campaign: Campaign) -> bool:
    """Return whether boards may request pictures of this campaign."""
    return campaign.visibility != Campaign.Visibility.MEMBERS


def picture_caption(campaign: Campaign, item: Contents, report: Report) -> str:
    """Return the caption of the map of this report; empty if no map belongs to it."""
    if (
        item.kind not in KINDS_WITH_PICTURE
        or not report.last
        or not isinstance(campaign.game, WithMaps)
    ):
        return ""
    place = images.place(campaign, report.last)
    return images.caption(campaign, place) if place is not None else ""


def rules_of(name: str, address: str, changes: Sequence[HouseRule]) -> list[Block]:
    """Return the chapter about the rules: the name and address of the text, and the house rules."""
    blocks: list[Block] = [Heading((Span(pgettext("report", "Rules")),), 2)]
    if address:
        blocks.append(Paragraph((Span(name, link=address),)))
    if changes:
        blocks.append(Paragraph((Span(_("House rules of this campaign:")),)))
        text = _("%(here)s instead of %(usual)s")
        items = [
            (
                Span(f"{label}: ", bold=True),
                Span(text % {"here": here, "usual": usual} + (f" (§{rule})" if rule else "") + "."),
            )
            for label, here, usual, rule in changes
        ]
        blocks.append(Bullets(tuple(items)))
    return blocks if len(blocks) > 1 else []


def opens(item: Contents) -> bool:
    """Return whether a report opens a turn, or describes its opening."""
    return item.kind == "opening" or item.kind in OPENERS
