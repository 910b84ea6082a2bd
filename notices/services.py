"""Marking notices read, and muting a campaign's for oneself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, keys, open_pages, status
from campaign.clocks import selectors as clocks
from campaign.errors import NotNow, Refused
from campaign.log import entries, positions
from campaign.models import Campaign, LogEntry, Membership
from campaign.sentences import swap
from engine.strict_json import canonical, read
from notices import webhooks
from notices.channels.services import must_have_channels
from notices.deadlines import absolute, deadline_facts
from notices.kinds.deadlines import Reminded
from notices.models import Channel, FeedAddress, Mute, Notice, Service
from notices.selectors import Matter
from notices.writing import notify


def mark_read(
    user: Any,
    *,
    notices: Iterable[int] | None = None,
    campaign: Campaign | None = None,
    now: datetime | None = None,
) -> int:
    """Mark the user's own as read: those of these keys, those of a campaign, or all. Tells how many
    were new.
    """
    rows = Notice.objects.filter(user_id=user.pk, read_at=None)
    if notices is not None:
        rows = rows.filter(pk__in=list(notices))
    if campaign is not None:
        rows = rows.filter(campaign=campaign)
    n = rows.update(read_at=now or timezone.now())
    if n:
        open_pages.changed_for([user.pk])  # the bell of their other pages
    return n


@transaction.atomic
def mute(user: Any, campaign: Campaign, *, now: datetime | None = None) -> None:
    """From now on this person hears of the campaign only what waits for them, and that on the bell
    alone.
    """
    Mute.objects.get_or_create(
        user_id=user.pk, campaign=campaign, defaults={"at": now or timezone.now()}
    )
    _count_at_bell_changes(user)


def _count_at_bell_changes(user: Any) -> None:
    """Count that the number at the bell changes, which all pages of the user's campaigns show."""
    entries.note_own_change(Membership.objects.filter(user_id=user.pk))


@transaction.atomic
def unmute(user: Any, campaign: Campaign, *, now: datetime | None = None) -> None:
    """They hear of it again; what came meanwhile counts as read."""
    if Mute.objects.filter(user_id=user.pk, campaign=campaign).delete()[0]:
        mark_read(user, campaign=campaign, now=now)
        _count_at_bell_changes(user)


# A reminder by hand: once a day for each matter, so that nobody is pressed.

APART = timedelta(days=1)


@transaction.atomic
def remind(
    campaign: Campaign, user: Any, matter: Matter, *, now: datetime | None = None
) -> list[Notice]:
    """Remind everybody who is waited for in this matter: who holds these seats, or stands in at the
    battle.

    For game masters alone, and not where the campaign stands still. Raises `NotNow` where nobody is
    waited for, and within a day of the last reminder, saying when the next may be sent; `Refused`
    where there is nobody to remind.
    """
    access.must_be_game_master(campaign, user)
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_game_master(table, user)
    status.must_be_played(table, by_master=False)
    waiting = {(one.seat, one.contest) for one in table.game.waiting(positions.current(table))}
    if not matter.seats or not {(seat, matter.contest) for seat in matter.seats} <= waiting:
        raise NotNow("not-waited-for", _("Nobody is waited for in this matter any more."))
    last = (
        Notice.objects.filter(campaign=table, kind=Reminded.key, about__startswith=f"{matter.key}/")
        .order_by("-at")
        .first()
    )
    if last is not None and at < last.at + APART:
        text = _("They were reminded on %(last)s. The next reminder may be sent on %(next)s.")
        raise NotNow(
            "reminded", text % {"last": absolute(last.at), "next": absolute(last.at + APART)}
        )
    clock = clocks.clock_of(
        table, matter.task, "" if matter.task == "battle" else matter.seats[0], matter.contest
    )
    if clock is not None:
        facts, entry = deadline_facts(clock), clock.entry
    else:
        facts = {"task": matter.task, "seat": matter.seats[0]}
        facts |= {"contest": matter.contest} if matter.contest is not None else {}
        entry = table.entries.filter(kind=LogEntry.Kind.MOVE, struck_by=None, audience=None).latest(
            "sequence"
        )
    role = Membership.Role
    asked = Q(role=role.SEAT, seat__in=matter.seats)
    if matter.contest is not None:
        asked |= Q(role=role.SUBSTITUTE, contest=matter.contest, seat__in=matter.seats)
    held = (
        Membership.objects.filter(asked, campaign=table, until=None)
        .exclude(user_id=user.pk)
        .order_by("-pk")
    )
    rows = held.values_list("user_id", "role", "seat")
    people = {person: seat if as_what == role.SEAT else "" for person, as_what, seat in rows}
    if not people:
        raise Refused(
            "nobody-there", _("Nobody but you holds this seat: there is nobody to remind.")
        )
    about = f"{matter.key}/{at:%Y%m%dT%H%M%SZ}"
    return notify(Reminded.key, entry, people, facts | {"user": user.pk}, at, about, again=True)


