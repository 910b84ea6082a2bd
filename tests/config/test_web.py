"""The Procfile's web server: half-sent requests hold no thread, and behind a proxy its port is not open to all."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic, sleep
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from config.web import refusal


@pytest.fixture
def port() -> Iterator[int]:
    """The site as the Procfile starts it, in one process with two threads."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = free.getsockname()[1]
    extra = {"PORT": str(number), "WEB_CONCURRENCY": "1", "WEB_THREADS": "2"}
    process = subprocess.Popen([sys.executable, "-m", "config.web"], env={**os.environ, **extra})
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", number)).close()
                break
            except OSError:
                assert process.poll() is None
                sleep(0.1)
        yield number
    finally:
        process.terminate()
        process.wait(20)


def answered(port: int) -> int:
    try:
        with urlopen(f"http://127.0.0.1:{port}/nowhere/", timeout=60) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


@pytest.mark.thorough
def test_forty_half_sent_requests_keep_nobody_waiting(port: int) -> None:
    answered(port)
    with ExitStack() as stack:
        for number in range(40):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            half.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n")
            if number % 2:
                half.sendall(b"Content-Length: 1000\r\n\r\nhalf")
        sleep(0.5)
        begun = monotonic()
        assert answered(port) in (404, 500)
        print(f"{monotonic() - begun:.3f} s beside 40 half-sent requests")  # noqa: T201


def test_behind_a_proxy_the_port_is_not_open_to_all() -> None:
    assert refusal("0.0.0.0", 0, False) == ""
    assert refusal("127.0.0.1", 1, False) == refusal("::1", 1, False) == refusal("localhost", 1, False) == ""
    assert refusal("0.0.0.0", 1, True) == ""
    assert refusal("0.0.0.0", 1, False).startswith("TRUSTED_PROXIES is 1, and BIND=0.0.0.0 may be reachable")
