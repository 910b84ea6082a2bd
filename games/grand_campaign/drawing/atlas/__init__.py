"""The map of a Grand Campaign's pages as inline SVG."""

from games.grand_campaign.drawing.atlas.arrows import Way, arrow, attack_path, names, within
from games.grand_campaign.drawing.atlas.frame import FramedMap, Region, framed_map
from games.grand_campaign.drawing.atlas.outlines import (
    outlines,
    shipped_outlines,
)
from games.grand_campaign.drawing.atlas.paint import (
    HOUSE,
    PATTERNS,
    Paint,
    brief,
    nation_styles,
    paints,
)
from games.grand_campaign.drawing.atlas.provinces import ProvinceRow, neighbours, provinces_table
from games.grand_campaign.drawing.atlas.state import (
    LEVELS,
    Attack,
    Holding,
    Scenario,
    State,
    from_record,
    level_of,
)
from games.grand_campaign.drawing.atlas.svg import Window, map_svg, window_on

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
    "framed_map",
    "from_record",
    "level_of",
    "map_svg",
    "names",
    "nation_styles",
    "neighbours",
    "outlines",
    "paints",
    "provinces_table",
    "shipped_outlines",
    "window_on",
    "within",
]
