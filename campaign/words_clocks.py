"""The acts on clocks in words, and what a length of time is called."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from engine.sentence import sentence

CLOCK_ACTS = ("clock-terms", "extend")
MOVED = {
    "turn": gettext_noop("The turn may last until {to}: {reason}"),
    "slot": gettext_noop("{seat}: the slot may last until {to}: {reason}"),
    "answer": gettext_noop("{seat}: challenge #{contest} is to be answered by {to}: {reason}"),
    "battle": gettext_noop("Battle #{contest} is to be fought by {to}: {reason}"),
    "claim": gettext_noop("{seat}: the claim on battle #{contest} is to be confirmed by {to}: {reason}"),
}
TIMES = {
    "turn": gettext_noop("a turn %(length)s"),
    "slot": gettext_noop("a slot %(length)s"),
    "answer": gettext_noop("an answer %(length)s"),
    "battle": gettext_noop("a battle %(length)s"),
    "claim": gettext_noop("a claim %(length)s"),
}
NO_TIME = {
    "turn": gettext_noop("a turn without limit"),
    "slot": gettext_noop("a slot without limit"),
    "answer": gettext_noop("an answer without limit"),
    "battle": gettext_noop("a battle without limit"),
    "claim": gettext_noop("a claim without limit"),
}


def length_words(length: str) -> str:
    """`3d` is "3 days", `36h` "36 hours"."""
    amount = int(length[:-1])
    if length.endswith("d"):
        return ngettext("%(amount)s day", "%(amount)s days", amount) % {"amount": amount}
    return ngettext("%(amount)s hour", "%(amount)s hours", amount) % {"amount": amount}


def clock_line(act: Mapping[str, Any], seat_name: str) -> str:
    """One line of the log."""
    if act["act"] == "clock-terms":
        return _("Time from now on: %(terms)s.") % {
            "terms": "; ".join(_kind(kind, act["terms"][kind]) for kind in act["changed"])
        }
    where = ZoneInfo(act["zone"])
    to = date_format(datetime.fromisoformat(act["to"]).astimezone(where), "j M Y H:i")
    said = _("%(time)s (%(zone)s)") % {"time": to, "zone": act["zone"].replace("_", " ")}
    text = MOVED[act["kind"]]
    return sentence(_(text), seat=seat_name, to=said, reason=act["reason"], contest=act.get("contest", ""))


def _kind(kind: str, terms: Mapping[str, Any] | None) -> str:
    if terms is None:
        return _(NO_TIME[kind])
    text = _(TIMES[kind]) % {"length": length_words(terms["length"])}
    if not terms["acts"]:
        return text
    return _("%(text)s, and %(grace)s later by itself") % {"text": text, "grace": length_words(terms["grace"])}
