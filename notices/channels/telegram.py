"""Chats of Telegram, which are reached by a bot."""

from __future__ import annotations

import html
import re

from notices.channels.chat import Chat
from notices.models import Service

API = "https://api.telegram.org"
_PARTS = r"(?P<bot>\d{5,15}:[A-Za-z0-9_-]{20,60})/(?P<chat>-?\d{1,20})/?"


class Telegram(Chat):
    """A chat of Telegram."""

    key = Service.TELEGRAM
    scheme = "tgram"
    patterns = (re.compile(rf"tgram://{_PARTS}", re.ASCII),)
    limit = 4096

    def request_url(self, parts: tuple[str, ...]) -> str:
        bot, _chat = parts
        return f"{API}/bot{bot}/sendMessage"

    def request_body(self, parts: tuple[str, ...], text: str) -> dict[str, object]:
        _bot, chat = parts
        # Telegram reads `<` and `&` as mark-up. The line ends have been the same since the first
        # version.
        escaped = html.escape(text, quote=False).replace("\n", "\r\n")
        return {
            "chat_id": int(chat),
            "text": escaped,
            "parse_mode": "HTML",
            "link_preview_options": {"is_disabled": True},
        }
