"""Properties of every address, from real answers: protective headers, cookies, few queries.

The addresses come from the URL conf: an address that is missing here fails a test.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as installed
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import selectors
from notices.models import Notice
from tests.addresses import names, patterns
from tests.web.contests import attack_independents
from tests.web.frame.test_who_may import PAGES
from tests.web.grand_table import WHO, GrandTable, campaign_in_huns_slot, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db

ODD = {
    "become": "/demonstration/1/",
    "account_confirm_email": "/me/email/nothing/",
    "account_reset_password_from_key": "/password/key/1-nothing/",
    "invited": "/invited/nothing/",
    "learn": "/learn/tetrarchia/",
    "lesson": "lesson/",
    "report_text": "/report/person/1/",
    "unsubscribe": "/unsubscribe/nothing/",
    "feed_notices": "/feed/nothing/notices.atom",
    "feed_deadlines": "/feed/nothing/deadlines.ics",
}
"""Paths of personal pages that need content; the others follow from their patterns."""
SANDBOX = "sandbox; default-src 'none'"
FILES = {"ledger_sheet", "ledger_file", "log_sheet", "dice_sheet", "sheet_file"}
MOST = 12
LONG = 220


def address(name: str) -> str:
    """Return the path of an address; one without a slash before it belongs to the campaign."""
    if name in PAGES:
        return PAGES[name][0]
    return ODD.get(name) or "/" + patterns()[name][0]


@pytest.fixture
def grand_table(new_campaign: Callable[..., GrandTable]) -> GrandTable:  # noqa: F811
    created = campaign_in_huns_slot(new_campaign, "covert attack", attack_independents)
    for client in created.clients.values():
        client.raise_request_exception = False
    return created


def asked_by(path: str) -> tuple[str, ...]:
    """Return the readers who request an address.

    Personal pages are requested as the Hun, and what others read as the Roman and the stranger.
    """
    return (
        ("gm", "hun", "nobody") if path.startswith("/") and path not in ("/", "/notices/") else WHO
    )


def test_every_address_can_be_requested() -> None:
    assert [name for name in names() if "<" in address(name)] == []


def wrong_of(answer: Any, sandboxed: bool) -> list[str]:
    """Return the properties that this answer lacks."""
    wanted = {
        "Content-Security-Policy": SANDBOX if sandboxed else installed.CONTENT_SECURITY_POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
    wrong = [
        f"{header}: {answer.headers.get(header)}"
        for header, value in wanted.items()
        if answer.headers.get(header) != value
    ]
    if "camera=()" not in answer.headers.get("Permissions-Policy", ""):
        wrong.append("Permissions-Policy")
    for key, cookie in answer.cookies.items():
        if cookie["samesite"] != "Lax" or (
            key == installed.SESSION_COOKIE_NAME and not cookie["httponly"]
        ):
            wrong.append(f"cookie {key}")
    if "html" in answer.headers.get("Content-Type", ""):
        page = answer.content.decode()
        wrong += re.findall(
            r"<script(?![^>]*\bsrc=)(?![^>]*\btype=\"application/json\")[^>]*>"
            r"|<[^>]+\son[a-z]+\s*=[^>]*>|javascript:|<base\b[^>]*>",
            page,
        )
        wrong += re.findall(r'(?:src|href)="(//[^"]*|http:(?!//testserver/)[^"]*)"', page)
        for form in re.findall(r"<form\b[^>]*method=\"post\".*?</form>", page, re.S | re.I):
            wrong += (
                [] if "csrfmiddlewaretoken" in form else ["a form without its token: " + form[:80]]
            )
    return wrong


@pytest.mark.nightly
def test_every_answer_has_protective_headers(grand_table: GrandTable) -> None:
    result = []
    for name in sorted(names()):
        path = address(name)
        for who in asked_by(path):
            for method in ("get", "post") if who == "nobody" else ("get",):
                whole = path if path.startswith("/") else grand_table.home + path
                if method == "post" and name in ("account_logout", "notices_read"):
                    continue
                answer = getattr(grand_table.clients[who], method)(whole)
                if answer.status_code >= 500:
                    result.append(f"{method} {whole} {who}: {answer.status_code}")
                sandboxed = name in FILES and method == "get" and answer.status_code == 200
                result += [
                    f"{method} {whole} {who}: {fault}" for fault in wrong_of(answer, sandboxed)
                ]
    assert result == []


def test_errors_have_protective_headers(
    grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.dice.page.record.published_links", lambda campaign: 1 // 0)
    stale = Client(enforce_csrf_checks=True)
    for answer, status in (
        (grand_table.get("nobody", "/nowhere/"), 404),
        (grand_table.get("hun", "desk/"), 403),
        (grand_table.get("hun", "/notices/read/"), 405),
        (grand_table.get("nobody", "/join/abc/"), 410),
        (grand_table.get("hun", "dice/"), 500),
        (stale.post("/sign-in/"), 403),
        (grand_table.clients["hun"].get("/", headers={"host": "else.example"}), 400),
    ):
        assert (answer.status_code, wrong_of(answer, False)) == (status, [])


@pytest.mark.nightly
def test_queries_of_no_page_grow_with_the_log(
    grand_table: GrandTable, person: Callable[..., Any]
) -> None:
    """Count the queries of the five readers, literally.

    The log is longer than two of its pages. Before each request every notice is unread, because a
    page may mark some as read.
    """
    for n in range(LONG):
        holder = "huns" if n % 2 else "romans"
        grand_table.play(
            "gm",
            "adjust",
            nation=holder,
            account="army",
            change=1 if n % 4 < 2 else -1,
            reason=f"No. {n}",
        )
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        210,
        "Too many.",
        selectors.seen(grand_table.campaign, grand_table.people["gm"]),
    )
    grand_table.campaign.refresh_from_db()
    assert grand_table.campaign.last_number > LONG
    for who, user in grand_table.people.items():
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=who == "gm")
    counted, marked = {}, set()
    for name in sorted(names()):
        path = address(name)
        more = [
            "n/romans/?ledger=all",
            "log/?before=200",
            "e/200/",
            "e/201/",
            "reports/slot-1-sassanids/",
        ]
        for page in [path, *(more if name == "log" else [])]:
            for who in asked_by(page):
                if name == "account_logout":
                    continue
                Notice.objects.update(read_at=None)
                with CaptureQueriesContext(connection) as queries:
                    grand_table.get(who, page)
                counted[f"{who} {page}"] = len(queries)
                marked |= (
                    {f"{who} {page}"} if Notice.objects.exclude(read_at=None).exists() else set()
                )
    assert {where: many for where, many in counted.items() if many > MOST} == {}
    assert sum(counted.values()) > len(counted), "nothing was counted"
    assert marked >= {"hun e/201/", "roman e/200/"} or marked >= {
        "hun e/200/",
        "roman e/201/",
    }, marked
