"""Asks another site: https only, public addresses only, ten seconds, a megabyte, no redirects.

A name is resolved once and the connection goes to the very address that was looked at; certificate and SNI are of the name.
"""

from __future__ import annotations

import json as _json
import math
import re
import ssl
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from email.message import Message
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.utils import timezone
from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from outside import addresses, wire
from outside.addresses import LOOPBACK, Resolver
from outside.answer import Answer
from outside.errors import Doubtful, Refused, Unreachable
from outside.wire import Reply, Request

USER_AGENT = "Tabula/1.0 (campaign table; posts for a game master who asked it to)"
"""Constant, so that a board's session stays one and its host knows who asks."""
SECONDS = 10.0

Transport = Callable[[Request], Reply]
"""In place of the wire: a board in the same process, for tests. Names are not resolved then."""
Data = Mapping[str, str] | Sequence[tuple[str, str]] | bytes

_NAME = re.compile(r"[A-Za-z0-9-]{1,60}", re.ASCII)
_VALUE = re.compile(r"[\x20-\x7e]{0,4000}", re.ASCII)
_OURS = frozenset({"host", "user-agent", "content-length", "transfer-encoding", "connection", "accept-encoding", "cookie"})


class Client:
    """One visitor: its cookies, if it has any, are its own. It raises `Refused`, `Unreachable` and `Doubtful` and nothing
    else; an answer of any status is an `Answer`.

    `now` and `sleep` are for who talks to a board at its pace; the limits of time are of real time: `seconds` of one
    request, `lasts` of all of them, after which nothing is asked any more. `trust` says whose certificates count, in tests.
    """

    def __init__(
        self,
        *,
        now: Callable[[], datetime] = timezone.now,
        sleep: Callable[[float], None] = time.sleep,
        resolver: Resolver = addresses.system,
        cookies: CookieJar | None = None,
        transport: Transport | None = None,
        trust: ssl.SSLContext | None = None,
        seconds: float = SECONDS,
        lasts: float = math.inf,
    ) -> None:
        self.now = now
        self.sleep = sleep
        self.cookies = cookies
        self._resolver = resolver
        self._transport = transport
        self._trust = trust
        self._seconds = seconds
        self._until = time.monotonic() + lasts

    def get(self, url: str, *, headers: Mapping[str, str] | None = None) -> Answer:
        return self.request("GET", url, headers=headers)

    def post(self, url: str, *, data: Data | None = None, json: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        return self.request("POST", url, data=data if data is not None or json is not None else b"", json=json, headers=headers)

    def put(self, url: str, *, data: Data | None = None, json: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        return self.request("PUT", url, data=data if data is not None or json is not None else b"", json=json, headers=headers)

    def request(
        self,
        method: str,
        url: str,
        *,
        data: Data | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """`data` goes as a form (or as bytes as they are), `json` as JSON."""
        begun = time.monotonic()
        until = min(begun + self._seconds, self._until)
        asked = self._request(method, url, data, json, headers or {})
        if until <= begun:
            raise Unreachable("connect-time", asked.host)
        if self._transport is not None:
            reply = self._transport(asked)
            if len(reply.body) > wire.LIMIT:
                raise Doubtful("too-long", asked.host)
        else:
            found = addresses.resolve(asked.host, asked.port, self._resolver, _insecure(), until - begun)
            reply = wire.send(asked, found, until, self._trust)
        if self.cookies is not None:
            self.cookies.extract_cookies(_Received(reply), urllib.request.Request(asked.url))  # type: ignore[arg-type]  # noqa: S310
        return Answer(reply.status, reply.headers, reply.body, asked.url, asked.host)

    def _request(self, method: str, url: str, data: Data | None, json: Any, headers: Mapping[str, str]) -> Request:
        scheme, host, port, path, whole = _address(url)
        sent = {"User-Agent": USER_AGENT, "Accept-Encoding": "gzip, deflate", "Connection": "close"}
        body: bytes | None = None
        if json is not None:
            body = _json.dumps(json, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")
            sent["Content-Type"] = "application/json"
        elif isinstance(data, bytes):
            body = data
        elif data is not None:
            body = urlencode(data, encoding="utf-8", errors="replace").encode("ascii")
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        for name, value in headers.items():
            if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value) or name.lower() in _OURS:
                raise Refused("header", host)
            sent = {known: said for known, said in sent.items() if known.lower() != name.lower()} | {name: value}
        if self.cookies is not None:
            asking = urllib.request.Request(whole)  # noqa: S310
            self.cookies.add_cookie_header(asking)
            kept = [pair for pair in (asking.get_header("Cookie") or "").split("; ") if pair and _VALUE.fullmatch(pair)]
            if kept:
                sent["Cookie"] = "; ".join(kept)
        return Request(method, scheme, host, port, path, sent, body, whole)


def check(url: str) -> None:
    """Raises `Refused` for what is no address that could be asked; names are not resolved."""
    _address(url)


def check_public(url: str) -> None:
    """As `check`; raises it also for a host that nobody needs to look up to know that it is not public."""
    host = _address(url)[1]
    if addresses.closed(host, _insecure()):
        raise Refused("not-public", host)


def _insecure() -> bool:
    return bool(getattr(settings, "OUTSIDE_INSECURE", False))


def _address(url: str) -> tuple[str, str, int, str, str]:
    """Scheme, host, port, path with query, and all of it as it is asked. No user, no control characters, no fragment."""
    if len(url) > 4000 or any(c <= " " or c == "\x7f" for c in url):
        raise Refused("address")
    try:
        found = parse_url(url)
    except (LocationParseError, ValueError):
        raise Refused("address") from None
    host = (found.host or "").strip("[]").rstrip(".")
    if not host or found.auth is not None or not found.scheme:
        raise Refused("address", host)
    if found.scheme != "https" and not (found.scheme == "http" and host == LOOPBACK and _insecure()):
        raise Refused("not-https", host)
    port = found.port or (443 if found.scheme == "https" else 80)
    if port < 1024 and port not in (80, 443):
        raise Refused("port", host)
    path = (found.path or "/") + (f"?{found.query}" if found.query is not None else "")
    return found.scheme, host, port, path, f"{found.scheme}://{found.netloc}{path}"


class _Received:
    """An answer as the jar of cookies asks for it."""

    def __init__(self, reply: Reply) -> None:
        self._headers = Message()
        for value in reply.headers.getlist("set-cookie"):
            self._headers["Set-Cookie"] = value

    def info(self) -> Message:
        return self._headers
