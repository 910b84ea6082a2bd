"""The message "whom we wait for": switched on and off by a campaign's hosts."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from notices.models import Channel, Service
from notices.services.channels import Wrong


def show(channel: Channel, now: datetime | None = None) -> None:
    """Have it made, or made anew where it is in doubt whether it stands there."""
    if channel.campaign_id is None or channel.service != Service.DISCORD or channel.confirmed_at is None:
        raise Wrong(_("Only a campaign’s confirmed Discord channel carries it."))
    Channel.objects.filter(pk=channel.pk).update(
        board=True, board_due=now or timezone.now(), board_digest="", board_tries=0, board_error="", board_taken=None
    )


def anew(channel: Channel, now: datetime | None = None) -> None:
    """Another message; the old one stays as it is there."""
    Channel.objects.filter(pk=channel.pk).update(board_message="")
    show(channel, now)


def leave(channel: Channel) -> None:
    """It is changed no more."""
    Channel.objects.filter(pk=channel.pk).update(board=False, board_due=None, board_error="", board_tries=0)
