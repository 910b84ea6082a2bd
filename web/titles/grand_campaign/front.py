"""The Grand Campaign on the first page: the map of one that is played, or of how it begins."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.utils.translation import gettext as _

from campaign.log import selectors
from campaign.models import Campaign
from engine.language import language, sentence
from games.grand_campaign.drawing.drawing import Drawing, for_scenario
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.title import GrandCampaign
from web.frame import page_cache
from web.titles.grand_campaign import atlas

TOLD = 2
"""So many attacks are named below the map."""


def picture(campaign: Campaign) -> dict[str, Any] | None:
    """Map of the campaign as strangers see it, and who stands where; None where its map is laid out
    without a drawing.
    """
    position = selectors.position(campaign)
    scenario = position.scenario.amended(position.amendments)
    drawing = atlas.drawing_for(campaign)
    if drawing.laid_out:
        return None
    view = campaign.game.view(position, None)
    fought = [one for one in view["attacks"] if one["status"] != "resolved"][:TOLD]
    before = _("{nation:the} before {province}")
    battles_told = [
        sentence(
            before,
            nation=words.nation_name(scenario, a["attacker"]),
            province=words.province_name(scenario, a["target"]),
        )
        for a in fought
    ]
    return {
        "map": {"svg": _drawn(drawing, scenario, view, campaign)},
        "told": ", ".join(battles_told),
    }


def opening() -> dict[str, Any]:
    """Map of the shipped scenario before its first turn."""
    return _opening(language())


@cache
def _opening(_language: str) -> dict[str, Any]:
    title = GrandCampaign()
    scenario = title.scenario(next(iter(title.scenarios())))
    view = title.view(title.setup(scenario, title.options({})), None)
    return {"map": {"svg": _drawn(for_scenario(scenario.raw), scenario, view)}, "told": ""}


def _drawn(
    drawing: Drawing, scenario: Scenario, view: dict[str, Any], campaign: Campaign | None = None
) -> str:
    state = atlas.from_record(view, [level.name for level in scenario.rules.fortifications])

    def draw() -> str:
        return atlas.map_svg(
            drawing,
            scenario.raw,
            state,
            links=False,
            uid="front",
            title=_("Map of the provinces and their owners."),
            file=atlas.outlines_address(drawing, campaign),
        )

    if campaign is None:
        return draw()
    drawn_of = (
        campaign.pk,
        campaign.address,
        hash(campaign.scenario),
        campaign.drawing_id,
        page_cache.content(state),
    )
    svg: str = page_cache.drawn.get(("front map", language(), *drawn_of), draw)
    return svg


def patterns(campaign: Campaign) -> dict[str, str]:
    """The pattern of each nation on the map, as what stands in an SVG pattern of 8 by 8; empty for
    a plain colour.
    """
    return {
        key: atlas.PATTERNS[nation.pattern]
        for key, nation in atlas.drawing_for(campaign).nations.items()
    }
