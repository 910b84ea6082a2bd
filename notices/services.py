"""Services with which users mark notices as read, mute campaigns, remind players and open feeds."""

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
from notices import webhooks
from notices.channels.services import must_have_channels
from notices.deadlines import absolute_time, deadline_facts
from notices.kinds.deadlines import ReminderReceived
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
    """Mark a user's notices as read: those with these ids, those of a campaign, or all.

    Returns how many were unread.
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
    """Mute a campaign for a user: only what is urgent counts at the bell, and nothing is sent."""
    Mute.objects.get_or_create(
        user_id=user.pk, campaign=campaign, defaults={"at": now or timezone.now()}
    )
    _note_changed_bell(user)


def _note_changed_bell(user: Any) -> None:
    """Note that the number at the bell has changed on all pages of the user's campaigns."""
    entries.note_own_change(Membership.objects.filter(user_id=user.pk))


@transaction.atomic
def unmute(user: Any, campaign: Campaign, *, now: datetime | None = None) -> None:
    """Unmute a campaign. The notices that came meanwhile count as read."""
    if Mute.objects.filter(user_id=user.pk, campaign=campaign).delete()[0]:
        mark_read(user, campaign=campaign, now=now)
        _note_changed_bell(user)


# Reminders: a game master may remind players of each matter once a day

REMINDER_INTERVAL = timedelta(days=1)


@transaction.atomic
def remind(
    campaign: Campaign, user: Any, matter: Matter, *, now: datetime | None = None
) -> list[Notice]:
    """Remind everyone for whom the table waits in this matter.

    These are the holders of its seats, and the substitutes of its battle. Only game masters may
    send reminders, only while the campaign is played, and only a day after the last reminder.

    Raises:
        NotNow: The table does not wait for the matter any more, or it is too early.
        Refused: There is no one to remind.
    """
    access.must_be_game_master(campaign, user)
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_game_master(table, user)
    status.must_be_played(table, by_master=False)
    waiting = {(wait.seat, wait.contest) for wait in table.game.waiting(positions.current(table))}
    if not matter.seats or not {(seat, matter.contest) for seat in matter.seats} <= waiting:
        raise NotNow("not-waited-for", _("No one has to do this any more."))
    last = (
        Notice.objects.filter(
            campaign=table, kind=ReminderReceived.key, about__startswith=f"{matter.key}/"
        )
        .order_by("-at")
        .first()
    )
    if last is not None and at < last.at + REMINDER_INTERVAL:
        text = _("They were reminded on %(last)s. The next reminder may be sent on %(next)s.")
        raise NotNow(
            "reminded",
            text
            % {"last": absolute_time(last.at), "next": absolute_time(last.at + REMINDER_INTERVAL)},
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
            "nobody-there", _("You hold this seat yourself, so there is no one else to remind.")
        )
    about = f"{matter.key}/{at:%Y%m%dT%H%M%SZ}"
    return notify(
        ReminderReceived.key, entry, people, facts | {"user": user.pk}, at, about, again=True
    )


# Feeds: addresses that users give to a feed reader or a calendar. Everyone who has the address can
# read the feed. It is shown once, and can be revoked.

USE_PRECISION = timedelta(hours=1)
"""The precision with which the time of a feed's last use is stored."""


def feeds_of_user(user: Any) -> dict[str, FeedAddress]:
    """Return the user's open feeds, by kind."""
    return {
        feed.kind: feed for feed in FeedAddress.objects.filter(user_id=user.pk, revoked_at=None)
    }


@transaction.atomic
def create_feed(user: Any, what: str, now: datetime | None = None) -> str:
    """Create a new address in place of the old one. Return its token, which is not stored."""
    must_have_channels(user)
    revoke_feed(user, what, now)
    token = keys.new_token()
    FeedAddress.objects.create(
        user=user,
        kind=FeedAddress.Kind(what),
        token_hash=keys.token_hash(token),
        created_at=now or timezone.now(),
    )
    return token


def revoke_feed(user: Any, what: str, now: datetime | None = None) -> None:
    FeedAddress.objects.filter(user_id=user.pk, kind=what, revoked_at=None).update(
        revoked_at=now or timezone.now()
    )


def find_feed(token: str, what: str, now: datetime | None = None) -> FeedAddress | None:
    """Return the feed with this token; None if it is revoked, or its owner may not have feeds."""
    at = now or timezone.now()
    feed = (
        FeedAddress.objects.filter(token_hash=keys.token_hash(token), kind=what, revoked_at=None)
        .select_related("user")
        .first()
    )
    if feed is None or not feed.user.is_active or feed.user.guest or feed.user.demo:
        return None
    if feed.used_at is None or at - feed.used_at > USE_PRECISION:
        FeedAddress.objects.filter(pk=feed.pk).update(used_at=at)
    return feed


# Removal of texts by moderators


def withhold(campaign: Campaign, texts: Mapping[str, str]) -> int:
    """Replace texts that a moderator has removed in the notices that have copies of them.

    Returns how many notices have changed.
    """
    changed = 0
    for pk, facts in (
        Notice.objects.filter(campaign=campaign)
        .exclude(facts={})
        .values_list("pk", "facts")
        .iterator()
    ):
        if (now := swap(facts, texts)) != facts:
            changed += Notice.objects.filter(pk=pk).update(facts=now)
    return changed


# Erasure of a user, and proof of an address


def erase(user: Any, at: datetime) -> list[str]:
    """Erase what notices store of a user. Return what was erased.

    These are channels with their preferences and deliveries, feeds, muted campaigns, notices, and
    the webhooks that the user set up, which lead to the user's own addresses. A campaign's channels
    remain.
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
    """Delete what was set up before the user's address was proven, because it may belong to others.

    These are channels, feeds and webhooks, which are deleted completely, as when their owner ends
    them (`notices.credentials`). E-mail to the proven address remains.
    """
    Channel.objects.filter(user=user, campaign=None).exclude(service=Service.EMAIL).delete()
    FeedAddress.objects.filter(user=user).delete()
    webhooks.remove_webhooks_of(user, at)
