"""The one way out, against real sockets on this machine."""

from __future__ import annotations

import gzip
import logging
import socket
import threading
import time
import zlib
from collections.abc import Callable
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from urllib3 import HTTPHeaderDict

from outgoing import Doubtful, OutsideError, Refused, Unreachable
from outgoing.client import LIMIT, USER_AGENT, Client, Reply, Request, check, check_public
from tests.outgoing.servers import certificate, says, serving

SHORT = 0.4
"""Seconds in all, for what is cut off: waiting is what is tested."""


@pytest.fixture(autouse=True)
def _insecure(settings: Any) -> None:
    settings.OUTSIDE_INSECURE = True


def here(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def reason(kind: type[OutsideError], call: Callable[[], Any]) -> str:
    with pytest.raises(OutsideError) as caught:
        call()
    assert type(caught.value) is kind, repr(caught.value)
    assert str(caught.value)
    return caught.value.reason


def test_asks_and_reads() -> None:
    with serving(
        says(b'{"a": 1}', "200 OK", "Content-Type: application/json", "X-One: 1")
    ) as server:
        answer = Client().get(
            f"{server.url}/a%20b/ü?q=1#part", headers={"Accept": "application/json"}
        )
    assert (answer.status, answer.ok, answer.json(), answer.headers["x-ONE"]) == (
        200,
        True,
        {"a": 1},
        "1",
    )
    head = server.asked[0].decode()
    assert head.startswith("GET /a%20b/%C3%BC?q=1 HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{server.port}\r\n" in head
    assert f"User-Agent: {USER_AGENT}\r\n" in head
    assert "Accept: application/json\r\n" in head


def test_sends_a_form_and_json() -> None:
    with serving(says(b"")) as server:
        Client().post(server.url, data=[("a", "è&="), ("a", "2")])
        Client().post(server.url, json={"a": "è"})
        Client().put(server.url, json=[1])
        Client().post(server.url)
    form, json, put, empty = server.asked
    assert b"application/x-www-form-urlencoded" in form
    assert form.endswith(b"\r\n\r\na=%C3%A8%26%3D&a=2")
    assert json.endswith('\r\n\r\n{"a":"è"}'.encode())
    assert put.startswith(b"PUT /")
    assert put.endswith(b"\r\n\r\n[1]")
    assert b"Content-Length: 0" in empty


def test_a_visit_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("outgoing.client.time.monotonic", lambda: clock[0])
    asked: list[str] = []

    def slow(request: Request) -> Reply:
        asked.append(request.url)
        clock[0] += 6
        return Reply(200, HTTPHeaderDict(), b"")

    visit = Client(transport=slow, lasts=10)
    for _each in range(2):
        visit.get("https://example.org/")
    assert reason(Unreachable, lambda: visit.get("https://example.org/")) == "connect-time"
    assert len(asked) == 2


def test_every_status_is_an_answer_and_no_redirect_is_followed() -> None:
    with serving(says(b"elsewhere", "302 Found", "Location: /b")) as server:
        answer = Client().get(server.url)
    assert (answer.status, answer.headers["location"], answer.text, len(server.asked)) == (
        302,
        "/b",
        "elsewhere",
        1,
    )
    with serving(says(b"no", "500 Server Error")) as server:
        assert Client().get(server.url).status == 500


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.com/", "not-https"),
        ("http://127.0.0.2/", "not-https"),
        ("ftp://example.com/", "not-https"),
        ("file:///etc/passwd", "address"),
        ("https://", "address"),
        ("example.com", "address"),
        ("", "address"),
        ("https://user:secret@example.com/", "address"),
        ("https://exa mple.com/", "address"),
        ("https://example.com/\r\nX: y", "address"),
        ("https://example.com:25/", "port"),
        ("https://a:99999/", "address"),
        ("https://" + "a" * 5000, "address"),
    ],
)
def test_what_is_no_address_is_refused(url: str, why: str) -> None:
    assert reason(Refused, lambda: Client(resolver=here).get(url)) == why
    assert reason(Refused, lambda: check(url)) == why


