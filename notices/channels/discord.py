"""Channels of Discord, which are reached by a webhook."""

from __future__ import annotations

import re

from notices.channels.chat import Chat
from notices.models import Service

WEBHOOKS = "https://discord.com/api/webhooks"
SUPPRESS_EMBEDS = 4
"""The flag of a message that suppresses previews of linked pages."""
_PARTS = r"(?P<id>\d{5,25})/(?P<token>[A-Za-z0-9_-]{20,120})/?"
_HOSTS = r"(?:(?:ptb|canary)\.)?discord(?:app)?\.com"
_MARKS = re.compile(r"([\\*_~`|\[<]|^[#>-])", re.MULTILINE)


class Discord(Chat):
    """A channel of Discord."""

    key = Service.DISCORD
    scheme = "discord"
    hosts = ("discord.com", "discordapp.com")
    patterns = (
        re.compile(rf"https://{_HOSTS}/api(?:/v\d{{1,2}})?/webhooks/{_PARTS}", re.ASCII),
        re.compile(rf"discord://{_PARTS}", re.ASCII),
    )
    limit = 2000
    has_board = True

    def plain(self, text: str) -> str:
        return _MARKS.sub(r"\\\1", super().plain(text))

    def link(self, url: str) -> str:
        """Return an address without a preview of its page."""
        return f"<{url}>"

    def request_url(self, parts: tuple[str, ...]) -> str:
        return f"{WEBHOOKS}/{'/'.join(parts)}"

    def request_body(self, parts: tuple[str, ...], text: str) -> dict[str, object]:
        """Return the body of a message that mentions no one and shows no previews."""
        return {"content": text, "allowed_mentions": {"parse": []}, "flags": SUPPRESS_EMBEDS}
