"""The transport to Discourse, which uses its API with a key for one user.

If the same create request arrives twice within 120 seconds, Discourse answers with the post that it
created first. So a repeated request has exactly the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from forum.boards import AWAITING, InvalidSetting, SearchError, SentPost, SettingField, Settings
from forum.boards.answers import no_post_in_link
from forum.boards.json_board import JsonBoard, JsonPost, JsonVisit, PostPage, PostSource
from forum.boards.markup import one_line, read_time

A_TIME = 20
"""The number of posts that one request asks for."""
REPLY = 1
"""The type of a post that a person wrote; others record that a topic was closed or moved."""
_LINK = re.compile(r"(?P<base>https?://.*)/t/(?:[^/]+/)?(?P<topic>\d+)/(?P<number>\d+)/?$")
_BY_NUMBER = "/posts/by_number/"


class Discourse(JsonBoard):
    """The transport to a topic of a Discourse forum."""

    key: ClassVar[str] = "discourse"
    name = gettext_lazy("Discourse")
    software: ClassVar[str] = "Discourse"
    address_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"/(t/([^/]+/)?|p/)\d+(/\d+)?/?(#|\?|$)"
    )
    limit: ClassVar[int] = 32_000
    credential: ClassVar[str] = "api_key"
    example: ClassVar[str] = "https://…/t/…/12"
    needs: ClassVar[Sequence[SettingField]] = (
        SettingField(
            "address", pgettext_lazy("field", "Address of the topic"), kind="url", help=example
        ),
        SettingField("username", pgettext_lazy("field", "User name there")),
        SettingField(
            "api_key",
            gettext_lazy("API key"),
            secret=True,
            kind="password",
            help=gettext_lazy("An administrator creates it for the account that posts."),
        ),
    )
    account = gettext_lazy(
        "An administrator of the forum creates a key for a separate account. The account posts "
        "through the forum’s interface for programs, and looks for its mark before anything is "
        "sent again."
    )
    topic_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<base>.*)/t/(?:[^/]+/)?(?P<number>\d+)(?:/\d+)?/?$"
    )
    post_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<base>.*)/p/(?P<number>\d+)(?:/\d+)?/?$"
    )
    topic_path: ClassVar[str] = "/t/{number}"
    post_path: ClassVar[str] = "/p/{number}"
    topic_api: ClassVar[str] = "/t/{number}.json"
    post_api: ClassVar[str] = "/posts/{number}.json"
    forum_api: ClassVar[str] = "/site/basic-info.json"
    forum_title: ClassVar[str] = "title"
    locked: ClassVar[str] = "closed"

    def headers(self, settings: Settings) -> dict[str, str]:
        """Return the headers of a request, with the key of one user."""
        return {
            "Api-Key": settings["api_key"],
            "Api-Username": settings["username"],
            "Accept": "application/json",
        }

    def account_settings(self, settings: Settings) -> dict[str, str]:
        """Return the name and the key as they will be sent. Raises `InvalidSetting`."""
        name = settings.get("username", "").strip()
        if not name or not name.isascii() or not name.isprintable() or " " in name:
            raise InvalidSetting(
                "username", _("A Discourse user name is one word without accents.")
            )
        return {"username": name, **super().account_settings(settings)}

    def words_of_refusal(self, answered: Any) -> str:
        """Join the list of errors to one text."""
        return " ".join(str(error) for error in answered["errors"])

    def has_posts(self, facts: dict[str, Any]) -> bool:
        """Return whether the answer has a stream of posts."""
        return isinstance(facts["post_stream"], dict)

    def topic_of_post(self, answered: Any) -> int:
        """Return the number of the topic in which a post is."""
        return int(answered["topic_id"])

    def title(self, topic: dict[str, Any]) -> str:
        """Return a topic's title on one line."""
        return one_line(str(topic.get("title") or ""))

    def may_reply(self, topic: dict[str, Any]) -> bool:
        """Return whether the board says that the account may reply."""
        return (topic.get("details") or {}).get("can_create_post") is True

    def reply(self, topic: int, text: str) -> tuple[str, dict[str, Any]]:
        """Return the path and the body of the request that posts a reply."""
        return "/posts.json", {"topic_id": topic, "raw": text}

    def sent(self, visit: JsonVisit, answered: Any) -> SentPost:
        """Return the post's link, or the state that it waits for a moderator."""
        if answered.get("action") == "enqueued":
            return SentPost("", AWAITING)
        topic, number = int(answered["topic_id"]), int(answered["post_number"])
        return SentPost(f"{visit.base}/t/{topic}/{number}")

    def source_address(self, permalink: str) -> str:
        """Return the address of a post by its topic and its number there."""
        match = _LINK.match(permalink)
        if match is None:
            raise no_post_in_link()
        return f"{match['base']}{_BY_NUMBER}{match['topic']}/{match['number']}.json"

    def source(self, address: str, answered: Any) -> PostSource:
        """Return the post's text, and the address of the post by its own number."""
        base = address.rpartition(_BY_NUMBER)[0]
        return PostSource(str(answered["raw"]), f"{base}/posts/{int(answered['id'])}.json")

    def changed(self, text: str) -> dict[str, Any]:
        """Return the body of the request that replaces the text of a post."""
        return {"post": {"raw": text}}

    def pages(self, visit: JsonVisit, after: int = 0) -> Iterator[PostPage]:
        """Yield the topic's posts by their numbers in it, newest first."""
        topic = self.facts(visit, self.topic_api.format(number=visit.topic))
        wanted = [number for number in reversed(_stream(topic)) if number > after]
        for start in range(0, len(wanted), A_TIME):
            end = start + A_TIME
            query = urlencode([("post_ids[]", str(number)) for number in wanted[start:end]])
            facts = self.facts(visit, f"/t/{visit.topic}/posts.json?{query}")
            posts = [_post(visit, post) for post in facts["post_stream"]["posts"]]
            yield PostPage(posts, is_last=end >= len(wanted))

    def queue_path(self, settings: Settings) -> str:
        """Return the path of the user's posts that wait for a moderator."""
        return f"/posts/{quote(settings['username'], safe='')}/pending.json"

    def queued_texts(self, answered: Any) -> Iterable[str]:
        """Return the texts as they were typed."""
        return (str(post.get("raw_text") or "") for post in answered["pending_posts"])


def _stream(topic: dict[str, Any]) -> list[int]:
    """Return the numbers of a topic's posts, oldest first.

    Raises `SearchError`: the answer does not have them for a topic of ten thousand posts.
    """
    try:
        return [int(number) for number in topic["post_stream"]["stream"]]
    except (LookupError, TypeError, ValueError):
        raise SearchError(_("The board does not show which posts the topic holds.")) from None


def _post(visit: JsonVisit, post: dict[str, Any]) -> JsonPost:
    return JsonPost(
        id=int(post["id"]),
        author=str(post.get("username") or ""),
        at=read_time(str(post.get("created_at") or "")),
        html=str(post.get("cooked") or ""),
        permalink=f"{visit.base}/t/{visit.topic}/{int(post['post_number'])}",
        is_reply=int(post.get("post_type") or REPLY) == REPLY,
    )