def test_http_on_this_machine_is_for_tests_only(settings: Any) -> None:
    settings.OUTSIDE_INSECURE = False
    with serving(says(b"")) as server:
        assert reason(Refused, lambda: Client().get(server.url)) == "not-https"
        assert (
            reason(Refused, lambda: Client(resolver=here).get(f"https://a.example:{server.port}/"))
            == "not-public"
        )
    assert server.connections == 0


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.2/", "https://[::1]/", "https://2130706434/", "https://[::ffff:127.0.0.1]/"],
)
def test_no_way_of_writing_reaches_this_machine(url: str) -> None:
    assert reason(Refused, lambda: Client().get(url)) == "not-public"
    assert reason(Refused, lambda: check_public(url)) == "not-public"


@pytest.mark.parametrize(
    "url", ["https://nowhere.invalid/", "https://1.1.1.1/", "https://[2606:4700::1111]/"]
)
def test_what_may_be_public_is_not_refused_unasked(url: str) -> None:
    check_public(url)


def test_one_private_address_among_public_ones_is_refused_and_a_name_is_resolved_once() -> None:
    asked = []

    def resolver(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["93.184.216.34", "10.0.0.1"]

    assert (
        reason(Refused, lambda: Client(resolver=resolver).get("https://board.example/x"))
        == "not-public"
    )
    assert asked == [("board.example", 443)]


def test_no_such_host_and_a_slow_resolver() -> None:
    def nowhere(host: str, port: int) -> list[str]:
        raise socket.gaierror("no")

    stop = threading.Event()

    def slow(host: str, port: int) -> list[str]:
        stop.wait(5)
        return ["93.184.216.34"]

    assert (
        reason(Unreachable, lambda: Client(resolver=nowhere).get("https://board.example/"))
        == "no-host"
    )
    assert (
        reason(
            Unreachable, lambda: Client(resolver=slow, seconds=0.1).get("https://board.example/")
        )
        == "connect-time"
    )
    stop.set()


def test_an_address_without_a_server_is_refused() -> None:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{door.getsockname()[1]}/"
        assert reason(Unreachable, lambda: Client().get(url)) == "connect"


@pytest.mark.parametrize(
    "name",
    ["Host", "User-Agent", "Content-Length", "Transfer-Encoding", "cookie", "X Y", "X:Y", ""],
)
def test_a_header_that_is_ours_or_none_is_refused(name: str) -> None:
    assert (
        reason(
            Refused, lambda: Client(resolver=here).get("https://a.example/", headers={name: "x"})
        )
        == "header"
    )


@pytest.mark.parametrize(
    "value", ["a\r\nX-Evil: 1", "a\nb", "a\r\n folded", "a\x00", "\u2028", "a" * 5000]
)
def test_a_value_that_would_begin_another_header_is_refused(value: str) -> None:
    assert (
        reason(
            Refused,
            lambda: Client(resolver=here).get("https://a.example/", headers={"X-Key": value}),
        )
        == "header"
    )


def slowly(*pieces: bytes) -> Callable[[socket.socket, bytes], None]:
    def behave(wire: socket.socket, shown: bytes) -> None:
        for piece in pieces:
            wire.sendall(piece)
        while (
            True
        ):  # a byte now and then, for ever: no pause is long enough for a socket's own time-out
            wire.sendall(b"x")
            time.sleep(0.02)

    return behave


@pytest.mark.parametrize(
    "pieces",
    [
        (),
        (b"HTTP/1.1 200 OK\r\nX-Long: ",),
        (b"HTTP/1.1 200 OK\r\n\r\n",),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n",),
    ],
)
def test_slow_answers_end_at_their_time(pieces: tuple[bytes, ...]) -> None:
    with serving(slowly(*pieces)) as server:
        assert (
            reason(Doubtful, lambda: Client(seconds=SHORT).post(server.url, data={"a": "1"}))
            == "time"
        )
    assert len(server.asked) == 1


def test_an_endless_answer_is_not_read_to_its_end() -> None:
    def endless(wire: socket.socket, shown: bytes) -> None:
        wire.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            wire.sendall(b"x" * 65536)

    with serving(endless) as server:
        assert reason(Doubtful, lambda: Client().get(server.url)) == "too-long"


def test_as_much_as_is_allowed_is_read_and_a_byte_more_is_not() -> None:
    with serving(says(b"x" * LIMIT)) as server:
        assert len(Client().get(server.url).bytes) == LIMIT
    with serving(says(b"x" * (LIMIT + 1))) as server:
        assert reason(Doubtful, lambda: Client().get(server.url)) == "too-long"


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_compressed_answer_is_unpacked_within_the_same_limit(coding: str) -> None:
    pack = gzip.compress if coding == "gzip" else zlib.compress
    with serving(says(pack(b"hello"), "200 OK", f"Content-Encoding: {coding}")) as server:
        assert Client().get(server.url).text == "hello"
    bomb = pack(b"\0" * 50_000_000)
    assert len(bomb) < 60_000
    with serving(says(bomb, "200 OK", f"Content-Encoding: {coding}")) as server:
        assert reason(Doubtful, lambda: Client().get(server.url)) == "too-long"


def test_a_bomb_that_unpacks_to_nothing_ends_at_its_length() -> None:
    with serving(says(gzip.compress(b"") * 100_000, "200 OK", "Content-Encoding: gzip")) as server:
        assert reason(Doubtful, lambda: Client().get(server.url)) == "too-long"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot",
    ],
)
def test_a_connection_that_breaks_after_the_request_leaves_doubt(answer: bytes) -> None:
    with serving(lambda wire, shown: wire.sendall(answer)) as server:
        assert reason(Doubtful, lambda: Client().post(server.url, data={"a": "1"})) == "cut"
    assert len(server.asked) == 1


