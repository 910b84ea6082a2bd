"""What people say to each other at the table: in the log like all that is said there, and it
changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.log import entries, positions
from campaign.log.acts.registry import NOT_LINKED
from campaign.log.acts.words import LINK, PRESS, TALK
from campaign.models import GAME_MASTER, Campaign, LogEntry
from engine.language import sentence
from engine.strict_json import clean_text, printable
from games.contract.report import Block, Contents, Paragraph, Span

LONGEST = 1000


@transaction.atomic
def talk(campaign: Campaign, user: Any, text: str, *, now: datetime | None = None) -> LogEntry:
    """Say something to the table: anybody with a voice there may, by their seat, or as game master.
    Everybody reads it.

    It makes nobody's page stale. Raises `NotAllowed`, `NotNow` in the archive, `Refused` for the
    text.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    voices = who.voices or ((GAME_MASTER,) if who.host else ())
    if not voices:
        if table.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed(
            "not-at-the-table",
            _("Only people who hold a seat at this table, and the game master, can write here."),
        )
    access.must_have_account(user)
    if table.archived:
        raise NotNow(
            "archived",
            _("This campaign is in the archive. Everything can be read; nothing can be added."),
        )
    entries.must_be_seen(text, _("Text"))
    if not clean_text(text, LONGEST) or not text.strip():
        raise Refused("no-words", _("Write it in up to %(most)s characters.") % {"most": LONGEST})
    seat = who.seats[0] if who.seats else voices[0]
    return entries.append_act(
        table, user, {"act": TALK.name, "text": text.strip()}, seat=seat, now=at
    )


# The press: what a seat proclaims to everybody, spectators too. It stands in the log for good.

HEADLINE, PROCLAMATION = 100, 2000
"""Characters of the two parts of a proclamation."""
PROCLAMATIONS = 6
"""So many may one person publish within an hour."""


@transaction.atomic
def proclaim(
    campaign: Campaign,
    user: Any,
    headline: str,
    text: str,
    seat: str = "",
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Publish in a seat's name, by default the first the user speaks for. It makes nobody's page
    stale.

    Raises `NotAllowed`, `NotNow` in the archive, `Refused` for the words.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    voices = (*who.seats, *((GAME_MASTER,) if who.host else ()))
    if not voices:
        if table.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed(
            "not-at-the-table",
            _("Only people who hold a seat at this table, and the game master, can write here."),
        )
    access.must_have_account(user)
    if table.archived:
        raise NotNow(
            "archived",
            _("This campaign is in the archive. Everything can be read; nothing can be added."),
        )
    if seat and seat not in voices:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    entries.must_be_seen(headline, _("Headline"))
    entries.must_be_seen(text, _("Text"))
    if not clean_text(headline, HEADLINE) or not printable(headline) or not headline.strip():
        raise Refused(
            "no-headline",
            _("Give it a headline of up to %(most)s characters.") % {"most": HEADLINE},
        )
    if not clean_text(text, PROCLAMATION) or not text.strip():
        raise Refused(
            "no-words", _("Write it in up to %(most)s characters.") % {"most": PROCLAMATION}
        )
    recent = proclamations(table).filter(actor=user, at__gt=at - timedelta(hours=1)).count()
    if recent >= PROCLAMATIONS:
        raise NotNow(
            "too-many",
            _("You have proclaimed %(most)s times within an hour. Wait a little.")
            % {"most": recent},
        )
    what = {"act": PRESS.name, "headline": headline.strip(), "text": text.strip()}
    return entries.append_act(table, user, what, seat=seat or voices[0], now=at)


def proclamations(campaign: Campaign) -> QuerySet[LogEntry]:
    """Every proclamation, the newest first."""
    return (
        campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=PRESS.name)
        .select_related("actor")
        .order_by("-sequence")
    )


@transaction.atomic
def report_press(campaign: Campaign, user: Any, on: bool) -> None:
    """Shall the report of a turn have its proclamations? The game masters say."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    table.press_reported = campaign.press_reported = on
    table.save(update_fields=["press_reported"])


def report_notes(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Return the proclamations of a turn for its report.

    Takes one query if the game master wants them.
    """
    if not campaign.press_reported or item.kind != "turn":
        return ()
    published = list(proclamations(campaign).filter(turn=item.turn).order_by("sequence"))
    names, blocks = {GAME_MASTER: _("Game master")} | positions.seats(campaign), list[Block]()
    for one in published:
        head = sentence(
            _("{seat}: “{headline}”"),
            seat=names.get(one.seat, one.seat),
            headline=one.content["headline"],
        )
        blocks.append(Paragraph((Span(head, bold=True),)))
        blocks += [
            Paragraph((Span(part, italic=True),))
            for part in one.content["text"].splitlines()
            if part.strip()
        ]
    return blocks


# Where something was said on the forum: a link under an entry, a claim, a ruling, which are all
# entries of the log.


def address(url: object) -> str:
    """The address of a post, empty to take a link back. Raises `Refused`."""
    text = str(url).strip()
    if not text:
        return ""
    if not is_link(text, ("http", "https")):
        raise Refused(
            "no-link",
            _("Give the address of the post, which begins with https://, in up to 500 characters."),
        )
    return text


def may_link(who: access.Access, user: Any, entry: LogEntry) -> bool:
    """Who said the entry, who holds the seat it is of, a game master."""
    mine = entry.actor_id is not None and entry.actor_id == getattr(user, "pk", None) and who.member
    return (
        entry.number is not None
        and entry.table_act not in NOT_LINKED
        and (who.host or mine or entry.seat in who.seats)
    )


@transaction.atomic
def link(
    campaign: Campaign, user: Any, number: int, url: object, *, now: datetime | None = None
) -> LogEntry | None:
    """Say where on the forum the entry stands; a later link replaces the one before, an empty one
    takes it back.

    None where nothing would change. Raises `NoSuchEntry`, `NotAllowed`, `Refused`.
    """
    table = entries.lock(campaign)
    who = access.access_of(table, user)
    entry = entries.visible_entries(table, who).filter(number=number).first()
    if entry is None:
        raise NoSuchEntry
    if not may_link(who, user, entry):
        raise NotAllowed(
            "not-your-entry", _("The author links it to the forum, or the game master does.")
        )
    wanted = address(url)
    before = table.entries.filter(target=entry, act=LINK.name).order_by("sequence").last()
    if wanted == (before.content["url"] if before else ""):
        return None
    return entries.append_act(
        table, user, {"act": LINK.name, "entry": number, "url": wanted}, target=entry, now=now
    )


# What counts as a link that somebody gives: an address of the web, kept and shown, never asked by
# us (`outside` does that).

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
