"""The transport to Discord, which uses a webhook of a channel.

A webhook may read a message only by its number: if the answer to a message did not arrive, this
site cannot find out whether the message exists.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.boards import (
    AccessRefused,
    DoubtfulError,
    InvalidSetting,
    Letter,
    PermanentError,
    SearchError,
    SentPost,
    SettingField,
    Settings,
    TemporaryError,
)
from outgoing import client as outgoing
from outgoing.client import Answer, Client

WEBHOOK = re.compile(
    r"https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/api(?:/v\d{1,2})?/webhooks/(\d{5,25})/([A-Za-z0-9_-]{20,120})/?",
    re.ASCII,
)
LINK = re.compile(r"https://discord\.com/channels/\d+/(\d+)/\d+", re.ASCII)
UNKNOWN_WEBHOOK, INVALID_TOKEN = 10015, 50027
"""Discord's codes for a webhook that no longer exists, and for an incomplete address."""
NAME = 100
"""The maximum number of characters of a thread's name."""
ROW, BUTTON, LINK_BUTTON = 1, 2, 5
"""Discord's component types of a row and of a button, and the style of a link button."""


class Discord:
    """The transport to a channel, or to a thread of it."""

    key: ClassVar[str] = "discord"
    name = gettext_lazy("Discord webhook")
    software: ClassVar[str] = "Discord"
    address_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"^https://([a-z]+\.)?discord(app)?\.com/"
    )
    needs: ClassVar[Sequence[SettingField]] = (
        SettingField(
            "webhook",
            gettext_lazy("Address of the webhook"),
            secret=True,
            help=gettext_lazy(
                "In Discord: the channel’s settings, Integrations, Webhooks, New webhook, Copy URL."
            ),
            kind="password",
        ),
        SettingField(
            "thread",
            gettext_lazy("Number of a thread"),
            required=False,
            help=gettext_lazy(
                "Only to write into a thread of the channel. Switch on developer mode in Discord "
                "and choose Copy thread ID."
            ),
        ),
        SettingField(
            "title",
            gettext_lazy("Name of new threads"),
            required=False,
            help=gettext_lazy(
                "Only for a forum channel: every report opens a thread, whose name begins with this"
                " text."
            ),
        ),
    )
    dialect: ClassVar[str] = "discord"
    limit: ClassVar[int] = 2000
    automatic: ClassVar[bool] = True
    account = gettext_lazy(
        "The person who manages the channel creates a webhook and gives you its address. Keep the "
        "address secret: anyone who has it can write to the channel, but do nothing else. No one "
        "is mentioned, whatever a report says. Discord shows us only messages whose number we "
        "received: if its answer does not arrive, you are asked to look for the mark."
    )
    api: ClassVar[str] = "https://discord.com/api/v10"

    def check(self, settings: Settings) -> dict[str, str]:
        """Implement `Transport.check`."""
        match = WEBHOOK.fullmatch(settings["webhook"])
        if match is None:
            raise InvalidSetting(
                "webhook", _("This is not the whole address of a Discord webhook. Copy it again.")
            )
        thread, title = settings.get("thread", ""), settings.get("title", "")
        if thread and not re.fullmatch(r"\d{5,25}", thread, re.ASCII):
            raise InvalidSetting("thread", _("The number of a thread contains only digits."))
        if thread and title:
            raise InvalidSetting(
                "title", _("Choose either one thread or a new thread for every report.")
            )
        return {"webhook": settings["webhook"], "thread": thread, "title": title}

    def send(self, settings: Settings, post: Letter, client: Client) -> SentPost:
        """Implement `Transport.send`."""
        where, guild = self._webhook(settings), self._guild(settings, client)
        body: dict[str, Any] = {"content": post.text, "allowed_mentions": {"parse": []}}
        if post.links:
            buttons = [
                {"type": BUTTON, "style": LINK_BUTTON, "label": words, "url": to}
                for words, to in post.links
            ]
            body["components"] = [{"type": ROW, "components": buttons}]
        thread = settings.get("thread", "")
        if settings.get("title") and post.part == 1:
            body["thread_name"] = f"{settings['title']}: {post.subject}"[:NAME]
        elif settings.get("title"):
            opened = LINK.fullmatch(post.first)
            if opened is None:
                raise PermanentError(
                    _(
                        "The thread that the first part opened is not known: give the link of its"
                        " first message."
                    )
                )
            thread = opened[1]
        asked = {
            "wait": "true",
            **({"with_components": "true"} if post.links else {}),
            **({"thread_id": thread} if thread else {}),
        }
        answer = client.post(f"{where}?{urlencode(asked)}", json=body)
        if answer.status >= 500:
            raise DoubtfulError(
                _("Discord is not working (HTTP {status}).").format(status=answer.status)
            )
        _must_be_taken(answer)
        answered = _answer_json(answer)
        if not str(answered.get("id", "")).isdecimal():
            raise DoubtfulError(_("Discord’s answer did not include the number of the message."))
        channel = str(answered.get("channel_id", ""))
        return SentPost(
            f"https://discord.com/channels/{guild}/{channel}/{answered['id']}"
            if guild and channel.isdecimal()
            else ""
        )

    def find(self, settings: Settings, marker: str, client: Client) -> SentPost | None:
        """Raise `SearchError`, because a webhook cannot search."""
        raise SearchError(
            _(
                "On Discord, a webhook can see only messages whose number it knows, and the "
                "number of this message did not arrive."
            )
        )

    def _webhook(self, settings: Settings) -> str:
        match = WEBHOOK.fullmatch(settings["webhook"])
        if match is None:
            raise AccessRefused(
                _("This is not the whole address of a Discord webhook. Copy it again.")
            )
        return f"{self.api}/webhooks/{match[1]}/{match[2]}"

    def _guild(self, settings: Settings, client: Client) -> str:
        """Return the number of the server, for the link; empty if Discord does not say.

        The request comes before anything is written, so that a webhook that no longer exists is
        noticed first.
        """
        try:
            answer = client.get(self._webhook(settings))
            if answer.status >= 500:
                raise TemporaryError(
                    0, _("Discord is not working (HTTP {status}).").format(status=answer.status)
                )
            _must_be_taken(answer)
            guild = str(_answer_json(answer).get("guild_id") or "")
        except outgoing.Doubtful as error:  # Only a request that changes nothing was sent.
            raise TemporaryError(0, str(error)) from None
        return guild if guild.isdecimal() else ""


def _answer_json(answer: Answer) -> dict[str, Any]:
    facts = answer.json()
    return facts if isinstance(facts, dict) else {}


def _must_be_taken(answer: Answer) -> None:
    """Raise the error for an answer that is not a success: the message was certainly not posted."""
    if answer.ok:
        return
    try:
        answered = _answer_json(answer)
    except outgoing.Doubtful:
        answered = {}
    if answer.status == 429:
        raise TemporaryError(
            _seconds(answered.get("retry_after"), answer), _("Discord has asked us to wait.")
        )
    if answer.status == 401 or answered.get("code") in (UNKNOWN_WEBHOOK, INVALID_TOKEN):
        raise AccessRefused(
            _("Discord does not know this webhook: it was deleted, or the address is incomplete.")
        )
    words = str(answered.get("message") or "")[:200]
    raise PermanentError(
        _("Discord refused the post: {said} (HTTP {status}).").format(
            said=words or "–", status=answer.status
        )
    )


def _seconds(asked: object, answer: Answer) -> float:
    try:
        seconds = float(str(asked if asked is not None else answer.headers.get("retry-after") or 5))
    except ValueError:
        return 5
    return min(max(seconds, 1), 86400)
