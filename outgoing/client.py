"""The HTTP client for other sites.

It uses only HTTPS and public addresses (except those in `OUTSIDE_ALLOWED_HOSTS`), takes at most ten
seconds and a megabyte, and follows no redirects. A name is resolved once, and the connection goes
to the very address that was checked; certificate and SNI are those of the name.
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

# Allowed hosts: names that resolve to public addresses only.

Resolver = Callable[[str, int], Sequence[str]]
"""A function that returns a host's IP addresses as text.

Raises `OSError` if there are none.
"""

LOOPBACK = "127.0.0.1"

_GLOBAL = IPv6Network("2000::/3")
# Parts of it that are not in the public internet: special uses with Teredo, documentation, and
# 6to4, which wraps any IPv4 address.
_SPECIAL = tuple(
    IPv6Network(net) for net in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
# Versions of Python differ on whether these are global.
_SPECIAL_4 = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
_NAT64 = IPv6Network("64:ff9b::/96")


def public(address: str) -> bool:
    """Return whether this is an address of the public internet.

    An address that wraps an IPv4 address is public if that one is.
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
    """Return the addresses that this machine resolves."""
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in rows))


def resolve(
    host: str, port: int, resolver: Resolver, insecure: bool, seconds: float, named: bool = False
) -> list[str]:
    """Return the host's addresses, if all of them are allowed, within `seconds`.

    A single address that is not allowed makes the name suspect. `named` means that the settings
    allow this host, public or not.

    Raises:
        Refused: An address is not public.
        Unreachable: The name was not resolved in that time.
    """
    answer: list[Sequence[str]] = []

    def ask() -> None:
        try:
            answer.append(resolver(host, port))
        except (OSError, UnicodeError):
            answer.append(())

    asking = threading.Thread(target=ask, daemon=True)  # getaddrinfo has no time-out of its own
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
    """Return whether a host is known to be forbidden without a request to a name server.

    Such hosts are IP addresses in any notation, and names of this machine (RFC 6761).
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return False
    return not _allowed([str(entry[4][0]) for entry in rows], insecure)


def _named(scheme: str, host: str, port: int) -> bool:
    """Return whether the settings allow this place, public or not.

    An entry of `OUTSIDE_ALLOWED_HOSTS` is a host, which is requested with TLS, or a whole address
    such as `http://board.lan:8080`, which is requested as written.
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


# A request over a single connection to a single address, within limits of time and length.

LIMIT = 1_000_000
"""The most bytes of an answer, both compressed and uncompressed."""
PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Request:
    """A request. `path` includes the query; `headers` lacks only Host and the length."""

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
    """A response; its body is uncompressed."""

    status: int
    headers: urllib3.HTTPHeaderDict
    body: bytes = field(repr=False)


class _Plain(HTTPConnection):
    """A connection that uses a given socket; names, Host and SNI are those of the address."""

    given: socket.socket

    def _new_conn(self) -> socket.socket:
        return self.given


class _Secure(HTTPSConnection):
    """A connection with TLS that uses a given socket."""

    given: socket.socket

    def _new_conn(self) -> socket.socket:
        return self.given


@lru_cache(maxsize=1)
def authorities() -> ssl.SSLContext:
    """Return a context that trusts the authorities of this machine and those of browsers."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


class _Watch:
    """A timer that ends a connection, whatever it is doing.

    The time-out of a socket begins anew with every byte.
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
    """Send the request to the first of the addresses that accepts a connection.

    `until` is a time of `time.monotonic`.

    Raises:
        Unreachable: It failed before the first byte of the request.
        Doubtful: It failed later.
    """
    wire = _connected(request, addresses, until)
    # The timer needs its own socket: TLS detaches the first one from its number.
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
    if watch.rang or time.monotonic() >= until:  # an answer that was cut off looks complete
        raise Doubtful("time", request.host)
    return Reply(answer.status, answer.headers, body)


def _read(answer: urllib3.BaseHTTPResponse, host: str) -> bytes:
    body = bytearray()
    while piece := answer.read(min(PIECE, LIMIT + 1 - len(body)), decode_content=True):
        body += piece
        if len(body) > LIMIT or answer.tell() > LIMIT:
            break
    # The second condition catches an answer that decompresses to nothing.
    if len(body) > LIMIT or answer.tell() > LIMIT:
        raise Doubtful("too-long", host)
    return bytes(body)


USER_AGENT = "Tabula/1.0 (campaign table; posts for a game master who asked it to)"
"""A constant name, so that a board keeps the session and its host knows the sender."""
SECONDS = 10.0

