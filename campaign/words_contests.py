"""The acts at a contest in words. What result is meant, the title says: its line of the move stands behind a claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from engine.sentence import sentence

SAID = {
    "set-up": gettext_noop("{seat}: {battle} is set up."),
    "claim": gettext_noop("{seat} claim {battle}: {result}."),
    "withdraw-claim": gettext_noop("{seat} withdraw the claim of {battle}."),
    "confirm": gettext_noop("{seat} confirm the result of {battle}."),
    "dispute": gettext_noop("{seat} dispute the claim of {battle}: {reason}"),
    "judge": gettext_noop("The game master judges {battle}: {result}. {reason}"),
    "agree": gettext_noop("{seat} agree to {to} for {battle}."),
    "unagreed": gettext_noop("The game master judges {battle} as {to} without the agreement of both: {reason}"),
    "evidence": gettext_noop("{seat}: evidence for {battle}, {what}, SHA-256 {hash}…"),
}
CONTEST_ACTS = frozenset(SAID)
AGREED = {"naval": gettext_noop("a naval battle in Mare Nostrum")}


def contest_line(act: Mapping[str, Any], seat_name: str, result: str) -> str:
    """One line; `result` is the title's own line of the move that a claim or a judgment names, of which the end is said."""
    name = str(act["act"])
    text = SAID[name]
    if name == "agree" and not act["yes"]:
        text = gettext_noop("{seat} do not agree any more to {to} for {battle}.")
    if act.get("unopposed"):
        text = gettext_noop("{seat}: nobody opposed the claim of {battle} in time, it is confirmed.")
    to = str(act.get("to"))
    return sentence(
        _(text),
        seat=seat_name,
        battle=f"#{act['battle']}",
        result=(result.partition(": ")[2] or result).rstrip("."),
        reason=act.get("reason", ""),
        to=_(AGREED[to]) if to in AGREED else to,
        what=_("a picture") if act.get("bytes") else _("a link"),
        hash=str(act.get("sha256", ""))[:12],
    ).strip()
