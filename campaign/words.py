"""The table's own acts in words, made when read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def act_line(act: Mapping[str, Any], seat_name: str) -> str:
    """One line of the log for an act of the table; people are named beside it by the page."""
    name = act["act"]
    if name == "genesis":
        return f"The terms of the campaign. Commitment of the dice: {act['commitment']}."
    if name == "undo" and act.get("own"):
        return f"{seat_name} takes back a move."
    if name == "undo":
        return f"The game master undoes every move after entry {act['after']}: {act['reason']}"
    if name == "restore":
        return f"The game master restores what entry {act['undo']} undid: {act['reason']}"
    if name == "seat":
        return f"{seat_name}: the seat is taken." if act["how"] == "taken" else f"{seat_name}: the seat is free again."
    return str(name)
