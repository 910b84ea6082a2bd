"""Channels are added, confirmed, tried out, switched on and off, and removed: by their owner, or a
campaign's channels by its hosts.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access
from campaign.models import Campaign
from engine.strict_json import clean_text, printable
from notices import selectors
from notices.channels import NotSent, addresses, mail, push
from notices.channels.channel_type import ChannelMessage
from notices.channels.device import readable_subscription
from notices.channels.registry import type_of
from notices.kinds.undelivered import ChannelOff
from notices.models import Channel, Delivery, DeliveryMode, Notice, NoticePreference, Service
from notices.preferences import is_offered, usual_preference
from notices.registry import KINDS
from notices.writing import first_entry, write

MOST = 10
"""Channels that a user, or a campaign, may have."""
TRIES = 5
LONGEST_NAME = 60


class Wrong(Exception):
    """A mistake that the owner of a channel can correct. The text says what to do and repeats
    nothing secret.
    """

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(why)
        self.field = field


def of_person(user: Any) -> QuerySet[Channel]:
    return Channel.objects.filter(user_id=user.pk, campaign=None, removed_at=None).select_related(
        "user"
    )


def of_campaign(campaign: Campaign) -> QuerySet[Channel]:
    return Channel.objects.filter(campaign=campaign, removed_at=None).select_related(
        "user", "campaign"
    )


def open_to(channel: Channel) -> bool:
    """Return whether messages may be sent through a channel. A campaign's channel does not depend
    on the user who has set it up.
    """
    user = channel.user
    ready = channel.active and channel.removed_at is None and channel.confirmed_at is not None
    return ready and (
        channel.campaign_id is not None or (user.is_active and not user.guest and not user.demo)
    )


def reader(channel: Channel) -> AbstractContextManager[None]:
    """Return a context with the language and the time zone of the channel's readers."""
    if channel.campaign is not None:
        return mail.read_by(channel.language, channel.campaign.time_zone)
    return mail.read_by(channel.user.language, channel.user.time_zone)


def letter_box(user: Any, now: datetime | None = None) -> Channel:
    """Return the user's e-mail channel; a new one if there is none."""
    at = now or timezone.now()
    channel = Channel(user=user, service=Service.EMAIL, created_at=at, confirmed_at=at)
    Channel.objects.bulk_create(
        [channel], ignore_conflicts=True
    )  # there is at most one, whoever comes first
    return of_person(user).get(service=Service.EMAIL)


def must_have_channels(user: Any) -> None:
    """Raise `Wrong` or `NotAllowed` for guests and demonstration users, who have no channels."""
    access.must_have_account(user)
    if user.demo:
        raise Wrong(_("A demonstration user gets notices only here: nothing is sent to them."))


def add(
    user: Any, typed: str, name: str, campaign: Campaign | None = None, now: datetime | None = None
) -> Channel:
    """Add a channel and send its code there. Raises `Wrong` if it may not be added, or if nothing
    arrives there.
    """
    must_have_channels(user)
    if campaign is not None:
        access.must_be_host(campaign, user)
    at, name = now or timezone.now(), name.strip()
    if len(name) > LONGEST_NAME or not clean_text(name) or not printable(name):
        raise Wrong(_("A name has up to 60 characters, all of which can be shown."), "name")
    if (of_person(user) if campaign is None else of_campaign(campaign)).count() > MOST:
        raise Wrong(
            _("You have as many channels as one person may have. Remove one first."), "address"
        )
    try:
        address = addresses.parse(typed)
    except addresses.BadAddress as error:
        raise Wrong(str(error), "address") from None
    channel = Channel(
        user=user,
        campaign=campaign,
        service=address.service.key,
        name=name,
        sealed=address.sealed(),
        created_at=at,
        language=user.language if campaign is not None else "",
    )
    _send_code(channel)
    channel.save()
    return channel


def add_device(user: Any, text: str, name: str, now: datetime | None = None) -> Channel:
    """Add the browser with this subscription; if it is known already, switch it on. Raises
    `Wrong`.
    """
    must_have_channels(user)
    try:
        given = push.subscription(text[:4000])
    except push.BadSubscription:
        raise Wrong(
            _(
                "This browser gave no address that can be written to. Try again, or use another"
                " one."
            ),
            "device",
        ) from None
    at, own = now or timezone.now(), list(of_person(user))
    for one in own:
        if one.service == Service.PUSH and readable_subscription(one) == given:
            switch(one, True, at)
            return one
    if len(own) > MOST:
        raise Wrong(
            _("You have as many channels as one person may have. Remove one first."), "device"
        )
    name = name.strip()[:LONGEST_NAME]
    if not clean_text(name) or not printable(name):
        name = ""
    return Channel.objects.create(
        user=user,
        service=Service.PUSH,
        name=name,
        sealed=given.sealed(),
        created_at=at,
        confirmed_at=at,
    )


