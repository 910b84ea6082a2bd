"""A campaign locked by another connection, and a database that is away: 503, the rest answers."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import time
from typing import Any
from unittest import mock

import psycopg
import pytest
from django.core import mail
from django.core.cache import cache
from django.db import connection, transaction
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from campaign import hooks, pulse
from campaign.log.entries import lock
from campaign.models import Campaign, TickRun
from config.logs import AdminMailHandler
from people import tokens
from tests.conftest import confirm
from tests.web.grand_table import GrandTable, new_campaign
from web.frame.errors import BrokenPage, not_in_time

__all__ = ["new_campaign"]
ROOT = Path(__file__).resolve().parents[3]
ON_POSTGRES = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgres,
    pytest.mark.skipif(
        os.environ["TABULA_TEST_DB"] != "postgres", reason="SQLite has no locks of rows"
    ),
]


@contextmanager
def held(campaign: Campaign) -> Iterator[None]:
    """Lock the campaign's row by a connection that is not the site's."""
    wanted = {
        key: value
        for key, value in connection.get_connection_params().items()
        if key in ("dbname", "user", "host", "port")
    }
    with psycopg.connect(**wanted) as other:
        other.execute("SELECT 1 FROM campaign_campaign WHERE id = %s FOR UPDATE", [campaign.pk])
        yield
        other.rollback()


def in_threads(*acts: Callable[[], Any]) -> list[Future[Any]]:
    """Begin all acts, each on its own connection."""

    def run(act: Callable[[], Any]) -> Any:
        try:
            return act()
        finally:
            connection.close()

    pool = ThreadPoolExecutor(len(acts))
    futures = [pool.submit(run, act) for act in acts]
    pool.shutdown(wait=False)
    return futures


@pytest.fixture
def two(transactional_db: None, request: pytest.FixtureRequest) -> tuple[GrandTable, GrandTable]:
    """Return two campaigns of the same people, not started."""
    make: Callable[..., GrandTable] = request.getfixturevalue("new_campaign")
    return make(), make(name="The Other Frontier")


def signed_in(grand_table: GrandTable) -> Client:
    client = Client()
    client.force_login(grand_table.people["gm"])
    return client


class TestHeld:
    """Tests with a campaign that another connection has locked."""

    pytestmark = ON_POSTGRES

    def test_the_limits_are_those_of_the_settings(self) -> None:
        with connection.cursor() as cursor:
            shown = [
                cursor.execute(f"SHOW {name}").fetchone()
                for name in ("lock_timeout", "statement_timeout")
            ]
        assert shown == [("5s",), ("30s",)]
        assert connection.get_connection_params()["connect_timeout"] == 5

    def test_moves_are_answered_503_and_the_rest_of_the_site_answers(
        self, two: tuple[GrandTable, GrandTable]
    ) -> None:
        """Of ten moves, four wait for five seconds and six are refused at once.

        Meanwhile the first page and another campaign answer.
        """
        here, other = two
        for user in here.people.values():
            type(user).objects.filter(pk=user.pk).update(seen_on="2020-01-01")
        raw = {
            "do": "turn",
            "move": "start",
            "unannounced": "1",
            "seen": str(here.seen("gm")),
            "note": 'typed "text"',
        }
        seen = str(other.seen("gm"))
        path = f"{here.home}desk/"
        clients = [signed_in(here) for _ in range(10)]
        refused: list[BaseException] = []

        def noted(request: Any, error: BaseException) -> Any:
            refused.append(error)
            return not_in_time(request, error)

        with mock.patch("web.frame.errors.not_in_time", noted), held(here.campaign):
            moves = in_threads(*[partial(client.post, path, raw) for client in clients])
            elsewhere = in_threads(
                lambda: Client().get("/"),
                lambda: here.get("gm", "/"),
                lambda: other.get("hun"),
                lambda: other.post(
                    "gm", "desk/", do="turn", move="start", unannounced="1", seen=seen
                ),
            )
            answers_elsewhere = [future.result(60) for future in elsewhere]
            answers = [future.result(60) for future in moves]
        assert [answer.status_code for answer in answers_elsewhere] == [200, 200, 200, 302]
        assert [answer.status_code for answer in answers] == [503] * 10
        assert {answer.headers["Retry-After"] for answer in answers} == {"5"}
        assert sum(error.__cause__ is not None for error in refused) == 4, "so many have waited"
        page = answers[0].content.decode()
        assert "Please try again in a few seconds" in page
        assert '<input type="hidden" name="note" value="typed &quot;text&quot;">' in page
        assert here.post("gm", "desk/", **raw).status_code == 302

    def test_what_htmx_sends_is_answered_in_words_and_programs_by_a_problem(
        self, two: tuple[GrandTable, GrandTable], settings: Any
    ) -> None:
        here, _other = two
        secret = tokens.make_token(confirm(here.people["gm"]), "mine", "play", timezone.now())[1]
        program = {"HTTP_AUTHORIZATION": f"Bearer {secret}", "content_type": "application/json"}
        raw = {"do": "turn", "move": "start", "unannounced": "1", "seen": str(here.seen("gm"))}
        move = {
            "move": {"by": "gm", "move": "start"},
            "seen": here.seen("gm"),
            "confirm": ["unposted-announcement"],
        }
        settings.WAITING = 0  # so that the test does not wait for five seconds
        page = here.clients["gm"].post(f"{here.home}desk/", raw, headers={"HX-Request": "true"})
        problem = Client().post(
            f"/api/v1/campaigns/{here.campaign.public_id}/moves/", move, **program
        )
        assert (page.status_code, page.headers["Content-Type"]) == (
            503,
            "text/plain; charset=utf-8",
        )
        assert page.content.decode() == (
            "The site is busy with another change, so yours could not be made. Try again in a "
            "few seconds. What you typed is still here."
        )
        assert (problem.status_code, problem.json()["code"]) == (503, "busy")
        assert (page.headers["Retry-After"], problem.headers["Retry-After"]) == ("5", "5")
        here.campaign.refresh_from_db()
        assert not here.campaign.started

    def test_a_pulse_comes_again_for_what_it_could_not_lock(
        self, two: tuple[GrandTable, GrandTable], settings: Any
    ) -> None:
        here, _other = two
        settings.WAITING = 0

        def work(now: Any, limit: int) -> int:
            with transaction.atomic():
                lock(here.campaign)
            return 1

        with mock.patch.dict(hooks.ticks, {"clocks": work}):
            assert pulse.tick(limit=1)["clocks"] == 0
        assert not TickRun.objects.get(part="clocks").failed


def test_a_commands_limits_are_its_own() -> None:
    """A migration waits as long as it must; commands that cron runs do not."""
    for command, shown in (("migrate", "0 0"), ("tick", "5 30")):
        source = (
            "import sys, manage; sys.argv = ['manage.py', sys.argv[1]];from django.core import"
            " management as m; m.execute_from_command_line = lambda _: None; manage.main();from"
            " django.conf import settings as s; print(s.LOCK_SECONDS, s.STATEMENT_SECONDS)"
        )
        done = subprocess.run(
            [sys.executable, "-c", source, command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == shown


@pytest.fixture
def outage(
    transactional_db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Make the database unreachable: no server listens at its port, or its file is missing."""
    settings.ADMINS = [("Host", "host@example.org")]
    for handler in logging.getLogger("campaign.slow_database").handlers:
        handler.outage = None  # type: ignore[attr-defined]
    (settings.VAR / "outage").unlink(missing_ok=True)
    cache.delete("config.logs.outage")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    wrong = (
        {"NAME": "/nowhere/x.sqlite3"}
        if connection.vendor == "sqlite"
        else {"HOST": "127.0.0.1", "PORT": str(port)}
    )
    for key, value in wrong.items():
        monkeypatch.setitem(connection.settings_dict, key, value)
    connection.close()
    yield
    monkeypatch.undo()
    connection.close()


