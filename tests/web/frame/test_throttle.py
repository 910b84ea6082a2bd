"""Limits on forms that send mail and on passwords.

Both sides of each limit, shared by processes.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client, RequestFactory, override_settings

from tests.campaign.test_two_at_once import run_at_once
from tests.conftest import PASSWORD
from tests.people.test_sign_in import FORM, TOO_MANY, is_signed_in
from tests.web.contests import visible_text
from web.frame import throttle

Person = Callable[..., Any]
pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]


class Clock:
    """A replacement of time.time() for the cache, allauth and the site."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def counted_in(settings: Any) -> Iterator[Callable[[str, str], None]]:
    """Return a function that sets another cache for one test.

    Axes keeps the cache that it began with, so it is reset.
    """

    def take(backend: str, location: str) -> None:
        settings.CACHES = {
            "default": {"BACKEND": f"django.core.cache.backends.{backend}", "LOCATION": location}
        }
        AxesProxyHandler.get_implementation(force=True)

    kept = settings.CACHES
    yield take
    settings.CACHES = kept
    AxesProxyHandler.get_implementation(force=True)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, counted_in: Callable[[str, str], None]) -> Clock:
    """Count in a cache of this process, because Redis has a clock of its own."""
    counted_in("locmem.LocMemCache", "clock")
    cache.clear()
    created = Clock()
    monkeypatch.setattr("time.time", created)
    return created


def sign_up(client: Client, number: int, email: str = "") -> Any:
    client.logout()
    return client.post(
        "/sign-up/", {**FORM, "username": f"M{number}", "email": email or f"m{number}@example.org"}
    )


def ask(address: str, **data: str) -> Any:
    return Client().post(address, data)


def test_a_page_says_when_to_come_back(clock: Clock, person: Person) -> None:
    person("Ingrid")
    for _ in range(3):
        assert ask("/password/", email="ingrid@example.org").status_code == 302
    clock.now += 60 * 17 + 1
    answer = ask("/password/", email="ingrid@example.org")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == str(3600 - 60 * 17 - 1)
    page = answer.content.decode()
    assert "Please wait a little" in page
    assert "Try again in 43 minutes, at" in page
    assert len(mail.outbox) == 3


def test_the_wait_is_until_the_oldest_that_counts_is_an_hour_old(
    clock: Clock, person: Person
) -> None:
    """Three letters are sent at 0, 10 and 20 minutes.

    At 30 minutes the wait is 30 minutes, not the 50 of the newest letter.
    """
    person("Ingrid")
    for _ in range(3):
        assert ask("/password/", email="ingrid@example.org").status_code == 302
        clock.now += 600
    assert ask("/password/", email="ingrid@example.org").headers["Retry-After"] == "1800"
    clock.now += 1799
    assert ask("/password/", email="ingrid@example.org").headers["Retry-After"] == "1"
    clock.now += 1
    assert ask("/password/", email="ingrid@example.org").status_code == 302
    assert ask("/password/", email="ingrid@example.org").headers["Retry-After"] == "600"


@pytest.mark.parametrize(("address", "most"), [("/password/", 3), ("/sign-in/code/", 5)])
def test_letters_about_one_person_are_limited(
    clock: Clock, person: Person, address: str, most: int
) -> None:
    person("Ingrid")
    person("Owen")
    for _ in range(most):
        assert ask(address, email="ingrid@example.org").status_code == 302
    assert ask(address, email="INGRID@example.org").status_code == 429
    assert ask(address, email="owen@example.org").status_code == 302
    clock.now += 3599
    assert ask(address, email="ingrid@example.org").status_code == 429
    clock.now += 1
    assert ask(address, email="ingrid@example.org").status_code == 302
    assert len(mail.outbox) == most + 2


def test_name_and_address_count_as_one_person(clock: Clock, person: Person) -> None:
    person("Ingrid")
    answers = [
        ask("/sign-in/code/", email=login)
        for login in ("Ingrid", "ingrid@example.org", "INGRID", "ingrid", "Ingrid ")
    ]
    assert {answer.status_code for answer in answers} == {302}
    assert ask("/sign-in/code/", email="ingrid@example.org").status_code == 429


def test_unknown_addresses_are_counted_like_known_ones(clock: Clock) -> None:
    """Otherwise the sixth answer would reveal which addresses have an account."""
    for _ in range(5):
        assert ask("/sign-in/code/", email="nobody@example.org").status_code == 302
    assert ask("/sign-in/code/", email="Nobody@example.org").status_code == 429


@pytest.mark.parametrize(("address", "most"), [("/password/", 10), ("/sign-in/code/", 20)])
def test_letters_from_one_address_are_limited(clock: Clock, address: str, most: int) -> None:
    for number in range(most):
        assert ask(address, email=f"m{number}@example.org").status_code == 302
    assert ask(address, email="more@example.org").status_code == 429
    assert (
        Client(REMOTE_ADDR="10.0.0.2").post(address, {"email": "more@example.org"}).status_code
        == 302
    )
    clock.now += 3600
    assert ask(address, email="more@example.org").status_code == 302


