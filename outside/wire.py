"""One request over one connection, to one address, within a time and a length."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

import certifi
import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from outside.errors import Doubtful, Unreachable

LIMIT = 1_000_000
"""Bytes of an answer, as they come and as they are unpacked."""
PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be asked. `path` has the query with it; `headers` are complete but for Host and the length."""

    method: str
    scheme: str
    host: str
    port: int
    path: str = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came: the body is unpacked."""

    status: int
    headers: urllib3.HTTPHeaderDict
    body: bytes = field(repr=False)


class _Plain(HTTPConnection):
    """Goes to the sockets that it is given; names, Host and SNI are those of the address asked for."""

    given: socket.socket

    def _new_conn(self) -> socket.socket:
        return self.given


class _Secure(HTTPSConnection):
    given: socket.socket

    def _new_conn(self) -> socket.socket:
        return self.given


@lru_cache(maxsize=1)
def authorities() -> ssl.SSLContext:
    """Whom this machine trusts, and whom browsers do."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


class _Watch:
    """Ends a connection at its time, whatever it is doing: a time-out of a socket begins anew with every byte."""

    def __init__(self, wire: socket.socket, until: float) -> None:
        self.wire = wire
        self.rang = False
        self.timer = threading.Timer(max(until - time.monotonic(), 0), self._ring)
        self.timer.daemon = True
        self.timer.start()

    def _ring(self) -> None:
        self.rang = True
        with suppress(OSError):
            self.wire.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        self.timer.cancel()


def send(request: Request, addresses: list[str], until: float, trust: ssl.SSLContext | None = None) -> Reply:
    """Ask the first of the addresses that takes the connection. `until` is of `time.monotonic`.

    Raises `Unreachable` before the first byte of the request, `Doubtful` after it.
    """
    wire = _connected(request, addresses, until)
    # A socket of its own for the watch: TLS takes the first one's number away with it.
    watch = _Watch(wire.dup(), until)
    made = _Secure if request.scheme == "https" else _Plain
    more = {"ssl_context": trust or authorities()} if made is _Secure else {}
    connection = made(request.host, request.port, timeout=max(until - time.monotonic(), 0.001), **more)  # type: ignore[arg-type]
    connection.given = wire
    try:
        try:
            connection.connect()
        except (OSError, HTTPError, http.client.HTTPException) as error:
            late = watch.rang or isinstance(error, TimeoutError) or time.monotonic() >= until
            wrong = isinstance(error, ssl.SSLCertVerificationError | urllib3.exceptions.SSLError)
            raise Unreachable("connect-time" if late else "certificate" if wrong else "connect", request.host) from None
        try:
            return _asked(connection, request, watch, until)
        except (OSError, HTTPError, http.client.HTTPException):
            late = watch.rang or time.monotonic() >= until
            raise Doubtful("time" if late else "cut", request.host) from None
    finally:
        watch.stop()
        connection.close()
        wire.close()
        watch.wire.close()


def _connected(request: Request, addresses: list[str], until: float) -> socket.socket:
    for left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
        seconds = (until - time.monotonic()) / left
        if seconds <= 0:
            break
        try:
            return socket.create_connection((address, request.port), seconds)
        except OSError:
            continue
    late = time.monotonic() >= until
    raise Unreachable("connect-time" if late else "connect", request.host)


def _asked(connection: HTTPConnection, request: Request, watch: _Watch, until: float) -> Reply:
    connection.request(
        request.method, request.path, body=request.body, headers=request.headers, preload_content=False, decode_content=True
    )
    answer = connection.getresponse()
    try:
        body = _read(answer, request.host)
    finally:
        answer.close()
    if watch.rang or time.monotonic() >= until:  # what was cut off looks like an end
        raise Doubtful("time", request.host)
    return Reply(answer.status, answer.headers, body)


def _read(answer: urllib3.BaseHTTPResponse, host: str) -> bytes:
    body = bytearray()
    while piece := answer.read(min(PIECE, LIMIT + 1 - len(body)), decode_content=True):
        body += piece
        if len(body) > LIMIT or answer.tell() > LIMIT:
            break
    if len(body) > LIMIT or answer.tell() > LIMIT:  # the second of what unpacks to nothing, too
        raise Doubtful("too-long", host)
    return bytes(body)
