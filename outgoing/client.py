"""Asks another site: https only, public addresses only (but for `OUTSIDE_ALLOWED_HOSTS`), ten
seconds, a megabyte, no redirects.

A name is resolved once and the connection goes to the very address that was looked at; certificate
and SNI are of the name.
"""

from __future__ import annotations

import http.client
import json
import json as _json
import math
import re
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.message import Message
from functools import lru_cache
from http.cookiejar import Cookie, CookieJar
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlencode, urlsplit
from xml.etree.ElementTree import Element, ParseError

import certifi
import urllib3
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from urllib3 import HTTPHeaderDict
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, LocationParseError
from urllib3.util import Url, parse_url

# Which hosts may be asked: names that lead to public addresses, and to nothing else.

Resolver = Callable[[str, int], Sequence[str]]
"""A host's addresses as numbers in text. Raises `OSError` where there are none."""

LOOPBACK = "127.0.0.1"

_GLOBAL = IPv6Network("2000::/3")
# Inside it, and no place of the internet: special uses with Teredo, documentation, 6to4, which
# wraps any IPv4 address.
_SPECIAL = tuple(
    IPv6Network(net) for net in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
# What one Python calls global and the next does not.
_SPECIAL_4 = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
_NAT64 = IPv6Network("64:ff9b::/96")


def public(address: str) -> bool:
    """Is this an address of the public internet? One that wraps an IPv4 address is as public as
    that.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv4Address):
        return ip.is_global and not (
            ip.is_multicast or ip.is_reserved or any(ip in net for net in _SPECIAL_4)
        )
    if ip.ipv4_mapped is not None:
        return public(str(ip.ipv4_mapped))
    if ip in _NAT64:
        return public(str(IPv4Address(int(ip) & 0xFFFFFFFF)))
    return _plain(ip)


def _plain(ip: IPv6Address) -> bool:
    return (
        ip.scope_id is None
        and ip in _GLOBAL
        and ip.is_global
        and not any(ip in net for net in _SPECIAL)
    )


def system(host: str, port: int) -> list[str]:
    """The addresses as this machine knows them."""
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in rows))


def resolve(
    host: str, port: int, resolver: Resolver, insecure: bool, seconds: float, named: bool = False
) -> list[str]:
    """The host's addresses, all of them allowed: one that is not makes the name suspect. `seconds`
    at most. `named`: the host of this site allows to ask there, wherever it is.

    Raises `Refused` for a place that is not public, `Unreachable` for a name that leads nowhere in
    that time.
    """
    answer: list[Sequence[str]] = []

    def ask() -> None:
        try:
            answer.append(resolver(host, port))
        except (OSError, UnicodeError):
            answer.append(())

    asking = threading.Thread(target=ask, daemon=True)  # getaddrinfo knows no time-out of its own
    asking.start()
    asking.join(seconds)
    if not answer:
        raise Unreachable("connect-time", host)
    if not answer[0]:
        raise Unreachable("no-host", host)
    if not named and not _allowed(answer[0], insecure):
        raise Refused("not-public", host)
    return list(answer[0])


def closed(host: str, insecure: bool) -> bool:
    """Is it known without asking anybody that the host is not allowed: a number, however written,
    or this machine's name (RFC 6761)?
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return False
    return not _allowed([str(entry[4][0]) for entry in rows], insecure)


def _named(scheme: str, host: str, port: int) -> bool:
    """Does the host of this site allow to ask there, public or not? An entry of
    `OUTSIDE_ALLOWED_HOSTS` is a host, which is asked with TLS, or a whole address as
    `http://board.lan:8080`, which is asked as it says.
    """
    for entry in getattr(settings, "OUTSIDE_ALLOWED_HOSTS", ()):
        stated, _sign, place = str(entry).strip().rstrip("/").lower().rpartition("://")
        try:
            parts = urlsplit(f"{stated or 'https'}://{place}")
            name, given = (parts.hostname or "").rstrip("."), parts.port
        except ValueError:
            continue
        fixed = given or ({"http": 80, "https": 443}.get(stated) if stated else None)
        if (
            name
            and name == host.lower()
            and (stated or "https") == scheme
            and fixed in (None, port)
        ):
            return True
    return False


def _allowed(addresses: Sequence[str], insecure: bool) -> bool:
    return all(public(address) or (insecure and address == LOOPBACK) for address in addresses)


# One request over one connection, to one address, within a time and a length.

LIMIT = 1_000_000
"""Bytes of an answer, as they come and as they are unpacked."""
PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be asked. `path` has the query with it; `headers` are complete but for Host and
    the length.
    """

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
    """Goes to the sockets that it is given; names, Host and SNI are those of the address
    asked for.
    """

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
    """Ends a connection at its time, whatever it is doing: a time-out of a socket begins anew with
    every byte.
    """

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


def send(
    request: Request, addresses: list[str], until: float, trust: ssl.SSLContext | None = None
) -> Reply:
    """Ask the first of the addresses that takes the connection. `until` is of `time.monotonic`.

    Raises `Unreachable` before the first byte of the request, `Doubtful` after it.
    """
    wire = _connected(request, addresses, until)
    # A socket of its own for the watch: TLS takes the first one's number away with it.
    watch = _Watch(wire.dup(), until)
    left = max(until - time.monotonic(), 0.001)
    connection: _Secure | _Plain
    if request.scheme == "https":
        context = trust or authorities()
        connection = _Secure(request.host, request.port, timeout=left, ssl_context=context)
    else:
        connection = _Plain(request.host, request.port, timeout=left)
    connection.given = wire
    try:
        try:
            connection.connect()
        except (OSError, HTTPError, http.client.HTTPException) as error:
            late = watch.rang or isinstance(error, TimeoutError) or time.monotonic() >= until
            wrong = isinstance(error, ssl.SSLCertVerificationError | urllib3.exceptions.SSLError)
            raise Unreachable(
                "connect-time" if late else "certificate" if wrong else "connect", request.host
            ) from None
        try:
            return _exchange(connection, request, watch, until)
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


def _exchange(connection: HTTPConnection, request: Request, watch: _Watch, until: float) -> Reply:
    connection.request(
        request.method,
        request.path,
        body=request.body,
        headers=request.headers,
        preload_content=False,
        decode_content=True,
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


USER_AGENT = "Tabula/1.0 (campaign table; posts for a game master who asked it to)"
"""Constant, so that a board's session stays one and its host knows who asks."""
SECONDS = 10.0

Transport = Callable[[Request], Reply]
"""In place of the wire: a board in the same process, for tests. Names are not resolved then."""
Data = Mapping[str, str] | Sequence[tuple[str, str]] | bytes

_NAME = re.compile(r"[A-Za-z0-9-]{1,60}", re.ASCII)
_VALUE = re.compile(r"[\x20-\x7e]{0,4000}", re.ASCII)
_OURS = frozenset(
    {
        "host",
        "user-agent",
        "content-length",
        "transfer-encoding",
        "connection",
        "accept-encoding",
        "cookie",
    }
)


class Client:
    """One visitor: its cookies, if it has any, are its own. It raises `Refused`, `Unreachable` and
    `Doubtful` and nothing else; an answer of any status is an `Answer`.

    `now` and `sleep` are for who talks to a board at its pace; the limits of time are of real time:
    `seconds` of one request, `lasts` of all of them, after which nothing is asked any more. `trust`
    says whose certificates count, in tests.
    """

    def __init__(
        self,
        *,
        now: Callable[[], datetime] = timezone.now,
        sleep: Callable[[float], None] = time.sleep,
        resolver: Resolver = system,
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

    def post(
        self,
        url: str,
        *,
        data: Data | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        return self.request(
            "POST",
            url,
            data=data if data is not None or json is not None else b"",
            json=json,
            headers=headers,
        )

    def put(
        self,
        url: str,
        *,
        data: Data | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        return self.request(
            "PUT",
            url,
            data=data if data is not None or json is not None else b"",
            json=json,
            headers=headers,
        )

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
            if len(reply.body) > LIMIT:
                raise Doubtful("too-long", asked.host)
        else:
            named = _named(asked.scheme, asked.host, asked.port)
            addresses = resolve(
                asked.host, asked.port, self._resolver, _insecure(), until - begun, named
            )
            reply = send(asked, addresses, until, self._trust)
        if self.cookies is not None:
            # The jar takes requests of `urllib`, which sends none here, and reads the headers only.
            asking = urllib.request.Request(asked.url)  # noqa: S310  # see above
            self.cookies.extract_cookies(_Received(reply), asking)  # type: ignore[arg-type]  # see above
        return Answer(reply.status, reply.headers, reply.body, asked.url, asked.host)

    def _request(
        self, method: str, url: str, data: Data | None, json: Any, headers: Mapping[str, str]
    ) -> Request:
        scheme, host, port, path, whole = _address(url)
        sent = {"User-Agent": USER_AGENT, "Accept-Encoding": "gzip, deflate", "Connection": "close"}
        body: bytes | None = None
        if json is not None:
            body = _json.dumps(json, ensure_ascii=False, separators=(",", ":")).encode(
                "utf-8", errors="replace"
            )
            sent["Content-Type"] = "application/json"
        elif isinstance(data, bytes):
            body = data
        elif data is not None:
            body = urlencode(data, encoding="utf-8", errors="replace").encode("ascii")
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        for name, value in headers.items():
            if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value) or name.lower() in _OURS:
                raise Refused("header", host)
            sent = {
                known: text for known, text in sent.items() if known.lower() != name.lower()
            } | {name: value}
        if self.cookies is not None:
            asking = urllib.request.Request(whole)  # noqa: S310  # for the jar only
            self.cookies.add_cookie_header(asking)
            kept = [
                pair
                for pair in (asking.get_header("Cookie") or "").split("; ")
                if pair and _VALUE.fullmatch(pair)
            ]
            if kept:
                sent["Cookie"] = "; ".join(kept)
        return Request(method, scheme, host, port, path, sent, body, whole)


def check(url: str) -> None:
    """Raises `Refused` for what is no address that could be asked; names are not resolved."""
    _address(url)


def check_public(url: str, ports: Collection[int] = ()) -> None:
    """Check an address as `check` does, and refuse hosts that are clearly not public without a
    look-up.

    `ports` restricts the allowed ports further. A test server on this machine may have any port.
    """
    scheme, host, port, _path, _whole = _address(url)
    if ports and port not in ports and not (host == LOOPBACK and _insecure()):
        raise Refused("port", host)
    if not _named(scheme, host, port) and closed(host, _insecure()):
        raise Refused("not-public", host)


def _insecure() -> bool:
    return bool(getattr(settings, "OUTSIDE_INSECURE", False))


def _address(url: str) -> tuple[str, str, int, str, str]:
    """Return scheme, host, port, path with query, and the whole address as it is asked.

    An address has no user and no control characters; its fragment is left out.
    """
    parts = _parts(url)
    host = (parts.host or "").strip("[]").rstrip(".")
    if not host or parts.auth is not None or not parts.scheme:
        raise Refused("address", host)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    _must_be_allowed(parts.scheme, host, port)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query is not None else "")
    return parts.scheme, host, port, path, f"{parts.scheme}://{parts.netloc}{path}"


def _parts(url: str) -> Url:
    if len(url) > 4000 or any(sign <= " " or sign == "\x7f" for sign in url):
        raise Refused("address")
    try:
        return parse_url(url)
    except (LocationParseError, ValueError):
        raise Refused("address") from None


def _must_be_allowed(scheme: str, host: str, port: int) -> None:
    """Refuse what is not HTTPS on a usual port, unless the installation names the address."""
    named = _named(scheme, host, port)
    may_be_plain = scheme == "http" and (named or (host == LOOPBACK and _insecure()))
    if scheme != "https" and not may_be_plain:
        raise Refused("not-https", host)
    if port < 1024 and port not in (80, 443) and not named:
        raise Refused("port", host)


class _Received:
    """An answer as the jar of cookies asks for it."""

    def __init__(self, reply: Reply) -> None:
        self._headers = Message()
        for value in reply.headers.getlist("set-cookie"):
            self._headers["Set-Cookie"] = value

    def info(self) -> Message:
        return self._headers


# What came back.


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer read to its end. A redirect is an answer, too: nothing is followed."""

    status: int
    headers: HTTPHeaderDict
    """By name in any case; `getlist` for those that come more than once."""
    bytes: bytes = field(repr=False)
    url: str = field(repr=False)
    """As it was asked; it may hold a secret."""
    host: str = ""

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The body as text, in the charset that it names, else UTF-8; what is none becomes
        U+FFFD.
        """
        header = Message()
        header["content-type"] = self.headers.get("content-type", "")
        try:
            return self.bytes.decode(header.get_content_charset() or "utf-8", errors="replace")
        except LookupError:
            return self.bytes.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """Raises `Doubtful` where it is none."""
        try:
            return json.loads(self.bytes)
        except (ValueError, RecursionError):
            raise Doubtful("broken", self.host) from None

    def xml(self) -> Element:
        """The root element; no entities, no document types. Raises `Doubtful` where it is none."""
        try:
            return fromstring(self.bytes, forbid_dtd=True)
        except (ParseError, DefusedXmlException, LookupError, ValueError, RecursionError):
            raise Doubtful("broken", self.host) from None


# A visitor's cookies as text, so that the next process is the same visitor. They are secrets.

_FIELDS = (
    "version",
    "name",
    "value",
    "port",
    "port_specified",
    "domain",
    "domain_specified",
    "domain_initial_dot",
    "path",
    "path_specified",
    "secure",
    "expires",
    "discard",
    "comment",
    "comment_url",
)


def written(jar: CookieJar) -> str:
    """The jar as text; "" for an empty one."""
    cookies = [{name: getattr(cookie, name) for name in _FIELDS} for cookie in jar]
    return json.dumps(cookies, separators=(",", ":")) if cookies else ""


def read(text: str) -> CookieJar:
    """The jar again."""
    jar = CookieJar()
    for fields in json.loads(text or "[]"):
        jar.set_cookie(Cookie(**fields, rest={}))
    return jar


# What may go wrong outside. A text names the host and nothing behind it: an address may hold a
# secret.

REASONS = {
    "address": gettext_noop(
        "This is not an address that can be asked: it begins with https:// and names a host."
    ),
    "not-https": gettext_noop("{host}: only addresses that begin with https:// are asked."),
    "not-public": gettext_noop("{host} is not a public address of the internet."),
    "port": gettext_noop("{host}: this port is not for the web."),
    "header": gettext_noop("A header of the request has characters that a header may not have."),
    "no-host": gettext_noop("{host} is not known: its name leads nowhere."),
    "connect": gettext_noop("{host} does not answer."),
    "certificate": gettext_noop(
        "{host} does not prove that it is {host}: its certificate is not valid."
    ),
    "connect-time": gettext_noop("{host} did not answer in time."),
    "cut": gettext_noop("{host} was asked, and the connection broke before it had answered."),
    "time": gettext_noop("{host} was asked, and has not answered in time."),
    "too-long": gettext_noop("{host} was asked, and its answer is longer than is read."),
    "broken": gettext_noop("{host} was asked, and its answer cannot be read."),
}


class OutsideError(Exception):
    """`reason` for programs, the text for people, in the reader's language when it is asked for."""

    def __init__(self, reason: str, host: str = "") -> None:
        super().__init__(reason, host)
        self.reason = reason
        self.host = host

    def __str__(self) -> str:
        return _(REASONS[self.reason]).format(host=self.host)


class Refused(OutsideError):
    """Not an address that is asked from here, or not a request that is sent: it will not be
    otherwise the next time.
    """


class Unreachable(OutsideError):
    """No word of the request was sent: surely not done."""


class Doubtful(OutsideError):
    """Sent, at least in part, and no answer or a broken one: it may have been done."""
