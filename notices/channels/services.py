"""Services that add, confirm, test, switch and remove channels.

They are for the owner of a channel; a campaign's channels are managed by its game masters.
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
from engine.strict_json import is_clean_text, is_printable
from notices import selectors
from notices.channels import NotSent, addresses, mail, push
from notices.channels.channel_type import ChannelMessage
from notices.channels.device import readable_subscription
from notices.channels.registry import type_of
from notices.kinds.undelivered import ChannelOff
from notices.models import Channel, Delivery, DeliveryMode, Notice, NoticePreference, Service
from notices.preferences import is_offered, usual_preference
from notices.registry import KINDS
from notices.writing import first_entry, write_notices

MOST_CHANNELS = 10
"""The number of channels that a user, or a campaign, may have."""
MOST_CODE_TRIES = 5
LONGEST_NAME = 60


class ChannelError(Exception):
    """A mistake that the owner of a channel or webhook can correct.

    The text says what to do and contains nothing secret. `field` is the field of the form.
    """

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(why)
        self.field = field


def channels_of_user(user: Any) -> QuerySet[Channel]:
    return Channel.objects.filter(user_id=user.pk, campaign=None, removed_at=None).select_related(
        "user"
    )


def channels_of_campaign(campaign: Campaign) -> QuerySet[Channel]:
    return Channel.objects.filter(campaign=campaign, removed_at=None).select_related(
        "user", "campaign"
    )


def is_usable(channel: Channel) -> bool:
    """Return whether messages may be sent through a channel.

    A campaign's channel does not depend on the user who set it up.
    """
    user = channel.user
    ready = channel.active and channel.removed_at is None and channel.confirmed_at is not None
    return ready and (
        channel.campaign_id is not None or (user.is_active and not user.guest and not user.demo)
    )


def in_reader_language(channel: Channel) -> AbstractContextManager[None]:
    """Return a context with the language and the time zone of the channel's readers."""
    if channel.campaign is not None:
        return mail.reading_as(channel.language, channel.campaign.time_zone)
    return mail.reading_as(channel.user.language, channel.user.time_zone)


def email_channel(user: Any, now: datetime | None = None) -> Channel:
    """Return the user's e-mail channel; create it if there is none."""
    at = now or timezone.now()
    channel = Channel(user=user, service=Service.EMAIL, created_at=at, confirmed_at=at)
    # Another request may have created it meanwhile; a constraint allows only one.
    Channel.objects.bulk_create([channel], ignore_conflicts=True)
    return channels_of_user(user).get(service=Service.EMAIL)


def must_have_channels(user: Any) -> None:
    """Raise an error for guests and demonstration users, who have no channels.

    It is `NotAllowed` for guests, otherwise `ChannelError`.
    """
    access.must_have_account(user)
    if user.demo:
        raise ChannelError(_("Users of the demonstration get notices only on this site."))


