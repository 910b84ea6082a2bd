"""Discourse by its interface for programs: a key for one user, replies to one topic.

The same create within 120 seconds is answered with the post it made: what is repeated is sent byte
for byte as before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import quote, urlencode, urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.boards import (
    AWAITING,
    CannotRead,
    Closed,
    Doubtful,
    Heard,
    Letter,
    Need,
    Permanent,
    Sent,
    Settings,
    Topic,
    Unseen,
    Wrong,
    register,
)
from forum.boards.forms import (
    LONG,
    SOON,
    far_enough,
    holds,
    no_such_topic,
    one_line,
    own_words,
    read_time,
    reading,
    refusal,
    replaced,
    text_of,
    token,
    topic_of,
    web_address,
    writing,
)
from outgoing import client as outgoing
from outgoing.client import Answer, Client

LATEST = 200
"""Posts that are read of what is new, at most."""
A_TIME = 20
GUEST = {"Accept": "application/json"}
_POST = re.compile(r"(?P<base>.*)/p/(?P<number>\d+)(?:/\d+)?/?$")
_LINK = re.compile(r"(?P<base>https?://.*)/t/(?:[^/]+/)?(?P<topic>\d+)/(?P<number>\d+)/?$")
_TOPIC = re.compile(r"(?P<base>.*)/t/(?:[^/]+/)?(?P<number>\d+)(?:/\d+)?/?$")


def place(address: str) -> tuple[str, int]:
    """The forum's address, and the number of the topic, or of the post where it is one's."""
    if _of_post(address):
        return topic_of(address, _POST, "https://…/p/12")
    return topic_of(address, _TOPIC, "https://…/t/…/12")


def _of_post(address: str) -> bool:
    return _POST.match(urlsplit(address.strip()).path) is not None


def discourse_errors(answer: Answer) -> str:
    try:
        return one_line(" ".join(str(one) for one in answer.json()["errors"]))
    except Exception:  # whatever it was, it is no such answer
        return f"HTTP {answer.status}"


def _stream(topic: dict[str, Any]) -> list[int]:
    """The posts' numbers, oldest first. Raises `CannotRead`: a topic of ten thousand posts does not
    tell them.
    """
    try:
        return [int(one) for one in topic["post_stream"]["stream"]]
    except (LookupError, TypeError, ValueError):
        raise CannotRead(_("The board does not show which posts the topic holds.")) from None


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
            help=gettext_lazy("An administrator makes it, for the account that posts."),
        ),
    )
    account = gettext_lazy(
        "A key that an administrator of the forum makes for an account of its own. The account"
        " posts by the forum's interface for programs, and looks for its mark before anything is"
        " sent again."
    )

    def check(self, settings: Settings) -> dict[str, str]:
        where = web_address(settings)
        base, number = place(where)
        name = settings.get("username", "").strip()
        if not name or not name.isascii() or not name.isprintable() or " " in name:
            raise Wrong("username", _("A user name of Discourse is one word without accents."))
        what = "p" if _of_post(where) else "t"
        return {
            "address": f"{base}/{what}/{number}",
            "username": name,
            "api_key": token(settings, "api_key"),
        }

    def place(
        self, settings: Settings, client: Client, headers: Mapping[str, str]
    ) -> tuple[str, int]:
        """The forum's address and the topic's number; asks the board where the address is of a
        post.
        """
        base, number = place(settings["address"])
        if not _of_post(settings["address"]):
            return base, number
        answer = reading(
            lambda: client.get(f"{base}/posts/{number}.json", headers=headers), client.now()
        )
        if not answer.ok:
            raise no_such_topic(discourse_errors(answer))
        try:
            return base, int(answer.json()["topic_id"])
        except (outgoing.Doubtful, LookupError, TypeError, ValueError):
            raise Closed(LONG, _("The board's answer cannot be read.")) from None

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        headers, match = self.headers(settings), _LINK.match(permalink)
        if match is None:
            raise Permanent(
                _("The post’s link does not say which post it is. Change it there yourself.")
            )
        where = f"{match['base']}/posts/by_number/{match['topic']}/{match['number']}.json"
        answer = reading(lambda: client.get(where, headers=headers), client.now())
        if not answer.ok:
            raise refusal(answer, discourse_errors(answer))
        try:
            number, stands = int(answer.json()["id"]), str(answer.json()["raw"])
        except (outgoing.Doubtful, LookupError, TypeError, ValueError):
            raise Closed(LONG, _("The board's answer cannot be read.")) from None
        text = replaced(stands, was, post.text)
        if text is not None:
            sent = {"post": {"raw": text}}
            to = f"{match['base']}/posts/{number}.json"
            answer = writing(lambda: client.put(to, json=sent, headers=headers), client.now())
            if not answer.ok:
                raise refusal(answer, discourse_errors(answer))
            try:
                answer.json()
            except outgoing.Doubtful:
                raise Doubtful(_("The board's answer cannot be read.")) from None

    def topic(self, settings: Settings, client: Client) -> Topic:
        known = settings if "api_key" in settings else None
        base, number = self.place(settings, client, self.headers(settings) if known else GUEST)
        facts = self._json(client, f"{base}/t/{number}.json", known)
        site = reading(
            lambda: client.get(f"{base}/site/basic-info.json", headers=GUEST), client.now()
        )
        try:
            board = one_line(str(site.json()["title"]))
        except (outgoing.Doubtful, LookupError, TypeError):
            board = ""
        refusal = ""
        if facts.get("closed"):
            refusal = _("The topic is locked.")
        elif known and (facts.get("details") or {}).get("can_create_post") is not True:
            refusal = _("This account may not write there.")
        return Topic(f"{base}/t/{number}", board, one_line(str(facts.get("title") or "")), refusal)

    def headers(self, settings: Settings) -> dict[str, str]:
        return {
            "Api-Key": settings["api_key"],
            "Api-Username": settings["username"],
            "Accept": "application/json",
        }

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        base, topic = self.place(settings, client, self.headers(settings))
        sent = {"topic_id": topic, "raw": post.text}
        answer = writing(
            lambda: client.post(f"{base}/posts.json", json=sent, headers=self.headers(settings)),
            client.now(),
        )
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
        base, topic = self.place(settings, client, self.headers(settings))
        topic_facts = self._json(client, f"{base}/t/{topic}.json", settings)
        stream = _stream(topic_facts)[::-1]
        for page, start in enumerate(range(0, len(stream), A_TIME), 1):
            query = urlencode([("post_ids[]", str(one)) for one in stream[start : start + A_TIME]])
            posts = self._json(client, f"{base}/t/{topic}/posts.json?{query}", settings)[
                "post_stream"
            ]["posts"]
            for one in posts:
                if holds(text_of(str(one.get("cooked") or "")), marker):
                    return Sent(f"{base}/t/{topic}/{int(one['post_number'])}")
            times = [
                at
                for one in posts
                if (at := read_time(str(one.get("created_at") or ""))) is not None
            ]
            if far_enough(page, min(times, default=None), client.now()):
                break
        return self._waits(client, base, topic, marker, settings)

    def _waits(
        self, client: Client, base: str, topic: int, marker: str, settings: Settings
    ) -> Sent | None:
        """The topic, where the post waits for a moderator: an account sees its own that do, unless
        its key may not ask.
        """
        where = f"{base}/posts/{quote(settings['username'], safe='')}/pending.json"
        answer = reading(lambda: client.get(where, headers=self.headers(settings)), client.now())
        try:
            rows = answer.json()["pending_posts"]
            waits = any(holds(str(row.get("raw_text") or ""), marker) for row in rows)
        except (outgoing.Doubtful, LookupError, TypeError, AttributeError):
            if answer.ok:  # no answer of the board's at all
                raise Closed(LONG, _("The board's answer cannot be read.")) from None
            raise Unseen(
                _("What waits for a moderator there cannot be read (HTTP {status}).").format(
                    status=answer.status
                )
            ) from None
        return Sent(f"{base}/t/{topic}", AWAITING) if waits else None

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[Heard]:
        """As a guest: no key is sent."""
        base, topic = self.place(settings, client, GUEST)
        topic_facts = self._json(client, f"{base}/t/{topic}.json", None)
        stream = _stream(topic_facts)
        after = [one for one in stream if one > int(since or 0)]
        wanted = after[-LATEST:][::-1] if since and not again else stream[::-1][:LATEST]
        heard = []
        for start in range(0, len(wanted), A_TIME):
            some = wanted[start : start + A_TIME]
            query = urlencode([("post_ids[]", str(one)) for one in some])
            for one in self._json(client, f"{base}/t/{topic}/posts.json?{query}", None)[
                "post_stream"
            ]["posts"]:
                if int(one.get("post_type") or 1) == 1:  # no notes of who closed or moved it
                    heard.append(self._heard(base, topic, one))
            oldest = min((one.at for one in heard if one.at is not None), default=None)
            if (
                some[-1] <= int(since)
                if since
                else back_to is None or oldest is None or oldest < back_to
            ):
                break
        return sorted(heard, key=lambda one: int(one.id))

    def _heard(self, base: str, topic: int, one: dict[str, Any]) -> Heard:
        at, (words, quoted) = (
            read_time(str(one.get("created_at") or "")),
            own_words(str(one.get("cooked") or "")),
        )
        link = f"{base}/t/{topic}/{int(one['post_number'])}"
        return Heard(str(int(one["id"])), str(one.get("username") or ""), at, words, link, quoted)

    def _json(self, client: Client, where: str, settings: Settings | None) -> dict[str, Any]:
        """Read with the key of these settings, or as a guest."""
        headers = self.headers(settings) if settings is not None else GUEST
        answer = reading(lambda: client.get(where, headers=headers), client.now())
        if not answer.ok:
            raise CannotRead(
                _("The topic cannot be read (HTTP {status}).").format(status=answer.status)
            )
        try:
            facts = answer.json()
            assert isinstance(facts["post_stream"], dict)
        except Exception as error:
            raise Closed(SOON, _("The board's answer cannot be read.")) from error
        return dict(facts)
