"""Error pages: no user sees a traceback; each page says what has happened and what to do."""

import re
from typing import Any
from unittest import mock

import pytest
from django.core import signals
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.handlers.wsgi import WSGIHandler
from django.db import OperationalError, close_old_connections
from django.http import HttpResponseGone
from django.test import Client, override_settings

from tests.web.grand_table import GrandTable, grand_table, new_campaign
from web.frame import errors, throttle

__all__ = ["grand_table", "new_campaign"]

pytestmark = pytest.mark.django_db


def broken_front(error: Exception) -> Any:
    """Let the first page raise this error.

    The URL conf holds the view itself, so a function that the view calls is replaced.
    """
    return mock.patch("web.frame.front.hero_of", side_effect=error)


def test_404(client: Client) -> None:
    answer = client.get("/c/nowhere/")
    assert answer.status_code == 404
    assert "Terra incognita" in answer.content.decode()
    assert "All campaigns" in answer.content.decode()


def test_413_before_anything_is_read(client: Client) -> None:
    """A search for the form's token would write the whole body to the disk."""
    for path, size, taken in (
        ("/sign-in/", 40_000_000, False),
        ("/sign-in/", 9, True),
        ("/found/import/", 40_000_000, True),
        ("/found/import/", 110_000_000, False),
        ("/nowhere/", 10**20, False),
    ):
        answer = client.post(path, {"text": ""}, CONTENT_LENGTH=str(size))
        assert (answer.status_code != 413) is taken, path
    assert (
        "You can send at most 30 MB here."
        in client.post("/", CONTENT_LENGTH="31000001").content.decode()
    )
    problem = client.post("/api/v1/me/", CONTENT_LENGTH="31000001")
    assert (problem.status_code, problem.json()["code"]) == (413, "too-large")


def test_403_in_its_own_words(client: Client) -> None:
    with broken_front(PermissionDenied("Only the game master <may> do this.")):
        answer = client.get("/")
    assert answer.status_code == 403
    assert "Only the game master &lt;may&gt; do this." in answer.content.decode()


def test_403_at_a_table_leads_back_to_it(grand_table: GrandTable) -> None:
    answer = grand_table.get("hun", f"{grand_table.home}desk/")
    assert answer.status_code == 403
    assert (
        f'<a class="button button--primary" href="{grand_table.home}">Go to the table</a>'
        in answer.content.decode()
    )


@pytest.mark.parametrize(
    ("path", "status"), [("desk/", 403), ("", 200), ("e/999/", 404), ("move/", 405)]
)
def test_head_is_answered_without_a_body(grand_table: GrandTable, path: str, status: int) -> None:
    """Call the handler itself, because Django's test client removes the body of such an answer."""
    hun, shown = grand_table.clients["hun"], {}

    def start(line: str, headers: list[tuple[str, str]]) -> None:
        shown.update(headers, status=line)

    environ = hun._base_environ(REQUEST_METHOD="HEAD", PATH_INFO=grand_table.home + path)
    signals.request_started.disconnect(close_old_connections)
    signals.request_finished.disconnect(close_old_connections)
    try:
        answer = WSGIHandler()(environ, start)
        body = b"".join(answer)
        answer.close()
    finally:
        signals.request_started.connect(close_old_connections)
        signals.request_finished.connect(close_old_connections)
    assert shown["status"].split()[0] == str(status)
    assert body == b""
    assert int(shown["Content-Length"]) > 1000


def test_400(client: Client) -> None:
    with broken_front(SuspiciousOperation("secret detail")):
        answer = client.get("/")
    assert answer.status_code == 400
    assert "could not read this request" in answer.content.decode()
    assert "secret detail" not in answer.content.decode()


def test_a_foreign_host_is_refused(client: Client) -> None:
    answer = client.get("/", headers={"host": "else.example"})
    assert answer.status_code == 400
    assert "could not read this request" in answer.content.decode()


def test_500_shows_a_number_that_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    client = Client(raise_request_exception=False)
    with broken_front(RuntimeError("secret detail")):
        answer = client.get("/")
    page = answer.content.decode()
    assert answer.status_code == 500
    assert "There was an error on our side" in page
    assert "secret detail" not in page
    assert "Traceback" not in page
    number = re.search(r'class="hash">([0-9a-f]{8})<', page)
    assert number
    assert number[1] in caplog.text


def test_500_needs_no_database() -> None:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "x" * 32
    with mock.patch(
        "django.db.backends.utils.CursorWrapper.execute", side_effect=OperationalError("gone")
    ):
        answer = client.get("/me/")
    assert answer.status_code == 500
    assert "There was an error on our side" in answer.content.decode()


def test_a_form_of_an_old_page_gets_its_own_error_page() -> None:
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", {"login": "x", "password": "y"})
    assert answer.status_code == 403
    assert "This page is out of date" in answer.content.decode()


def test_too_many_attempts_have_a_page(client: Client) -> None:
    with override_settings(ACCOUNT_RATE_LIMITS={"signup": "1/m/ip"}):
        client.post("/sign-up/", {})
        answer = client.post("/sign-up/", {})
    assert answer.status_code == 429
    assert "Please wait a little" in answer.content.decode()


@pytest.mark.parametrize(
    "address", ["/%00", "/sign-in/?next=%00", "/demonstration/99999999999999999999999/", "/%ff"]
)
def test_odd_addresses_break_nothing(client: Client, address: str) -> None:
    assert client.get(address).status_code in (200, 404, 405)


def test_405_is_a_page_and_keeps_what_is_allowed(client: Client) -> None:
    answer = client.get("/demonstration/1/")
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"
    assert "This address does not accept this kind of request" in answer.content.decode()


def test_410_is_a_page(client: Client) -> None:
    with mock.patch("web.lobby.views.render", return_value=HttpResponseGone()):
        answer = client.get("/lobby/")
    assert answer.status_code == 410
    assert "Ask the person who gave it to you for a new one" in answer.content.decode()
    with mock.patch("web.lobby.views.render", return_value=HttpResponseGone("In its own words.")):
        assert client.get("/lobby/").content == b"In its own words."


def test_each_page_of_an_error_offers_a_way_on(client: Client) -> None:
    request = client.get("/help/").wsgi_request
    for answer in (
        errors.bad_request(request),
        errors.forbidden(request),
        errors.not_found(request),
        errors.method_not_allowed(request, "GET"),
        errors.gone(request),
        throttle.refused(request, 120),
        errors.broken(request),
    ):
        page = answer.content.decode()
        assert 'href="/"' in page, answer.status_code
        assert page.count("<h1>") == 1, answer.status_code
