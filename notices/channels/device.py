"""Devices of a user: browsers that show notices as push messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from cryptography.fernet import InvalidToken
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from notices.channels import NotSent, push
from notices.channels.channel_type import (
    ChannelMessage,
    ChannelType,
    Sending,
    most_pressing_first,
    notice_path,
)
from notices.kinds.kind import Kind
from notices.models import Channel, Delivery, DeliveryMode, Service
from notices.registry import KINDS
from notices.wording import NoticeInWords

TITLE, BODY = 120, 200
"""The maximum numbers of characters that a locked screen shows."""


class Device(ChannelType):
    """A browser that has subscribed to push messages."""

    key = Service.PUSH
    is_device = True
    is_repeatable = True
    is_removed_when_gone = True

    def usual_mode(self, kind: Kind) -> DeliveryMode:
        return DeliveryMode.NOW if kind.is_usual_on_devices else super().usual_mode(kind)

    def send_notices(
        self, delivery: Delivery, notices: Sequence[NoticeInWords], sending: Sending
    ) -> None:
        """Push one notification for each campaign, which replaces the campaign's previous one."""
        channel = delivery.channel
        device = subscription_of(channel)
        by_campaign: dict[int, list[NoticeInWords]] = defaultdict(list)
        for shown in most_pressing_first(notices):
            by_campaign[shown.notice.campaign_id].append(shown)
        for listed in by_campaign.values():
            topic = listed[0].notice.campaign.public_id
            urgent = any(KINDS[shown.notice.kind].is_urgent for shown in listed)
            push.send(device, payload(channel, listed), topic, sending.now, urgent=urgent)

    def send_message(self, delivery: Delivery, message: ChannelMessage, sending: Sending) -> None:
        content = {
            "title": message.heading[:TITLE],
            "body": message.body[:BODY],
            "tag": "channels",
            "url": message.url,
        }
        push.send(subscription_of(delivery.channel), content, "channels", sending.now)

    def try_out(self, channel: Channel, message: ChannelMessage, now: datetime) -> bool:
        content = {
            "title": message.heading,
            "body": message.body,
            "tag": "test",
            "url": "/me/notices/",
        }
        push.send(subscription_of(channel), content, "test", now)
        return True


def readable_subscription(channel: Channel) -> push.Subscription | None:
    """Return the subscription of a device; None if it cannot be read any more."""
    try:
        return push.unseal_subscription(channel.sealed)
    except (InvalidToken, push.BadSubscription):
        return None


def subscription_of(channel: Channel) -> push.Subscription:
    """Return the subscription of a device. Raises `NotSent` if it cannot be read any more."""
    subscription = readable_subscription(channel)
    if subscription is None:
        raise NotSent(
            _("The address can no longer be read. Remove it and add it again."), gone=True
        )
    return subscription


def payload(channel: Channel, notices: Sequence[NoticeInWords]) -> dict[str, Any]:
    """Return what the screen shows of one campaign.

    It shows the title of the first notice, what threatens, and the number of other notices, but no
    other text; a discreet device shows only that there is news, and in which campaign. Each button
    has its title and the path that it opens. Buttons do nothing else.
    """
    first, campaign = notices[0], notices[0].notice.campaign
    more = len(notices) - 1
    after = ngettext("%(campaign)s, and %(n)d more", "%(campaign)s, and %(n)d more", more) % {
        "campaign": campaign.name,
        "n": more,
    }
    body = after if more and not channel.discreet else campaign.name
    if not channel.discreet:
        threats = [threat for shown in notices for threat in shown.expected.threats]
        body = "\n".join([body, *threats])
    title = _("Something has happened at the table") if channel.discreet else first.title
    url = reverse("campaign_notices", args=(campaign.address,)) if more else notice_path(first)
    buttons = [[_("Open"), url]]
    answer = KINDS[first.notice.kind].answer_button
    if answer and not more and not channel.discreet:
        buttons = [[_(answer), f"{url}?answer"], [pgettext("button", "View"), url]]
    return {
        "title": title[:TITLE],
        "body": body[:BODY],
        "tag": campaign.public_id,
        "url": url,
        "buttons": buttons,
    }
