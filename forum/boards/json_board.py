"""Boards that answer programs in JSON: what the transports to Discourse and NodeBB share.

The account has a secret, a key or a token, and every request sends it: there is no sign-in. The
module of a board declares its texts and address patterns, and says where its answers keep what.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from forum.boards import (
    AWAITING,
    CannotRead,
    Closed,
    Doubtful,
    Heard,
    Letter,
    Need,
    Sent,
    Settings,
    Topic,
    TransportError,
    Unseen,
)
from forum.boards.answers import (
    LONG,
    SOON,
    Wanted,
    far_enough,
    no_such_topic,
    reading,
    refusal,
    token,
    topic_of,
    web_address,
    writing,
)
from forum.boards.markup import holds, one_line, own_words, replaced, text_of
from outgoing import client as outgoing
from outgoing.client import Answer, Client

GUEST = {"Accept": "application/json"}
PAGES = 10
"""The most pages that are read of a topic that is followed."""


@dataclass(frozen=True, slots=True)
class Place:
    """What an address names: the forum, and the number of a topic or of a post in it."""

    base: str
    number: int
    is_post: bool


@dataclass(frozen=True, slots=True)
class JsonPost:
    """A post as the board's answer holds it."""

    id: int
    author: str
    at: datetime | None
    html: str
    permalink: str
    is_reply: bool = True
    """False for a note of the board, a deleted post, and a topic's first post above newer ones."""


@dataclass(frozen=True, slots=True)
class PostPage:
    """Some posts of a topic, and whether the topic has no older ones."""

    posts: list[JsonPost]
    is_last: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A post's text as its writer typed it, and the address that takes a changed one."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class JsonVisit:
    """A series of requests about one topic, by the account or by a guest."""

    client: Client
    base: str
    topic: int
    headers: Mapping[str, str]

    def get(self, path: str) -> Answer:
        """Return the answer to a question about the forum. Raises as `reading`."""
        return _asked(self.client, f"{self.base}{path}", self.headers)


