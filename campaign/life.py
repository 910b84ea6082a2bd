"""A campaign's life: what its status is, and what may be done in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaign.errors import NotNow
from campaign.models import Campaign, LogEntry

LOBBY, LIFE, HOST = "lobby", "life", "host"
"""The acts that change a campaign's life."""
FLAGS = ("started", "ended", "lobby_open", "paused", "abandoned", "archived", "suspended", "hidden")
TURNS: Mapping[tuple[str, str], tuple[str, bool]] = {
    (LOBBY, "opened"): ("lobby_open", True),
    (LOBBY, "drawn"): ("lobby_open", False),
    (LIFE, "paused"): ("paused", True),
    (LIFE, "resumed"): ("paused", False),
    (LIFE, "abandoned"): ("abandoned", True),
    (LIFE, "revived"): ("abandoned", False),
    (LIFE, "archived"): ("archived", True),
    (LIFE, "unarchived"): ("archived", False),
    (HOST, "suspended"): ("suspended", True),
    (HOST, "unsuspended"): ("suspended", False),
    (HOST, "hidden"): ("hidden", True),
    (HOST, "shown"): ("hidden", False),
}
"""What an act says of which flag."""


def status(flags: Any) -> Campaign.Status:
    """The one word for these flags, the strongest first; `flags` has them as attributes."""
    words = Campaign.Status
    if flags.suspended:
        return words.SUSPENDED
    if flags.archived:
        return words.ARCHIVED
    if flags.abandoned:
        return words.ABANDONED
    if not flags.started:
        return words.SEATING if flags.lobby_open else words.DRAFT
    if flags.ended:
        return words.FINISHED
    return words.PAUSED if flags.paused else words.RUNNING


def turn(flags: Any, kind: str, what: Mapping[str, Any], ended: bool) -> None:
    """What an entry makes of the flags; `ended` is whether the position after it has final standings."""
    flags.ended = ended
    if kind == LogEntry.Kind.MOVE:
        flags.started = True
    elif (change := TURNS.get((str(what.get("act")), str(what.get("how"))))) is not None:
        setattr(flags, *change)


def must_be_played(campaign: Campaign, by_master: bool) -> None:
    """Raises `NotNow` where no move may be made now: abandoned or archived by nobody, paused by the game master only,
    whose corrections go on."""
    if campaign.suspended:
        raise NotNow(
            "suspended", _("The host has suspended this campaign. Nobody moves until he takes that back; nothing is lost.")
        )
    if campaign.archived:
        raise NotNow("archived", _("This campaign is in the archive. The game master takes it out before anybody moves."))
    if campaign.abandoned:
        raise NotNow("abandoned", _("This campaign has been abandoned. The game master can take that back; then moves go on."))
    if campaign.paused and not by_master:
        raise NotNow("paused", _("This campaign is paused. Moves go on when the game master resumes it; nothing is lost."))
    if campaign.lobby_open and not campaign.started:
        raise NotNow("lobby-open", _("The lobby is open. Draw the seats first, then start the campaign."))
