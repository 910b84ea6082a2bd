"""What the two players of a battle say of its end: what they may claim, and what both must have agreed to before (8.2, 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAVAL = "naval"


def claimable(raw: Mapping[str, Any]) -> bool:
    """A player claims what was fought; a forfeit is the game master's to attribute (10)."""
    return bool(raw.get("move") == "report")


def agreement_of(raw: Mapping[str, Any]) -> str:
    """What both must have agreed to before this can be claimed or entered; empty where nothing is needed."""
    return NAVAL if NAVAL in raw else ""


def contest_of(raw: Mapping[str, Any]) -> int:
    """The battle whose result it enters."""
    return int(raw["attack"])


def agreeable(known: Mapping[str, Any]) -> tuple[str, ...]:
    """What may be agreed to in this battle: a naval battle that replaces encounter and battle (8.2)."""
    open_still = known["kind"] == "amphibious" and bool(known["defender"]) and not known["encountered"]
    return (NAVAL,) if open_still and known["status"] != "resolved" else ()
