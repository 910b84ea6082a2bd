"""The base class of chat services, whose channels have an address that users type.

Each service is a class in a module of its own. Addresses are read by patterns. Only the parts that
identify the channel are kept, and each service has its host as a constant. So nothing that a user
types chooses a host, a port or an option.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from cryptography.fernet import InvalidToken
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import keys
from notices.channels import NotSent
from notices.channels.channel_type import (
    ChannelMessage,
    ChannelType,
    Sending,
    home_url,
    most_pressing_first,
    notice_url,
)
from notices.models import Channel, Delivery
from notices.wording import NoticeInWords
from outgoing.client import Client, Doubtful, OutsideError

GONE = frozenset({401, 403, 404, 410})
"""The statuses after which no further message is sent to the address."""


class Chat(ChannelType):
    """A chat service."""

    scheme: str
    """The scheme of the short address that is stored: scheme://part/part."""
    hosts: tuple[str, ...] = ()
    """The hosts of the addresses that users copy from the service."""
    patterns: tuple[re.Pattern[str], ...]
    """The forms of an address, whose groups are its parts."""
    limit: int
    """The maximum number of characters in a message."""

    def plain(self, text: str) -> str:
        """Escape a text so that the service shows it literally, without mark-up and mentions."""
        return text.replace("@", "@\N{ZERO WIDTH SPACE}")

    def link(self, url: str) -> str:
        """Return an address as it is written in a message."""
        return url

    def request_url(self, parts: tuple[str, ...]) -> str:
        """Return the URL to which messages are posted. It is a secret."""
        raise NotImplementedError

    def request_body(self, parts: tuple[str, ...], text: str) -> dict[str, object]:
        """Return the body of a message."""
        raise NotImplementedError

    def parts(self, address: str) -> tuple[str, ...] | None:
        """Return the parts of an address of this service; None if it is not one."""
        for pattern in self.patterns:
            if match := pattern.fullmatch(address):
                return match.groups()
        return None

    def address_of(self, channel: Channel) -> Address:
        """Return the address of a channel.

        Raises:
            NotSent: The address was sealed with another installation's key.
        """
        try:
            parts = self.parts(keys.unseal(channel.sealed))
        except InvalidToken:
            parts = None
        if parts is None:
            raise NotSent(
                _("The address can no longer be read. Remove it and add it again."), gone=True
            )
        return Address(self, parts)

    def fitting(self, blocks: Sequence[str], more: str) -> str:
        """Join as many of the blocks as one message holds; `more` replaces the rest."""
        text = ""
        for place, block in enumerate(blocks):
            joined = f"{text}\n\n{block}" if text else block
            last = place == len(blocks) - 1
            if len(joined) > self.limit - (0 if last else len(more) + 2):
                if text:
                    return f"{text}\n\n{more}"
                return f"{block[: self.limit - len(more) - 3]}…\n\n{more}"
            text = joined
        return text

    def send_notices(
        self, delivery: Delivery, notices: Sequence[NoticeInWords], sending: Sending
    ) -> None:
        channel = delivery.channel
        send(self.address_of(channel), self.notices_text(channel, most_pressing_first(notices)))

    def notices_text(self, channel: Channel, notices: Sequence[NoticeInWords]) -> str:
        """Return the text of one message with these notices."""
        blocks = []
        for shown in notices:
            facts = {"campaign": shown.notice.campaign.name, "title": shown.title}
            heading = pgettext("heading", "[%(campaign)s] %(title)s") % facts
            lines = [self.plain(line) for line in (heading, *shown.lines)]
            blocks.append("\n".join([*lines, self.link(notice_url(channel, shown))]))
        more = ngettext("There is more here: %(url)s", "There is more here: %(url)s", len(notices))
        return self.fitting(blocks, more % {"url": self.link(home_url(channel))})

    def send_message(self, delivery: Delivery, message: ChannelMessage, sending: Sending) -> None:
        send(self.address_of(delivery.channel), self.message_text(message))

    def message_text(self, message: ChannelMessage) -> str:
        lines = [self.plain(message.heading), self.plain(message.body)]
        return "\n".join([*lines, self.link(message.url)] if message.url else lines)

    def try_out(self, channel: Channel, message: ChannelMessage, now: datetime) -> bool:
        send(self.address_of(channel), self.message_text(message))
        return True


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a chat channel. Its parts are a secret."""

    service: Chat
    parts: tuple[str, ...] = field(repr=False)

    @property
    def url(self) -> str:
        """The short address."""
        return f"{self.service.scheme}://{'/'.join(self.parts)}"

    def sealed(self) -> str:
        return keys.seal(self.url)


def send(address: Address, text: str) -> None:
    """Send a message once.

    Raises:
        NotSent: The message has not arrived. The error is doubtful if no answer came.
    """
    service = address.service
    named = {"service": service.key.label}
    url, body = service.request_url(address.parts), service.request_body(address.parts, text)
    try:
        answer = Client().post(url, json=body)
    except Doubtful:
        raise NotSent(
            _("%(service)s did not answer. The notice may have arrived.") % named,
            blameless=True,
            doubtful=True,
        ) from None
    except OutsideError:
        raise NotSent(_("%(service)s could not be reached.") % named, blameless=True) from None
    if not answer.ok:
        raise refusal(service, answer.status)


def refusal(service: Chat, status: int) -> NotSent:
    """Return the error for a service that has answered with this status."""
    facts = {"service": service.key.label, "status": status}
    return NotSent(
        _("%(service)s refused the notice (%(status)d).") % facts,
        gone=status in GONE,
        blameless=status == 429 or status >= 500,
    )
