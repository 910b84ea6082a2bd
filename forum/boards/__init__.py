"""What a transport is: it brings a post to the place where it is read (docs/new-transport.md).

A transport talks to its place and to nothing else: it writes no rows, keeps nothing, and knows no
campaign. What it raises says what is known: `forum.posts.sending` decides what follows from it.
`forum.boards.registry` is the list of transports.
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
"""A text for people, which may be translated when it is shown."""
POSTED, AWAITING = "posted", "awaiting approval"


class TransportError(Exception):
    """A failure, with a text for the game master in the current language and without secrets."""


class Later(TransportError):
    """The post was surely not posted; the same may succeed after some seconds."""

    def __init__(self, seconds: float, why: str) -> None:
        super().__init__(why)
        self.seconds = seconds


class Unclear(Later):
    """The post was surely not posted, for a reason in words that are not understood here.

    If the place says so again and again, the post has failed.
    """


class TooSoon(Later):
    """The board asks for a pause between two posts.

    `pace` is the length of the pause in seconds, None where the board does not say.
    """

    def __init__(self, seconds: float, why: str, pace: int | None = None) -> None:
        super().__init__(seconds, why)
        self.pace = pace


class Closed(Later):
    """The post was surely not posted: the board is in maintenance, or no board answers.

    The board is asked again for as long as that takes; nothing is given up.
    """


class Permanent(TransportError):
    """The post was surely not posted, and will not be until a person changes something.

    Examples are a topic that does not exist or is locked, and a text that is too long.
    """


class Doubtful(TransportError):
    """The post may be there. The place is searched for its mark before anything is sent again."""


class Locked(TransportError):
    """The place refused the credentials, or keeps programs out.

    Nothing is sent to this thread until a person says "try again".
    """


class CannotRead(TransportError):
    """The place cannot be searched for a mark."""


class Unreadable(CannotRead):
    """The place answered a search with a page without posts.

    It may refuse to show them, or be in maintenance at the moment.
    """


class Unseen(CannotRead):
    """The mark is in no post that is shown, but posts that wait for a moderator cannot be read."""


class Wrong(TransportError):
    """A setting is not valid: `field` is the key of its `Need`."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


@dataclass(frozen=True, slots=True)
class Need:
    """A setting that a transport asks for, with the texts of its field in a form.

    A secret is never shown again.
    """

    key: str
    label: Words
    secret: bool = False
    required: bool = True
    help: Words = ""
    kind: str = "text"
    """The type of an HTML input: text, url, email, number or password."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A text to be posted, which ends with its mark.

    `first` is the permalink of part 1, for the parts after it.
    """

    subject: str
    text: str
    marker: str
    part: int = 1
    of: int = 1
    first: str = ""
    dialect: str = ""
    """The key of the dialect of the text: the thread's own choice, mostly the transport's."""
    links: tuple[tuple[str, str], ...] = ()
    """The words and https addresses of buttons below the text, for places that have buttons."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The link to a post; empty if the board does not return it.

    `state` is `posted` or `awaiting approval`.
    """

    permalink: str
    state: str = POSTED


@dataclass(frozen=True, slots=True)
class Heard:
    """A post that was read at the place, with the writer's own words and those that it quotes.

    `lasting` means that the id is the board's own: the same post has it when it is read again.
    """

    id: str
    author: str
    at: datetime | None
    text: str
    permalink: str
    quoted: str = ""
    lasting: bool = True


Settings = Mapping[str, str]
"""The values of a transport's needs as `check` returned them, with unsealed secrets."""


@runtime_checkable
class Transport(Protocol):
    """A way to bring posts to places of one kind."""

    key: ClassVar[str]
    needs: ClassVar[Sequence[Need]]
    dialect: ClassVar[str]
    """The key of the dialect that the places read (`forum.dialects`)."""
    limit: ClassVar[int]
    """The greatest length of a post, as its dialect weighs a text."""
    automatic: ClassVar[bool]
    """True if a program posts; else a person posts, and says so."""

    @property
    def name(self) -> Words:
        """The name for people."""
        ...

    @property
    def account(self) -> Words:
        """What the transport needs, what it does, and what can be known afterwards."""
        ...

    def check(self, settings: Settings) -> dict[str, str]:
        """Return the settings as they will be used, without asking the place. Raises `Wrong`."""
        ...

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        """Post a letter, once.

        Raises any of the errors above but `Wrong` and `CannotRead`, and what the client raises: its
        `Refused` counts as `Permanent`, `Unreachable` as `Later`, `Doubtful` as `Doubtful`.
        """
        ...

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """Return the post with this mark, posted or waiting for a moderator.

        None means that the post surely is not there, if it was sent within the last day. Raises
        `CannotRead` where the place cannot be searched, else as `send`.
        """
        ...


@runtime_checkable
class Paced(Protocol):
    """A transport to places that ask for a pause between two posts."""

    pace: ClassVar[int]
    """The usual length of the pause, in seconds."""


@runtime_checkable
class Veiled(Protocol):
    """A transport to places where writers may not see their own posts that wait for a moderator.

    A `find` without result proves nothing there, unless a post has just appeared at once.
    """

    veiled: ClassVar[bool]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as its board shows it.

    `address` is that of the topic, also where that of a post was given. `refusal` says why the
    account may not reply there, "" where it may.
    """

    address: str
    board: str
    title: str
    refusal: str = ""


@runtime_checkable
class Showing(Protocol):
    """A transport that can look at its topic before anything is posted there."""

    def topic(self, settings: Settings, client: Client) -> Topic:
        """Return the topic, and post nothing.

        Signs in where the settings hold an account. Raises as `Transport.find`.
        """
        ...


@runtime_checkable
class Editing(Protocol):
    """A transport to places where writers may change their posts."""

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        """Put the letter's text in the place of the text `was` in the post behind this link.

        The rest of the post stays. This method is idempotent: after a `Doubtful` it may simply be
        called again. Raises `Permanent` where another person has changed the text since, else as
        `Transport.send`.
        """
        ...


@runtime_checkable
class Readable(Protocol):
    """A transport to places that can be followed."""

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[Heard]:
        """Return the posts after the one with the id `since`, oldest first.

        With "" these are the posts of the newest page, and of the pages before it as far as to a
        post of the time `back_to`. With `again` they include the older posts of the newest page,
        without a gap.
        """
        ...


@runtime_checkable
class Recognized(Transport, Protocol):
    """A transport that can be recognized by the addresses of topics and posts."""

    software: ClassVar[str]
    """What the places run, as people call it."""
    address_pattern: ClassVar[re.Pattern[str]]
    """What is in every such address."""
