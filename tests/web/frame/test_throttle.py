"""Too often: each form that sends mail, passwords, both sides of every limit; two processes count
as one.
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

from tests.campaign.test_two_at_once import at_once
from tests.conftest import PASSWORD
from tests.people.test_sign_in import FORM, TOO_MANY, signed_in
from tests.web.contests import plain
from web.frame import throttle

Person = Callable[..., Any]
pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]


class Clock:
    """time.time(), as the cache, allauth and we ask it."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def counted_in(settings: Any) -> Iterator[Callable[[str, str], None]]:
    """Another cache for one test. Axes keeps hold of the one it began with, so it begins again."""

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
    """A cache of this process: Redis would go by its own clock."""
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


def test_a_page_tells_when_to_come_back(clock: Clock, person: Person) -> None:
    person("Ingrid")
    for _ in range(3):
        assert ask("/password/", email="ingrid@example.org").status_code == 302
    clock.now += 60 * 17 + 1
    answer = ask("/password/", email="ingrid@example.org")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == str(3600 - 60 * 17 - 1)
    page = answer.content.decode()
    assert "Wait a little" in page
    assert "Try again in 43 minutes, at" in page
    assert len(mail.outbox) == 3


def test_the_wait_is_until_the_oldest_that_counts_is_an_hour_old(
    clock: Clock, person: Person
) -> None:
    """Three letters at 0, 10 and 20 minutes: at 30 minutes 30 are left, not 50 of the newest."""
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
def test_letters_about_one_person(clock: Clock, person: Person, address: str, most: int) -> None:
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


def test_name_and_address_are_one_person(clock: Clock, person: Person) -> None:
    person("Ingrid")
    answers = [
        ask("/sign-in/code/", email=login)
        for login in ("Ingrid", "ingrid@example.org", "INGRID", "ingrid", "Ingrid ")
    ]
    assert {answer.status_code for answer in answers} == {302}
    assert ask("/sign-in/code/", email="ingrid@example.org").status_code == 429


def test_nobody_is_counted_as_somebody_is(clock: Clock) -> None:
    """Else the sixth answer would tell who has an account."""
    for _ in range(5):
        assert ask("/sign-in/code/", email="nobody@example.org").status_code == 302
    assert ask("/sign-in/code/", email="Nobody@example.org").status_code == 429


@pytest.mark.parametrize(("address", "most"), [("/password/", 10), ("/sign-in/code/", 20)])
def test_letters_from_one_address(clock: Clock, address: str, most: int) -> None:
    for number in range(most):
        assert ask(address, email=f"m{number}@example.org").status_code == 302
    assert ask(address, email="more@example.org").status_code == 429
    assert (
        Client(REMOTE_ADDR="10.0.0.2").post(address, {"email": "more@example.org"}).status_code
        == 302
    )
    clock.now += 3600
    assert ask(address, email="more@example.org").status_code == 302


def test_accounts_from_one_address(clock: Clock, client: Client) -> None:
    for number in range(10):
        assert sign_up(client, number).status_code == 302
    assert sign_up(client, 10).status_code == 429
    clock.now += 3600
    assert sign_up(client, 10).status_code == 302
    assert len(mail.outbox) == 11


def test_mistakes_on_the_form_cost_nothing(clock: Clock, client: Client) -> None:
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


def test_links_to_confirm(clock: Clock, client: Client, person: Person) -> None:
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


def test_wrong_passwords_from_elsewhere_lock_out_nobody_at_home(
    clock: Clock, person: Person
) -> None:
    """A browser that has signed in knows its person for a year, an address for 90 days; a code by
    mail always works.
    """
    person("Ingrid")
    home = Client(REMOTE_ADDR="192.0.2.1")
    home.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    home.get("/me/")
    home.post("/sign-out/")
    for number in range(14):
        guess(REMOTE_ADDR=f"198.51.100.{number}")
    assert TOO_MANY in plain(guess(password=PASSWORD, REMOTE_ADDR="203.0.113.1"))
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
    # Somebody else's browser is not known, nor one that says so of itself.
    forged = Client(REMOTE_ADDR="203.0.113.2")
    forged.cookies["device"] = "WzFd:1tXXXX:forged"
    assert forged.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}).status_code == 200
    # Codes that strangers ask for use up none of hers.
    for _ in range(6):
        ask("/sign-in/code/", email="Ingrid")
    home.post("/sign-out/")
    assert home.post("/sign-in/code/", {"email": "Ingrid"}).status_code == 302
    clock.now += 301
    assert guess(password=PASSWORD, REMOTE_ADDR="203.0.113.1").status_code == 302


