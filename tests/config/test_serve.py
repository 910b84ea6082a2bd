"""The command of `script/serve`: the site answers, the pulse does what is due, all end together."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from http.cookiejar import CookieJar
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from django.db import connection
from django.utils import timezone

from campaign import services
from campaign.log import selectors
from campaign.models import Clock
from notices.models import RequestedMail
from tests.table import grand, people

__all__ = ["grand", "people"]


def until(true: Callable[[], bool], seconds: float = 30) -> None:
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


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/") as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def is_running(pid: str) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def forgets(port: int, email: str) -> None:
    """Asks for a new password."""
    address, client = (
        f"http://127.0.0.1:{port}/password/",
        build_opener(HTTPCookieProcessor(CookieJar())),
    )
    page = client.open(address).read().decode()
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[-1]
    client.open(address, urlencode({"csrfmiddlewaretoken": token, "email": email}).encode())


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_behind_a_proxy_it_answers_and_its_processes_end_with_the_killed_command() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("with other servers beside it the processes run apart")
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        port = result.getsockname()[1]
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "ALLOWED_HOSTS": "127.0.0.1",
        "TABULA_TLS": "1",
        "TRUSTED_PROXIES": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "config.serve", "--bind", f"127.0.0.1:{port}"],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    request = Request(f"http://127.0.0.1:{port}/", headers={"X-Forwarded-Proto": "https"})
    try:
        until(lambda: listens(port), 90)
        with urlopen(request) as answer:
            assert (answer.status, answer.url) == (200, request.full_url)
        below = children(process.pid)
        assert len(below) == 3, "the site, the worker and the pulse"
        until(lambda: any(children(int(child)) for child in below))  # the pool of the worker
        pool = [grandchild for child in below for grandchild in children(int(child))]
    finally:
        process.kill()
        process.wait()
    until(lambda: not any(is_running(child) for child in below + pool))


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_the_command_answers_and_does_what_is_due(grand: Any) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("with other servers beside it the processes run apart")
    gm = grand.people["gm"]
    services.play(
        grand.campaign, gm, {"by": "gm", "move": "start"}, selectors.seen(grand.campaign, gm)
    )
    ago = timezone.now() - timedelta(days=4)
    Clock.objects.filter(kind="slot").update(next_at=ago, due_at=ago)
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        port = result.getsockname()[1]
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "TABULA_PULSE": "1",
        "ALLOWED_HOSTS": "127.0.0.1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "config.serve", "--bind", f"127.0.0.1:{port}"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        until(lambda: answers(port))
        until(lambda: Clock.objects.get(kind="slot").reminders_sent >= {"missed"}, 90)
        forgets(port, gm.email)
        until(lambda: not RequestedMail.objects.exists(), 60)
        below = children(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(40) == 0
        assert len(below) == 3
        assert not any(is_running(child) for child in below)
    finally:
        process.kill()
        shown = process.communicate()[0]
    assert "Traceback" not in shown, shown
    # The letter is printed whole: without its link no one can sign in again.
    assert re.search(r"/password/key/\w+-[\w-]+/", shown), shown
