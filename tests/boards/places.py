"""A board with a topic and an account, and its transport, the same for all four kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any

from forum.boards import Letter, SentPost, TemporaryError
from forum.boards.registry import transport
from outgoing.client import Client
from tests.boards.discourse import Discourse
from tests.boards.mybb import Mybb
from tests.boards.nodebb import NodeBB
from tests.boards.phpbb import Phpbb
from tests.boards.wire import Wire, client, serving

KINDS = ("phpbb", "mybb", "nodebb", "discourse")
FORMS = ("phpbb", "mybb")


@dataclass
class Place:
    """A board with its transport and account.

    `say(1)` posts a report with a marker of its own; `times(1)` counts the posts that contain it.
    """

    kind: str
    board: Any
    wire: Wire
    settings: dict[str, str]
    rival: Callable[[str], Any]
    """Write a post as another user."""
    http: Client = field(init=False)

    def __post_init__(self) -> None:
        self.http = self.client()
        self.transport = transport(self.kind)
        self.settings = self.transport.check(self.settings)

    def client(self, seconds: float = 10.0) -> Client:
        return client(self.board.clock, CookieJar(), seconds)

    def letter(self, number: int, text: str = "") -> Letter:
        marker = f"[GC-{number}-9f2a]"
        return Letter(
            f"Report {number}",
            f"{text or f'What came to pass in turn {number}, as it was told.'}\n\n{marker}",
            marker,
        )

    def play(self, number: int, text: str = "") -> SentPost:
        return self.transport.send(self.settings, self.letter(number, text), self.http)

    def find(self, number: int) -> str | None:
        """Its link, or that of the topic where it waits."""
        result = self.look(number)
        return result.permalink if result else None

    def look(self, number: int) -> SentPost | None:
        return self.transport.find(self.settings, f"[GC-{number}-9f2a]", self.http)

    def say_in_time(self, number: int) -> SentPost:
        """As often as the board asks to wait, but no more than ten times."""
        for _ in range(10):
            try:
                return self.play(number)
            except TemporaryError as later:
                self.board.clock.sleep(later.seconds)
        raise AssertionError(number)

    def times(self, number: int) -> int:
        return self.markers(f"[GC-{number}-9f2a]")

    def markers(self, marker: str) -> int:
        """Count markers, not posts.

        Two parts may be in one post; posts that wait for a moderator count, too.
        """
        waiting = [post.text for post in getattr(self.board, "queue", ())] + list(
            getattr(self.board, "pending", ())
        )
        return sum(
            text.count(marker) for text in [*(post.text for post in self.board.posts), *waiting]
        )


def _phpbb(**options: Any) -> tuple[Any, dict[str, str], Callable[[str], Any]]:
    board = Phpbb(**options)
    master, clerk = board.register("Master", "sesame"), board.register("Clerk", " pass word ")
    board.open_topic("The Heap", master)
    shown = {
        "address": "/viewtopic.php?f=2&t=1&start=10#p1",
        "username": clerk.name,
        "password": clerk.password,
    }
    return board, shown, lambda text: board.write(1, master, "Re: The Heap", text)


def _mybb(**options: Any) -> tuple[Any, dict[str, str], Callable[[str], Any]]:
    board = Mybb(**options)
    board.register("Master", "sesame")
    board.register("Clerk", " pass word ")
    board.open_thread("The Heap", "Master")
    shown = {
        "address": "/showthread.php?tid=1&page=2",
        "username": "Clerk",
        "password": " pass word ",
    }
    return board, shown, lambda text: board.write(1, "Master", "RE: The Heap", text)


def _nodebb(**options: Any) -> tuple[Any, dict[str, str], Callable[[str], Any]]:
    board = NodeBB(**options | {"queued": False})
    board.open_topic("The Heap", "Master")
    board.queued = bool(options.get("queued"))
    return (
        board,
        {"address": "/topic/1/the-heap/3", "token": board.token("Clerk")},
        lambda text: board.write(1, "Master", text, queue=False),
    )


def _discourse(**options: Any) -> tuple[Any, dict[str, str], Callable[[str], Any]]:
    board = Discourse(**options)
    board.open_topic("The Heap", "Master")
    shown = {"address": "/t/the-heap/7/2", "username": "Clerk", "api_key": board.key}
    return board, shown, lambda text: board.write(7, "Master", text)


MAKE = {"phpbb": _phpbb, "mybb": _mybb, "nodebb": _nodebb, "discourse": _discourse}


@contextmanager
def place(kind: str, **options: Any) -> Iterator[Place]:
    """The board under way, its settings as they are after `check`. Needs OUTSIDE_INSECURE."""
    board, shown, rival = MAKE[kind](**options)
    with serving(board) as wire:
        yield Place(kind, board, wire, shown | {"address": board.url + shown["address"]}, rival)
