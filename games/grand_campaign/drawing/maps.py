"""The maps that the Grand Campaign gives to pages, forums and the API."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.maps import FrontMap, MapPicture, Outlines, OutlinesUrl, Palette
from games.grand_campaign.drawing import front, picture
from games.grand_campaign.drawing.atlas import PATTERNS, nation_styles, outlines, shipped_outlines
from games.grand_campaign.drawing.drawing import drawing_of
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario


class GrandMaps:
    """The maps of the Grand Campaign; see `games.contract.maps.Maps`."""

    def outlines(self, scenario: Scenario, drawing: str) -> Outlines:
        return outlines(drawing_of(scenario.raw, drawing))

    def shipped_outlines(self) -> Mapping[str, str]:
        return shipped_outlines()

    def picture(
        self, position: Position, drawing: str, *, name: str, number: int, palette: Palette
    ) -> MapPicture:
        drawn = drawing_of(position.scenario.raw, drawing)
        return picture.picture(drawn, position, name, number, palette)

    def picture_caption(self, position: Position, *, name: str) -> str:
        return picture.caption(position, name)

    def front(
        self, position: Position, drawing: str, outlines_url: OutlinesUrl, uid: str = "front"
    ) -> FrontMap | None:
        drawn = drawing_of(position.scenario.raw, drawing)
        return front.front_map(drawn, position, outlines_url, uid)

    def opening(self, outlines_url: OutlinesUrl) -> FrontMap:
        return front.opening(outlines_url)

    def seat_styles(self, scenario: Scenario, drawing: str) -> Mapping[str, str]:
        return nation_styles(drawing_of(scenario.raw, drawing), scenario.raw)

    def patterns(self, scenario: Scenario, drawing: str) -> Mapping[str, str]:
        nations = drawing_of(scenario.raw, drawing).nations
        return {key: PATTERNS[nation.pattern] for key, nation in nations.items()}
