"""The Grand Campaign on the first page: the map of one that is played, or of how it begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
from web.titles.grand_campaign import atlas

MOST_NAMED = 2
"""The number of attacks that are named below the map."""


@dataclass(frozen=True, slots=True)
class FrontPicture:
    """A map, and the attacks on it in words."""

    map: atlas.FramedMap
    caption: str


def picture(campaign: Campaign) -> FrontPicture | None:
    """Return the map of the campaign as strangers see it; None if its map has no drawing."""
    position = selectors.position(campaign)
    scenario = position.scenario.amended(position.amendments)
    drawing = atlas.drawing_for(campaign)
    if drawing.laid_out:
        return None
    view = campaign.game.view(position, None)
    running = [attack for attack in view["attacks"] if attack["status"] != "resolved"]
    sentences = [
        sentence(
            _("{nation:the} before {province}"),
            nation=words.nation_name(scenario, attack["attacker"]),
            province=words.province_name(scenario, attack["target"]),
        )
        for attack in running[:MOST_NAMED]
    ]
    return FrontPicture(drawn(drawing, scenario, view, campaign), ", ".join(sentences))


def opening() -> FrontPicture:
    """Return the map of the shipped scenario before its first turn."""
    return opening_in(language())


@cache
def opening_in(_language: str) -> FrontPicture:
    """Return the same; drawn once for each language, since nothing of it ever changes."""
    title = GrandCampaign()
    scenario = title.scenario(next(iter(title.scenarios())))
    view = title.view(title.setup(scenario, title.options({})), None)
    return FrontPicture(drawn(for_scenario(scenario.raw), scenario, view), "")


def drawn(
    drawing: Drawing,
    scenario: Scenario,
    view: Mapping[str, Any],
    campaign: Campaign | None = None,
) -> atlas.FramedMap:
    """Return the map of a view of the position."""
    state = atlas.from_record(view, [level.name for level in scenario.rules.fortifications])
    svg = atlas.map_svg(
        drawing,
        scenario.raw,
        state,
        links=False,
        uid="front",
        title=_("Map of the provinces and their owners."),
        file=atlas.outlines_address(drawing, campaign),
    )
    return atlas.FramedMap(svg)


def patterns(campaign: Campaign) -> dict[str, str]:
    """Return the pattern of each nation on the map, as what stands in an SVG pattern of 8 by 8;
    empty for a plain colour.
    """
    return {
        key: atlas.PATTERNS[nation.pattern]
        for key, nation in atlas.drawing_for(campaign).nations.items()
    }
