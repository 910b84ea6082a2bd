"""Transports, which bring posts to the places where they are read.

How to add one is in docs/contribute/new-transport.md.

A transport talks only to its place: it writes no rows, keeps nothing, and knows no campaign. Its
errors say what is known; `forum.posts.sending` decides what follows from them.
`forum.boards.registry` lists the transports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol, runtime_checkable

from django.utils.functional import Promise

from outgoing.client import Client

Words = str | Promise
"""A text for users, which may be translated when it is shown."""
POSTED, AWAITING = "posted", "awaiting approval"


class TransportError(Exception):
    """A failure, with a text for the game master in the current language and without secrets."""


class TemporaryError(TransportError):
    """The error that the post was certainly not posted, but another attempt may soon succeed."""

    def __init__(self, seconds: float, why: str) -> None:
        super().__init__(why)
        self.seconds = seconds


class UnclearError(TemporaryError):
    """The error that the post was certainly not posted, for a reason that is not understood.

    If the place gives the same reason several times, the post has failed.
    """


class TooSoonError(TemporaryError):
    """The error that the board asks for a pause between two posts.

    `pace` is the length of the pause in seconds, None if the board does not say.
    """

    def __init__(self, seconds: float, why: str, pace: int | None = None) -> None:
        super().__init__(seconds, why)
        self.pace = pace


class BoardClosed(TemporaryError):
    """The error that the board is in maintenance or does not answer.

    The post was certainly not posted. The board is asked again for as long as necessary.
    """


class BrokenPage(BoardClosed):
    """The error that the board has answered with a page that is empty, incomplete or not its own.

    The post was certainly not posted. The first such page may be an accident: only the second one
    in a row counts as maintenance.
    """


class HeldApart(TooSoonError):
    """The error that the board would join the post with the account's previous post.

    The post is sent after another user has posted in the thread, or after some time.
    """


class PermanentError(TransportError):
    """The error that the post was certainly not posted, and that a person has to change something.

    Examples are a topic that does not exist or is locked, and a text that is too long.
    """


class ChangedThere(PermanentError):
    """The error that a post no longer has the text that was to be replaced."""


class DoubtfulError(TransportError):
    """The error that the post may have been posted.

    The place is searched for the post's mark before anything is sent again.
    """


class AccessRefused(TransportError):
    """The error that the place refused the credentials, or keeps programs out.

    Nothing is sent to this thread until a person orders another attempt.
    """


class SearchError(TransportError):
    """The error that the place cannot be searched for a mark."""


class UnreadableAnswer(SearchError):
    """The error that the place answered a search with a page without posts.

    It may refuse to show them, or be in maintenance at the moment.
    """


class NotVisible(SearchError):
    """The error that no visible post has the mark, and pending posts cannot be read."""


class InvalidSetting(TransportError):
    """The error that a setting is not valid: `field` is the key of its `SettingField`."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


@dataclass(frozen=True, slots=True)
class SettingField:
    """A setting that a transport asks for, with the texts of its field in a form.

    A secret is never shown again.
    """

    key: str
    label: Words
    secret: bool = False
    required: bool = True
    help: Words = ""
    kind: str = "text"
    """The type of the HTML input: text, url, email, number or password."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A text to be posted, which ends with its mark.

    `first` is the permalink of part 1 if this is a later part.
    """

    subject: str
    text: str
    marker: str
    part: int = 1
    of: int = 1
    first: str = ""
    dialect: str = ""
    """The key of the dialect of the text: the thread's choice, which usually is the transport's."""
    links: tuple[tuple[str, str], ...] = ()
    """The labels and https addresses of buttons below the text, for places that have buttons."""
    apart_until: datetime | None = None
    """The time until which the board would join the post with the account's former post."""


@dataclass(frozen=True, slots=True)
class SentPost:
    """The link to a post; empty if the board does not return it.

    `state` is `posted` or `awaiting approval`.
    """

    permalink: str
    state: str = POSTED


@dataclass(frozen=True, slots=True)
class ReadPost:
    """A post that was read at the place, with the writer's own words and the words that it quotes.

    `lasting` means that the id is the board's own: the post has the same id when it is read again.
    """

    id: str
    author: str
    at: datetime | None
    text: str
    permalink: str
    quoted: str = ""
    lasting: bool = True


