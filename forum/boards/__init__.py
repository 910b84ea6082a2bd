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
from typing import Any, ClassVar, Protocol, runtime_checkable

from outgoing.client import Client

POSTED, AWAITING = "posted", "awaiting approval"


class TransportError(Exception):
    """The text is for the game master, in the language of now. No secret stands in it."""


class Later(TransportError):
    """Surely not posted; the same may go well in so many seconds."""

    def __init__(self, seconds: float, why: str) -> None:
        super().__init__(why)
        self.seconds = seconds


class Unclear(Later):
    """Surely not posted, and why is said in words that nobody here understands: said again and
    again it is for good.
    """


class TooSoon(Later):
    """The board asks for a pause between two posts; `pace` is its length as far as the board told
    it, else None.
    """

    def __init__(self, seconds: float, why: str, pace: int | None = None) -> None:
        super().__init__(seconds, why)
        self.pace = pace


class Closed(Later):
    """Surely not posted: the board is in maintenance, or what answers is no page of a board. It is
    asked again, however long that takes; nothing is given up.
    """


class Permanent(TransportError):
    """Surely not posted, and it will not be until somebody changes something: no such topic, too
    long, locked.
    """


class Doubtful(TransportError):
    """It may have been posted. The place is read for the marker before anything is sent again."""


class Locked(TransportError):
    """Credentials refused, or programs kept out: nothing goes by this thread any more until a
    person says "try again".
    """


class CannotRead(TransportError):
    """One cannot look whether a marker stands there."""


class Unreadable(CannotRead):
    """The place answered a look with a page that shows no posts: it may refuse them, or be in
    maintenance for that moment.
    """


class Unseen(CannotRead):
    """The marker is not among what is shown, but what waits for a moderator cannot be looked at."""


class Wrong(TransportError):
    """A setting that cannot be: `field` is the key of a `Need`."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


@dataclass(frozen=True, slots=True)
class Need:
    """Something a transport must be told: `label` and `help` are sentences for a form. A secret is
    never shown again.
    """

    key: str
    label: Any
    secret: bool = False
    required: bool = True
    help: Any = ""
    kind: str = "text"
    """As an HTML input's type: text, url, email, number, password."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What is to be posted: the text ends with the marker. `first` is the permalink of part 1, for
    the parts after it.
    """

    subject: str
    text: str
    marker: str
    part: int = 1
    of: int = 1
    first: str = ""
    dialect: str = ""
    """The key of the one that the text is written in: a thread's own choice, mostly the
    transport's.
    """
    links: tuple[tuple[str, str], ...] = ()
    """Words and https addresses of buttons below the text, for places that have them."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Where it stands; "" where the place does not say. `state` is `posted` or `awaiting
    approval`.
    """

    permalink: str
    state: str = POSTED


@dataclass(frozen=True, slots=True)
class Heard:
    """A post that somebody wrote at the place: `text` are their own words, `quoted` those that they
    quote of others. `lasting`: its id is the board's own, so that the same post is known again when
    it is read again.
    """

    id: str
    author: str
    at: datetime | None
    text: str
    permalink: str
    quoted: str = ""
    lasting: bool = True


Settings = Mapping[str, str]
"""What was told for the transport's needs, secrets unsealed, as `check` gave it back."""


@runtime_checkable
class Transport(Protocol):
    """`automatic` ones send by program; of the others a person says that it is done."""

    key: ClassVar[str]
    name: Any
    needs: ClassVar[Sequence[Need]]
    dialect: ClassVar[str]
    """The key of the dialect that its places read (`forum.dialects`)."""
    limit: ClassVar[int]
    """The most that it takes, as its dialect weighs a text."""
    automatic: ClassVar[bool]
    account: Any
    """In plain words: what it needs, what it does, what can be known afterwards."""

    def check(self, settings: Settings) -> dict[str, str]:
        """The settings as they will be used. Asks nobody. Raises `Wrong`."""
        ...

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        """Post it, once. Raises any of the errors above but `Wrong` and `CannotRead`, and what
        `outside` raises: its `Refused` counts as `Permanent`, `Unreachable` as `Later`, `Doubtful`
        as `Doubtful`.
        """
        ...

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """Where the post with this marker stands, or waits for a moderator; None if it surely is
        not there, which may be taken for granted of what left within the last day. Raises
        `CannotRead` where one cannot look, else as `send`.
        """
        ...


@runtime_checkable
class Paced(Protocol):
    """A transport of places that ask for a pause between two posts: `pace` is the usual one, in
    seconds.
    """

    pace: ClassVar[int]


@runtime_checkable
class Veiled(Protocol):
    """A transport of places where who wrote a post may not see it while it waits for a moderator:
    unless one has just come through at once, `find` that finds nothing there proves nothing.
    """

    veiled: ClassVar[bool]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as its board shows it. `address` is the topic's own, where a post's was given;
    `refusal` says why the account may not reply there, "" where it may.
    """

    address: str
    board: str
    title: str
    refusal: str = ""


@runtime_checkable
class Showing(Protocol):
    """A transport whose topic can be looked at before anything is posted there."""

    def topic(self, settings: Settings, client: Client) -> Topic:
        """Signs in, where the settings hold an account, and posts nothing. Raises as
        `Transport.find`.
        """
        ...


@runtime_checkable
class Editing(Protocol):
    """A transport of places where who wrote a post may change it."""

    def edit(
        self, settings: Settings, permalink: str, was: str, post: Letter, client: Client
    ) -> None:
        """The post behind this link, whose text `was`, gets the letter's text: what stands around
        it in the same post stays. Done again it changes nothing. Raises `Permanent` where somebody
        else has changed it since, else as `Transport.send`; after a `Doubtful` it may simply be
        done again.
        """
        ...


@runtime_checkable
class Readable(Protocol):
    """A transport whose place can be followed."""

    def read(
        self,
        settings: Settings,
        since: str,
        client: Client,
        *,
        again: bool = False,
        back_to: datetime | None = None,
    ) -> list[Heard]:
        """What was posted after the post of this id, oldest first; with "" the newest page, and the
        pages before it as far as to a post of the time `back_to`. `again`: also what the newest
        page has of older posts, without a gap.
        """
        ...


@runtime_checkable
class Recognized(Transport, Protocol):
    """A transport whose places can be told by the addresses of their topics and posts."""

    software: ClassVar[str]
    """What the places run, as people call it."""
    address_pattern: ClassVar[re.Pattern[str]]
    """What is in every such address."""