Transport = Callable[[Request], Reply]
"""A function that replaces the network in tests, such as a board in the same process.

Names are not resolved then.
"""
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
    """A client with its own cookies, if it has any.

    It raises only `Refused`, `Unreachable` and `Doubtful`; a response of any status is an `Answer`.
    `now` and `sleep` are for callers that talk to a board at its pace. Limits are in real time:
    `seconds` of a request, `lasts` of all of them, after which no request is sent. `trust` says
    whose certificates count, in tests.
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
        """Send a request: `data` as a form (or bytes unchanged), `json` as JSON."""
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
            # The jar needs a request of `urllib` to read the headers. This request is never sent.
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
    """Raise `Refused` for an address that cannot be requested; names are not resolved."""
    _address(url)


def check_public(url: str, ports: Collection[int] = ()) -> None:
    """Check an address as `check` does, and refuse hosts that are clearly not public.

    No name is resolved. `ports` restricts the allowed ports further. A test server on this machine
    may have any port.
    """
    scheme, host, port, _path, _whole = _address(url)
    if ports and port not in ports and not (host == LOOPBACK and _insecure()):
        raise Refused("port", host)
    if not _named(scheme, host, port) and closed(host, _insecure()):
        raise Refused("not-public", host)


def _insecure() -> bool:
    return bool(getattr(settings, "OUTSIDE_INSECURE", False))


def _address(url: str) -> tuple[str, str, int, str, str]:
    """Return scheme, host, port, path with query, and the whole address as it is requested.

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
    """Raise `Refused` unless it is HTTPS on a usual port or the settings name the address."""
    named = _named(scheme, host, port)
    may_be_plain = scheme == "http" and (named or (host == LOOPBACK and _insecure()))
    if scheme != "https" and not may_be_plain:
        raise Refused("not-https", host)
    if port < 1024 and port not in (80, 443) and not named:
        raise Refused("port", host)


class _Received:
    """A response in the form that the cookie jar expects."""

    def __init__(self, reply: Reply) -> None:
        self._headers = Message()
        for value in reply.headers.getlist("set-cookie"):
            self._headers["Set-Cookie"] = value

    def info(self) -> Message:
        return self._headers


# Responses and what they contain.


@dataclass(frozen=True, slots=True)
class Answer:
    """A response that was read completely. Redirects are responses, too: none is followed."""

    status: int
    headers: HTTPHeaderDict
    """Headers by name in any case; `getlist` returns repeated ones."""
    bytes: bytes = field(repr=False)
    url: str = field(repr=False)
    """The address of the request; it may contain a secret."""
    host: str = ""

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The body as text, in the charset that it names or in UTF-8.

        Invalid bytes become U+FFFD.
        """
        header = Message()
        header["content-type"] = self.headers.get("content-type", "")
        try:
            return self.bytes.decode(header.get_content_charset() or "utf-8", errors="replace")
        except LookupError:
            return self.bytes.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """Return the body as JSON. Raises `Doubtful` if it is not JSON."""
        try:
            return json.loads(self.bytes)
        except (ValueError, RecursionError):
            raise Doubtful("broken", self.host) from None

    def xml(self) -> Element:
        """Return the root element of the body, without entities and document types.

        Raises `Doubtful` if it is not XML.
        """
        try:
            return fromstring(self.bytes, forbid_dtd=True)
        except (ParseError, DefusedXmlException, LookupError, ValueError, RecursionError):
            raise Doubtful("broken", self.host) from None


# A client's cookies as text, so that the next process has the same session. They are secrets.

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
    """Return the jar as text; "" for an empty one."""
    cookies = [{name: getattr(cookie, name) for name in _FIELDS} for cookie in jar]
    return json.dumps(cookies, separators=(",", ":")) if cookies else ""


def read(text: str) -> CookieJar:
    """Return the jar that `written` has written."""
    jar = CookieJar()
    for fields in json.loads(text or "[]"):
        jar.set_cookie(Cookie(**fields, rest={}))
    return jar


# Errors of requests. A text names only the host: the rest of an address may be secret.

REASONS = {
    "address": gettext_noop(
        "This address cannot be used. It must begin with https:// and contain the name of a host."
    ),
    "not-https": gettext_noop("{host}: only addresses that begin with https:// are used."),
    "not-public": gettext_noop("{host} is not a public address of the internet."),
    "port": gettext_noop("{host}: this port is not allowed."),
    "header": gettext_noop("A header of the request has characters that are not allowed."),
    "no-host": gettext_noop("No server with the name {host} was found."),
    "connect": gettext_noop("{host} cannot be reached."),
    "certificate": gettext_noop("The certificate of {host} is not valid."),
    "connect-time": gettext_noop("{host} could not be reached in time."),
    "cut": gettext_noop(
        "The connection to {host} broke before an answer came. The request may have arrived."
    ),
    "time": gettext_noop("{host} has not answered in time. The request may have arrived."),
    "too-long": gettext_noop("{host} has answered, but its answer is too long."),
    "broken": gettext_noop("{host} has answered, but its answer cannot be read."),
}


class OutsideError(Exception):
    """A failed request: `reason` is for programs, the text for readers, in their language."""

    def __init__(self, reason: str, host: str = "") -> None:
        super().__init__(reason, host)
        self.reason = reason
        self.host = host

    def __str__(self) -> str:
        return _(REASONS[self.reason]).format(host=self.host)


class Refused(OutsideError):
    """An address or a request that is not allowed; trying again does not help."""


class Unreachable(OutsideError):
    """A request of which nothing was sent: it has had no effect."""


class Doubtful(OutsideError):
    """A request that was sent, at least in part, without a complete answer.

    It may have had an effect.
    """
