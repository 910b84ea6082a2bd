"""The order of play of a turn as a ribbon, one slot for each seat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import ngettext, pgettext

from campaign.models import GAME_MASTER
from web.frame.amounts import amount
from web.frame.deadlines import Due, deadline_of_slot
from web.frame.table import TableContext

IDLE, DONE, NOW, NEXT, LATER = "idle", "done", "now", "next", "later"


class SlotState(NamedTuple):
    """The state of a slot: its kind, a text, when it ended, and its deadline."""

    kind: str
    text: str = ""
    ended_at: datetime | None = None
    until: Due | None = None


@dataclass(frozen=True, slots=True)
class RibbonSlot:
    """A seat's slot in the ribbon."""

    key: str
    name: str
    url: str
    state: SlotState

    @property
    def short(self) -> str:
        return self.name[:3]

    @property
    def is_now(self) -> bool:
        return self.state.kind == NOW


def ribbon(table: TableContext) -> list[RibbonSlot]:
    """Return the slots of this turn in order; empty if the title's own page shows the order."""
    if table.pages is not None:
        return []
    order = table.view.get("order") or table.names
    keys = [key for key in order if key in table.names and key != GAME_MASTER]
    active = table.campaign.active_seat
    now = keys.index(active) if active in keys else None
    return [
        RibbonSlot(
            key=key,
            name=table.name_of(key),
            url=table.url("nation", key) if table.campaign.started else "",
            state=slot_state(table, key, place, now),
        )
        for place, key in enumerate(keys)
    ]


def slot_state(table: TableContext, seat: str, place: int, now: int | None) -> SlotState:
    """Return the state of the slot at a place; `now` is the place of the open slot."""
    campaign = table.campaign
    if not campaign.started:
        return SlotState(IDLE, ", ".join(table.holders(seat)) or pgettext("seat", "free"))
    if campaign.ended:
        return SlotState(IDLE)
    if seat != campaign.active_seat and table.rows.holders.get(seat, {}).get("fallen"):
        return SlotState(IDLE, pgettext("slot", "fallen"))
    if now is None or place < now:
        return SlotState(DONE, pgettext("slot", "ended"), table.turn_times.ended.get(seat))
    if place == now:
        return SlotState(NOW, actions_left(table, seat), until=deadline_of_slot(table, seat))
    if place == now + 1:
        return SlotState(NEXT, pgettext("slot", "next"))
    return SlotState(LATER, pgettext("slot", "then"))


def actions_left(table: TableContext, seat: str) -> str:
    """Return the number of actions left to the seat that plays now, in words."""
    purse = table.accounts_by_key.get("actions")
    if purse is None:
        return pgettext("slot", "playing")
    left = table.rows.accounts.get((seat, purse.key), 0)
    singular = 0 < left <= purse.scale  # half an action is also written in the singular
    text = ngettext("%(left)s action left", "%(left)s actions left", 1 if singular else 2)
    return text % {"left": amount(purse, left)}