def test_trying_while_locked_lengthens_nothing(clock: Clock, person: Person) -> None:
    person("Ingrid")
    for _ in range(5):
        guess()
    for _ in range(4):
        clock.now += 60
        guess()
    clock.now += 61
    assert guess(password=PASSWORD).status_code == 302


def test_name_and_e_mail_are_counted_together_other_people_and_places_apart(
    clock: Clock, person: Person
) -> None:
    person("Ingrid")
    person("Owen")
    for login in ("Ingrid", "ingrid", "INGRID@example.org", "ingrid@example.org", "Ingrid"):
        last = guess(login)
    assert last.status_code == 429
    assert guess("Owen", PASSWORD).status_code == 302
    assert guess("Ingrid", PASSWORD, REMOTE_ADDR="10.0.0.2").status_code == 302


def test_a_right_password_forgets_the_wrong_ones(clock: Clock, person: Person) -> None:
    person("Ingrid")
    for _ in range(2):
        assert [guess().status_code for _ in range(4)] == [200] * 4
        assert guess(password=PASSWORD).status_code == 302


def test_guessing_from_many_places_ends_too(clock: Clock, person: Person) -> None:
    person("Ingrid")
    for number in range(10):
        guess(REMOTE_ADDR=f"10.0.0.{number}")
    answer = guess(password=PASSWORD, REMOTE_ADDR="10.0.1.1")
    assert TOO_MANY in plain(answer)
    assert answer.status_code == 200


def test_behind_a_proxy_the_address_it_tells_counts(clock: Clock) -> None:
    request = RequestFactory().get(
        "/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="6.6.6.6, 192.0.2.7"
    )
    assert throttle.address(request) == "10.0.0.1"  # nobody may say of themselves where they are
    with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=1):
        assert throttle.address(request) == "192.0.2.7"
    six = RequestFactory().get("/", REMOTE_ADDR="2001:db8::1:2:3:4")
    assert throttle.address(six) == "2001:db8::"


def test_no_try_is_kept_with_name_and_place() -> None:
    from axes.models import AccessAttempt, AccessFailureLog, AccessLog

    guess()
    assert not any(model.objects.exists() for model in (AccessAttempt, AccessFailureLog, AccessLog))


@pytest.mark.django_db(transaction=True)
def test_wrong_passwords_at_once_count_one_by_one(
    transactional_db: None,
    counted_in: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
    person: Person,
) -> None:
    """Twenty guesses that all arrive before the first is looked at: five passwords are looked at,
    as one after the other.
    """
    counted_in("locmem.LocMemCache", "at once")
    cache.clear()
    person("Ingrid")
    looked_at: list[str] = []
    arrived = threading.Barrier(20, timeout=60)

    def look(self: Any, password: str) -> bool:
        looked_at.append(password)
        time.sleep(1)  # nobody is done before all have come
        return False

    monkeypatch.setattr("people.models.User.check_password", look)

    def one(number: int) -> int:
        arrived.wait()
        return int(guess(password=f"wrong {number}").status_code)

    answers = at_once(*[partial(one, number) for number in range(20)])
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert len(looked_at) == 5
    assert guess(password="wrong again").status_code in (200, 429)
    assert len(looked_at) == 5
    cache.clear()


def test_wrong_passwords_for_many_people_at_once_count_one_by_one(
    counted_in: Callable[[str, str], None],
) -> None:
    counted_in("locmem.LocMemCache", "many at once")
    cache.clear()
    arrived = threading.Barrier(34, timeout=60)

    def one(number: int) -> bool:
        arrived.wait()
        return throttle.counted_try(f"somebody {number}", "192.0.2.1", at_home=True) is not None

    assert (
        sorted(at_once(*[partial(one, number) for number in range(34)]))
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
    # The third of the hour is free, the fourth waits until the first is an hour old.
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
    assert signed_in(client) == "Ingrid"
    assert "Wait a little" in guess().content.decode()


def test_the_limits_are_these() -> None:
    assert (settings.AXES_FAILURE_LIMIT, settings.AXES_COOLOFF_TIME.total_seconds()) == (5, 300)
    assert [
        (limit.address, limit.person, limit.span) for limit in (throttle.SIGN_UP, throttle.RESET)
    ] == [(10, 3, 3600)] * 2
    assert [
        (limit.address, limit.person, limit.span) for limit in (throttle.CODE, throttle.VERIFY)
    ] == [(20, 5, 3600)] * 2
