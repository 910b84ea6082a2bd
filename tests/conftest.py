"""Fixtures of all tests. They know no title."""

import fcntl
import gc
import hashlib
import os
import pickle
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.template.backends.jinja2 import Template
from django.test import Client
from django.test.signals import template_rendered

from config import catalogues
from tests.layout import without_layout

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
CHROMIUM += [
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-smooth-scrolling",
]
PASSWORD = "correct horse battery"


CLOCKS = (
    "2030-05-14T23:30:00+00:00",  # late in the evening
    "2030-05-15T00:10:00+00:00",  # just after midnight
    "2031-01-31T22:50:00+00:00",  # the end of a month
    "2031-03-09T06:30:00+00:00",  # half an hour before America's summer time
    "2031-03-30T00:30:00+00:00",  # before Europe's
    "2031-10-26T00:30:00+00:00",  # before Europe's winter time
    "2031-11-02T05:30:00+00:00",  # before America's
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.getoption("--shifted-clocks") and metafunc.definition.get_closest_marker(
        "clock"
    ):
        metafunc.parametrize("_shifted_clock", CLOCKS, indirect=True)


@pytest.fixture(autouse=True)
def _shifted_clock(request: pytest.FixtureRequest) -> Iterator[None]:
    """With --shifted-clocks, start tests marked `clock` at one of CLOCKS."""
    if at := getattr(request, "param", None):
        with time_machine.travel(datetime.fromisoformat(at)):
            yield
    else:
        yield


def pytest_configure() -> None:
    gc.set_threshold(100_000, 20, 20)  # thousands of small tests leave many objects to collect
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    catalogues.compile_outdated(Path(settings.LOCALE_PATHS[0]))


# A migrated database is a file that is copied (SQLite) or a template of the run's server
# (PostgreSQL).
MIGRATED = Path(__file__).resolve().parents[1] / "var" / "test-databases"
KEPT = 4


def migrations_digest() -> str:
    """Return a digest of everything that determines a migrated database.

    It covers Django's version and the text of every app's migrations.
    """
    import django
    from django.apps import apps

    result = hashlib.sha256(django.__version__.encode())
    for app in sorted(apps.get_app_configs(), key=lambda one: one.label):
        for file in sorted(Path(app.path).glob("migrations/*.py")):
            result.update(f"{app.label} {file.name}".encode() + file.read_bytes())
    return result.hexdigest()[:20]


def copy_migrated(connection: Any, name: str) -> None:
    """Copy the SQLite file of these migrations, which the first run with them creates."""
    template = MIGRATED / f"{migrations_digest()}.sqlite3"
    if not template.exists():
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        MIGRATED.mkdir(parents=True, exist_ok=True)
        unfinished = template.with_suffix(f".{os.getpid()}")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(unfinished)])
        unfinished.replace(template)  # atomic, also if two processes do it at once
        for old in sorted(MIGRATED.glob("*.sqlite3"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
        return
    for end in ("", "-wal", "-shm"):
        Path(name + end).unlink(missing_ok=True)
    shutil.copy(template, name)


def clone_migrated(connection: Any, name: str) -> None:
    """Clone the run's PostgreSQL template, which the first worker creates."""
    run = Path(os.environ["TABULA_VAR"]).parent
    names, creation = connection.settings_dict["TEST"], connection.creation
    template = f"{connection.settings_dict['NAME']}_template"
    with (run / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (run / "template.made").exists():
            original = connection.settings_dict["NAME"]
            names["NAME"] = template
            creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
            connection.close()
            settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = original
            names["NAME"] = name
            (run / "template.made").touch()
        with creation._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
            cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, django_db_modify_db_settings: None
) -> Iterator[None]:
    """Give this worker its migrated database, because a migration takes longer than most tests."""
    from django.db import connection

    with django_db_blocker.unblock():
        name = connection.creation._get_test_db_name()
        original = connection.settings_dict["NAME"]
        connection.close()
        (copy_migrated if connection.vendor == "sqlite" else clone_migrated)(connection, name)
        connection.close()
        settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
        # Django asks SQLite once in each process whether it supports JSON, by three queries, which
        # belong to no test.
        assert connection.features.supports_json_field
    yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(original, verbosity=0)


@pytest.fixture
def shown_contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the contexts of Jinja2 templates to `response.context`.

    Django's client does so for its own templates.
    """
    render = Template.render

    def render_with_signal(template: Template, context: Any = None, request: Any = None) -> str:
        template_rendered.send(sender=template, template=template, context=context or {})
        return str(render(template, context, request))

    monkeypatch.setattr(Template, "render", render_with_signal)


@pytest.fixture(autouse=True)
def _pages_without_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give tests each page on one line.

    The line breaks of templates do not matter to them.
    """
    request = Client.request

    def request_page(client: Client, **asked: Any) -> Any:
        answer = request(client, **asked)
        if not answer.streaming and answer.headers.get("Content-Type", "").startswith("text/html"):
            answer.content = without_layout(answer.content.decode()).encode()
        return answer

    monkeypatch.setattr(Client, "request", request_page)


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """Clear the cache, which counts attempts, so that tests do not share limits."""
    from django.core.cache import caches

    for name in settings.CACHES:
        caches[name].clear()


@pytest.fixture(autouse=True)
def _no_hurry(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the time limit of playing on, so that the speed of the machine does not matter."""
    if {"person", "new_page"} & set(request.fixturenames):
        monkeypatch.setattr("campaign.automatic_moves.SHARE", 600.0)


@pytest.fixture(autouse=True)
def _no_second_django(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run child processes in this process, unless the test is marked `child`.

    Each child that sets Django up takes seconds. Arguments and results are pickled all the same.
    """
    from campaign import limited_process

    run = limited_process.run

    def run_here(function: Callable[..., Any], *args: Any, **how: Any) -> Any:
        if not how.pop("with_django", False):
            return run(function, *args, **how)
        function, args = pickle.loads(pickle.dumps((function, args)))
        signs = {"report": how["report"]} if how.get("report") else {}
        return pickle.loads(pickle.dumps(function(*args, **signs)))

    if request.node.get_closest_marker("child") is None:
        monkeypatch.setattr(limited_process, "run", run_here)


@pytest.fixture(autouse=True)
def _drafts_with_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draft reports in this process as soon as a move is stored, as the worker does.

    A test's own transaction is never committed, so the end of the outermost block inside it counts
    as the commit.
    """
    from django.db import transaction
    from django.utils import timezone

    from forum.posts import drafts, outbox

    asked: list[str] = []
    soon, leave = outbox.request_work, transaction.Atomic.__exit__

    @wraps(soon)
    def note(kind: str = "posts") -> None:
        asked.append(kind) if kind == "drafts" else soon(kind)

    def leave_block(block: Any, *error: Any) -> None:
        leave(block, *error)
        around = transaction.get_connection(block.using).atomic_blocks
        if asked and all(block._from_testcase for block in around):
            asked.clear()
            drafts.tick(timezone.now())

    monkeypatch.setattr(outbox, "request_work", note)
    monkeypatch.setattr(transaction.Atomic, "__exit__", leave_block)


@pytest.fixture(autouse=True)
def _mail_with_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send mail in this process at once, so that it is in `mail.outbox`."""
    from django.utils import timezone

    from notices import mailing

    monkeypatch.setattr(mailing, "soon", lambda: mailing.tick(timezone.now()))
    monkeypatch.setattr("config.logs.send_later", lambda send: send())


@pytest.fixture
def person(db: None) -> Callable[..., Any]:
    """Return a function that creates a user with PASSWORD.

    For example `person("Ingrid")`; keywords are fields of the user.
    """
    from django.contrib.auth import get_user_model

    def make(username: str, **fields: Any) -> Any:
        fields.setdefault("email", f"{username.lower().replace(' ', '.')}@example.org")
        return get_user_model().objects.create_user(username=username, password=PASSWORD, **fields)

    return make


def confirm(user: Any) -> Any:
    """Confirm the user's address and return the user."""
    from allauth.account.models import EmailAddress

    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
    return user


def sign_in_lately(client: Any, user: Any) -> Any:
    """Sign the user in at this client as if they had just typed a password."""
    from allauth.account.internal.flows.login import record_authentication
    from django.test import RequestFactory

    client.force_login(user)
    request = RequestFactory().get("/")
    request.session = client.session
    record_authentication(request, user, "password")
    request.session.save()
    return client


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Start Debian's Chromium once for the run.

    Mark the test `browser`; most tests use `page`.
    """
    from playwright.sync_api import expect, sync_playwright

    from tests.browser.steady import PATIENCE

    expect.set_options(timeout=PATIENCE * 1000)
    # The browser's event loop runs in this thread, which Django takes for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    path = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    assert path, "There is no Chromium: apt-get install chromium fonts-dejavu-core"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens another window at the live server.

    `new_page(width=390)` is a phone. A script error, a refused style or a missing file in any
    window fails the test; answers of 4xx to a page itself are for the test to judge. `goto` also
    waits for the fonts. The service worker is blocked, because it would answer in place of the
    routes of a test; `new_page(service_workers="allow")` allows it.
    """
    from tests.browser.steady import PATIENCE, open_page

    contexts: list[Any] = []
    wrong: list[str] = []

    def note(message: Any) -> None:
        refused = "Failed to load resource" in message.text and "/static/" not in (
            message.location or {}
        ).get("url", "")
        if message.type == "error" and not refused:
            wrong.append(message.text)

    def make(width: int = 1280, height: int = 900, **options: Any) -> Any:
        context = chromium.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            **{"service_workers": "block", **options},
        )
        contexts.append(context)
        window = context.new_page()
        window.set_default_timeout(PATIENCE * 1000)
        window.goto_at_once, window.goto = window.goto, partial(open_page, window)
        window.on("console", note)
        window.on("pageerror", lambda error: wrong.append(str(error)))
        return window

    yield make
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """Return one window at the live server."""
    return new_page()
