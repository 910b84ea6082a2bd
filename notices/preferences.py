"""The way in which a kind of notice is delivered through a channel: as chosen, or else as usual."""

from __future__ import annotations

from collections.abc import Mapping

from notices.channels.registry import type_of
from notices.kinds.kind import Kind
from notices.models import Channel, DeliveryMode
from notices.registry import KINDS


def is_offered(channel: Channel, kind: Kind) -> bool:
    """Return whether a kind may be delivered through a channel at all.

    A campaign's channel has many readers, so it gets only what everyone may know.
    """
    return kind.has_channels and (kind.is_public or channel.campaign_id is None)


def usual_preference(channel: Channel, kind: Kind) -> str:
    """Return how a kind is delivered through a channel if no one has chosen."""
    if channel.campaign_id is not None:
        return DeliveryMode.NOW if kind.is_usual_in_campaign_channels else DeliveryMode.OFF
    return type_of(channel).usual_mode(kind)


def preference_for(channel: Channel, key: str, chosen: Mapping[tuple[int, str], str]) -> str:
    """Return how the kind with this key is delivered through a channel.

    `chosen` has the choices by the ids of channels and the keys of kinds.
    """
    kind = KINDS.get(key)
    if kind is None or not is_offered(channel, kind):
        return DeliveryMode.OFF
    return chosen.get((channel.pk, key)) or usual_preference(channel, kind)