Settings = Mapping[str, str]
"""The values of a transport's needs as `check` returned them, including unsealed secrets."""


@runtime_checkable
class Transport(Protocol):
    """The protocol of a transport, which brings posts to places of one kind."""

    key: ClassVar[str]
    needs: ClassVar[Sequence[SettingField]]
    dialect: ClassVar[str]
    """The key of the dialect that the places read (`forum.dialects`)."""
    limit: ClassVar[int]
    """The maximum length of a post, as its dialect weighs a text."""
    automatic: ClassVar[bool]
    """Whether a program posts. If not, a person posts and confirms it."""

    @property
    def name(self) -> Words:
        """The name for users."""
        ...

    @property
    def account(self) -> Words:
        """A text about what the transport needs, does, and can find out afterwards."""
        ...

    def check(self, settings: Settings) -> dict[str, str]:
        """Return the settings in their final form, without a request. Raises `InvalidSetting`."""
        ...

    def send(self, settings: Settings, post: Letter, client: Client) -> SentPost:
        """Post a letter, once.

        Raises any of the errors above except `InvalidSetting` and `SearchError`, and those of the
        client: its `Refused` counts as `PermanentError`, `Unreachable` as `TemporaryError`, its
        `Doubtful` as `DoubtfulError`.
        """
        ...

    def find(self, settings: Settings, marker: str, client: Client) -> SentPost | None:
        """Return the post with this mark, whether it is posted or waits for a moderator.

        None means that the post certainly does not exist, if it was sent within the last day.
        Raises `SearchError` if the place cannot be searched, otherwise the same errors as `send`.
        """
        ...


@runtime_checkable
class WithPace(Protocol):
    """The protocol of a transport to places that ask for a pause between two posts."""

    pace: ClassVar[int]
    """The usual length of the pause, in seconds."""


@runtime_checkable
class JoinsPosts(Protocol):
    """The protocol of a transport to places that may join two posts in a row by one user."""

    joining_minutes: ClassVar[int]
    """The usual time within which a post is joined with the former one."""


@runtime_checkable
class HidesPending(Protocol):
    """The protocol of a transport to places that may hide pending posts from their own writers.

    A `find` without result proves nothing there, unless a post has just appeared at once.
    """

    veiled: ClassVar[bool]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as its board shows it.

    `address` is that of the topic, even if the address of a post was given. `refusal` says why the
    account may not reply there; it is empty if it may.
    """

    address: str
    board: str
    title: str
    refusal: str = ""


@runtime_checkable
class ShowsTopic(Protocol):
    """The protocol of a transport that can show its topic before anything is posted there."""

    def topic(self, settings: Settings, client: Client) -> Topic:
        """Return the topic without posting anything.

        Signs in if the settings have an account. Raises the same errors as `Transport.find`.
        """
        ...


@runtime_checkable
class EditsPosts(Protocol):
    """The protocol of a transport to places where writers may change their posts."""

    def must_be_post(self, settings: Settings, address: str) -> None:
        """Raise `InvalidSetting` unless this is the address of a post on the same board."""
        ...

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        """Replace the text `was` in the post behind this link with the letter's text.

        The rest of the post remains. This method is idempotent: after a `DoubtfulError` it may be
        called again. Raises `PermanentError` if another person has changed the text since,
        otherwise the same errors as `Transport.send`.
        """
        ...


@runtime_checkable
class ReadsPosts(Protocol):
    """The protocol of a transport to places that can be followed."""

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[ReadPost]:
        """Return the posts after the post with the id `since`, oldest first.

        If `since` is empty, these are the posts of the newest page, and of the pages before it back
        to a post of the time `back_to`. With `again` they include the older posts of the newest
        page, without a gap.
        """
        ...


@runtime_checkable
class Recognizable(Transport, Protocol):
    """The protocol of a transport that can be recognized by the addresses of topics and posts."""

    software: ClassVar[str]
    """The common name of the software of the places."""
    address_pattern: ClassVar[re.Pattern[str]]
    """The pattern that every such address contains."""