def test_accounts_from_one_address_are_limited(clock: Clock, client: Client) -> None:
    for number in range(10):
        assert sign_up(client, number).status_code == 302
    assert sign_up(client, 10).status_code == 429
    clock.now += 3600
    assert sign_up(client, 10).status_code == 302
    assert len(mail.outbox) == 11


def test_mistakes_on_the_form_do_not_count(clock: Clock, client: Client) -> None:
    for _ in range(12):
        assert client.post("/sign-up/", {**FORM, "password2": "another"}).status_code == 200
    assert sign_up(client, 1).status_code == 302


def test_another_code_counts_as_the_first(clock: Clock, client: Client, person: Person) -> None:
    person("Ingrid")
    for _ in range(4):
        ask("/sign-in/code/", email="Ingrid")
    client.post("/sign-in/code/", {"email": "Ingrid"})
    assert client.post("/sign-in/code/type/", {"action": "resend"}).status_code == 429
    assert len(mail.outbox) == 5


def test_links_to_confirm_are_limited(clock: Clock, client: Client, person: Person) -> None:
    person("Ingrid")
    client.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    client.post("/me/again/", {"password": PASSWORD})
    sent = [
        client.post("/me/email/", {"email": "ingrid@example.org", "action_send": "1"}).status_code
        for _ in range(6)
    ]
    assert sent == [302] * 5 + [429]
    assert (
        client.post("/me/email/", {"email": "new@example.org", "action_add": "1"}).status_code
        == 429
    )
    assert len(mail.outbox) == 5


# Passwords ----------------------------------------------------------------------------------------
def guess(login: str = "Ingrid", password: str = "wrong", **meta: Any) -> Any:
    return Client(**meta).post("/sign-in/", {"login": login, "password": password})


def test_the_fifth_wrong_password_locks_for_five_minutes(clock: Clock, person: Person) -> None:
    person("Ingrid")
    assert [guess().status_code for _ in range(4)] == [200] * 4
    fifth = guess()
    assert fifth.status_code == 429
    assert fifth.headers["Retry-After"] == "300"
    clock.now += 299
    right = guess(password=PASSWORD)
    assert right.status_code == 429
    assert right.headers["Retry-After"] == "1"
    assert "Try again in 1 minute, at" in right.content.decode()
    clock.now += 2
    assert guess(password=PASSWORD).status_code == 302


def test_wrong_passwords_from_elsewhere_do_not_lock_out_known_browsers(
    clock: Clock, person: Person
) -> None:
    """A browser in which a user has signed in is known for a year, an address for 90 days.

    A code by mail always works.
    """
    person("Ingrid")
    home = Client(REMOTE_ADDR="192.0.2.1")
    home.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    home.get("/me/")
    home.post("/sign-out/")
    for number in range(14):
        guess(REMOTE_ADDR=f"198.51.100.{number}")
    assert TOO_MANY in visible_text(guess(password=PASSWORD, REMOTE_ADDR="203.0.113.1"))
    home.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    assert home.get("/me/").status_code == 200
    # Another browser at the same address, and the same browser on the train.
    assert guess(password=PASSWORD, REMOTE_ADDR="192.0.2.1").status_code == 302
    home.post("/sign-out/")
    assert (
        home.post(
            "/sign-in/", {"login": "Ingrid", "password": PASSWORD}, REMOTE_ADDR="203.0.113.9"
        ).status_code
        == 302
    )
    # The browser of another user is not known, nor one that only claims to be.
    forged = Client(REMOTE_ADDR="203.0.113.2")
    forged.cookies["device"] = "WzFd:1tXXXX:forged"
    assert forged.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}).status_code == 200
    # Codes that strangers request do not use up hers.
    for _ in range(6):
        ask("/sign-in/code/", email="Ingrid")
    home.post("/sign-out/")
    assert home.post("/sign-in/code/", {"email": "Ingrid"}).status_code == 302
    clock.now += 301
    assert guess(password=PASSWORD, REMOTE_ADDR="203.0.113.1").status_code == 302


def test_attempts_during_a_lock_do_not_lengthen_it(clock: Clock, person: Person) -> None:
    person("Ingrid")
    for _ in range(5):
        guess()
    for _ in range(4):
        clock.now += 60
        guess()
    clock.now += 61
    assert guess(password=PASSWORD).status_code == 302


def test_name_and_e_mail_share_a_count_but_not_with_others(clock: Clock, person: Person) -> None:
    person("Ingrid")
    person("Owen")
    for login in ("Ingrid", "ingrid", "INGRID@example.org", "ingrid@example.org", "Ingrid"):
        last = guess(login)
    assert last.status_code == 429
    assert guess("Owen", PASSWORD).status_code == 302
    assert guess("Ingrid", PASSWORD, REMOTE_ADDR="10.0.0.2").status_code == 302


def test_a_right_password_resets_the_count(clock: Clock, person: Person) -> None:
    person("Ingrid")
    for _ in range(2):
        assert [guess().status_code for _ in range(4)] == [200] * 4
        assert guess(password=PASSWORD).status_code == 302


