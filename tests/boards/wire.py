"""A board on a real socket of this machine, with what goes wrong on the way to it and back."""

from __future__ import annotations

import enum
import random
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request, Response

from outgoing.client import Client


class Clock:
    """The time of board and sender alike.

    Sleeping advances it, and each request does so a little.
    """

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)

    @property
    def seconds(self) -> int:
        """Whole seconds, as PHP's time() has them."""
        return int(self.at.timestamp())


class Fault(enum.Enum):
    CUT_BEFORE = "connection cut before the board's program saw the request"
    CUT_AFTER = "connection cut after the board had done what was asked"
    HALF = "half an answer"
    SLOW = "done, answered later than anybody waits"
    BUSY = "503 in place of an answer, nothing done"
    BROKEN = "500 after it was done"
    LOST = "the session is forgotten"
    EMPTY = "200 and nothing, nothing done"
    CUT_SHORT = "200 and half of the page, done"
    FOREIGN = "200 and a page of somebody else's, nothing done"
    WORK = (
        "the board's own note that it is in maintenance, nothing done: with 200 where it has pages"
    )


FOREIGN = (
    '<!DOCTYPE html><html><head><title>Back soon</title><meta http-equiv="refresh"'
    ' content="60"></head><body><h1>We are moving to a new machine</h1></body></html>'
)
"""The page that a host shows for all of its sites."""


class Board(Protocol):
    """The server behind the socket."""

    clock: Clock

    def answer(self, request: Request) -> Response: ...
    def step(self, request: Request) -> str:
        """Return a word for the kind of this request, by which faults are counted."""
        ...

    def forget_sessions(self) -> None: ...


class Wire:
    """A server for a board.

    `faults(step)` gives the fault of a request, or None; `seen` counts the steps, `befallen` the
    faults at each.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.faults: Callable[[str], Fault | None] = lambda step: None
        self.seen: Counter[str] = Counter()
        self.befallen: Counter[tuple[str, Fault]] = Counter()
        self.agents: set[str] = set()
        self.slow = threading.Event()
        self._one = threading.Lock()

    def _response(self, request: Request, fault: Fault | None) -> Response:
        """Return the answer of the board, or of a proxy before it."""
        if fault is Fault.BUSY:
            return Response("Service Unavailable", 503, {"Retry-After": "40"})
        if fault is Fault.WORK:
            at_work = getattr(self.board, "at_work", None)
            return at_work() if at_work else Response("{}", 503, mimetype="application/json")
        if fault in (Fault.EMPTY, Fault.FOREIGN):
            text = FOREIGN if fault is Fault.FOREIGN else ""
            return Response(text, 200, mimetype="text/html")
        if fault is Fault.LOST:
            self.board.forget_sessions()
        return self.board.answer(request)

    def handle(self, handler: BaseHTTPRequestHandler, method: str) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        created = EnvironBuilder(
            path=handler.path.split("?")[0],
            query_string=handler.path.partition("?")[2],
            base_url=f"http://{handler.headers['Host']}",
            method=method,
            headers=[(name, value) for name, value in handler.headers.items()],
            data=body,
        )
        request = Request(created.get_environ())
        with self._one:
            self.board.clock.sleep(0.02)
            step = self.board.step(request)
            self.seen[step] += 1
            self.agents.add(request.headers.get("User-Agent", ""))
            fault = self.faults(step)
            if fault is not None:
                self.befallen[step, fault] += 1
            if fault is Fault.CUT_BEFORE:
                return
            response = self._response(request, fault)
            if fault is Fault.CUT_SHORT:
                body = response.get_data()
                response = Response(body[: len(body) // 2], 200, mimetype=response.mimetype)
            if fault is Fault.CUT_AFTER:
                return
            if fault is Fault.BROKEN:
                response = Response("Internal Server Error", 500)
        if fault is Fault.SLOW:
            self.slow.wait(20)
            return
        self._write(handler, response, half=fault is Fault.HALF)

    @staticmethod
    def _write(handler: BaseHTTPRequestHandler, response: Response, half: bool) -> None:
        body = response.get_data()
        handler.send_response(response.status_code)
        for name, value in response.headers:
            if name.lower() != "content-length":
                handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body) + 10 if half else len(body)))
        handler.end_headers()
        handler.wfile.write(body[: len(body) // 2] if half else body)


@contextmanager
def serving(board: Any) -> Iterator[Wire]:
    """Serve the board at `wire.url`, `http://127.0.0.1:<port>`, within the block.

    Needs OUTSIDE_INSECURE.
    """
    wire = Wire(board)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wire.handle(self, "GET")

        def do_POST(self) -> None:
            wire.handle(self, "POST")

        def do_PUT(self) -> None:
            wire.handle(self, "PUT")

        def log_message(self, *content: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that has gone away is a test's own doing; anything else is shown."""
            import sys

            if not isinstance(sys.exc_info()[1], OSError):
                super().handle_error(request, client_address)

    server = Server(("127.0.0.1", 0), Handler)
    wire.url = board.url = f"http://127.0.0.1:{server.server_address[1]}"  # type: ignore[attr-defined]
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield wire
    finally:
        wire.slow.set()
        server.shutdown()
        server.server_close()
        thread.join()


def nowhere() -> str:
    """An address of this machine where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def at_random(seed: int, chance: float, kinds: Sequence[Fault]) -> Callable[[str], Fault | None]:
    """Faults by lot, the same for the same seed."""
    lot = random.Random(seed)

    def fall(step: str) -> Fault | None:
        return lot.choice(kinds) if lot.random() < chance else None

    return fall


def once(step: str, fault: Fault) -> Callable[[str], Fault | None]:
    """This fault the first time that step comes, and none after."""
    left = [fault]

    def fall(result: str) -> Fault | None:
        return left.pop() if result == step and left else None

    return fall


def client(clock: Clock, cookies: Any = None, seconds: float = 10.0) -> Client:
    return Client(now=clock.now, sleep=clock.sleep, cookies=cookies, seconds=seconds)
