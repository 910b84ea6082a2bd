"""What pages say of dice thrown elsewhere: the announcement that waits for one, the forms that enter them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign import hand, positions
from games import registry
from web import own
from web.titles.talk import capital
from web.views.common import GAME_MASTER, TableContext

MOST = 40
"""Dice entered at once."""


def parked(table: TableContext) -> dict[str, Any] | None:
    """The announcement that waits for a die, as every page of the campaign says it; None where none waits."""
    waits = hand.awaited(table.campaign)
    if waits is None:
        return None
    seat = str(waits.move.get("for", waits.move["by"]))
    text = table.title.move_line(table.scenario, waits.move)
    return {
        "text": capital(text) if seat == GAME_MASTER else f"{capital(table.name_of(seat))}: {text}",
        "move": waits.move, "purpose": waits.purpose, "mine": seat in table.own_seats or table.game_master, "seat": seat,
        "url": f"{table.url('dice')}#h-hand",
    }  # fmt: skip


def sheet(table: TableContext, typed: Mapping[str, str], error: str) -> dict[str, Any] | None:
    """What the dice page asks of who enters dice, or of who may take a parked announcement back; the others are told of the mode
    while it is on. None where nothing is to be said. `typed` is what was refused, and `error` why."""
    waits = parked(table)
    master = table.game_master and not table.finished and not table.campaign.archived
    if not master and not (waits and waits["mine"]):
        return {"on": True, "error": error} if table.campaign.by_hand and not table.finished else None
    can = table.campaign.by_hand or not (
        table.campaign.title in registry.PAGES or table.title.hides(positions.options(table.campaign))
    )
    if master and not can and waits is None:
        return None
    dice = hand.ahead(table.campaign, table.position) if waits else []
    concerned = (own.of_seat(table, waits["seat"]) or own.of_move(table, waits["move"])) if waits and master else None
    ahead = own.always(table) if master else None
    return {
        "typed": typed,
        "error": error,
        "parked": waits,
        "own": concerned,
        "ahead": ahead,
        "master": master,
        "dice": [(purpose, sides, typed.get(f"die:{purpose}", "")) for purpose, sides in dice[:MOST]],
        "on": table.campaign.by_hand,
    }
