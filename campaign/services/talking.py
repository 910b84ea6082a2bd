"""What people say to each other at the table: in the log like all that is said there, and it changes nothing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NoSuchCampaign, NotAllowed, NotNow, Refused
from campaign.models import Campaign, LogEntry
from campaign.services import acts, log
from engine.strict_json import clean_text

LONGEST = 1000


@transaction.atomic
def talk(campaign: Campaign, user: Any, text: str, *, now: datetime | None = None) -> LogEntry:
    """Say something to the table: who has a voice there, by his seat, the game master as such. Everybody reads it.

    It makes nobody's page stale. Raises `NotAllowed`, `NotNow` in the archive, `Refused` for the text.
    """
    table, at = log.lock(campaign), log.moment(now)
    who = access.of(table, user)
    if not who.voices:
        if table.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed("not-at-the-table", _("Only who holds a seat at this table, and the game master, talk here."))
    access.must_have_account(user)
    if table.archived:
        raise NotNow("archived", _("This campaign is in the archive. Everything can be read; nothing is said."))
    log.must_be_seen(text, _("Text"))
    if not clean_text(text, LONGEST) or not text.strip():
        raise Refused("no-words", _("Say it in up to %(most)s characters.") % {"most": LONGEST})
    seat = who.seats[0] if who.seats else who.voices[0]
    return acts.append(table, user, {"act": log.TALK, "text": text.strip()}, seat=seat, now=at)
