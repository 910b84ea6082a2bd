"""Discourse by its interface for programs: a key for one user, replies to one topic.

The same create within 120 seconds is answered with the post it made: what is repeated is sent byte for byte as before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.boards import AWAITING, CannotRead, Closed, Doubtful, Heard, Letter, Need, Sent, Settings, Unseen, Wrong, register
from forum.boards.forms import (
    LONG,
    SOON,
    far_enough,
    holds,
    one_line,
    read_time,
    reading,
    refusal,
    text_of,
    token,
    topic_of,
    web_address,
    writing,
)
from outgoing import client as outgoing
from outgoing.client import Answer, Client

LATEST = 40
"""Posts that are read of what is new, at most."""
A_TIME = 20
_TOPIC = re.compile(r"(?P<base>.*)/t/(?:[^/]+/)?(?P<number>\d+)(?:/\d+)?/?$")


def place(address: str) -> tuple[str, int]:
    return topic_of(address, _TOPIC, "https://…/t/…/12")


def discourse_errors(answer: Answer) -> str:
    try:
        return one_line(" ".join(str(one) for one in answer.json()["errors"]))
    except Exception:  # whatever it was, it is no such answer
        return f"HTTP {answer.status}"


def _stream(topic: dict[str, Any]) -> list[int]:
    """The posts' numbers, oldest first. Raises `CannotRead`: a topic of ten thousand posts does not tell them."""
    try:
        return [int(one) for one in topic["post_stream"]["stream"]]
    except (LookupError, TypeError, ValueError):
        raise CannotRead(_("The board does not say which posts the topic holds.")) from None


@register
class Discourse:
    """Replies to one topic."""

    key: ClassVar[str] = "discourse"
    name = gettext_lazy("Discourse")
    dialect: ClassVar[str] = "markdown"
    limit: ClassVar[int] = 32_000
    automatic: ClassVar[bool] = True
    needs: ClassVar[Sequence[Need]] = (
        Need("address", gettext_lazy("Address of the topic"), kind="url", help="https://…/t/…/12"),
        Need("username", gettext_lazy("User name there")),
        Need(
            "api_key",
            gettext_lazy("API key"),
            secret=True,
            kind="password",
            help=gettext_lazy("An administrator makes it, for the account that is to post."),
        ),
    )
    account = gettext_lazy(
        "A key that an administrator of the forum makes for an account of its own. It posts by the forum's interface for "
        "programs, and looks for its mark before anything is sent again."
    )

    def check(self, settings: Settings) -> dict[str, str]:
        base, topic = place(web_address(settings))
        name = settings.get("username", "").strip()
        if not name or not name.isascii() or not name.isprintable() or " " in name:
            raise Wrong("username", _("A user name of Discourse is one word without accents."))
        return {"address": f"{base}/t/{topic}", "username": name, "api_key": token(settings, "api_key")}

    def headers(self, settings: Settings) -> dict[str, str]:
        return {"Api-Key": settings["api_key"], "Api-Username": settings["username"], "Accept": "application/json"}

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        base, topic = place(settings["address"])
        sent = {"topic_id": topic, "raw": post.text}
        answer = writing(lambda: client.post(f"{base}/posts.json", json=sent, headers=self.headers(settings)), client.now())
        if not answer.ok:
            raise refusal(answer, discourse_errors(answer))
        try:
            answered = answer.json()
            if answered.get("action") == "enqueued":
                return Sent("", AWAITING)
            return Sent(f"{base}/t/{int(answered['topic_id'])}/{int(answered['post_number'])}")
        except Exception as error:
            raise Doubtful(_("The board's answer cannot be read.")) from error

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        base, topic = place(settings["address"])
        topic_facts = self._json(client, f"{base}/t/{topic}.json", settings)
        stream = _stream(topic_facts)[::-1]
        for page, start in enumerate(range(0, len(stream), A_TIME), 1):
            query = urlencode([("post_ids[]", str(one)) for one in stream[start : start + A_TIME]])
            posts = self._json(client, f"{base}/t/{topic}/posts.json?{query}", settings)["post_stream"]["posts"]
            for one in posts:
                if holds(text_of(str(one.get("cooked") or "")), marker):
                    return Sent(f"{base}/t/{topic}/{int(one['post_number'])}")
            times = [at for one in posts if (at := read_time(str(one.get("created_at") or ""))) is not None]
            if far_enough(page, min(times, default=None), client.now()):
                break
        return self._waits(client, base, topic, marker, settings)

    def _waits(self, client: Client, base: str, topic: int, marker: str, settings: Settings) -> Sent | None:
        """The topic, where the post waits for a moderator: an account sees its own that do, unless its key may not ask."""
        where = f"{base}/posts/{quote(settings['username'], safe='')}/pending.json"
        answer = reading(lambda: client.get(where, headers=self.headers(settings)), client.now())
        try:
            rows = answer.json()["pending_posts"]
            waits = any(holds(str(row.get("raw_text") or ""), marker) for row in rows)
        except (outgoing.Doubtful, LookupError, TypeError, AttributeError):
            if answer.ok:  # no answer of the board's at all
                raise Closed(LONG, _("The board's answer cannot be read.")) from None
            raise Unseen(
                _("What waits for a moderator there cannot be read (HTTP {status}).").format(status=answer.status)
            ) from None
        return Sent(f"{base}/t/{topic}", AWAITING) if waits else None

    def read(self, settings: Settings, since: str, client: Client) -> list[Heard]:
        """As a guest: no key is sent."""
        base, topic = place(settings["address"])
        topic_facts = self._json(client, f"{base}/t/{topic}.json", None)
        stream = _stream(topic_facts)
        after = [one for one in stream if one > int(since or 0)]
        wanted = after[-LATEST:] if since else after[-A_TIME:]
        heard = []
        for start in range(0, len(wanted), A_TIME):
            query = urlencode([("post_ids[]", str(one)) for one in wanted[start : start + A_TIME]])
            for one in self._json(client, f"{base}/t/{topic}/posts.json?{query}", None)["post_stream"]["posts"]:
                if int(one.get("post_type") or 1) == 1:  # no notes of who closed or moved it
                    heard.append(self._heard(base, topic, one))
        return sorted(heard, key=lambda one: int(one.id))

    def _heard(self, base: str, topic: int, one: dict[str, Any]) -> Heard:
        at, text = read_time(str(one.get("created_at") or "")), text_of(str(one.get("cooked") or ""))
        return Heard(str(int(one["id"])), str(one.get("username") or ""), at, text, f"{base}/t/{topic}/{int(one['post_number'])}")

    def _json(self, client: Client, where: str, settings: Settings | None) -> dict[str, Any]:
        """Read with the key of these settings, or as a guest."""
        headers = self.headers(settings) if settings is not None else {"Accept": "application/json"}
        answer = reading(lambda: client.get(where, headers=headers), client.now())
        if not answer.ok:
            raise CannotRead(_("The topic cannot be read (HTTP {status}).").format(status=answer.status))
        try:
            facts = answer.json()
            assert isinstance(facts["post_stream"], dict)
        except Exception as error:
            raise Closed(SOON, _("The board's answer cannot be read.")) from error
        return dict(facts)
