"""Conditional requests: the key of a page, from everything that it shows.

A browser that has the page of this key gets 304; anonymous readers share the rendered page. The key
covers every fact that a page of `PAGES` shows, and is made before anything else of the page is
read: from the campaign's row, its clocks and the counters of changes. A hidden move is counted only
for readers who may see it, so it changes no one else's key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from django.utils.html import format_html
from django.utils.translation import get_language

from campaign.models import Clock
from games import registry
from people.sessions import USED_ON
from web.frame import release, requests
from web.frame.deadlines import deadline_facts
from web.frame.open_hands import open_hands
from web.frame.requests import request_facts
from web.frame.table import CampaignRow, running_clocks

PAGES = {"table", "nation", "log", "entry", "dice", "battles", "charts", "ledger", "history"}
PAGES |= {"story", "reports", "rulings", "campaign_rules"}
"""The pages that have a key, by the names of their addresses. They read only facts that `facts`
covers; a test watches their queries. The desk, lobbies and invitations show more.
"""
HIDDEN = frozenset(
    [
        "seed_sealed",
        "digest_key_sealed",
        "last_sequence",
        "last_hash",
        "standing_hash",
        "turn_times",
        "changes",
    ]
)
"""Columns of a campaign that no page shows, because they would reveal hidden moves."""
PARTS = frozenset({"Hx-Request", "Hx-Target"})
"""Headers by which htmx asks for a part of a page."""
QUARTER = 15 * 60
"""Seconds. Days and absences begin at midnight, which is a full quarter of an hour everywhere."""
KEPT_FOR = 600
"""Seconds for which a page is shared."""


class PageState(NamedTuple):
    """The key of a page, and the ETag under which the reader's browser knows it."""

    key: str
    tag: str
    shared: bool
    """Whether other anonymous readers may get the same page."""
    clocks: Sequence[Clock]
    """The clocks of the campaign, which the page need not read again."""


def page_state(request: HttpRequest, row: CampaignRow, name: str) -> PageState | None:
    """Return the state of the requested page; None if it has to be rendered anyway."""
    campaign = row.campaign
    if (
        name not in PAGES
        or settings.DEBUG
        or request.method not in ("GET", "HEAD")
        or PARTS & request.headers.keys()
        or (registry.has_board(campaign.title) and campaign.ended)  # it also shows other campaigns
    ):
        return None
    if len(get_messages(request)):
        return None
    clocks = running_clocks(campaign)
    key = _digest(facts(request, row, clocks))
    get_token(request)
    # A form's token is masked anew each time. The token of an older body is valid as long as its
    # secret.
    tag = _digest([key, request.META["CSRF_COOKIE"]])
    shared = not (request.user.is_authenticated or request.GET or request.session.keys())
    return PageState(key, f'W/"{tag}"', shared, clocks)


def facts(request: HttpRequest, row: CampaignRow, clocks: Sequence[Clock]) -> dict[str, object]:
    """Return everything that the page depends on, as data that has a stable text.

    Log entries, places and names are covered by the counters of the campaign and of the reader.
    """
    user, campaign = request.user, vars(row.campaign)
    return {
        "page": request.build_absolute_uri(),
        "reader": [getattr(user, name, None) for name in ("pk", "username", "theme", "guest")],
        # The session holds typed texts that could not be sent. It also holds the day on which it
        # was last used, which no page shows.
        "session": {name: value for name, value in request.session.items() if name != USED_ON},
        "open hands": sorted(open_hands(request, row.campaign.public_id)),
        "language": get_language(),
        "zone": timezone.get_current_timezone_name(),
        "time": int(timezone.now().timestamp()) // QUARTER,
        "campaign": [campaign[name] for name in sorted(campaign) if _is_shown(name)],
        "own changes": row.own_changes,
        "deadlines": deadline_facts(clocks),
        "unread": [row.unread, row.newest_unread],
        "reports": requests.reports_waiting(request),
        "site": [settings.TABULA_DEMO, settings.LIVE, release.version()],
    }


def _is_shown(column: str) -> bool:
    return not column.startswith("_") and column not in HIDDEN


def _digest(value: Any) -> str:
    text = json.dumps(value, default=repr, sort_keys=True)
    return salted_hmac("web.frame.etags", text, algorithm="sha256").hexdigest()[:40]


@contextmanager
def rendering(request: HttpRequest, state: PageState | None) -> Iterator[None]:
    """Let templates write a placeholder instead of the CSRF token on a shared page."""
    request_facts(request).token = placeholder(state) if state is not None and state.shared else ""
    try:
        yield
    finally:
        request_facts(request).token = ""


def known_answer(request: HttpRequest, state: PageState) -> HttpResponseBase | None:
    """Return 304, or a shared page; None if the page has to be rendered."""
    answer = get_conditional_response(request, etag=state.tag)
    if answer is None and state.shared:
        page = caches["pages"].get(state.key)
        if page is not None:
            body, headers = page
            answer = HttpResponse(_with_token(body, request, state), headers=headers)
    return None if answer is None else tagged(answer, state)


def rendered(
    request: HttpRequest, response: HttpResponseBase, state: PageState
) -> HttpResponseBase:
    """Return a rendered page with its tag, and keep it for other anonymous readers.

    A page that has marked notices as read gets no tag: its state has changed.
    """
    if request_facts(request).marked:
        return response
    if state.shared and isinstance(response, HttpResponse):
        if response.status_code == 200 and not response.cookies:
            page = response.content, dict(response.headers)
            caches["pages"].set(state.key, page, KEPT_FOR)
        response.content = _with_token(response.content, request, state)
    return tagged(response, state)


def tagged(response: HttpResponseBase, state: PageState) -> HttpResponseBase:
    if response.status_code in (200, 304):
        response.headers["ETag"] = state.tag
    return response


def _with_token(body: bytes, request: HttpRequest, state: PageState) -> bytes:
    return body.replace(placeholder(state).encode(), get_token(request).encode())


def placeholder(state: PageState) -> str:
    """Return the text that replaces the CSRF token on a shared page.

    No one can guess it, so no one can write it into a text.
    """
    return salted_hmac("web.frame.token", state.key, algorithm="sha256").hexdigest()


def token(request: HttpRequest) -> dict[str, Any]:
    """Return the context with the placeholder while a shared page is rendered."""
    text = request_facts(request).token
    field = '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'
    return {"csrf_token": text, "csrf_input": format_html(field, text)} if text else {}
