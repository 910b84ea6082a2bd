"""The notification settings of the reader: e-mails, channels, devices, feeds, muted campaigns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from notices import selectors, services
from notices.channels import mail, push
from notices.channels import services as channel_services
from notices.channels.services import ChannelError
from notices.models import Channel, FeedAddress, Service
from people.models import User
from web.frame import requests
from web.frame.chip import Chip
from web.frame.sentences import with_times
from web.frame.table import address
from web.notices.rows import (
    ChannelRow,
    NewChannel,
    Option,
    Preferences,
    SentRow,
    activity_chip,
    channel_row,
    failure_of,
    new_channel,
    preferences,
    sent_rows,
)
from web.templatetags.tabula import place, when

FEED_SECRET = "feed"  # noqa: S105  # the name of a value in the session, not a secret


class MutedCampaign(NamedTuple):
    """A campaign that the reader has muted."""

    name: str
    url: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FeedRow:
    """A feed, with its address if that was just made."""

    what: str
    name: str
    feed: FeedAddress | None
    url: str

    @property
    def is_of_deadlines(self) -> bool:
        return self.what == FeedAddress.Kind.DEADLINES

    @property
    def chip(self) -> Chip | None:
        return Chip(pgettext("feed", "open"), "good") if self.feed else None

    @property
    def usage(self) -> str:
        """Return when the feed was last read; empty if it has no address."""
        if self.feed is None:
            return ""
        if self.feed.used_at is None:
            return pgettext("notices", "Not read yet.")
        return with_times(_("Last read: %(at)s"), at=when(self.feed.used_at))

    @property
    def verb(self) -> str:
        return _("Create a new address") if self.feed else _("Create an address")


@dataclass(frozen=True, slots=True)
class LetterBox:
    """The reader's e-mail channel."""

    channel: Channel
    address: str
    """The confirmed address; empty if there is none."""
    unconfirmed_address: str
    language_text: str
    error: str
    hours: list[Option]

    @property
    def is_active(self) -> bool:
        return self.channel.active

    @property
    def chip(self) -> Chip:
        if not self.address:
            return Chip(pgettext("state", "not confirmed"), "warn")
        return activity_chip(self.channel)

    @property
    def failure(self) -> str:
        return failure_of(self.channel)

    @property
    def digest_text(self) -> str:
        """Return when the daily e-mail is sent."""
        text = _("the daily e-mail at %(hour)s:00 in your time zone")
        return text % {"hour": self.channel.digest_hour}

    @property
    def address_note(self) -> SafeString | str:
        """Return the address of e-mails, or why none are sent."""
        if self.address:
            text = _("E-mails go to <b>%(to)s</b>, the confirmed address of your account.")
            return with_times(text, to=self.address)
        if self.unconfirmed_address:
            text = _(
                "<b>%(address)s</b> is not confirmed. We send nothing there until you open the "
                "link in the e-mail we sent you."
            )
            return with_times(text, address=self.unconfirmed_address)
        return _("Your account has no e-mail address.")

    @property
    def address_verb(self) -> str:
        """Return the text of the link to the address; empty if it is confirmed."""
        if self.address:
            return ""
        if self.unconfirmed_address:
            return _("Confirm or change e-mail address")
        return _("Add an address")


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The notification settings of the reader."""

    preferences: Preferences
    sent: list[SentRow]
    muted: list[MutedCampaign]
    letter_box: LetterBox
    devices: list[ChannelRow]
    push_key: str
    device_error: str
    chats: list[ChannelRow]
    new_channel: NewChannel
    feeds: list[FeedRow]


def own_channels(user: User | AnonymousUser) -> list[Channel]:
    """Return the user's channels; the e-mail channel, which everyone has, comes first."""
    channels = list(channel_services.channels_of_user(user))
    if all(channel.service != Service.EMAIL for channel in channels):
        channels.append(channel_services.email_channel(user))
    return sorted(channels, key=lambda channel: (channel.service != Service.EMAIL, channel.pk))


def settings_page(
    request: HttpRequest, channels: list[Channel], wrong: ChannelError | None = None
) -> SettingsPage:
    """Return the settings, with the error in a form."""
    box = channels[0]
    others = [
        channel_row(channel, request.POST, wrong) for channel in channels if channel is not box
    ]
    is_full = len(channels) > channel_services.MOST_CHANNELS
    return SettingsPage(
        preferences=preferences(channels),
        sent=sent_rows(channels),
        muted=muted_campaigns(request.user),
        letter_box=letter_box(request, box, wrong),
        devices=[row for row in others if row.is_device],
        push_key=push.public_key(),
        device_error=str(wrong) if wrong is not None and wrong.field == "device" else "",
        chats=[row for row in others if not row.is_device],
        new_channel=new_channel(request.POST, wrong, is_full=is_full),
        feeds=feed_rows(request),
    )


def letter_box(request: HttpRequest, channel: Channel, wrong: ChannelError | None) -> LetterBox:
    """Return the reader's e-mail channel."""
    user = request.user
    assert user.is_authenticated
    return LetterBox(
        channel=channel,
        address=mail.confirmed_address(user),
        unconfirmed_address=user.email,
        language_text=language_text(user),
        error=channel_row(channel, request.POST, wrong).error,
        hours=[Option(str(hour), f"{hour}:00", hour == channel.digest_hour) for hour in range(24)],
    )


def language_text(user: User) -> str:
    """Return a sentence on the language and time zone of e-mails."""
    zone = place(timezone.get_current_timezone_name())
    if not user.language:
        text = _("E-mails are in English until you choose a language. Times are in %(zone)s.")
        return text % {"zone": zone}
    facts = {"letters_in": user.get_language_display(), "zone": zone}
    return _("Your e-mails are in %(letters_in)s, with times in %(zone)s.") % facts


def muted_campaigns(user: User | AnonymousUser) -> list[MutedCampaign]:
    """Return the campaigns that a user has muted."""
    return [
        MutedCampaign(
            name=mute.campaign.name,
            url=address("campaign_notices", mute.campaign.address),
            at=mute.at,
        )
        for mute in selectors.mutes(user)
    ]


def feed_rows(request: HttpRequest) -> list[FeedRow]:
    """Return the feeds. An address that was just made is shown once."""
    feeds = services.feeds_of_user(request.user)
    secret = requests.take_secret(request, FEED_SECRET)
    return [
        FeedRow(
            what=what,
            name=str(what.label),
            feed=feeds.get(what),
            url=secret.secret if secret is not None and secret.name == what else "",
        )
        for what in FeedAddress.Kind
    ]
