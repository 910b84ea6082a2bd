"""The processes of the Procfile on PostgreSQL and Valkey, with `requirements.txt` alone.

`script/test` makes that environment, `.venv-fresh`.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).resolve().parents[2]
FRESH = ROOT / ".venv-fresh" / "bin"
PNG = b"\x89PNG\r\n\x1a\n"
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(
        os.environ["TABULA_TEST_DB"] != "postgres",
        reason="the Procfile's processes share PostgreSQL and Valkey",
    ),
]
# The demonstration's campaign. Its game master has an account now, and so does the user who is
# notified of their acts.
PREPARE = """
from allauth.account.models import EmailAddress
from campaign.log import selectors
from campaign.models import Campaign
from notices.channels import services as channels
from people import tokens
from people.models import User
from django.utils import timezone

for user in User.objects.all():
    user.demo, user.email = False, f"person-{user.pk}@example.org"
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    channels.email_channel(user)
campaign = Campaign.objects.get()
master = selectors.game_masters(campaign)[0]
made = tokens.make_token(master, "fresh", "play", timezone.now())
print("TOKEN", made[1], campaign.public_id)
"""


def commands() -> dict[str, str]:
    lines = (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line)


def until(true: Callable[[], bool], what: str, seconds: float = 600) -> None:
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end, f"{what} did not come in {seconds:.0f} s"
        sleep(0.2)


class Site:
    """The processes, and what a program asks them."""

    def __init__(self, environment: dict[str, str], port: int, logs: Path) -> None:
        self.environment, self.port, self.logs = environment, port, logs
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.token = ""

    def run(self, command: str, given: str | None = None) -> str:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=ROOT,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, name: str, command: str) -> None:
        whole = command if command.startswith("exec ") else f"exec {command}"
        with (self.logs / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                ["sh", "-c", whole],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def ask(self, path: str, raw: Any = None) -> tuple[int, bytes]:
        request = Request(
            f"http://127.0.0.1:{self.port}{path}", None if raw is None else json.dumps(raw).encode()
        )
        if path.startswith("/api/"):
            request.add_header("Authorization", f"Bearer {self.token}")
            request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            return error.code, error.read()
        except (URLError, OSError):
            return 0, b""

    def logs_text(self) -> str:
        return "".join(
            f"== {path.name}\n{path.read_text(errors='replace')}"
            for path in sorted(self.logs.glob("*.log"))
        )


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    import psycopg

    base = os.environ["DATABASE_URL"]
    name = f"fresh_{os.getpid()}"
    with psycopg.connect(base, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
    # The embedded server listens on a socket, whose folder the address has behind its question
    # mark.
    parts = urlsplit(base)
    with (
        socket.create_server(("127.0.0.1", 0)) as free,
        socket.create_server(("127.0.0.1", 0)) as another,
    ):
        port, spare = free.getsockname()[1], another.getsockname()[1]
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("TABULA_", "PYTHON", "PYTEST", "CACHE_URL"))
    }
    environment = kept | {
        "PATH": f"{FRESH}{os.pathsep}{os.environ['PATH']}",
        "DATABASE_URL": parts._replace(path=f"/{name}").geturl(),
        "TABULA_VAR": str(tmp_path / "var"),
        "TABULA_TLS": "0",
        # Every four seconds: on a busy machine one second is too short to begin all kinds of work.
        "TABULA_PULSE": "4",
        "ALLOWED_HOSTS": "127.0.0.1",
        "PORT": str(port),
        "LIVE_PORT": str(spare),
        "TABULA_LIVE": "1",
        "WEB_CONCURRENCY": "1",
        "EMAIL_URL": f"filemail:///{tmp_path / 'mail'}",
    }
    (tmp_path / "logs").mkdir()
    running = Site(environment, port, tmp_path / "logs")
    try:
        yield running
    finally:
        for process in running.processes.values():
            process.send_signal(signal.SIGTERM)
        for process in running.processes.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        with psycopg.connect(base, autocommit=True) as server:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.mark.skipif(not FRESH.exists(), reason="script/test makes .venv-fresh")
def test_the_procfile_plays_a_move_with_requirements_txt_alone(site: Site, tmp_path: Path) -> None:
    """The site is released, started and ready.

    A move is played, its picture drawn, its letter sent; pulses come, and all processes end.
    """
    todo = commands()
    site.run(todo.pop("release"))
    site.run("python manage.py demo --if-empty")
    match = re.search(r"TOKEN (\S+) (\S+)", site.run("python manage.py shell", PREPARE))
    assert match
    site.token, campaign = match[1], match[2]
    try:
        for name, command in todo.items():
            site.start(name, command)
        until(lambda: site.ask("/health/live")[0] == 200, "the site")
        until(
            lambda: site.ask("/health/ready")[0] == 200,
            "a pulse of every kind, and all else that /health/ready asks",
        )
        status, body = site.ask(f"/api/v1/campaigns/{campaign}/")
        assert status == 200, body
        whole = json.loads(body)
        slot = json.loads(site.ask(f"/api/v1/campaigns/{campaign}/position/")[1])["slot"]
        move = {"move": {"by": "gm", "for": slot, "move": "end-slot"}, "seen": whole["seen"]}
        status, body = site.ask(f"/api/v1/campaigns/{campaign}/moves/", move)
        assert status == 201, body
        until(
            lambda: site.ask(f"/c/{campaign}/map.png")[1].startswith(PNG), "the picture of the map"
        )
        until(lambda: any((tmp_path / "mail").glob("*")), "the letter to whose slot is open now")
        letter = "".join(path.read_text() for path in (tmp_path / "mail").glob("*"))
        assert "Subject: " in letter
        # No process has ended by itself, and each ends when it is asked to.
        assert {name: process.poll() for name, process in site.processes.items()} == dict.fromkeys(
            todo
        )
    except Exception as error:
        ready = site.ask("/health/ready")[1].decode()
        raise AssertionError(f"{error}\n/health/ready: {ready}\n{site.logs_text()}") from error
