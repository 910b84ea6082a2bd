"""The types of channels that this site has."""

from __future__ import annotations

from notices.channels.channel_type import ChannelType
from notices.channels.chat import Chat
from notices.channels.device import Device
from notices.channels.discord import Discord
from notices.channels.email import Email
from notices.channels.slack import Slack
from notices.channels.telegram import Telegram
from notices.models import Channel

DECLARED: tuple[ChannelType, ...] = (Email(), Discord(), Telegram(), Slack(), Device())
BY_KEY = {str(declared.key): declared for declared in DECLARED}
CHATS = [declared for declared in DECLARED if isinstance(declared, Chat)]


def type_of(channel: Channel) -> ChannelType:
    """Return the type of a channel."""
    return BY_KEY[channel.service]
