"""The notices of what was switched off since nothing arrived there any more: of a channel on the bell of who set it up, of
a webhook to the campaign's game masters."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from notices.registry import MASTERS, TABLE, Kind, register
from notices.reminding import nobody

CHANNEL_OFF = "channel-off"
WEBHOOK_OFF = "webhook-off"
"""It names no address: that goes with who set it up."""
register(Kind(WEBHOOK_OFF, gettext_noop("A webhook is switched off"), MASTERS, ("webhooks",), nobody, urgent=True))
register(Kind(CHANNEL_OFF, gettext_noop("A channel is switched off"), TABLE, ("channels",), nobody, urgent=True))
