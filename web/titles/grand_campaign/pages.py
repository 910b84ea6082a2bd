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
    shown,
    table,
)

GRAND_CAMPAIGN = TitlePages(
    battle_forms=battle_forms,
    editor=editor,
    founding=founding,
    history=history,
    invitation=shown,
    nation=nation,
    resume=resume,
    scenarios=shown,
    table=table,
)