# Feeds: an address a person gives to their reader or calendar. Whoever has it reads them; it is
# shown once and revoked at will.

LOOKED = timedelta(hours=1)
"""How exactly it is kept when a feed was last read."""


def of_person(user: Any) -> dict[str, FeedAddress]:
    """The feeds that are open, by what they tell."""
    return {one.kind: one for one in FeedAddress.objects.filter(user_id=user.pk, revoked_at=None)}


@transaction.atomic
def make(user: Any, what: str, now: datetime | None = None) -> str:
    """A new address in place of the old one. Its token, which nobody can look up later."""
    must_have_channels(user)
    revoke(user, what, now)
    token = keys.new_token()
    FeedAddress.objects.create(
        user=user,
        kind=FeedAddress.Kind(what),
        token_hash=keys.token_hash(token),
        created_at=now or timezone.now(),
    )
    return token


def revoke(user: Any, what: str, now: datetime | None = None) -> None:
    FeedAddress.objects.filter(user_id=user.pk, kind=what, revoked_at=None).update(
        revoked_at=now or timezone.now()
    )


def opened(token: str, what: str, now: datetime | None = None) -> FeedAddress | None:
    """The feed of this token, None where there is none any more, or its owner may have none."""
    at = now or timezone.now()
    feed = (
        FeedAddress.objects.filter(token_hash=keys.token_hash(token), kind=what, revoked_at=None)
        .select_related("user")
        .first()
    )
    if feed is None or not feed.user.is_active or feed.user.guest or feed.user.demo:
        return None
    if feed.used_at is None or at - feed.used_at > LOOKED:
        FeedAddress.objects.filter(pk=feed.pk).update(used_at=at)
    return feed


# Texts that a moderator has removed, and what becomes of a report.


def withhold(campaign: Campaign, texts: Mapping[str, str]) -> int:
    """Put what stands in the place of removed texts into the notices that had copied them. How many
    had.
    """
    changed = 0
    for pk, facts in (
        Notice.objects.filter(campaign=campaign)
        .exclude(facts="{}")
        .values_list("pk", "facts")
        .iterator()
    ):
        was = read(facts)
        if (now := swap(was, texts)) != was:
            changed += Notice.objects.filter(pk=pk).update(facts=canonical(now))
    return changed


# What is kept of somebody to tell them things, when they are erased.


def erase(user: Any, at: datetime) -> list[str]:
    """Their channels with wishes and deliveries, their feeds, their notices. A campaign's channel
    stays the campaign's; of its webhooks those go that they set up, which lead to a place of their
    own.
    """
    lines = []
    for what, rows in (
        ("channels", Channel.objects.filter(user=user, campaign=None)),
        ("feeds", FeedAddress.objects.filter(user=user)),
        ("muted campaigns", Mute.objects.filter(user=user)),
        ("notices", Notice.objects.filter(user=user)),
    ):
        lines.append(f"{rows.count()} {what}")
        rows.delete()
    lines.append(f"{webhooks.remove_webhooks_of(user, at)} webhooks")
    return lines


def end_unproven(user: Any, at: datetime) -> None:
    """Channels, feeds and webhooks that were set up before the person's address was proven: they
    may lead to somebody else. They are deleted completely, as when their owner ends them
    (`notices.credentials`). E-mail to the proven address stays.
    """
    Channel.objects.filter(user=user, campaign=None).exclude(service=Service.EMAIL).delete()
    FeedAddress.objects.filter(user=user).delete()
    webhooks.remove_webhooks_of(user, at)
