"""How long a session lasts, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client

from people import services
from people.models import BrowserSession
from people.sessions import describe_browser
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
SIGN_IN = {"login": "Rosa", "password": PASSWORD, "remember": "on"}


def test_it_ends_after_thirty_days_without_use(person: Callable[..., Any]) -> None:
    person("Rosa")
    client = Client()
    with time_machine.travel(NOW, tick=False) as clock:
        client.post("/sign-in/", SIGN_IN)
        for _visit in range(3):  # each visit carries its end forward
            clock.shift(timedelta(days=29))
            answer = client.get("/me/")
            assert answer.status_code == 200
            assert answer.cookies["sessionid"]["max-age"] == 30 * 24 * 3600
        clock.shift(timedelta(days=30, minutes=1))
        assert client.get("/me/").status_code == 302
        call_command("clearsessions")
    assert not BrowserSession.objects.exists()


def test_it_is_written_once_a_day(
    person: Callable[..., Any], django_assert_num_queries: Callable[..., Any]
) -> None:
    person("Rosa")
    client = Client()
    with time_machine.travel(NOW, tick=False) as clock:
        client.post("/sign-in/", SIGN_IN)
        client.get("/offline/")
        before = BrowserSession.objects.get().expire_date
        clock.shift(timedelta(hours=3))
        assert "sessionid" not in client.get("/offline/").cookies
        assert BrowserSession.objects.get().expire_date == before
        clock.shift(timedelta(hours=2))  # another day in UTC
        assert "sessionid" in client.get("/offline/").cookies
        assert BrowserSession.objects.get().expire_date == before + timedelta(hours=5)


def test_one_that_a_request_beside_it_ended_stays_ended(person: Callable[..., Any]) -> None:
    """The last look of a day's first request must neither fail nor bring the session back."""
    rosa = person("Rosa")
    client = Client()
    with time_machine.travel(NOW, tick=False) as clock:
        client.post("/sign-in/", SIGN_IN)
        clock.shift(timedelta(days=1))
        stale = Client()
        stale.cookies["sessionid"] = client.cookies["sessionid"].value
        with pytest.MonkeyPatch.context() as patch:

            def note(user: Any, now: datetime) -> bool:
                BrowserSession.objects.filter(user=rosa).delete()
                return False

            patch.setattr(services, "note_presence", note)
            assert stale.get("/me/").status_code == 200
        assert not BrowserSession.objects.filter(user=rosa).exists()
        assert client.get("/me/").status_code == 302


@pytest.mark.parametrize(
    ("agent", "device", "name"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0",
            "Windows",
            "Edge, Windows",
        ),
        ("Mozilla/5.0 (iPhone) AppleWebKit Version/19.0 Safari/604.1", "iPhone", "Safari, iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36", "Linux", "Chrome, Linux"),
        ("curl/8", "", ""),
    ],
)
def test_a_browser_has_a_name_that_people_know(agent: str, device: str, name: str) -> None:
    session: Any = {}
    describe_browser(session, agent, device, NOW)
    assert session == {"browser": {"name": name, "since": "2026-03-01T20:00:00+00:00"}}


def test_a_row_knows_its_person_and_no_address(person: Callable[..., Any]) -> None:
    """Of a browser its kind and the day are kept: no address, no exact time."""
    rosa = person("Rosa")
    client = Client(headers={"user-agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0"})
    client.post("/sign-in/", SIGN_IN, REMOTE_ADDR="203.0.113.9")
    row = BrowserSession.objects.get()
    assert row.user_id == rosa.pk
    assert "203.0.113.9" not in str(row.get_decoded())
    assert not Session.objects.exists()