def add(
    user: Any,
    typed_text: str,
    name: str,
    campaign: Campaign | None = None,
    now: datetime | None = None,
) -> Channel:
    """Add a channel and send its code there.

    Raises:
        ChannelError: The channel may not be added, or the code could not be sent there.
    """
    must_have_channels(user)
    if campaign is not None:
        access.must_be_host(campaign, user)
    at, name = now or timezone.now(), name.strip()
    if len(name) > LONGEST_NAME or not is_clean_text(name) or not is_printable(name):
        raise ChannelError(_("A name can have up to 60 printable characters."), "name")
    if (
        channels_of_user(user) if campaign is None else channels_of_campaign(campaign)
    ).count() > MOST_CHANNELS:
        raise ChannelError(
            _("You already have as many channels as are allowed. Remove one first."), "address"
        )
    try:
        address = addresses.parse_address(typed_text)
    except addresses.BadAddress as error:
        raise ChannelError(str(error), "address") from None
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
    """Add the browser with this subscription; switch it on if it is known already.

    Raises:
        ChannelError: The subscription is not usable, or the user has too many channels.
    """
    must_have_channels(user)
    try:
        given = push.parse_subscription(text[:4000])
    except push.BadSubscription:
        raise ChannelError(
            _(
                "This browser did not give an address for notices. Try again, or use another "
                "browser."
            ),
            "device",
        ) from None
    at, own = now or timezone.now(), list(channels_of_user(user))
    for channel in own:
        if channel.service == Service.PUSH and readable_subscription(channel) == given:
            switch(channel, True, at)
            return channel
    if len(own) > MOST_CHANNELS:
        raise ChannelError(
            _("You already have as many channels as are allowed. Remove one first."), "device"
        )
    name = name.strip()[:LONGEST_NAME]
    if not is_clean_text(name) or not is_printable(name):
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

    Notices of these hours are sent together at their end.
    """
    if first is not None and last is not None:
        for hour in (first, last):
            if not 0 <= hour <= 23:
                raise ChannelError(_("An hour must be a number from 0 to 23."), "quiet")
        if first == last:
            raise ChannelError(_("Quiet hours must begin and end at different hours."), "quiet")
    elif first is not None or last is not None:
        raise ChannelError(
            _("Choose both the beginning and the end of the quiet hours, or neither."), "quiet"
        )
    Channel.objects.filter(pk=channel.pk, service=Service.PUSH).update(
        quiet_from=first, quiet_to=last
    )


def resend_code(channel: Channel) -> None:
    """Send another code in place of the last one."""
    if channel.confirmed_at is None:
        _send_code(channel)
        channel.save(update_fields=["code_hash", "code_tries"])


def _send_code(channel: Channel) -> None:
    code = f"{secrets.randbelow(10**6):06d}"
    channel.code_hash, channel.code_tries = _code_hash(channel, code), 0
    try:
        _send_test(channel, timezone.now(), code)
    except NotSent as error:
        raise ChannelError(str(error), "address") from None


def _code_hash(channel: Channel, code: str) -> str:
    return hashlib.sha256(f"{channel.sealed}/{code}".encode()).hexdigest()


def _send_test(channel: Channel, at: datetime, code: str = "") -> bool:
    """Send a test message, with the code if there is one. Return whether it has arrived."""
    with in_reader_language(channel):
        message = build_test_message(channel, code)
    return type_of(channel).try_out(channel, message, at)


def build_test_message(channel: Channel, code: str = "") -> ChannelMessage:
    """Return a test message, with the code that confirms the channel if there is one."""
    if code:
        text = _(
            "Type this code at Tabula, and this channel will receive the notices that you choose "
            "there. If you did not ask for it, ignore this message."
        )
        return ChannelMessage(_("Code %(code)s") % {"code": code}, text)
    return ChannelMessage(
        _("This is a test."), _("The test has arrived. Notices from Tabula will come here.")
    )


def confirm(channel: Channel, typed_text: str, now: datetime | None = None) -> None:
    """Confirm a channel by the code that has arrived there.

    After five wrong codes another has to be sent.

    Raises:
        ChannelError: The code is wrong, or there were too many wrong codes.
    """
    if channel.confirmed_at is not None:
        return
    # The attempt is counted before the code is compared, so that simultaneous requests do not get
    # more attempts.
    room = Channel.objects.filter(pk=channel.pk, code_tries__lt=MOST_CODE_TRIES).update(
        code_tries=F("code_tries") + 1
    )
    if not room:
        raise ChannelError(_("Too many wrong codes. Request a new one."), "code")
    if not secrets.compare_digest(_code_hash(channel, typed_text.strip()), channel.code_hash):
        raise ChannelError(_("This is not the code that was sent there."), "code")
    Channel.objects.filter(pk=channel.pk).update(
        confirmed_at=now or timezone.now(), code_hash="", active=True
    )


def try_out(channel: Channel, now: datetime | None = None) -> bool:
    """Send a test message. Return whether it has arrived; False if the worker sends it.

    Raises:
        ChannelError: The message could not be sent; the text says why.
    """
    at = now or timezone.now()
    if channel.confirmed_at is None:
        raise ChannelError(_("Enter the code of this channel first."))
    if not type_of(channel).is_reachable(channel):
        raise ChannelError(_("Your address is not confirmed, so nothing is sent to it."))
    try:
        has_arrived = _send_test(channel, at)
    except NotSent as error:
        Channel.objects.filter(pk=channel.pk).update(last_error=str(error)[:300])
        raise ChannelError(str(error)) from None
    if has_arrived:
        store_success(channel, at)
    return has_arrived


# The outcome of sending


def store_success(channel: Channel, now: datetime) -> None:
    """Store that a message has arrived."""
    Channel.objects.filter(pk=channel.pk).update(failures=0, last_error="", last_ok_at=now)


def store_failure(
    channel: Channel, why: str, now: datetime, *, gone: bool, counts: bool, enough: int
) -> None:
    """Store why a message could not be sent.

    A channel that is gone, or has failed `enough` times in a row, is switched off, and its owner is
    notified.
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
            _drop_waiting(channel, now)
            _notify_owner(channel, why, now)


