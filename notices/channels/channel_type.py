"""The base class of the types of channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from notices.channels.mail_server import MailServer
from notices.kinds.kind import Kind
from notices.models import Channel, Delivery, DeliveryMode, Service
from notices.site_address import full_url
from notices.wording import NoticeInWords


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """A message about the reader's channels themselves, with or without a link."""

    heading: str
    body: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Sending:
    """The moment of an attempt, and the mail server of its tick."""

    now: datetime
    mail_server: MailServer


class ChannelType:
    """A type of channel, which sends messages for all channels of this type.

    Each type is a subclass without state. Methods that send raise `NotSent`. `send_notices` and
    `send_message` are called in the language and the time zone of the channel's reader.
    """

    key: Service
    """The service, as it is stored with each channel."""
    quiet_mode: DeliveryMode = DeliveryMode.OFF
    """How kinds that are not urgent are delivered, unless the reader has chosen otherwise."""
    is_device = False
    """Whether the messages of the channel appear on a locked screen."""
    is_repeatable = False
    """Whether a second message replaces the first in the reader's program.

    If so, a message whose sending was interrupted may be sent again.
    """
    is_removed_when_gone = False
    """Whether a reader can end the channel in another program, so that this is not an error."""
    is_removable = True
    """Whether the owner can remove the channel, and not only switch it off."""
    has_board = False
    """Whether it can have the message of `notices.waiting_message`, which is edited in place."""

    def usual_mode(self, kind: Kind) -> DeliveryMode:
        """Return how a kind is delivered through a reader's own channel if they have not chosen."""
        return DeliveryMode.NOW if kind.is_urgent else self.quiet_mode

    def is_reachable(self, channel: Channel) -> bool:
        """Return whether the channel has an address that may be written to."""
        return True

    def send_notices(
        self, delivery: Delivery, notices: Sequence[NoticeInWords], sending: Sending
    ) -> None:
        """Send one message with these notices."""
        raise NotImplementedError

    def send_message(self, delivery: Delivery, message: ChannelMessage, sending: Sending) -> None:
        """Send a message about the reader's channels."""
        raise NotImplementedError

    def try_out(self, channel: Channel, message: ChannelMessage, now: datetime) -> bool:
        """Send a test. Return whether it has arrived; False if the worker sends it."""
        raise NotImplementedError


def most_pressing_first(notices: Sequence[NoticeInWords]) -> list[NoticeInWords]:
    """Return the notices in the order in which a message lists them.

    Notices that ask for something come first, those with the earliest deadline before the others;
    the rest is ordered by time.
    """

    def rank(shown: NoticeInWords) -> tuple[bool, bool, datetime, datetime, int]:
        notice, due = shown.notice, shown.expected.due
        return not shown.asks, due is None, due or notice.at, notice.at, notice.pk

    return sorted(notices, key=rank)


def notice_path(shown: NoticeInWords) -> str:
    """Return the path that marks a notice as read and redirects to the page it leads to."""
    return reverse("notice", args=(shown.notice.pk,))


def notice_url(channel: Channel, shown: NoticeInWords) -> str:
    """Return the address to which a message links for this notice.

    In a user's own channel this is the notice, which is marked as read then. In a campaign's
    channel, which has many readers, it is the table.
    """
    return full_url(notice_path(shown)) if channel.campaign is None else home_url(channel)


def home_url(channel: Channel) -> str:
    """Return the address of the page that lists everything that a channel may send."""
    if channel.campaign is None:
        return full_url(reverse("notices"))
    return full_url(reverse("table", args=(channel.campaign.address,)))


def settings_url(channel: Channel) -> str:
    """Return the page on which the owner of a channel chooses what comes through it."""
    if channel.campaign is None:
        return full_url(reverse("told"))
    return full_url(reverse("channels", args=(channel.campaign.address,)))
