from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from notices.channels import discord, slack, telegram
from notices.channels.addresses import parse_address
from notices.models import Channel
from tests.notices.server import Chats, serve_chats
from tests.table import grand, people, running, table, toy
from tests.web.grand_table import grand_table, new_campaign

__all__ = ["grand", "grand_table", "new_campaign", "people", "running", "table", "toy"]

DISCORD = "https://discord.com/api/webhooks/123456789012345678/abcDEF_-0123456789abcdefghijklmnopqrstuvwxyz"
SLACK = "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ".replace(
    "/A1", "/B1"
)
TELEGRAM = "tgram://123456789:abcdefg_hijklmnop-qrstuvwx/-1001234567"


@pytest.fixture
def confirm_address() -> Callable[..., Any]:
    """Return a function that confirms a user's address, as the link of the letter does."""

    def make(user: Any) -> Any:
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    return make


@pytest.fixture
def chats(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Chats]:
    """Run a server on this machine in place of Discord, Slack and Telegram.

    Only the constants with their addresses are replaced; our client, sockets and HTTP are real. A
    proxy with certificates of its own would test the proxy.
    """
    settings.OUTSIDE_INSECURE = True
    for created in serve_chats():
        monkeypatch.setattr(discord, "WEBHOOKS", f"{created.url}/api/webhooks")
        monkeypatch.setattr(slack, "WEBHOOKS", f"{created.url}/services")
        monkeypatch.setattr(telegram, "API", created.url)
        yield created


@pytest.fixture
def make_channel() -> Callable[..., Channel]:
    """Return a function that makes confirmed Discord channels.

    `channel(user)` is a channel of the user, `channel(user, campaign=…)` one of the campaign.
    """

    def make(user: Any, typed: str = DISCORD, **fields: Any) -> Channel:
        address = parse_address(typed)
        at = timezone.now()
        return Channel.objects.create(
            user=user,
            service=address.service.key,
            sealed=address.sealed(),
            created_at=at,
            confirmed_at=at,
            **fields,
        )

    return make


NOON = datetime(2031, 3, 10, 12, tzinfo=UTC)
"""A moment of these tests, after whatever was really said in them."""
