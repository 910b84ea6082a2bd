"""What the log says of absence, and of what was left or agreed for it (RULES 11 of the Grand Campaign)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from engine.sentence import sentence

ABSENCE, SOLO, STANDING = "absence", "solo", "standing"
AWAY_ACTS = frozenset({ABSENCE, SOLO, STANDING})


def away_line(act: Mapping[str, Any], seat_name: str) -> str:
    """One line; who is away is its actor, whom the page names beside it."""
    if act["act"] == ABSENCE:
        facts = {"first": day(act["first"]), "last": day(act["last"])}
        if act["how"] == "taken-back":
            return _("Is not away from %(first)s to %(last)s after all.") % facts
        if act["how"] == "changed":
            return _("Is away from %(first)s to %(last)s, other days than said before.") % facts
        return _("Is away from %(first)s to %(last)s.") % facts
    if act["act"] == STANDING:
        return sentence(_("{seat}: a standing order speaks."), seat=seat_name)
    if act["how"] == "ended":
        return sentence(_("Battle #{battle} is played by both again, the {seat} are back."), seat=seat_name, battle=act["battle"])
    return sentence(
        _("The {seat} are away: their opponent plays battle #{battle} solo, on empire difficulty."),
        seat=seat_name,
        battle=act["battle"],
    )


def day(text: str) -> str:
    """A day as written in the log, as it is read: 3 Aug 2026."""
    return str(date_format(date.fromisoformat(text), "j M Y"))
