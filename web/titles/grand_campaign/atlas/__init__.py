"""The map of a Grand Campaign's pages as inline SVG."""

from web.titles.grand_campaign.atlas.arrows import Way, arrow, attack_path, names, within
from web.titles.grand_campaign.atlas.frame import FramedMap, Region, framed_map
from web.titles.grand_campaign.atlas.outlines import (
    drawing_for,
    outlines,
    outlines_address,
    outlines_of,
    shipped_outlines,
)
from web.titles.grand_campaign.atlas.paint import (
    HOUSE,
    PATTERNS,
    Paint,
    brief,
    nation_styles,
    paints,
)
from web.titles.grand_campaign.atlas.provinces import ProvinceRow, neighbours, provinces_table
from web.titles.grand_campaign.atlas.state import (
    LEVELS,
    Attack,
    Holding,
    Scenario,
    State,
    from_record,
    level_of,
)
from web.titles.grand_campaign.atlas.svg import Window, map_svg, window_on

__all__ = [
    "HOUSE",
    "LEVELS",
    "PATTERNS",
    "Attack",
    "FramedMap",
    "Holding",
    "Paint",
    "ProvinceRow",
    "Region",
    "Scenario",
    "State",
    "Way",
    "Window",
    "arrow",
    "attack_path",
    "brief",
    "drawing_for",
    "framed_map",
    "from_record",
    "level_of",
    "map_svg",
    "names",
    "nation_styles",
    "neighbours",
    "outlines",
    "outlines_address",
    "outlines_of",
    "paints",
    "provinces_table",
    "shipped_outlines",
    "window_on",
    "within",
]
