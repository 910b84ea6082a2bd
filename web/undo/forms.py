"""What the forms of an undo post."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.strict_json import whole
from web.frame.requests import seen_number


@dataclass(frozen=True, slots=True)
class RewindForm:
    """An undo to an entry, or the restoration of what an undo struck."""

    restores: bool
    number: int | None
    """The last entry that stays, or the undo."""
    reason: str


def rewind_form(typed: Mapping[str, str]) -> RewindForm:
    restores = "undo" in typed
    number = whole(typed.get("undo" if restores else "entry", "").strip())
    return RewindForm(restores, number, typed.get("reason", ""))


@dataclass(frozen=True, slots=True)
class TakeBackForm:
    """A seat's undo of its moves from one on, or the restoration of the last undo."""

    restores: bool
    to: str
    """The first move to be struck."""
    reason: str
    seen: int

    @property
    def number(self) -> int | None:
        """Return the first move to be struck; None for the last move alone."""
        return seen_number(self.to) if self.to else None


def take_back_form(typed: Mapping[str, str]) -> TakeBackForm:
    return TakeBackForm(
        restores=typed.get("do") == "restore",
        to=typed.get("to", ""),
        reason=typed.get("reason", ""),
        seen=seen_number(typed.get("seen", "")),
    )
