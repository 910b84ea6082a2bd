"""What a page of a campaign is made of, as one key. A browser that has the page of this key is
answered 304; anonymous readers share the rendered page.

The key covers every fact that a page of `PAGES` shows, and is made before anything else of the page
is read. Of the log it covers only what this reader may see: a hidden move changes no one else's
key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

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

from campaign import access
from campaign.seats import selectors
from people.sessions import USED_ON
from web.deadlines import deadline_facts
from web.frame import release, requests
from web.frame.requests import noted

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

PAGES = {"table", "nation", "log", "entry", "dice", "battles", "charts", "ledger", "history"}
PAGES |= {"story", "reports", "rulings", "campaign_rules"}
"""The pages that have a key, by the names of their addresses. They read nothing else than what
`facts` covers; a test watches their queries. The desk, lobbies and invitations show more.
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
KEPT_FOR = 600
"""Seconds for which a page is shared."""


class PageState(NamedTuple):
    """The key of a page, and the tag that its reader's browser knows it by."""

    key: str
    tag: str
    shared: bool
    """May other anonymous readers get the same page?"""


def page_state(request: HttpRequest, table: TableContext, name: str) -> PageState | None:
    """Return the state of the requested page; None if it has to be rendered anyway."""
    if (
        name not in PAGES
        or settings.DEBUG
        or request.method not in ("GET", "HEAD")
        or PARTS & request.headers.keys()
        or (table.pages is not None and table.campaign.ended)  # it shows other campaigns, too
    ):
        return None
    requests.mark_page_read(request)
    if len(get_messages(request)):
        return None
    key = _digest(facts(request, table))
    get_token(request)
    # A form's token is masked anew each time: one of an older body is good as long as its secret.
    tag = _digest([key, request.META["CSRF_COOKIE"]])
    shared = not (request.user.is_authenticated or request.GET or request.session.keys())
    return PageState(key, f'W/"{tag}"', shared)


def facts(request: HttpRequest, table: TableContext) -> dict[str, Any]:
    """Return everything that the page is made of, as data that has a stable text."""
    user, campaign = request.user, vars(table.campaign)
    return {
        "page": request.build_absolute_uri(),
        "reader": [getattr(user, name, None) for name in ("pk", "username", "theme", "guest")],
        # The session holds typed texts that could not be sent. No page shows its day of use.
        "session": {name: value for name, value in request.session.items() if name != USED_ON},
        "access": repr(table.access),
        "language": get_language(),
        "zone": timezone.get_current_timezone_name(),
        "day": timezone.localdate(),
        "campaign": [campaign[name] for name in sorted(campaign) if _is_shown(name)],
        "notes": repr(table.notes),
        "log": visible_log(table),
        "deadlines": deadline_facts(table),
        "people": [
            [
                [place.user_id, place.user.username, place.role, place.seat, place.until],
                repr(selectors.away(place)),
            ]
            for place in table.memberships
        ],
        "bell": requests.count(request),
        "reports": requests.reports_waiting(request),
        "site": [settings.TABULA_DEMO, settings.LIVE, release.version()],
    }


def _is_shown(column: str) -> bool:
    return not column.startswith("_") and column not in HIDDEN


def visible_log(table: TableContext) -> list[Any]:
    """Return the log as its reader sees it: its length, and its hash or the view of the table."""
    campaign = table.campaign
    all_public = campaign.last_number == campaign.last_sequence
    if table.game_master or (all_public and not access.hides(campaign)):
        return [campaign.last_sequence, campaign.last_hash]
    return [table.seen, table.view]


def _digest(value: Any) -> str:
    text = json.dumps(value, default=repr, sort_keys=True)
    return salted_hmac("web.frame.etags", text, algorithm="sha256").hexdigest()[:40]


@contextmanager
def rendering(request: HttpRequest, state: PageState | None) -> Iterator[None]:
    """Let templates write the placeholder in the place of a token on a page that is shared."""
    noted(request).token = placeholder(state) if state is not None and state.shared else ""
    try:
        yield
    finally:
        noted(request).token = ""


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
    """Return a rendered page with its tag, and keep it for other anonymous readers."""
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
    """Return what a shared page has in place of a token. No one can guess it and write it into a
    text.
    """
    return salted_hmac("web.frame.token", state.key, algorithm="sha256").hexdigest()


def token(request: HttpRequest) -> dict[str, Any]:
    """Give templates the placeholder while a page is rendered that is shared."""
    text = noted(request).token
    field = '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'
    return {"csrf_token": text, "csrf_input": format_html(field, text)} if text else {}