@pytest.mark.postgres
def test_without_a_database_pages_and_programs_are_answered_503_and_admins_get_one_letter(
    outage: None,
) -> None:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "x" * 32
    for path in ("/", "/me/", "/c/aaaaaaaa-x/") * 7:
        answer = client.get(path)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30"), path
        page = answer.content.decode()
        assert "The database is not responding" in page
        assert "Nothing was changed" not in page
    german = client.get("/", headers={"Accept-Language": "de"}).content.decode()
    assert "Die Datenbank antwortet nicht" in german
    problem = Client().get("/api/v1/campaigns/aaaaaaaa/")
    assert (problem.status_code, problem.json()["code"]) == (503, "database-away")
    assert problem.headers["Retry-After"] == "30"
    pulse.tick(limit=1)
    assert [letter.subject for letter in mail.outbox] == [
        "[Tabula] The database does not answer: GET / (OperationalError)"
    ]
    assert "You get no other e-mail about it for an hour." in mail.outbox[0].body


def test_another_process_sends_no_second_letter(settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL, settings.VAR = "", tmp_path
    assert AdminMailHandler().is_first_of_outage()
    assert not AdminMailHandler().is_first_of_outage()
    old = time() - 3700
    os.utime(tmp_path / "outage", (old, old))
    assert AdminMailHandler().is_first_of_outage(), "an hour later it is told again"


def test_an_error_does_not_promise_that_nothing_was_changed() -> None:
    page = render_to_string("errors/500.html", {"page": BrokenPage("1")})
    assert "Check the log before you send yours again." in page
    assert "Nothing was changed" not in page
