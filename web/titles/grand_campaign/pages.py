"""The parts that the Grand Campaign adds to the pages of every title."""

from __future__ import annotations

from web.titles.contract import TitlePages
from web.titles.grand_campaign import (
    battle_forms,
    editor,
    founding,
    history,
    nation,
    resume,
    scenario_preview,
    table,
)

GRAND_CAMPAIGN = TitlePages(
    battle_forms=battle_forms,
    editor=editor,
    founding=founding,
    history=history,
    invitation=scenario_preview,
    nation=nation,
    resume=resume,
    scenarios=scenario_preview,
    table=table,
)
