"""The notice of a channel that was switched off since nothing arrived there any more: on the bell of who set it up."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from notices.registry import TABLE, Kind, register
from notices.reminding import nobody

CHANNEL_OFF = "channel-off"
register(Kind(CHANNEL_OFF, gettext_noop("A channel is switched off"), TABLE, ("channels",), nobody, urgent=True))
