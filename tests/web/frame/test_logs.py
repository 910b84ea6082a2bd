"""The log of the server: no line has a link that opens a seat, account or feed, or an address."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from config.logs import MaskingFormatter, masked

TOKEN = "PKLK2s-YdQQDILJOdM7nLw"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (f"Gone: /join/{TOKEN}/", "Gone: /join/…/"),
        (f'"GET /join/{TOKEN}/?x=1 HTTP/1.1" 200', '"GET /join/…/?x=1 HTTP/1.1" 200'),
        (f'"GET /sign-in/?next=/join/{TOKEN}/ HTTP/1.1"', '"GET /sign-in/?next=/join/…/ HTTP/1.1"'),
        (
            f'"GET /sign-in/?next=%2Fjoin%2F{TOKEN}%2F HTTP/1.1"',
            '"GET /sign-in/?next=%2Fjoin%2F…%2F HTTP/1.1"',
        ),
        ("Not Found: /password/key/1-abc-def/", "Not Found: /password/key/…/"),
        ("Not Found: /me/email/MQ:1x-y:abc/", "Not Found: /me/email/…/"),
        ("Not Found: /joiner/x/", "Not Found: /joiner/x/"),
        (f'"GET /feed/{TOKEN}/notices.atom"', '"GET /feed/…/notices.atom"'),
        (f'"POST /unsubscribe/{TOKEN}/ HTTP/1.1"', '"POST /unsubscribe/…/ HTTP/1.1"'),
        (
            f'"POST /api/webhooks/123456/{TOKEN}/messages/7 HTTP/1.1" 204',
            '"POST /api/webhooks/… HTTP/1.1" 204',
        ),
        (
            f'"POST /api/v10/webhooks/123456/{TOKEN}?wait=true HTTP/1.1" 200',
            '"POST /api/v10/webhooks/…?wait=true HTTP/1.1" 200',
        ),
        (
            f"https://hooks.slack.com/services/T1/B2/{TOKEN}: no",
            "https://hooks.slack.com/services/… no",
        ),
        (f"host: /bot123456:{TOKEN}/sendMessage (timeout)", "host: /bot… (timeout)"),
        (f"discord://123456/{TOKEN}", "discord://…"),
        (f"Authorization: Bearer tab_{TOKEN}{TOKEN[:21]}, no", "Authorization: Bearer tab_…, no"),
        (f"secret=whsec_{TOKEN}{TOKEN[:21]}", "secret=whsec_…"),
    ],
)
def test_links_are_masked(line: str, shown: str) -> None:
    assert masked(line) == shown


def test_every_handler_masks() -> None:
    for handler in settings.LOGGING["handlers"].values():
        if handler["class"] == "logging.NullHandler":
            continue
        assert (
            settings.LOGGING["formatters"][handler["formatter"]]["()"]
            == "config.logs.MaskingFormatter"
        )


@pytest.mark.django_db
@pytest.mark.parametrize("ask", ["get", "post"])
def test_a_refused_link_is_not_written_down(caplog: pytest.LogCaptureFixture, ask: str) -> None:
    caplog.set_level(logging.DEBUG)
    client: Any = Client(enforce_csrf_checks=True)
    getattr(client, ask)(f"/join/{TOKEN}/")
    client.get(f"/password/key/1-{TOKEN}/")
    assert caplog.records
    form = MaskingFormatter("{asctime} {levelname} {name}: {message}", style="{")
    assert TOKEN not in "\n".join(form.format(record) for record in caplog.records)


@pytest.mark.parametrize(("status", "traced"), [(403, False), (404, False), (500, True)])
def test_a_refusal_leaves_no_traceback(status: int, traced: bool) -> None:
    record = logging.LogRecord(
        "django.request", logging.WARNING, __file__, 1, "Forbidden: /c/", (), None
    )
    try:
        raise PermissionError("This is not your seat.")
    except PermissionError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    record.status_code = status
    assert ("Traceback" in MaskingFormatter("{message}", style="{").format(record)) is traced
