"""Where something was said on the forum: a link under an entry, a claim, a ruling, which are all entries of the log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NoSuchEntry, NotAllowed, Refused
from campaign.links import is_link
from campaign.models import Campaign, LogEntry
from campaign.services import acts, log
from campaign.words import LINK

UNLINKED = frozenset({LINK, log.TALK})


def address(url: object) -> str:
    """The address of a post, empty to take a link back. Raises `Refused`."""
    text = str(url).strip()
    if not text:
        return ""
    if not is_link(text, ("http", "https")):
        raise Refused("no-link", _("Give the address of the post, which begins with https://, in up to 500 characters."))
    return text


def may_link(who: access.Access, user: Any, entry: LogEntry) -> bool:
    """Who said the entry, who holds the seat it is of, a game master."""
    mine = entry.actor_id is not None and entry.actor_id == getattr(user, "pk", None) and who.member
    return entry.number is not None and entry.table_act not in UNLINKED and (who.host or mine or entry.seat in who.seats)


@transaction.atomic
def link(campaign: Campaign, user: Any, number: int, url: object, *, now: datetime | None = None) -> LogEntry | None:
    """Say where on the forum the entry stands; a later link replaces the one before, an empty one takes it back.

    None where nothing would change. Raises `NoSuchEntry`, `NotAllowed`, `Refused`.
    """
    table = log.lock(campaign)
    who = access.of(table, user)
    entry = log.visible_entries(table, who).filter(number=number).first()
    if entry is None:
        raise NoSuchEntry
    if not may_link(who, user, entry):
        raise NotAllowed("not-your-entry", _("Who said something links it to the forum, and the game master."))
    wanted = address(url)
    before = table.entries.filter(target=entry, act=LINK).order_by("sequence").last()
    if wanted == (before.said["url"] if before else ""):
        return None
    return acts.append(table, user, {"act": LINK, "entry": number, "url": wanted}, target=entry, now=now)