def set_discreet(channel: Channel, on: bool) -> None:
    Channel.objects.filter(pk=channel.pk, service=Service.PUSH).update(discreet=on)


def set_quiet(channel: Channel, first: int | None, last: int | None) -> None:
    """Set the hours, in the owner's time zone, in which a device gets nothing; None removes them.
    What comes in these hours is sent once at their end.
    """
    if first is not None and last is not None:
        for hour in (first, last):
            if not 0 <= hour <= 23:
                raise Wrong(_("A day has the hours 0 to 23."), "quiet")
        if first == last:
            raise Wrong(_("Quiet hours need an end: choose two different hours."), "quiet")
    elif first is not None or last is not None:
        raise Wrong(_("Quiet hours have a beginning and an end: choose both, or none."), "quiet")
    Channel.objects.filter(pk=channel.pk, service=Service.PUSH).update(
        quiet_from=first, quiet_to=last
    )


def again(channel: Channel) -> None:
    """Send another code in place of the last one."""
    if channel.confirmed_at is None:
        _send_code(channel)
        channel.save(update_fields=["code_hash", "code_tries"])


def _send_code(channel: Channel) -> None:
    code = f"{secrets.randbelow(10**6):06d}"
    channel.code_hash, channel.code_tries = _hashed(channel, code), 0
    try:
        _send_test(channel, timezone.now(), code)
    except NotSent as error:
        raise Wrong(str(error), "address") from None


def _hashed(channel: Channel, code: str) -> str:
    return hashlib.sha256(f"{channel.sealed}/{code}".encode()).hexdigest()


def _send_test(channel: Channel, at: datetime, code: str = "") -> bool:
    """Send a test message, which has the code if there is one. Return whether it has arrived."""
    with reader(channel):
        message = trial_message(channel, code)
    return type_of(channel).try_out(channel, message, at)


def trial_message(channel: Channel, code: str = "") -> ChannelMessage:
    """Return a test message; with the code that confirms the channel, if there is one."""
    if code:
        text = _(
            "Type it at Tabula, and this channel receives what you choose there. You asked for"
            " nothing? Then do nothing."
        )
        return ChannelMessage(_("Code %(code)s") % {"code": code}, text)
    return ChannelMessage(_("This is a test."), _("It arrived: notices of Tabula come here."))


def confirm(channel: Channel, typed: str, now: datetime | None = None) -> None:
    """Confirm a channel by the code that has arrived there. Raises `Wrong`; after five wrong codes
    another has to be sent.
    """
    if channel.confirmed_at is not None:
        return
    # The try is counted before the code is compared, so that many at once are as many tries.
    room = Channel.objects.filter(pk=channel.pk, code_tries__lt=TRIES).update(
        code_tries=F("code_tries") + 1
    )
    if not room:
        raise Wrong(_("Too many wrong codes. Have another sent."), "code")
    if not secrets.compare_digest(_hashed(channel, typed.strip()), channel.code_hash):
        raise Wrong(_("This is not the code that was sent there."), "code")
    Channel.objects.filter(pk=channel.pk).update(
        confirmed_at=now or timezone.now(), code_hash="", active=True
    )


def try_out(channel: Channel, now: datetime | None = None) -> bool:
    """Send a test message. Return whether it has arrived; False if the worker sends it.

    Raises `Wrong` with what came back.
    """
    at = now or timezone.now()
    if channel.confirmed_at is None:
        raise Wrong(_("Type its code first."))
    if not type_of(channel).is_reachable(channel):
        raise Wrong(_("Your address is not confirmed: nothing is sent there."))
    try:
        has_arrived = _send_test(channel, at)
    except NotSent as error:
        Channel.objects.filter(pk=channel.pk).update(last_error=str(error)[:300])
        raise Wrong(str(error)) from None
    if has_arrived:
        arrived(channel, at)
    return has_arrived


# How sending has ended


def arrived(channel: Channel, now: datetime) -> None:
    """Store that a message has arrived."""
    Channel.objects.filter(pk=channel.pk).update(failures=0, last_error="", last_ok_at=now)


def refused(
    channel: Channel, why: str, now: datetime, *, gone: bool, counts: bool, enough: int
) -> None:
    """Store what went wrong. A channel that is gone, or has failed `enough` times in a row, is
    switched off, and its owner is notified.
    """
    with transaction.atomic():
        Channel.objects.filter(pk=channel.pk).update(
            last_error=why[:300], failures=F("failures") + (1 if counts else 0)
        )
        now_open = Channel.objects.filter(pk=channel.pk, active=True)
        if gone and type_of(channel).is_removed_when_gone:
            remove(channel, now)
            return
        if not gone:
            now_open = now_open.filter(failures__gte=enough)
        if now_open.update(active=False, off_why=why[:300]):
            _drop(channel, now)
            _warn(channel, why, now)


