"""The kinds of moves by which readers filter the log, and the shares of results in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.language import localize_number, pgettext
from games.contract.log import BATTLES, BUILDING, CARDS, CORRECTIONS, LoggedShare

KINDS: Mapping[str, frozenset[str]] = {
    BATTLES: frozenset({"attack", "respond", "report", "forfeit"}),
    CARDS: frozenset({"play", "offer", "take", "keep", "open-turn", "start"}),
    BUILDING: frozenset(
        {"build", "fortify", "fleet", "barracks", "siege-train", "provincial-levy"}
    ),
    CORRECTIONS: frozenset(
        {
            "adjust",
            "set-owner",
            "give-card",
            "discard-card",
            "set-structures",
            "set-assets",
            "set-fortification",
            "set-fleet",
            "amend",
            "resume",
        }
    ),
}
"""The names of moves of each kind. Cards are drawn and events happen when a turn opens."""


def logged_shares(move: Mapping[str, Any]) -> Sequence[LoggedShare]:
    """Return the routed shares that a result enters, the attacker's first (9.1)."""
    if "routed" not in move:
        return ()
    labels = {
        "attacker": pgettext("share in the log", "attacker routed"),
        "defender": pgettext("share in the log", "defender routed"),
    }
    return [
        LoggedShare(f"{localize_number(str(move['routed'][side]))}%", label)
        for side, label in labels.items()
    ]
