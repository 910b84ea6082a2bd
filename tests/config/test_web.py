"""The Procfile's web server: half-sent requests hold no thread; a proxy keeps its port private."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic, sleep
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from config.web import SILENT, refusal

PATIENCE = SILENT - 10
"""Seconds for an answer: fewer than a silent connection is kept."""


@pytest.fixture
def site() -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Start the site as the Procfile does, in one process with two threads.

    Return its port and the parent process.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    extra = {"PORT": str(port), "WEB_CONCURRENCY": "1", "WEB_THREADS": "2"}
    process = subprocess.Popen([sys.executable, "-m", "config.web"], env={**os.environ, **extra})
    try:
        until(lambda: listens(port) or process.poll() is not None)
        assert process.poll() is None
        yield port, process
    finally:
        process.terminate()
        process.wait(20)


def until(true: Callable[[], bool], seconds: float = 120) -> None:
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end, "it did not happen in time"
        sleep(0.1)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def children(pid: int) -> list[int]:
    result = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(line) for line in result.stdout.split()]


def answered(port: int) -> int:
    with urlopen(f"http://127.0.0.1:{port}/health/live", timeout=PATIENCE) as answer:
        return int(answer.status)


@pytest.mark.long
@pytest.mark.thorough
def test_forty_half_sent_requests_delay_no_one(
    site: tuple[int, subprocess.Popen[bytes]],
) -> None:
    """Twenty stop within the headers, twenty within the body: more than there are threads.

    The next request is answered before any of them is closed as silent (`config.web.SILENT`).
    """
    port, _process = site
    assert answered(port) == 200
    with ExitStack() as stack:
        for number in range(40):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            half.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n")
            if number % 2:
                half.sendall(b"Content-Length: 1000\r\n\r\nhalf")
        sleep(0.5)
        begun = monotonic()
        assert answered(port) == 200
        print(f"{monotonic() - begun:.3f} s beside 40 half-sent requests")  # noqa: T201


@pytest.mark.long
@pytest.mark.thorough
def test_a_process_that_is_killed_is_replaced_and_all_end_together(
    site: tuple[int, subprocess.Popen[bytes]],
) -> None:
    port, above = site
    assert answered(port) == 200
    (first,) = children(above.pid)
    os.kill(first, signal.SIGKILL)
    until(lambda: children(above.pid) not in ([], [first]))
    assert answered(port) == 200
    (second,) = children(above.pid)
    above.terminate()
    assert above.wait(20) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


def test_behind_a_proxy_the_port_is_not_open_to_all() -> None:
    assert refusal("0.0.0.0", 0, False) == ""
    assert (
        refusal("127.0.0.1", 1, False)
        == refusal("::1", 1, False)
        == refusal("localhost", 1, False)
        == ""
    )
    assert refusal("0.0.0.0", 1, True) == ""
    assert refusal("0.0.0.0", 1, False).startswith(
        "TRUSTED_PROXIES is 1, and BIND=0.0.0.0 may be reachable"
    )


@pytest.mark.django_db
def test_a_site_that_cannot_answer_yet_starts_anyway(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from config import wsgi

    def broken(*_asked: object) -> list[bytes]:
        raise OSError("the database is not reachable")

    log = logging.getLogger("config.wsgi")
    monkeypatch.setattr(wsgi, "application", broken)
    log.addHandler(caplog.handler)  # the site's log passes nothing on
    try:
        wsgi.warm_up()
    finally:
        log.removeHandler(caplog.handler)
    assert {line.message for line in caplog.records if line.name == "config.wsgi"} == {
        "The site could not be warmed up."
    }


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A tmpfs of three megabytes, as containers and units may have for `var`."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("this machine lets no test mount a tmpfs")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.long
@pytest.mark.parametrize("full", ["before the start", "while it runs"])
def test_a_full_disk_does_not_take_the_site_down(
    small_disk: Path, full: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library maps its files into memory.

    A full tmpfs without space for them ends the process (SIGBUS).
    """
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(small_disk))
    monkeypatch.setenv("WEB_CONCURRENCY", "1")
    monkeypatch.setenv("PORT", str(port := free_port()))

    def fill() -> None:
        with suppress(OSError), (small_disk / "filler").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    if full == "before the start":
        fill()
    process = subprocess.Popen([sys.executable, "-m", "config.web"], env=os.environ)
    try:
        until(lambda: listens(port) and len(children(process.pid)) == 1)
        assert answered(port) == 200
        if full == "while it runs":
            fill()
        below = children(process.pid)
        for where in ("/rules/", "/sign-in/", "/nowhere/", "/about/") * 3:
            with suppress(HTTPError), urlopen(f"http://127.0.0.1:{port}{where}", timeout=PATIENCE):
                pass
        assert answered(port) == 200
        assert children(process.pid) == below, (
            "the process was taken down and another took its place"
        )
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
