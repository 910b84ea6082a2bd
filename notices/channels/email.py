"""The e-mail channel of a user, which uses the address of the account."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from django.urls import reverse

from campaign import pulse
from notices.channels import NotSent, mail
from notices.channels.channel_type import ChannelMessage, ChannelType, Sending
from notices.channels.mail import Letter
from notices.models import Channel, Delivery, DeliveryMode, Service
from notices.site_address import full_url
from notices.wording import NoticeInWords


class Links(TypedDict):
    """The reader's name and links that every e-mail has: to choose notices, and to unsubscribe."""

    name: str
    choose: str
    end: str


class Email(ChannelType):
    """E-mail to the confirmed address of an account."""

    key = Service.EMAIL
    quiet_mode = DeliveryMode.DIGEST
    is_repeatable = True  # with the same Message-ID
    is_removable = False

    def is_reachable(self, channel: Channel) -> bool:
        return bool(mail.confirmed_address(channel.user))

    def send_notices(
        self, delivery: Delivery, notices: Sequence[NoticeInWords], sending: Sending
    ) -> None:
        is_digest = delivery.form == DeliveryMode.DIGEST
        links = links_of(delivery.channel)
        self.send(delivery, mail.notice_letter(notices, digest=is_digest, **links), sending)

    def send_message(self, delivery: Delivery, message: ChannelMessage, sending: Sending) -> None:
        links = links_of(delivery.channel)
        letter = mail.message_letter(message.heading, message.body, url=message.url, **links)
        self.send(delivery, letter, sending)

    def send(self, delivery: Delivery, letter: Letter, sending: Sending) -> None:
        """Hand a letter to the mail server of the tick."""
        server, address = sending.mail_server, mail.confirmed_address(delivery.channel.user)
        try:
            mail.send(delivery, address, letter, server.connection())
        except NotSent as error:
            if error.blameless:
                server.away = True
                server.close()  # a failed connection is not used again
            raise

    def try_out(self, channel: Channel, message: ChannelMessage, now: datetime) -> bool:
        """Leave the test to the worker; the page shows its result."""
        Delivery.objects.create(
            channel=channel,
            form=Delivery.Form.WORD,
            facts={"trial": True},
            made_at=now,
            next_at=now,
        )
        pulse.soon("letters")
        return False


def links_of(channel: Channel) -> Links:
    return {
        "name": channel.user.username,
        "choose": full_url(reverse("told")),
        "end": full_url(reverse("unsubscribe", args=(mail.unsubscribe_token(channel),))),
    }
