"""What tests share. Nothing here knows a title."""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

import pytest
import time_machine
from django.conf import settings

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
CHROMIUM += ["--disable-component-update", "--disable-sync", "--no-first-run", "--disable-smooth-scrolling"]
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
    if metafunc.config.getoption("--shifted-clocks") and metafunc.definition.get_closest_marker("clock"):
        metafunc.parametrize("_shifted_clock", CLOCKS, indirect=True)


@pytest.fixture(autouse=True)
def _shifted_clock(request: pytest.FixtureRequest) -> Iterator[None]:
    """With --shifted-clocks what is marked `clock` begins at one of CLOCKS, from where time goes on."""
    if at := getattr(request, "param", None):
        with time_machine.travel(datetime.fromisoformat(at)):
            yield
    else:
        yield


def pytest_configure() -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """Tries are counted in the cache: no test may spend another's."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture(autouse=True)
def _no_hurry(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request plays on by itself for three seconds: how fast this machine is, is tried nowhere."""
    if "person" in request.fixturenames:
        monkeypatch.setattr("web.views.played.SECONDS", 600.0)


@pytest.fixture
def person(db: None) -> Callable[..., Any]:
    """`person("Ingrid")` makes a user with PASSWORD; keywords are fields of the user."""
    from django.contrib.auth import get_user_model

    def make(username: str, **fields: Any) -> Any:
        fields.setdefault("email", f"{username.lower().replace(' ', '.')}@example.org")
        return get_user_model().objects.create_user(username=username, password=PASSWORD, **fields)

    return make


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's Chromium, one for the run. Mark the test `browser`; `page` is what one mostly wants."""
    from playwright.sync_api import expect, sync_playwright

    from tests.browser.steady import PATIENCE

    expect.set_options(timeout=PATIENCE * 1000)
    # The browser's loop runs in this thread, and Django takes that for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert path, "There is no Chromium: apt-get install chromium fonts-dejavu-core"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """`new_page()` is another person's window at the live server; `new_page(width=390)` a phone.

    A script error, a refused style or a missing file in any window fails the test. Answers of 4xx to a page itself are
    the test's own to judge. `goto` waits for the letters, too.
    """
    from tests.browser.steady import PATIENCE, opened

    contexts: list[Any] = []
    wrong: list[str] = []

    def note(message: Any) -> None:
        refused = "Failed to load resource" in message.text and "/static/" not in (message.location or {}).get("url", "")
        if message.type == "error" and not refused:
            wrong.append(message.text)

    def make(width: int = 1280, height: int = 900, **options: Any) -> Any:
        context = chromium.new_context(
            base_url=live_server.url, viewport={"width": width, "height": height}, reduced_motion="reduce", **options
        )
        contexts.append(context)
        window = context.new_page()
        window.set_default_timeout(PATIENCE * 1000)
        window.went, window.goto = window.goto, partial(opened, window)
        window.on("console", note)
        window.on("pageerror", lambda error: wrong.append(str(error)))
        return window

    yield make
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """One window at the live server."""
    return new_page()
