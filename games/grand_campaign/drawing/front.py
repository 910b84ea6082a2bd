"""The map of the front page, of a running campaign or of the start of the shipped scenario."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.language import gettext as _
from engine.language import language, sentence
from games.contract.maps import FrontMap, OutlinesUrl
from games.grand_campaign.drawing import atlas
from games.grand_campaign.drawing.drawing import Drawing, for_scenario
from games.grand_campaign.rules.position import Options, Position
from games.grand_campaign.rules.scenario import Scenario, load, shipped
from games.grand_campaign.rules.view import view
from games.grand_campaign.text import words

MOST_NAMED = 2
"""The number of attacks that are named below the map."""


def front_map(
    drawing: Drawing, position: Position, outlines_url: OutlinesUrl, uid: str
) -> FrontMap | None:
    """Return the public map of a campaign, or None if its map has no drawing."""
    if drawing.laid_out:
        return None
    scenario = position.scenario.amended(position.amendments)
    public = view(position, None)
    running = [attack for attack in public["attacks"] if attack["status"] != "resolved"]
    sentences = [
        sentence(
            _("{nation:the} before {province}"),
            nation=words.nation_name(scenario, attack["attacker"]),
            province=words.province_name(scenario, attack["target"]),
        )
        for attack in running[:MOST_NAMED]
    ]
    return FrontMap(drawn(drawing, scenario, public, outlines_url, uid), ", ".join(sentences))


def opening(outlines_url: OutlinesUrl) -> FrontMap:
    """Return the map of the shipped scenario before its first turn."""
    return opening_in(language(), outlines_url)


@cache
def opening_in(_language: str, outlines_url: OutlinesUrl) -> FrontMap:
    """Return the map of the shipped scenario in a language; it never changes, so it is cached."""
    scenario = load(next(iter(shipped())))
    public = view(Position(scenario, Options()), None)
    return FrontMap(drawn(for_scenario(scenario.raw), scenario, public, outlines_url), "")


def drawn(
    drawing: Drawing,
    scenario: Scenario,
    public: Mapping[str, Any],
    outlines_url: OutlinesUrl,
    uid: str = "front",
) -> str:
    """Return the map of a view of the position."""
    state = atlas.from_record(public, [level.name for level in scenario.rules.fortifications])
    return atlas.map_svg(
        drawing,
        scenario.raw,
        state,
        links=False,
        uid=uid,
        title=_("Map of the provinces and their owners."),
        file=outlines_url(atlas.outlines(drawing).name),
    )