def test_guesses_from_many_addresses_are_limited(clock: Clock, person: Person) -> None:
    person("Ingrid")
    for number in range(10):
        guess(REMOTE_ADDR=f"10.0.0.{number}")
    answer = guess(password=PASSWORD, REMOTE_ADDR="10.0.1.1")
    assert TOO_MANY in visible_text(answer)
    assert answer.status_code == 200


def test_behind_a_proxy_its_header_gives_the_address(clock: Clock) -> None:
    request = RequestFactory().get(
        "/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="6.6.6.6, 192.0.2.7"
    )
    assert throttle.address(request) == "10.0.0.1"  # clients cannot choose their own address
    with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=1):
        assert throttle.address(request) == "192.0.2.7"
    six = RequestFactory().get("/", REMOTE_ADDR="2001:db8::1:2:3:4")
    assert throttle.address(six) == "2001:db8::"


def test_no_attempt_is_stored_with_name_and_address() -> None:
    from axes.models import AccessAttempt, AccessFailureLog, AccessLog

    guess()
    assert not any(model.objects.exists() for model in (AccessAttempt, AccessFailureLog, AccessLog))


@pytest.mark.django_db(transaction=True)
def test_simultaneous_wrong_passwords_are_counted_one_by_one(
    transactional_db: None,
    counted_in: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
    person: Person,
) -> None:
    """Twenty guesses arrive before the first is checked.

    Five passwords are checked, as if they came one after the other.
    """
    counted_in("locmem.LocMemCache", "at once")
    cache.clear()
    person("Ingrid")
    looked_at: list[str] = []
    arrived = threading.Barrier(20, timeout=60)

    def look(self: Any, password: str) -> bool:
        looked_at.append(password)
        time.sleep(1)  # none ends before all have begun
        return False

    monkeypatch.setattr("people.models.User.check_password", look)

    def attempt(number: int) -> int:
        arrived.wait()
        return int(guess(password=f"wrong {number}").status_code)

    answers = run_at_once(*[partial(attempt, number) for number in range(20)])
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert len(looked_at) == 5
    assert guess(password="wrong again").status_code in (200, 429)
    assert len(looked_at) == 5
    cache.clear()


def test_simultaneous_guesses_for_many_people_are_counted_one_by_one(
    counted_in: Callable[[str, str], None],
) -> None:
    counted_in("locmem.LocMemCache", "many at once")
    cache.clear()
    arrived = threading.Barrier(34, timeout=60)

    def attempt(number: int) -> bool:
        arrived.wait()
        return throttle.count_attempt(f"somebody {number}", "192.0.2.1", at_home=True) is not None

    assert (
        sorted(run_at_once(*[partial(attempt, number) for number in range(34)]))
        == [False] * 4 + [True] * 30
    )
    cache.clear()


# The cache that two workers share -----------------------------------------------------------------
@pytest.mark.long
def test_the_default_cache_is_a_table_two_processes_count_in(tmp_path: Path) -> None:
    source = """
import django; django.setup()
from django.test import RequestFactory
from web.frame import throttle
request = RequestFactory().get("/")
print([throttle.spend(request, throttle.RESET, "somebody", now=1000.0 + n) for n in range(2)])
"""
    environment = {
        "PATH": "/usr/bin:/bin",
        "TABULA_VAR": str(tmp_path),
        "SECRET_KEY": "s",
        "VAULT_KEY": "v",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{tmp_path}/one.sqlite3",
    }

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("manage.py", "createcachetable")
    run("manage.py", "migrate", "people", "--verbosity", "0")
    assert run("-c", source).strip() == "[0, 0]"
    # The third letter of the hour is allowed, the fourth waits until the first is an hour old.
    assert run("-c", source).strip() == "[0, 3599]"


def test_sign_in_with_the_table(person: Person, counted_in: Callable[[str, str], None]) -> None:
    counted_in("db.DatabaseCache", "tabula_cache")
    call_command("createcachetable", verbosity=0)
    person("Ingrid")
    assert [guess().status_code for _ in range(5)] == [200] * 4 + [429]
    with connection.cursor() as cursor:
        cursor.execute("select count(*) from tabula_cache")
        assert cursor.fetchone()[0] > 0
    client = Client()
    client.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}, REMOTE_ADDR="10.0.0.2")
    assert is_signed_in(client) == "Ingrid"
    assert "Please wait a little" in guess().content.decode()


def test_the_limits_are_these() -> None:
    assert (settings.AXES_FAILURE_LIMIT, settings.AXES_COOLOFF_TIME.total_seconds()) == (5, 300)
    assert [
        (limit.address, limit.person, limit.span) for limit in (throttle.SIGN_UP, throttle.RESET)
    ] == [(10, 3, 3600)] * 2
    assert [
        (limit.address, limit.person, limit.span) for limit in (throttle.CODE, throttle.VERIFY)
    ] == [(20, 5, 3600)] * 2
