"""The set-up of a thread that needs only an address."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import get_language

from campaign.models import Campaign
from forum import services
from forum.models import Thread
from people.models import User


def set_up_thread(campaign: Campaign, user: User | AnonymousUser, address: str) -> Thread:
    """Set up a thread at this address to which the user copies reports. Raises `WrongSetting`."""
    return services.set_up(
        campaign,
        user,
        transport="clipboard",
        name="",
        settings={"address": address},
        dialect=services.board_at(address)[1],
        language=get_language() or "en",
    )
