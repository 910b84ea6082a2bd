"""Slots open one after the other; a turn without anything open closes (1.3, 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.effects import Say
from games.grand_campaign.scoring import final_scoring

if TYPE_CHECKING:
    from games.grand_campaign.position import Position


def open_slot(position: Position, key: str) -> None:
    """A nation's slot opens: its cards come back from the table, its income gives actions (3.2, 4.3)."""
    nation = position.nations[key]
    position.slot = key
    nation.opening_stability = nation.stability
    nation.tax_increases = 0
    position.note("slot", key, "opened", Say("slot-opens", "3.2"))
    for card in list(nation.table):
        position.lose_card(key, card, Say("back-to-hand", "4.3"), None, "table")
        position.gain_card(key, card, Say("back-to-hand", "4.3"))
    position.change(key, "actions", position.rules.actions(nation.income), Say("allowance", "3.1", {"income": nation.income}))
    if nation.event_actions:
        position.change(key, "actions", nation.event_actions, Say(f"event-{nation.event}", "5"))


def close(position: Position) -> None:
    """The turn closes; the close of the last one ends the campaign (1.3, 12)."""
    last = position.turn == position.scenario.turns
    position.phase = "finished" if last else "closed"
    position.note("turn", None, position.phase, Say("campaign-ends" if last else "turn-closes", "1.3", {"turn": position.turn}))
    if last:
        final_scoring(position)


def rest(position: Position) -> None:
    """Pass over slots whose nation has fallen, open the next, close the turn when nothing is left open (1.3)."""
    if position.phase == "slots":
        if position.slot is not None:
            if not position.nations[position.slot].fallen:
                return
            position.slot = None
            position.place += 1
        while position.place < len(position.order):
            key = position.order[position.place]
            if not position.nations[key].fallen:
                open_slot(position, key)
                return
            position.place += 1
        position.phase = "battles"
        position.note("turn", None, "battles", Say("slots-ended", "1.3"))
    if position.phase == "battles" and not position.running:
        close(position)
