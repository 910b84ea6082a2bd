"""The scenario editor of the Grand Campaign (`web.editor.contract.EditorPart`)."""

from web.titles.grand_campaign.editor.acts import act_of
from web.titles.grand_campaign.editor.checks import checks
from web.titles.grand_campaign.editor.numbers import (
    changed_paragraphs,
    numbers,
    rules_act,
    rules_acts,
)
from web.titles.grand_campaign.editor.panel import owners, panel, works
from web.titles.grand_campaign.editor.sheet import map_of, sheet
from web.titles.grand_campaign.editor.tools import TOOLS

MAP_TEMPLATE = "titles/grand_campaign/_map.html"
PANEL_TEMPLATE = "titles/grand_campaign/editor/panel.html"

__all__ = [
    "MAP_TEMPLATE",
    "PANEL_TEMPLATE",
    "TOOLS",
    "act_of",
    "changed_paragraphs",
    "checks",
    "map_of",
    "numbers",
    "owners",
    "panel",
    "rules_act",
    "rules_acts",
    "sheet",
    "works",
]
