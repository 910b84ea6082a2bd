"""A server on this machine that stores and counts the posts that it gets, and can be read back.

A fault may be set for the next request: `cut before` (nothing is stored), `cut after` (stored, no
answer), `slow`, a status.
"""

from __future__ import annotations

import json
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from typing import Any

from forum.boards import (
    AWAITING,
    AccessRefused,
    Letter,
    PermanentError,
    SearchError,
    SentPost,
    SettingField,
    Settings,
    TemporaryError,
)
from outgoing.client import Client
from tests.outgoing.servers import Server, serving


class Wall:
    """A server that stores `posts` in their order."""

    def __init__(self) -> None:
        self.posts: list[str] = []
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.readable = True
        self.server: Server

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def counts(self) -> Counter[str]:
        """Return how often each mark is stored."""
        return Counter(post.rsplit("\n", 1)[-1] for post in self.posts)

    def answer(self, wire: socket.socket, shown: bytes) -> None:
        head, _, body = shown.partition(b"\r\n\r\n")
        method = head.split(b" ")[0].decode()
        self.requests.append(method)
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "cut before":
            return
        if method == "POST" and fault in ("", "cut after", "awaiting"):
            self.posts.append(json.loads(body)["text"])
            content: Any = {"at": f"{self.url}/{len(self.posts)}"}
        elif method == "GET":
            content = self.posts
        else:
            content = fault
        if fault == "cut after":
            return
        status = fault if fault.isdigit() else "202" if fault == "awaiting" else "200"
        text = json.dumps(content).encode()
        head = (
            f"HTTP/1.1 {status} X\r\nContent-Length: {len(text)}\r\nSet-Cookie:"
            f" visit={len(self.requests)}; path=/\r\n\r\n"
        )
        wire.sendall(head.encode() + text)


@contextmanager
def serve_wall() -> Iterator[Wall]:
    """Run a Wall on a free port of this machine."""
    wall = Wall()
    with serving(wall.answer) as server:
        wall.server = server
        yield wall


class WallTransport:
    """A transport to a Wall."""

    key = "wall"
    name = "Wall"
    needs = (
        SettingField("url", "Address", kind="url"),
        SettingField("password", "Password", secret=True, required=False),
    )
    dialect = "plain"
    limit = 600
    automatic = True
    account = "A wall on this machine."

    def __init__(self) -> None:
        self.readable = True

    def check(self, settings: Settings) -> dict[str, str]:
        return {"url": settings["url"], "password": settings.get("password", "")}

    def send(self, settings: Settings, post: Letter, client: Client) -> SentPost:
        answer = client.post(
            settings["url"],
            json={"text": post.text},
            headers={"X-Password": settings["password"] or "-"},
        )
        if answer.status == 403:
            raise AccessRefused("Wrong password.")
        if answer.status == 404:
            raise PermanentError("No such wall.")
        if answer.status == 429:
            raise TemporaryError(90, "Too fast.")
        if answer.status == 202:
            return SentPost("", AWAITING)
        return SentPost(answer.json()["at"])

    def find(self, settings: Settings, marker: str, client: Client) -> SentPost | None:
        if not self.readable:
            raise SearchError("Its paint is dry.")
        answer = client.get(settings["url"])
        if answer.status == 403:
            raise AccessRefused("Wrong password.")
        result = [n for n, post in enumerate(answer.json(), 1) if marker in post]
        return SentPost(f"{settings['url']}/{result[0]}") if result else None


def make_client(jar: CookieJar) -> Client:
    """Return a client that waits for at most two seconds."""
    return Client(cookies=jar, seconds=2)
