"""What a type of channel declares: how notices leave through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from notices.channels.mail_server import MailServer
from notices.kinds.kind import Kind
from notices.models import Channel, Delivery, DeliveryMode, Service
from notices.registry import KINDS
from notices.site import site
from notices.wording import NoticeInWords


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """A message about the reader's channels themselves, with a link or none."""

    heading: str
    body: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Sending:
    """The moment of an attempt, and the mail server of its tick."""

    now: datetime
    mail_server: MailServer


class ChannelType:
    """A type of channel: what its rows have in common, and how messages leave through them.

    Each type is a subclass without state. What sends raises `NotSent`. `send_notices` and
    `send_message` are called in the language and the time zone of the channel's reader.
    """

    key: Service
    """Is stored with each channel."""
    quiet_mode: DeliveryMode = DeliveryMode.OFF
    """How kinds come that are not urgent, unless the reader has chosen otherwise."""
    is_device = False
    """Its messages are for a locked screen."""
    is_repeatable = False
    """A second message takes the place of the first at the reader's, so that one whose sending was
    interrupted may be sent again.
    """
    is_removed_when_gone = False
    """A reader may end it at the other end without a word, so nothing is wrong then."""
    is_removable = True
    """Its owner can remove it, not only switch it off."""
    has_board = False
    """It can have the message "whom we wait for", edited in place (`notices.boards`)."""

    def usual_mode(self, kind: Kind) -> DeliveryMode:
        """Return how a kind comes through a reader's own channel if they have not chosen."""
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
    """Return the notices in the order of a message: what waits for an answer first, the earliest
    deadline before all, then by time.
    """

    def rank(shown: NoticeInWords) -> tuple[bool, bool, str, datetime, int]:
        notice = shown.notice
        due = str(notice.facts.get("due", ""))
        return not KINDS[notice.kind].is_urgent, not due, due, notice.at, notice.pk

    return sorted(notices, key=rank)


def notice_path(shown: NoticeInWords) -> str:
    """Return the path that marks a notice as read and goes where it leads."""
    return reverse("notice", args=(shown.notice.pk,))


def notice_url(channel: Channel, shown: NoticeInWords) -> str:
    """Return where a notice leads its reader: to the notice, which is read then, or for the many
    readers of a campaign's channel to the table.
    """
    return site(notice_path(shown)) if channel.campaign is None else home_url(channel)


def home_url(channel: Channel) -> str:
    """Return the page with everything that comes through a channel."""
    if channel.campaign is None:
        return site(reverse("notices"))
    return site(reverse("table", args=(channel.campaign.address,)))


def settings_url(channel: Channel) -> str:
    """Return the page on which the owner of a channel chooses what comes through it."""
    if channel.campaign is None:
        return site(reverse("told"))
    return site(reverse("channels", args=(channel.campaign.address,)))
