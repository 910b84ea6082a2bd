"""What people say to each other at the table: in the log like all that is said there, and it changes nothing."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.log import entries
from campaign.log.texts import LINK
from campaign.models import Campaign, LogEntry
from engine.strict_json import clean_text, printable

LONGEST = 1000


@transaction.atomic
def talk(campaign: Campaign, user: Any, text: str, *, now: datetime | None = None) -> LogEntry:
    """Say something to the table: who has a voice there, by his seat, the game master as such. Everybody reads it.

    It makes nobody's page stale. Raises `NotAllowed`, `NotNow` in the archive, `Refused` for the text.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    if not who.voices:
        if table.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed("not-at-the-table", _("Only people who hold a seat at this table, and the game master, can write here."))
    access.must_have_account(user)
    if table.archived:
        raise NotNow("archived", _("This campaign is in the archive. Everything can be read; nothing can be added."))
    entries.must_be_seen(text, _("Text"))
    if not clean_text(text, LONGEST) or not text.strip():
        raise Refused("no-words", _("Write it in up to %(most)s characters.") % {"most": LONGEST})
    seat = who.seats[0] if who.seats else who.voices[0]
    return entries.append_act(table, user, {"act": entries.TALK, "text": text.strip()}, seat=seat, now=at)


# Where something was said on the forum: a link under an entry, a claim, a ruling, which are all entries of the log.

UNLINKED = frozenset({LINK, entries.TALK})


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
    table = entries.lock(campaign)
    who = access.access_of(table, user)
    entry = entries.visible_entries(table, who).filter(number=number).first()
    if entry is None:
        raise NoSuchEntry
    if not may_link(who, user, entry):
        raise NotAllowed("not-your-entry", _("The author links it to the forum, or the game master does."))
    wanted = address(url)
    before = table.entries.filter(target=entry, act=LINK).order_by("sequence").last()
    if wanted == (before.said["url"] if before else ""):
        return None
    return entries.append_act(table, user, {"act": LINK, "entry": number, "url": wanted}, target=entry, now=now)


# What counts as a link that somebody gives: an address of the web, kept and shown, never asked by us (`outside` does that).

LONGEST_LINK = 500


def is_link(text: str, schemes: tuple[str, ...] = ("https",)) -> bool:
    """Is it one address with a host, of these schemes, in up to 500 characters that are all seen?

    None with a name before its host: `https://tabula.example@evil.example/` leads to evil.example.
    """
    try:
        parts = urlsplit(text)
        host, user = parts.hostname, parts.username is not None or parts.password is not None
    except ValueError:
        return False
    return (
        bool(host)
        and not user
        and parts.scheme in schemes
        and clean_text(text, LONGEST_LINK)
        and printable(text)
        and " " not in text
    )
