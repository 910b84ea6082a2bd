"""Channels of Slack, which are reached by a webhook."""

from __future__ import annotations

import html
import re

from notices.channels.chat import Chat
from notices.models import Service

WEBHOOKS = "https://hooks.slack.com/services"
_PARTS = r"(?P<a>T[A-Z0-9]{5,20})/(?P<b>B[A-Z0-9]{5,20})/(?P<c>[A-Za-z0-9]{15,40})/?"


class Slack(Chat):
    """A channel of Slack."""

    key = Service.SLACK
    scheme = "slack"
    hosts = ("slack.com",)
    patterns = (
        re.compile(rf"https://hooks\.slack\.com/services/{_PARTS}", re.ASCII),
        re.compile(rf"slack://{_PARTS}", re.ASCII),
    )
    limit = 4000  # Slack accepts more, but recommends no more than this.

    def request_url(self, parts: tuple[str, ...]) -> str:
        return f"{WEBHOOKS}/{'/'.join(parts)}"

    def request_body(self, parts: tuple[str, ...], text: str) -> dict[str, object]:
        # Slack reads `<` and `&` as mark-up even if all other mark-up is off.
        escaped = html.escape(text, quote=False)
        return {"text": escaped, "mrkdwn": False, "unfurl_links": False, "unfurl_media": False}
