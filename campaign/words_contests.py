"""The acts at a contest in words. What result is meant, the title says: its line of the move stands behind a claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SAID = {
    "set-up": "{seat}: {battle} is set up.",
    "claim": "{seat} claim {battle}: {result}.",
    "withdraw-claim": "{seat} withdraw the claim of {battle}.",
    "confirm": "{seat} confirm the result of {battle}.",
    "dispute": "{seat} dispute the claim of {battle}: {reason}",
    "judge": "The game master judges {battle}: {result}. {reason}",
    "agree": "{seat} agree to {to} for {battle}.",
    "unagreed": "The game master judges {battle} as {to} without the agreement of both: {reason}",
    "evidence": "{seat}: evidence for {battle}, {what}, SHA-256 {hash}…",
}
CONTEST_ACTS = frozenset(SAID)
AGREED = {"naval": "a naval battle in Mare Nostrum"}


def contest_line(act: Mapping[str, Any], seat_name: str, result: str) -> str:
    """One line; `result` is the title's own line of the move that a claim or a judgment names, of which the end is said."""
    name = str(act["act"])
    text = SAID[name]
    if name == "agree" and not act["yes"]:
        text = "{seat} do not agree any more to {to} for {battle}."
    return text.format(
        seat=seat_name,
        battle=f"#{act['battle']}",
        result=(result.partition(": ")[2] or result).rstrip("."),
        reason=act.get("reason", ""),
        to=AGREED.get(str(act.get("to")), str(act.get("to"))),
        what="a picture" if act.get("bytes") else "a link",
        hash=str(act.get("sha256", ""))[:12],
    ).strip()