def _drop_waiting(channel: Channel, now: datetime) -> None:
    channel.deliveries.filter(state=Delivery.State.WAITING).update(
        state=Delivery.State.DROPPED, done_at=now
    )


def _notify_owner(channel: Channel, why: str, now: datetime) -> None:
    """Notify the owner by e-mail, or else through another channel, and on the pages in any case."""
    others = (
        channels_of_user(channel.user)
        .filter(active=True, confirmed_at__isnull=False)
        .exclude(pk=channel.pk)
    )
    other = others.filter(service=Service.EMAIL).first() or others.first()
    if other is not None:
        facts = {"channel": channel.pk, "why": why}
        Delivery.objects.create(
            channel=other, form=Delivery.Form.WORD, facts=facts, made_at=now, next_at=now
        )
    _write_off_notice(channel, why, now)


def _write_off_notice(channel: Channel, why: str, now: datetime) -> None:
    """Write a notice to the user who set the channel up.

    A notice belongs to a campaign: here that of the channel, or of the user's last notice. It is
    not sent through channels, because `_notify_owner` has already sent a message.
    """
    last = selectors.notices(channel.user).first()
    campaign = channel.campaign or (last.campaign if last is not None else None)
    if campaign is None:
        return
    facts = {"name": channel.called, "error": why[:300], "own": channel.campaign_id is None}
    notice = Notice(
        user=channel.user,
        campaign=campaign,
        entry=first_entry(campaign),
        kind=ChannelOff.key,
        about=f"{channel.pk}/{now:%Y%m%dT%H%M%SZ}",
        facts=facts,
        at=now,
        routed_at=now,
    )
    write_notices([notice], again=True)


def mark_off_notices_read(kind: str, number: int, now: datetime) -> None:
    """Mark the notices that this channel or webhook was switched off as read."""
    Notice.objects.filter(kind=kind, about__startswith=f"{number}/", read_at=None).update(
        read_at=now
    )


# Settings that the owner changes


@transaction.atomic
def switch(channel: Channel, on: bool, now: datetime | None = None) -> None:
    """Switch a channel on or off.

    Switching it on clears its failures. Switching it off drops waiting messages; notices that come
    meanwhile are not sent later.
    """
    Channel.objects.filter(pk=channel.pk).update(active=on, off_why="", failures=0, last_error="")
    mark_off_notices_read(ChannelOff.key, channel.pk, now or timezone.now())
    if not on:
        _drop_waiting(channel, now or timezone.now())


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
    _drop_waiting(channel, at)
    mark_off_notices_read(ChannelOff.key, channel.pk, at)


def set_hour(channel: Channel, hour: int) -> None:
    if not 0 <= hour <= 23:
        raise ChannelError(_("An hour must be a number from 0 to 23."), "hour")
    Channel.objects.filter(pk=channel.pk).update(digest_hour=hour)


def set_language(channel: Channel, language: str) -> None:
    """Set the language of a campaign's channel. A user's channels have the user's language."""
    if channel.campaign_id is None or language not in dict(settings.LANGUAGES):
        raise ChannelError(_("There is no such language."))
    Channel.objects.filter(pk=channel.pk).update(
        language=language, board_due=timezone.now() if channel.board else None
    )


@transaction.atomic
def set_preferences(channel: Channel, modes: Mapping[str, str]) -> None:
    """Set how each of these kinds is delivered through a channel.

    Modes that are usual for a kind are not stored, and unknown kinds and modes are ignored.
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
    """Deliver everything that is not switched off in the daily e-mail."""
    off = set(
        NoticePreference.objects.filter(channel=channel, mode=DeliveryMode.OFF).values_list(
            "kind", flat=True
        )
    )
    set_preferences(channel, {key: DeliveryMode.DIGEST for key in KINDS if key not in off})


def channels_off_by_failure(user: Any) -> QuerySet[Channel]:
    """Return the channels that a user set up and that were switched off because sending failed."""
    return Channel.objects.filter(
        ~Q(off_why=""), user_id=user.pk, active=False, removed_at=None
    ).select_related("campaign")
