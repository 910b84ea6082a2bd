"""How a kind comes through a channel: as its owner wishes, else as usual."""

from __future__ import annotations

from collections.abc import Mapping

from notices.models import Channel, How, Service
from notices.of_channels import CHANNEL_OFF
from notices.registry import KINDS, Kind

TOLD_ABROAD = frozenset({"turn-opened", "turn-closed", "finished", "life"})
"""What a campaign's channel says where nobody has chosen."""


def usual(channel: Channel, kind: Kind) -> str:
    """What cannot wait comes at once everywhere, the rest in the daily letter; a campaign's channel tells its turns."""
    if channel.campaign_id is not None:
        return How.NOW if kind.key in TOLD_ABROAD else How.OFF
    if kind.urgent:
        return How.NOW
    return How.DIGEST if channel.service == Service.EMAIL else How.OFF


def how(channel: Channel, kind: str, wished: Mapping[tuple[int, str], str]) -> str:
    """`wished` are the wishes by the channel's key and the kind's."""
    known = KINDS.get(kind)
    if known is None or not offered(channel, known):
        return How.OFF
    return wished.get((channel.pk, kind)) or usual(channel, known)


def offered(channel: Channel, kind: Kind) -> bool:
    """May it come through this channel at all? A campaign's has many readers: it is told what everybody may know."""
    return kind.key != CHANNEL_OFF and (kind.public or channel.campaign_id is None)