def test_tls_asks_the_address_looked_at_by_the_name_asked_for(tmp_path: Path) -> None:
    context, trust = certificate(tmp_path, "board.example")
    names = []
    context.sni_callback = lambda wire, name, ctx: names.append(name)
    with serving(says(b"in"), context) as server:
        answer = Client(resolver=here, trust=trust).get(f"https://board.example:{server.port}/x")
    assert (answer.text, names) == ("in", ["board.example"])
    assert f"Host: board.example:{server.port}\r\n".encode() in server.asked[0]


def test_a_wrong_or_untrusted_certificate_ends_the_connection(tmp_path: Path) -> None:
    context, trust = certificate(tmp_path, "board.example")
    with serving(says(b"in"), context) as server:
        other = f"https://other.example:{server.port}/"
        assert (
            reason(Unreachable, lambda: Client(resolver=here, trust=trust).get(other))
            == "certificate"
        )
        unknown = f"https://board.example:{server.port}/"
        assert reason(Unreachable, lambda: Client(resolver=here).get(unknown)) == "certificate"
    assert server.asked == []


def test_a_server_that_does_not_end_its_greeting_and_one_without_tls(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        url = f"https://board.example:{door.getsockname()[1]}/"
        assert (
            reason(Unreachable, lambda: Client(resolver=here, seconds=SHORT).get(url))
            == "connect-time"
        )
    with serving(lambda wire, shown: wire.sendall(b"HTTP/1.1 200 OK\r\n\r\n")) as server:
        url = f"https://board.example:{server.port}/"
        assert reason(Unreachable, lambda: Client(resolver=here, seconds=SHORT).get(url)) in (
            "connect",
            "connect-time",
        )


def test_cookies_of_one_visitor_stay_his_and_on_their_host() -> None:
    with serving(
        says(b"", "200 OK", "Set-Cookie: sid=1; path=/; HttpOnly", "Set-Cookie: u=2; path=/")
    ) as server:
        jar = CookieJar()
        visitor = Client(cookies=jar)
        visitor.get(server.url)
        visitor.get(server.url)
        Client(cookies=CookieJar()).get(server.url)
        Client(cookies=jar, resolver=here, transport=lambda asked: reply(asked)).get(
            "https://other.example/"
        )
    assert b"Cookie: sid=1; u=2\r\n" in server.asked[1]
    assert all(b"Cookie" not in server.asked[n] for n in (0, 2))


def reply(asked: Request) -> Reply:
    assert "Cookie" not in asked.headers
    return Reply(200, HTTPHeaderDict(), b"")


def test_no_secret_of_an_address_stands_in_an_error_an_answer_or_a_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(lambda wire, shown: None) as server, pytest.raises(Doubtful) as caught:
        Client().post(
            f"{server.url}/hook/s3cret?key=s3cret",
            json={"a": "s3cret"},
            headers={"X-Key": "s3cret"},
        )
    assert "s3cret" not in f"{caught.value} {caught.value!r} {caught.value.__cause__} {caplog.text}"
    with serving(says(b"s3cret")) as server:
        assert "s3cret" not in repr(Client().get(f"{server.url}/s3cret"))
    with pytest.raises(Refused) as refused:
        Client(resolver=lambda host, port: ["10.0.0.1"]).get("https://board.example/s3cret")
    assert "s3cret" not in f"{refused.value} {refused.value!r}"
    assert "s3cret" not in caplog.text


def test_xml_without_entities_and_json_that_is_none() -> None:
    with serving(says(b"<feed><entry>1</entry></feed>")) as server:
        assert [element.text for element in Client().get(server.url).xml()] == ["1"]
    bomb = b'<!DOCTYPE a [<!ENTITY b "x"><!ENTITY f SYSTEM "file:///etc/passwd">]><a>&b;&f;</a>'
    for body in (bomb, b"<a>", b"", b"<!DOCTYPE a><a/>"):
        with serving(says(body)) as server:
            answer = Client().get(server.url)
            assert reason(Doubtful, answer.xml) == "broken"
    with serving(says(b"[" * 100_000)) as server:
        assert reason(Doubtful, Client().get(server.url).json) == "broken"


def test_text_in_the_charset_it_names() -> None:
    with serving(
        says("è".encode("latin-1"), "200 OK", "Content-Type: text/html; charset=iso-8859-1")
    ) as server:
        assert Client().get(server.url).text == "è"
    with serving(
        says("è".encode(), "200 OK", "Content-Type: text/html; charset=nonsense")
    ) as server:
        assert Client().get(server.url).text == "è"


def test_the_second_address_is_asked_where_the_first_takes_no_connection() -> None:
    from outgoing import client as wires

    with serving(says(b"second")) as server:
        asked = Request("GET", "http", "127.0.0.1", server.port, "/", {}, None, "")
        shown = wires.send(asked, ["127.0.0.3", "127.0.0.1"], time.monotonic() + 2)
    assert shown.body == b"second"


# A board on the same machine or in the same network, which the host of the site names -------------


def test_a_host_that_is_named_may_be_asked_though_it_is_not_public(settings: Any) -> None:
    settings.OUTSIDE_INSECURE = False
    with serving(says(b"here")) as server:
        settings.OUTSIDE_ALLOWED_HOSTS = [f"http://127.0.0.1:{server.port}", "board.lan"]
        assert Client().get(f"http://127.0.0.1:{server.port}/x").text == "here"
        check_public(f"http://127.0.0.1:{server.port}/x")
        assert (
            reason(Refused, lambda: Client().get(f"https://127.0.0.1:{server.port}/"))
            == "not-public"
        )
        assert reason(Refused, lambda: Client().get("http://board.lan/")) == "not-https"
    assert server.connections == 1


@pytest.mark.parametrize(
    ("entry", "url", "why"),
    [
        ("board.lan", "https://board.lan/viewtopic.php?t=1", ""),
        ("board.lan", "https://board.lan:8443/", ""),
        ("Board.LAN", "https://board.lan/", ""),
        ("board.lan", "http://board.lan/", "not-https"),
        ("http://board.lan", "http://board.lan/", ""),
        ("http://board.lan", "http://board.lan:8080/", "not-https"),
        ("http://board.lan:8080/", "http://board.lan:8080/", ""),
        ("http://board.lan:81", "http://board.lan:81/", ""),
        ("10.0.0.5", "https://10.0.0.5/", ""),
        ("10.0.0.5", "https://10.0.0.6/", "not-public"),
        ("http://[fd00::5]:8080", "http://[fd00::5]:8080/", ""),
        ("localhost", "https://localhost/", ""),
        ("", "https://localhost/", "not-public"),
        ("http://:99999", "https://10.0.0.5/", "not-public"),
        ("board.lan", "https://evil-board.lan.example/", ""),
        ("board.lan", "https://x.board.lan:25/", "port"),
    ],
)
def test_what_an_entry_allows(settings: Any, entry: str, url: str, why: str) -> None:
    """Nothing but the very host, with http on the very port."""
    settings.OUTSIDE_INSECURE = False
    settings.OUTSIDE_ALLOWED_HOSTS = [entry]
    if why:
        assert reason(Refused, lambda: check_public(url)) == why
    else:
        check_public(url)


def test_a_name_beside_a_named_one_is_not_resolved_into_this_network(settings: Any) -> None:
    settings.OUTSIDE_ALLOWED_HOSTS = ["board.lan"]
    inside = lambda host, port: ["10.0.0.5"]  # noqa: E731
    assert (
        reason(Refused, lambda: Client(resolver=inside).get("https://other.lan/")) == "not-public"
    )
