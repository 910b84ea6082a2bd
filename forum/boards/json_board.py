"""The base class of transports to boards with a JSON API: Discourse and NodeBB.

The account has a secret, a key or a token, which every request sends; there is no sign-in. The
module of a board declares its texts and address patterns, and where the values are in its answers.
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
    BrokenPage,
    DoubtfulError,
    Letter,
    NotVisible,
    PermanentError,
    ReadPost,
    SearchError,
    SentPost,
    SettingField,
    Settings,
    Topic,
    TransportError,
)
from forum.boards.answers import (
    LONG,
    WantedPosts,
    answer_to_read,
    answer_to_write,
    is_searched_enough,
    no_such_topic,
    not_a_post,
    refusal_error,
    split_topic_address,
    valid_token,
    web_address,
)
from forum.boards.markup import has_mark, one_line, own_words, replace_text, text_of
from outgoing import client as outgoing
from outgoing.client import Answer, Client

GUEST = {"Accept": "application/json"}
PAGES = 10
"""The maximum number of pages that are read of a topic that is followed."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place that an address names: the forum, and the number of a topic or of a post in it."""

    base: str
    number: int
    is_post: bool


@dataclass(frozen=True, slots=True)
class JsonPost:
    """A post as it is in the board's answer."""

    id: int
    author: str
    at: datetime | None
    html: str
    permalink: str
    is_reply: bool = True
    """False for a note of the board, a deleted post, and a topic's first post on a page of newer
    ones.
    """


@dataclass(frozen=True, slots=True)
class PostPage:
    """Some posts of a topic, and whether the topic has no older ones."""

    posts: list[JsonPost]
    is_last: bool


@dataclass(frozen=True, slots=True)
class PostSource:
    """A post's text as its writer typed it, and the address to which a changed text is sent."""

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
        """Return the answer to a request about the forum. Raises as `answer_to_read` does."""
        return _get(self.client, f"{self.base}{path}", self.headers)


