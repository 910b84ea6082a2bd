"""The transport to NodeBB 4, which uses its API with a token from the admin panel.

NodeBB does not detect duplicates: the posts are searched for the mark, newest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy, pgettext_lazy

from forum.boards import AWAITING, SentPost, SettingField, Settings, TooSoonError
from forum.boards.answers import no_post_in_link
from forum.boards.json_board import JsonBoard, JsonPost, JsonVisit, PostPage, PostSource
from forum.boards.markup import read_time, text_of
from outgoing import client as outgoing
from outgoing.client import Answer

_WAIT = re.compile(r"(\d{1,5})\s*(?:(se[cgk])|minut)", re.IGNORECASE)
"""The pause that the board asks for, in many of the languages that an account may have."""
_RAW = "/raw"
UNAVAILABLE = "service-unavailable"


class Nodebb(JsonBoard):
    """The transport to a topic of a NodeBB forum."""

    key: ClassVar[str] = "nodebb"
    name = gettext_lazy("NodeBB 4")
    software: ClassVar[str] = "NodeBB"
    address_pattern: ClassVar[re.Pattern[str]] = re.compile(r"/(topic|post)/\d+(/|#|\?|$)")
    limit: ClassVar[int] = 32_767
    pace: ClassVar[int] = 10
    credential: ClassVar[str] = "token"
    example: ClassVar[str] = "https://…/topic/12/…"
    needs: ClassVar[Sequence[SettingField]] = (
        SettingField(
            "address", pgettext_lazy("field", "Address of the topic"), kind="url", help=example
        ),
        SettingField(
            "token",
            pgettext_lazy("field", "Token"),
            secret=True,
            kind="password",
            help=gettext_lazy("An administrator creates it for the account that posts."),
        ),
    )
    account = gettext_lazy(
        "An administrator of the forum creates a token for a separate account. The account posts "
        "through the forum’s interface for programs, and looks for its mark before anything is "
        "sent again."
    )
    topic_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<base>.*)/topic/(?P<number>\d+)(?:/|$)"
    )
    post_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<base>.*)/post/(?P<number>\d+)(?:/|$)"
    )
    topic_path: ClassVar[str] = "/topic/{number}"
    post_path: ClassVar[str] = "/post/{number}"
    topic_api: ClassVar[str] = "/api/topic/{number}"
    post_api: ClassVar[str] = "/api/v3/posts/{number}"
    forum_api: ClassVar[str] = "/api/config"
    forum_title: ClassVar[str] = "siteTitle"
    locked: ClassVar[str] = "locked"

    def headers(self, settings: Settings) -> dict[str, str]:
        """Return the headers of a request with the token; refusals are in English."""
        return {
            "Authorization": f"Bearer {settings['token']}",
            "Accept": "application/json",
            "Accept-Language": "en",
        }

    def words_of_refusal(self, answered: Any) -> str:
        """Return the message of the answer's status."""
        return str(answered["status"]["message"])

    def has_posts(self, facts: dict[str, Any]) -> bool:
        """Return whether the answer has a list of posts."""
        return isinstance(facts, dict) and isinstance(facts["posts"], list)

    def topic_of_post(self, answered: Any) -> int:
        """Return the number of the topic in which a post is."""
        return int(answered["response"]["tid"])

    def title(self, topic: dict[str, Any]) -> str:
        """Return a topic's title as plain text."""
        return text_of(str(topic.get("titleRaw") or topic.get("title") or ""))

    def may_reply(self, topic: dict[str, Any]) -> bool:
        """Return whether the account may reply, which is assumed if the board does not say."""
        return (topic.get("privileges") or {}).get("topics:reply") is not False

    def reply(self, topic: int, text: str) -> tuple[str, dict[str, Any]]:
        """Return the path and the body of the request that posts a reply."""
        return f"/api/v3/topics/{topic}", {"content": text}

    def did_nothing(self, answer: Answer) -> bool:
        """Return whether the board says that it is too busy, in its own words."""
        try:
            return str(answer.json()["status"]["code"]) == UNAVAILABLE
        except (outgoing.Doubtful, LookupError, TypeError):
            return False

    def send_refusal(self, answer: Answer) -> Exception:
        """Return `TooSoonError` if the board says how long to wait, otherwise the usual error."""
        words = self.errors(answer)
        if answer.status == 400 and (match := _WAIT.search(words)):
            pause = int(match[1]) * (1 if match[2] else 60)
            return TooSoonError(pause + 1, words, pause)
        return super().send_refusal(answer)

    def sent(self, visit: JsonVisit, answered: Any) -> SentPost:
        """Return the post's link, or the state that it waits for a moderator."""
        response = answered["response"]
        if response.get("queued"):
            return SentPost("", AWAITING)
        return SentPost(f"{visit.base}{self.post_path.format(number=int(response['pid']))}")

    def source_address(self, permalink: str) -> str:
        """Return the address of a post's text as it was typed."""
        match = self.post_pattern.match(permalink)
        if match is None:
            raise no_post_in_link()
        return f"{match['base']}{self.post_api.format(number=match['number'])}{_RAW}"

    def source(self, address: str, answered: Any) -> PostSource:
        """Return the post's text, and the address of the post."""
        return PostSource(str(answered["response"]["content"]), address.removesuffix(_RAW))

    def changed(self, text: str) -> dict[str, Any]:
        """Return the body of the request that replaces the text of a post."""
        return {"content": text}

    def pages(self, visit: JsonVisit, after: int = 0) -> Iterator[PostPage]:
        """Yield the topic's pages, newest posts first; `after` has no effect."""
        path = self.topic_api.format(number=visit.topic)
        for number in count(1):
            facts = self.facts(visit, f"{path}?sort=newest_to_oldest&page={number}")
            pages = int((facts.get("pagination") or {}).get("pageCount") or 1)
            shown = [int(post["pid"]) for post in facts["posts"] if not post.get("deleted")]
            # The topic's first post is on every first page.
            first = min(shown, default=0) if number == 1 and pages > 1 else None
            posts = [self._post(visit, post, first) for post in facts["posts"]]
            yield PostPage(posts, is_last=number >= pages)

    def queue_path(self, settings: Settings) -> str:
        """Return the path of the moderation queue, where an account sees its own posts."""
        return "/api/post-queue"

    def queued_texts(self, answered: Any) -> Iterable[str]:
        """Return the texts as plain text."""
        return (
            text_of(str((post.get("data") or {}).get("content") or ""))
            for post in answered["posts"]
        )

    def _post(self, visit: JsonVisit, post: dict[str, Any], first: int | None) -> JsonPost:
        number, user = int(post["pid"]), post.get("user") or {}
        return JsonPost(
            id=number,
            author=str(user.get("displayname") or user.get("username") or ""),
            at=read_time(str(post.get("timestampISO") or "")),
            html=str(post.get("content") or ""),
            permalink=f"{visit.base}{self.post_path.format(number=number)}",
            is_reply=not post.get("deleted") and number != first,
        )