class JsonBoard(ABC):
    """Replies to one topic of a board, by the board's interface for programs."""

    key: ClassVar[str]
    name: Promise
    account: Promise
    software: ClassVar[str]
    address_pattern: ClassVar[re.Pattern[str]]
    limit: ClassVar[int]
    needs: ClassVar[Sequence[Need]]
    dialect: ClassVar[str] = "markdown"
    automatic: ClassVar[bool] = True

    credential: ClassVar[str]
    """The key of the need that holds the account's key or token."""
    example: ClassVar[str]
    """A topic's address, for a person who gave another one."""
    topic_pattern: ClassVar[re.Pattern[str]]
    """The path of a topic's address, with the groups `base` and `number`."""
    post_pattern: ClassVar[re.Pattern[str]]
    """The path of a post's address, with the groups `base` and `number`."""
    topic_path: ClassVar[str]
    """The path of a topic for readers, with the place `{number}`, as the three below."""
    post_path: ClassVar[str]
    topic_api: ClassVar[str]
    post_api: ClassVar[str]
    forum_api: ClassVar[str]
    """The path of what the board tells everyone about itself."""
    forum_title: ClassVar[str]
    """The key of the board's name there."""
    locked: ClassVar[str]
    """The key of a topic that says that it is locked."""

    @abstractmethod
    def headers(self, settings: Settings) -> dict[str, str]:
        """Return the headers of a request by the account."""

    @abstractmethod
    def words_of_refusal(self, answered: Any) -> str:
        """Return the board's own words in an answer that refuses. May raise anything."""

    @abstractmethod
    def has_posts(self, facts: dict[str, Any]) -> bool:
        """Return whether an answer has the posts that it should have. May raise anything."""

    @abstractmethod
    def topic_of_post(self, answered: Any) -> int:
        """Return the number of the topic in which a post is."""

    @abstractmethod
    def title(self, topic: dict[str, Any]) -> str:
        """Return a topic's title as plain text."""

    @abstractmethod
    def may_reply(self, topic: dict[str, Any]) -> bool:
        """Return whether the account may reply to a topic that is not locked."""

    @abstractmethod
    def reply(self, topic: int, text: str) -> tuple[str, dict[str, Any]]:
        """Return the path and the body of the request that posts a reply."""

    @abstractmethod
    def sent(self, visit: JsonVisit, answered: Any) -> Sent:
        """Return what a success says about the new post. May raise anything."""

    @abstractmethod
    def source_address(self, permalink: str) -> str:
        """Return the address of the text behind a post's link. Raises `Permanent`."""

    @abstractmethod
    def source(self, address: str, answered: Any) -> Source:
        """Return the text that was found at the address of a post's text."""

    @abstractmethod
    def changed(self, text: str) -> dict[str, Any]:
        """Return the body of the request that gives a post this text."""

    @abstractmethod
    def pages(self, visit: JsonVisit, after: int = 0) -> Iterator[PostPage]:
        """Yield the topic's posts, newest first; where the board allows it, only those after the
        post with the number `after`.
        """

    @abstractmethod
    def queue_path(self, settings: Settings) -> str:
        """Return the path of the account's posts that wait for a moderator."""

    @abstractmethod
    def queued_texts(self, answered: Any) -> Iterable[str]:
        """Return the texts of the posts that wait for a moderator."""

    def account_settings(self, settings: Settings) -> dict[str, str]:
        """Return the settings of the account as they will be used. Raises `Wrong`."""
        return {self.credential: token(settings, self.credential)}

    def check(self, settings: Settings) -> dict[str, str]:
        """Implement `Transport.check`."""
        place = self.place(web_address(settings))
        path = self.post_path if place.is_post else self.topic_path
        address = f"{place.base}{path.format(number=place.number)}"
        return {"address": address, **self.account_settings(settings)}

    def place(self, address: str) -> Place:
        """Return what an address names. Raises `Wrong`."""
        is_post = self.post_pattern.match(urlsplit(address.strip()).path) is not None
        pattern = self.post_pattern if is_post else self.topic_pattern
        base, number = topic_of(address, pattern, self.example)
        return Place(base=base, number=number, is_post=is_post)

    def visit(self, settings: Settings, client: Client, *, as_guest: bool = False) -> JsonVisit:
        """Return a visit to the topic of these settings.

        Asks the board which topic it is where the address is that of a post.
        """
        headers = GUEST if as_guest else self.headers(settings)
        place = self.place(settings["address"])
        if not place.is_post:
            return JsonVisit(client, place.base, place.number, headers)
        path = self.post_api.format(number=place.number)
        answer = _asked(client, f"{place.base}{path}", headers)
        if not answer.ok:
            raise no_such_topic(self.errors(answer))
        with _understood():
            number = self.topic_of_post(answer.json())
        return JsonVisit(client, place.base, number, headers)

    def errors(self, answer: Answer) -> str:
        """Return the board's own words for what it does not do, else the status."""
        try:
            return one_line(self.words_of_refusal(answer.json()))
        except Exception:  # whatever it was, it is no such answer
            return f"HTTP {answer.status}"

    def send_refusal(self, answer: Answer) -> Exception:
        """Return what an answer to a new post means if it is no success."""
        return refusal(answer, self.errors(answer))

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        """Implement `Transport.send`."""
        visit = self.visit(settings, client)
        path, body = self.reply(visit.topic, post.text)
        answer = writing(
            lambda: client.post(f"{visit.base}{path}", json=body, headers=visit.headers),
            client.now(),
        )
        if not answer.ok:
            raise self.send_refusal(answer)
        try:
            return self.sent(visit, answer.json())
        except Exception as error:
            raise Doubtful(_("The board's answer cannot be read.")) from error

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        """Implement `Editing.edit`."""
        headers, where = self.headers(settings), self.source_address(permalink)
        answer = _asked(client, where, headers)
        if not answer.ok:
            raise refusal(answer, self.errors(answer))
        with _understood():
            source = self.source(where, answer.json())
        text = replaced(source.text, was, post.text)
        if text is None:
            return
        body = self.changed(text)
        answer = writing(
            lambda: client.put(source.address, json=body, headers=headers), client.now()
        )
        if not answer.ok:
            raise refusal(answer, self.errors(answer))
        try:
            answer.json()
        except outgoing.Doubtful:
            raise Doubtful(_("The board's answer cannot be read.")) from None

    def topic(self, settings: Settings, client: Client) -> Topic:
        """Implement `Showing.topic`."""
        as_guest = self.credential not in settings
        visit = self.visit(settings, client, as_guest=as_guest)
        facts = self.facts(visit, self.topic_api.format(number=visit.topic))
        refusal = ""
        if facts.get(self.locked):
            refusal = _("The topic is locked.")
        elif not as_guest and not self.may_reply(facts):
            refusal = _("This account may not write there.")
        return Topic(
            address=self.topic_address(visit),
            board=self._forum_name(visit),
            title=self.title(facts),
            refusal=refusal,
        )

    def topic_address(self, visit: JsonVisit) -> str:
        """Return the topic's address for readers."""
        return f"{visit.base}{self.topic_path.format(number=visit.topic)}"

    def _forum_name(self, visit: JsonVisit) -> str:
        """Return what the board calls itself, "" where it does not say."""
        answer = _asked(visit.client, f"{visit.base}{self.forum_api}", GUEST)
        try:
            return one_line(str(answer.json()[self.forum_title]))
        except (outgoing.Doubtful, LookupError, TypeError):
            return ""

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """Implement `Transport.find`: search the posts, then those that wait for a moderator."""
        visit = self.visit(settings, client)
        seen = set[int]()
        for number, page in enumerate(self.pages(visit), 1):
            posts = [post for post in page.posts if post.id not in seen]
            if marked := [post for post in posts if holds(text_of(post.html), marker)]:
                return Sent(min(marked, key=lambda post: post.id).permalink)
            seen |= {post.id for post in posts}
            oldest = min((post.at for post in posts if post.at is not None), default=None)
            if page.is_last or far_enough(number, oldest, client.now()):
                break
        return self._find_waiting(visit, marker, settings)

    def _find_waiting(self, visit: JsonVisit, marker: str, settings: Settings) -> Sent | None:
        """Return the topic if the post waits for a moderator.

        An account sees its own posts that wait, unless its secret may not ask for them.
        """
        answer = visit.get(self.queue_path(settings))
        try:
            waits = any(holds(text, marker) for text in self.queued_texts(answer.json()))
        except (outgoing.Doubtful, LookupError, TypeError, AttributeError):
            if answer.ok:  # no answer of the board's at all
                raise _unreadable(LONG) from None
            raise Unseen(
                _("What waits for a moderator there cannot be read (HTTP {status}).").format(
                    status=answer.status
                )
            ) from None
        return Sent(self.topic_address(visit), AWAITING) if waits else None

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[Heard]:
        """Implement `Readable.read`, as a guest: no secret is sent."""
        visit = self.visit(settings, client, as_guest=True)
        wanted, heard = Wanted(int(since or 0), again, back_to), dict[int, Heard]()
        for page in islice(self.pages(visit, after=0 if again else wanted.since), PAGES):
            heard |= {post.id: _heard(post) for post in page.posts if post.is_reply}
            if page.is_last or (heard and wanted.reached(heard)):
                break
        return wanted.among(heard)

    def facts(self, visit: JsonVisit, path: str) -> dict[str, Any]:
        """Return an answer that holds posts. Raises `CannotRead` and `Closed`."""
        answer = visit.get(path)
        if not answer.ok:
            raise CannotRead(
                _("The topic cannot be read (HTTP {status}).").format(status=answer.status)
            )
        try:
            facts = answer.json()
            assert self.has_posts(facts)
        except Exception as error:
            raise _unreadable(SOON) from error
        return dict(facts)


def _asked(client: Client, address: str, headers: Mapping[str, str]) -> Answer:
    """Return the answer to a question that changes nothing. Raises as `reading`."""
    return reading(lambda: client.get(address, headers=headers), client.now())


def _heard(post: JsonPost) -> Heard:
    words, quoted = own_words(post.html)
    return Heard(str(post.id), post.author, post.at, words, post.permalink, quoted)


def _unreadable(seconds: int) -> TransportError:
    return Closed(seconds, _("The board's answer cannot be read."))


@contextmanager
def _understood() -> Iterator[None]:
    """Raise `Closed` where an answer lacks what the board's answers have."""
    try:
        yield
    except (outgoing.Doubtful, LookupError, TypeError, ValueError):
        raise _unreadable(LONG) from None