class JsonBoard(ABC):
    """The base class of transports that reply to a topic of a board by its JSON API."""

    key: ClassVar[str]
    name: Promise
    account: Promise
    software: ClassVar[str]
    address_pattern: ClassVar[re.Pattern[str]]
    limit: ClassVar[int]
    needs: ClassVar[Sequence[SettingField]]
    dialect: ClassVar[str] = "markdown"
    automatic: ClassVar[bool] = True

    credential: ClassVar[str]
    """The key of the need that has the account's key or token."""
    example: ClassVar[str]
    """A topic's address, as an example for a person who gave an unsuitable address."""
    topic_pattern: ClassVar[re.Pattern[str]]
    """The path of a topic's address, with the groups `base` and `number`."""
    post_pattern: ClassVar[re.Pattern[str]]
    """The path of a post's address, with the groups `base` and `number`."""
    topic_path: ClassVar[str]
    """The path of a topic for readers, with the placeholder `{number}`, as in the three below."""
    post_path: ClassVar[str]
    topic_api: ClassVar[str]
    post_api: ClassVar[str]
    forum_api: ClassVar[str]
    """The path of the board's public description of itself."""
    forum_title: ClassVar[str]
    """The key of the board's name in this description."""
    locked: ClassVar[str]
    """The key in a topic that says whether it is locked."""

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
    def sent(self, visit: JsonVisit, answered: Any) -> SentPost:
        """Return the new post from an answer that reports success. May raise anything."""

    @abstractmethod
    def source_address(self, permalink: str) -> str:
        """Return the address of the text of the post with this link. Raises `PermanentError`."""

    @abstractmethod
    def source(self, address: str, answered: Any) -> PostSource:
        """Return the text from the answer at the address of a post's text."""

    @abstractmethod
    def changed(self, text: str) -> dict[str, Any]:
        """Return the body of the request that replaces the text of a post."""

    @abstractmethod
    def pages(self, visit: JsonVisit, after: int = 0) -> Iterator[PostPage]:
        """Yield the topic's posts, newest first.

        If the board allows it, only the posts after the post with the number `after` are read.
        """

    @abstractmethod
    def queue_path(self, settings: Settings) -> str:
        """Return the path of the account's posts that wait for a moderator."""

    @abstractmethod
    def queued_texts(self, answered: Any) -> Iterable[str]:
        """Return the texts of the posts that wait for a moderator."""

    def account_settings(self, settings: Settings) -> dict[str, str]:
        """Return the settings of the account as they will be used. Raises `InvalidSetting`."""
        return {self.credential: valid_token(settings, self.credential)}

    def check(self, settings: Settings) -> dict[str, str]:
        """Implement `Transport.check`."""
        place = self.place(web_address(settings))
        path = self.post_path if place.is_post else self.topic_path
        address = f"{place.base}{path.format(number=place.number)}"
        return {"address": address, **self.account_settings(settings)}

    def place(self, address: str) -> Place:
        """Return the place that an address names. Raises `InvalidSetting`."""
        is_post = self.post_pattern.match(urlsplit(address.strip()).path) is not None
        pattern = self.post_pattern if is_post else self.topic_pattern
        base, number = split_topic_address(address, pattern, self.example)
        return Place(base=base, number=number, is_post=is_post)

    def visit(self, settings: Settings, client: Client, *, as_guest: bool = False) -> JsonVisit:
        """Return a visit to the topic of these settings.

        If the address is that of a post, this asks the board for its topic.
        """
        headers = GUEST if as_guest else self.headers(settings)
        place = self.place(settings["address"])
        if not place.is_post:
            return JsonVisit(client, place.base, place.number, headers)
        path = self.post_api.format(number=place.number)
        answer = _get(client, f"{place.base}{path}", headers)
        if not answer.ok:
            raise no_such_topic(self.errors(answer))
        with _must_be_understood():
            number = self.topic_of_post(answer.json())
        return JsonVisit(client, place.base, number, headers)

    def errors(self, answer: Answer) -> str:
        """Return the board's own words for its refusal, or else the status."""
        try:
            return one_line(self.words_of_refusal(answer.json()))
        except Exception:  # The answer does not have the expected form.
            return f"HTTP {answer.status}"

    def did_nothing(self, answer: Answer) -> bool:
        """Return whether the board itself says that it could not start to do what was asked."""
        return False

    def send_refusal(self, answer: Answer) -> Exception:
        """Return the error for an answer to a new post that is not a success."""
        return refusal_error(answer, self.errors(answer))

    def send(self, settings: Settings, post: Letter, client: Client) -> SentPost:
        """Implement `Transport.send`."""
        visit = self.visit(settings, client)
        path, body = self.reply(visit.topic, post.text)
        answer = answer_to_write(
            lambda: client.post(f"{visit.base}{path}", json=body, headers=visit.headers),
            client.now(),
            self.did_nothing,
        )
        if not answer.ok:
            raise self.send_refusal(answer)
        try:
            return self.sent(visit, answer.json())
        except Exception as error:
            raise DoubtfulError(_("The board’s answer cannot be read.")) from error

    def must_be_post(self, settings: Settings, address: str) -> None:
        """Implement `EditsPosts.must_be_post`."""
        try:
            source = self.source_address(address)
        except PermanentError:
            raise not_a_post() from None
        # The account's secret is sent there.
        if not source.startswith(f"{self.place(settings['address']).base}/"):
            raise not_a_post()

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        """Implement `EditsPosts.edit`."""
        headers, where = self.headers(settings), self.source_address(permalink)
        answer = _get(client, where, headers)
        if not answer.ok:
            raise refusal_error(answer, self.errors(answer))
        with _must_be_understood():
            source = self.source(where, answer.json())
        text = replace_text(source.text, was, post.text)
        if text is None:
            return
        body = self.changed(text)
        answer = answer_to_write(
            lambda: client.put(source.address, json=body, headers=headers),
            client.now(),
            self.did_nothing,
        )
        if not answer.ok:
            raise refusal_error(answer, self.errors(answer))
        try:
            answer.json()
        except outgoing.Doubtful:
            raise DoubtfulError(_("The board’s answer cannot be read.")) from None

    def topic(self, settings: Settings, client: Client) -> Topic:
        """Implement `ShowsTopic.topic`."""
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
        """Return the board's name for itself; empty if it does not say."""
        answer = _get(visit.client, f"{visit.base}{self.forum_api}", GUEST)
        try:
            return one_line(str(answer.json()[self.forum_title]))
        except (outgoing.Doubtful, LookupError, TypeError):
            return ""

    def find(self, settings: Settings, marker: str, client: Client) -> SentPost | None:
        """Implement `Transport.find`: search the posts, then those that wait for a moderator."""
        visit = self.visit(settings, client)
        seen = set[int]()
        for number, page in enumerate(self.pages(visit), 1):
            posts = [post for post in page.posts if post.id not in seen]
            if marked := [post for post in posts if has_mark(text_of(post.html), marker)]:
                return SentPost(min(marked, key=lambda post: post.id).permalink)
            seen |= {post.id for post in posts}
            oldest = min((post.at for post in posts if post.at is not None), default=None)
            if page.is_last or is_searched_enough(number, oldest, client.now()):
                break
        return self._find_waiting(visit, marker, settings)

    def _find_waiting(self, visit: JsonVisit, marker: str, settings: Settings) -> SentPost | None:
        """Return the topic if the post waits for a moderator.

        An account sees its own waiting posts, unless its secret does not permit that request.
        """
        answer = visit.get(self.queue_path(settings))
        try:
            waits = any(has_mark(text, marker) for text in self.queued_texts(answer.json()))
        except (outgoing.Doubtful, LookupError, TypeError, AttributeError):
            if answer.ok:  # The answer does not come from the board.
                raise _unreadable() from None
            raise NotVisible(
                _("What waits for a moderator there cannot be read (HTTP {status}).").format(
                    status=answer.status
                )
            ) from None
        return SentPost(self.topic_address(visit), AWAITING) if waits else None

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[ReadPost]:
        """Implement `ReadsPosts.read` as a guest: no secret is sent."""
        visit = self.visit(settings, client, as_guest=True)
        wanted, read_posts = WantedPosts(int(since or 0), again, back_to), dict[int, ReadPost]()
        for page in islice(self.pages(visit, after=0 if again else wanted.since), PAGES):
            read_posts |= {post.id: _read_post(post) for post in page.posts if post.is_reply}
            if page.is_last or (read_posts and wanted.reached(read_posts)):
                break
        return wanted.among(read_posts)

    def facts(self, visit: JsonVisit, path: str) -> dict[str, Any]:
        """Return an answer that has posts. Raises `SearchError` and `BrokenPage`."""
        answer = visit.get(path)
        if not answer.ok:
            raise SearchError(
                _("The topic cannot be read (HTTP {status}).").format(status=answer.status)
            )
        try:
            facts = answer.json()
            assert self.has_posts(facts)
        except Exception as error:
            raise _unreadable() from error
        return dict(facts)


def _get(client: Client, address: str, headers: Mapping[str, str]) -> Answer:
    """Return the answer to a request that changes nothing. Raises as `answer_to_read` does."""
    return answer_to_read(lambda: client.get(address, headers=headers), client.now())


def _read_post(post: JsonPost) -> ReadPost:
    words, quoted = own_words(post.html)
    return ReadPost(str(post.id), post.author, post.at, words, post.permalink, quoted)


def _unreadable() -> TransportError:
    return BrokenPage(LONG, _("The board’s answer cannot be read."))


@contextmanager
def _must_be_understood() -> Iterator[None]:
    """Raise `BrokenPage` if an answer does not have the form of the board's answers."""
    try:
        yield
    except (outgoing.Doubtful, LookupError, TypeError, ValueError):
        raise _unreadable() from None
