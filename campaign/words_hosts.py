"""What the host did at a table, and how a game master's place passes without him, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.life import HOST
from campaign.unseen import ACT as ASKS
from engine.sentence import sentence

HOST_ACTS = frozenset({HOST, ASKS})
PASSES = frozenset({"took-over", "placed"})
"""How a game master's place passes to another without him."""
STATES = {
    "suspended": gettext_noop("The host suspends the campaign: nobody reads or moves it until he takes that back."),
    "unsuspended": gettext_noop("The host takes the suspension back: the campaign goes on."),
    "hidden": gettext_noop("The host takes the campaign out of all lists."),
    "shown": gettext_noop("The host puts the campaign back into the lists."),
    "erased": gettext_noop("Somebody has left for good, and is called a former player from now on."),
}


def tells(act: Mapping[str, Any]) -> bool:
    """Is it told here?"""
    return act["act"] in HOST_ACTS or (act["act"] == "master" and act.get("how") in PASSES)


def by_host(act: Mapping[str, Any]) -> bool:
    """Was it the host who did it, by a command?"""
    return act["act"] == HOST or act.get("how") == "placed" or bool(act.get("host"))


def host_line(act: Mapping[str, Any], seat_name: str, names: Mapping[int, str]) -> str:
    if act["act"] == HOST:
        state = STATES[act["how"]]
        return " ".join(filter(None, (_(state), act.get("reason", ""))))
    if act["act"] == ASKS:
        text = _("{seat}: no new game master is asked for any more.")
        if act["how"] == "asked":
            text = _("{seat}: a new game master is asked for; this one has not been seen for {days} days.")
        return sentence(text, **{**act, "seat": seat_name})
    user, giver = names.get(act["user"]) or _("somebody"), names.get(act["from"]) or _("somebody")
    if act["how"] == "took-over":
        text = _("{user} takes the campaign over from {giver}, who has not been seen for {days} days.")
        return sentence(text, user=user, giver=giver, days=act["days"])
    placed = sentence(_("The host makes {user} game master in the place of {giver}."), user=user, giver=giver)
    return " ".join(filter(None, (placed, act.get("reason", ""))))
