"""Talk, proclamations and forum links in the log. None of them changes the position."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import access
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.log import entries, positions
from campaign.log.acts.registry import NOT_LINKED
from campaign.log.acts.words import LINK, PRESS, TALK
from campaign.models import GAME_MASTER, Campaign, LogEntry
from engine.language import sentence
from engine.strict_json import is_clean_text, is_printable
from games.contract.report import Block, Contents, Paragraph, Span

LONGEST = 1000


@transaction.atomic
def talk(campaign: Campaign, user: Any, text: str, *, now: datetime | None = None) -> LogEntry:
    """Write a message to everyone at the table, by a seat or as the game master.

    Pages do not become stale. Raises `NotAllowed`, `NotNow` if the campaign is archived, `Refused`
    for the text.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    voices = who.voices or ((GAME_MASTER,) if who.host else ())
    if not voices:
        if table.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed(
            "not-at-the-table",
            _("Only people with a seat at this table, and the game master, can write here."),
        )
    access.must_have_account(user)
    if table.archived:
        raise NotNow(
            "archived",
            _(
                "This campaign is in the archive: you can read everything, but nothing can be "
                "added."
            ),
        )
    entries.must_be_visible(text, pgettext("field", "Text"))
    if not is_clean_text(text, LONGEST) or not text.strip():
        raise Refused(
            "no-words", _("Your text must have at most %(most)s characters.") % {"most": LONGEST}
        )
    seat = who.seats[0] if who.seats else voices[0]
    return entries.append_act(
        table, user, {"act": TALK.name, "text": text.strip()}, seat=seat, now=at
    )


# Proclamations: texts that a seat publishes to everyone, spectators included.

HEADLINE, PROCLAMATION = 100, 2000
"""The maximum numbers of characters in the two parts of a proclamation."""
PROCLAMATIONS = 6
"""The maximum number of proclamations by one user within an hour."""


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
    """Publish a proclamation in a seat's name, by default the user's first.

    Pages do not become stale. Raises `NotAllowed`, `NotNow` if the campaign is archived or the user
    has published too many, `Refused` for the texts.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    voices = (*who.seats, *((GAME_MASTER,) if who.host else ()))
    if not voices:
        if table.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed(
            "not-at-the-table",
            _("Only people with a seat at this table, and the game master, can write here."),
        )
    access.must_have_account(user)
    if table.archived:
        raise NotNow(
            "archived",
            _(
                "This campaign is in the archive: you can read everything, but nothing can be "
                "added."
            ),
        )
    if seat and seat not in voices:
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    entries.must_be_visible(headline, pgettext("field", "Headline"))
    entries.must_be_visible(text, pgettext("field", "Text"))
    if not is_clean_text(headline, HEADLINE) or not is_printable(headline) or not headline.strip():
        raise Refused(
            "no-headline",
            _("Give it a headline of up to %(most)s characters.") % {"most": HEADLINE},
        )
    if not is_clean_text(text, PROCLAMATION) or not text.strip():
        raise Refused(
            "no-words",
            _("Your text must have at most %(most)s characters.") % {"most": PROCLAMATION},
        )
    recent = proclamations(table).filter(actor=user, at__gt=at - timedelta(hours=1)).count()
    if recent >= PROCLAMATIONS:
        raise NotNow(
            "too-many",
            _("You have published %(most)s proclamations within an hour. Wait a little.")
            % {"most": recent},
        )
    what = {"act": PRESS.name, "headline": headline.strip(), "text": text.strip()}
    return entries.append_act(table, user, what, seat=seat or voices[0], now=at)


def proclamations(campaign: Campaign) -> QuerySet[LogEntry]:
    """Return every proclamation, the newest first."""
    return (
        campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=PRESS.name)
        .select_related("actor")
        .order_by("-sequence")
    )


@transaction.atomic
def report_press(campaign: Campaign, user: Any, on: bool) -> None:
    """Set whether the report of a turn includes its proclamations. For game masters only."""
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
    names, blocks = (
        {GAME_MASTER: pgettext("log", "Game master")} | positions.seats(campaign),
        list[Block](),
    )
    for proclamation in published:
        head = sentence(
            _("{seat}: “{headline}”"),
            seat=names.get(proclamation.seat, proclamation.seat),
            headline=proclamation.content["headline"],
        )
        blocks.append(Paragraph((Span(head, bold=True),)))
        blocks += [
            Paragraph((Span(part, italic=True),))
            for part in proclamation.content["text"].splitlines()
            if part.strip()
        ]
    return blocks


# Links from an entry (a claim or a ruling, for example) to its post on a forum.


def address(url: object) -> str:
    """Return the stripped address of a post, empty to remove a link. Raises `Refused`."""
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
    """Return whether this user may link the entry to a post.

    Its author, the holder of its seat and game masters may.
    """
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
    """Link the entry with this number to its post; an empty `url` removes the link.

    A later link replaces an earlier one. Returns None if nothing would change. Raises
    `NoSuchEntry`, `NotAllowed`, `Refused`.
    """
    table = entries.lock(campaign)
    who = access.access_of(table, user)
    entry = entries.visible_entries(table, who).filter(number=number).first()
    if entry is None:
        raise NoSuchEntry
    if not may_link(who, user, entry):
        raise NotAllowed(
            "not-your-entry", _("Only the author or the game master can link this to the forum.")
        )
    wanted = address(url)
    before = table.entries.filter(target=entry, act=LINK.name).order_by("sequence").last()
    if wanted == (before.content["url"] if before else ""):
        return None
    return entries.append_act(
        table, user, {"act": LINK.name, "entry": number, "url": wanted}, target=entry, now=now
    )


# Links that users may enter: addresses of the web that are stored and shown. The site does not
# request them itself (`outside` does that).

LONGEST_LINK = 500


def is_link(text: str, schemes: tuple[str, ...] = ("https",)) -> bool:
    """Return whether a text is one visible address of these schemes, with a host.

    It may have up to 500 characters, and no user name before its host:
    `https://tabula.example@evil.example/` leads to evil.example.
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
        and is_clean_text(text, LONGEST_LINK)
        and is_printable(text)
        and " " not in text
    )
