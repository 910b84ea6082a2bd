from __future__ import annotations

from http.cookiejar import CookieJar
from typing import Any

from outgoing import client
from outgoing.client import Client
from tests.outgoing.servers import says, serving


def test_a_visitor_is_the_same_in_the_next_process(settings: Any) -> None:
    settings.OUTSIDE_INSECURE = True
    jar = CookieJar()
    with serving(
        says(b"", "200 OK", "Set-Cookie: board_sid=è; path=/", "Set-Cookie: u=2; path=/")
    ) as server:
        Client(cookies=jar).get(server.url)
        text = client.written(jar)
        Client(cookies=client.read(text)).get(server.url)
    assert b"Cookie: u=2\r\n" in server.asked[1]  # the other is none that a header may hold
    assert client.written(client.read(text)) == text


def test_no_cookies_are_no_text() -> None:
    assert client.written(CookieJar()) == ""
    assert list(client.read("")) == []