def _drop(channel: Channel, now: datetime) -> None:
    channel.deliveries.filter(state=Delivery.State.WAITING).update(
        state=Delivery.State.DROPPED, done_at=now
    )


def _warn(channel: Channel, why: str, now: datetime) -> None:
    """Notify the owner by e-mail, or else through another channel, and on the pages in any case."""
    others = (
        of_person(channel.user)
        .filter(active=True, confirmed_at__isnull=False)
        .exclude(pk=channel.pk)
    )
    other = others.filter(service=Service.EMAIL).first() or others.first()
    if other is not None:
        facts = {"channel": channel.pk, "why": why}
        Delivery.objects.create(
            channel=other, form=Delivery.Form.WORD, facts=facts, made_at=now, next_at=now
        )
    _ring(channel, why, now)


def _ring(channel: Channel, why: str, now: datetime) -> None:
    """Write a notice to the user who set the channel up.

    A notice belongs to a campaign: to that of the channel, or of the user's last notice. It leaves
    by no channel, because `_warn` has already sent a message.
    """
    last = selectors.notices(channel.user).first()
    campaign = channel.campaign or (last.campaign if last is not None else None)
    if campaign is None:
        return
    facts = {"name": channel.called, "error": why[:300], "own": channel.campaign_id is None}
    one = Notice(
        user=channel.user,
        campaign=campaign,
        entry=first_entry(campaign),
        kind=ChannelOff.key,
        about=f"{channel.pk}/{now:%Y%m%dT%H%M%SZ}",
        facts=facts,
        at=now,
        routed_at=now,
    )
    write([one], again=True)


def hush(kind: str, number: int, now: datetime) -> None:
    """Mark the notices that this channel or webhook was switched off as read."""
    Notice.objects.filter(kind=kind, about__startswith=f"{number}/", read_at=None).update(
        read_at=now
    )


# What its owner changes


@transaction.atomic
def switch(channel: Channel, on: bool, now: datetime | None = None) -> None:
    """Switch a channel on, without its failures, or off: what waits for it is dropped, and what
    comes meanwhile is not sent later.
    """
    Channel.objects.filter(pk=channel.pk).update(active=on, off_why="", failures=0, last_error="")
    hush(ChannelOff.key, channel.pk, now or timezone.now())
    if not on:
        _drop(channel, now or timezone.now())


@transaction.atomic
def remove(channel: Channel, now: datetime | None = None) -> None:
    """Remove a channel with its secret. The list of what was sent through it stays."""
    at = now or timezone.now()
    Channel.objects.filter(pk=channel.pk).update(
        removed_at=at,
        active=False,
        sealed="",
        code_hash="",
        board=False,
        board_due=None,
        board_message="",
    )
    _drop(channel, at)
    hush(ChannelOff.key, channel.pk, at)


def set_hour(channel: Channel, hour: int) -> None:
    if not 0 <= hour <= 23:
        raise Wrong(_("A day has the hours 0 to 23."), "hour")
    Channel.objects.filter(pk=channel.pk).update(digest_hour=hour)


def set_language(channel: Channel, language: str) -> None:
    """Set the language of a campaign's channel. A user's channels have the user's language."""
    if channel.campaign_id is None or language not in dict(settings.LANGUAGES):
        raise Wrong(_("There is no such language."))
    Channel.objects.filter(pk=channel.pk).update(
        language=language, board_due=timezone.now() if channel.board else None
    )


@transaction.atomic
def set_preferences(channel: Channel, modes: Mapping[str, str]) -> None:
    """Set how each of these kinds comes through a channel. What is as usual is not stored, and
    unknown kinds and modes are left out.
    """
    usually: list[str] = []
    other: list[NoticePreference] = []
    for key, mode in modes.items():
        kind = KINDS.get(key)
        if kind is None or mode not in DeliveryMode.values or not is_offered(channel, kind):
            continue
        if mode == usual_preference(channel, kind):
            usually.append(key)
        else:
            other.append(NoticePreference(channel=channel, kind=key, mode=mode))
    NoticePreference.objects.filter(channel=channel, kind__in=usually).delete()
    NoticePreference.objects.bulk_create(
        other, update_conflicts=True, unique_fields=["channel", "kind"], update_fields=["mode"]
    )


def digest_only(channel: Channel) -> None:
    """Let everything that is not switched off come in the daily e-mail."""
    off = set(
        NoticePreference.objects.filter(channel=channel, mode=DeliveryMode.OFF).values_list(
            "kind", flat=True
        )
    )
    set_preferences(channel, {key: DeliveryMode.DIGEST for key in KINDS if key not in off})


def troubled(user: Any) -> QuerySet[Channel]:
    """Return the channels that a user has set up and that were switched off because sending
    failed.
    """
    return Channel.objects.filter(
        ~Q(off_why=""), user_id=user.pk, active=False, removed_at=None
    ).select_related("campaign")
