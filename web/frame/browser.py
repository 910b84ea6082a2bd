"""What a browser knows of a page: a tag, by which it has it already; a mark, by which an open page
learns that something has moved; and what it may keep, to be read without a connection.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign import access
from campaign.seats import selectors
from people.sessions import USED_ON
from web import waiting
from web.frame import page_cache, requests
from web.frame import requests as shell_context
from web.frame.campaign_page import TableContext

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext


# 304 for a page of a campaign on which nothing is otherwise than when its reader had it last.
#
# The tag is made of facts before anything is drawn: whatever may make the page another one stands
# among them. It is a weak one, since a form's token is masked anew each time: a token of an older
# body is good as long as its secret is, and the secret is among the facts. Of the log it knows what
# its reader may see of it, so that a hidden move of somebody else changes nobody's tag. The day is
# a fact, for times of today are told as such.


PAGES = frozenset(
    {
        "table",
        "nation",
        "log",
        "entry",
        "dice",
        "battles",
        "charts",
        "ledger",
        "history",
        "story",
        "reports",
        "rulings",
        "campaign_rules",
    }
)
"""The pages that have a tag, by name. They read of the database what `facts` covers and nothing
else: a test watches them. Not the desk, with its clock; nor those with something that stands in no
log: lobbies' passwords, invitations, applications.
"""
NOW = frozenset({"table", "nation"})
"""Here the few lines of the log may name who has left, until the next entry or day: no query is
spent on that.
"""
UNSEEN = frozenset(
    {"seed_sealed", "digest_key_sealed", "last_sequence", "last_hash", "standing_hash", "changes"}
)
"""What of the campaign's row is on no page, and would tell of hidden moves."""
LONG = frozenset({"scenario", "options", "given"})
"""Long texts of the row, which seldom become others."""
SHOWN = ("pk", "username", "theme", "guest")
PARTS = frozenset({"Hx-Request", "Hx-Target"})
"""Who asks so wants a part of the page."""
CODE = (
    ("people/templates", ".html"),
    ("templates", ".html"),
    ("web", ".py"),
    ("games", ""),
    ("locale", ".po"),
    ("static", ""),
    ("engine", ""),
    ("campaign", ".py"),
    ("battles", ".py"),
    ("nations", ".py"),
    ("notices", ".py"),
    ("people", ".py"),
    ("forum", ".py"),
    ("talk", ".py"),
    ("moderation", ".py"),
    ("config", ".py"),
    ("", "requirements.txt"),
)


def page_tag(request: HttpRequest, table: TableContext, name: str) -> str:
    """What the page is known by; empty where it is to be made anew in any case."""
    if (
        name not in PAGES
        or settings.DEBUG
        or request.method not in ("GET", "HEAD")
        or PARTS & request.headers.keys()
    ):
        return ""
    if table.pages is not None and table.campaign.ended:
        return ""  # the hall of fame stands there: other campaigns
    requests.mark_page_read(request)
    if len(get_messages(request)):
        return ""
    known = facts(request, table)
    if name not in NOW:
        known["names"] = page_cache.of_acts(table.campaign, "names", lambda: _names(table))
    text = repr(known)
    return f'W/"{salted_hmac("web.frame.etags", text, algorithm="sha256").hexdigest()[:40]}"'


def facts(request: HttpRequest, table: TableContext) -> dict[str, Any]:
    """Everything that the page is made of."""
    if "CSRF_COOKIE" in request.META:
        request.META["CSRF_COOKIE_NEEDS_UPDATE"] = (
            True  # as `get_token` does, without the token that nobody reads here
        )
    else:
        get_token(request)
    user = request.user
    return {
        "page": request.build_absolute_uri(),
        "reader": [getattr(user, name, None) for name in SHOWN],
        # The session keeps typed texts that could not be sent. No page shows the day of use.
        "session": {key: value for key, value in request.session.items() if key != USED_ON},
        "place": repr(table.access),
        "language": get_language(),
        "zone": timezone.get_current_timezone_name(),
        "day": timezone.localdate(),
        "secret": request.META["CSRF_COOKIE"],
        "campaign": {
            key: _marked(value) if key in LONG else value
            for key, value in vars(table.campaign).items()
            if key[0] != "_" and key not in UNSEEN
        },
        "beside": repr(table.notes),
        "log": log(table),
        "deadlines": waiting.facts(table),
        "people": [
            [place.user_id, place.user.username, selectors.away(place)] for place in table.places
        ],
        "bell": requests.count(request),
        "reports": requests.reports_waiting(request),
        "demonstration": settings.TABULA_DEMO,
        "live": settings.LIVE,
        "version": version(),
    }


def log(table: TableContext) -> list[Any]:
    """The log as far as its reader may see it: how long it is for them, and how they see the table
    stand.
    """
    campaign = table.campaign
    if table.game_master or (page_cache.all_public(table.campaign) and not access.hides(campaign)):
        return [campaign.last_sequence, campaign.last_hash]
    return [table.seen, page_cache.of_position(table, "view", lambda: _digest(table.view))]


def _names(table: TableContext) -> list[tuple[int, str]]:
    """Of all who ever had a place: the log names those who have left, too. Whoever changes a name
    counts `Campaign.changes`.
    """
    return sorted(
        {(place.user_id, place.user.username) for place in page_cache.memberships(table.campaign)}
    )


@lru_cache(256)
def _marked(text: str) -> str:
    """What a long text is known by."""
    return sha256(text.encode()).hexdigest()


def _digest(view: dict[str, Any]) -> str:
    return sha256(json.dumps(view, default=repr, sort_keys=True).encode()).hexdigest()


@cache
def version() -> str:
    """Of the programs, templates and texts that pages are made of, as this process found them."""
    return digest_of(Path(settings.BASE_DIR))


def digest_of(root: Path) -> str:
    hasher = sha256()
    for folder, ending in CODE:
        for path in sorted((root / folder).rglob(f"*{ending}") if folder else [root / ending]):
            if path.is_file() and path.suffix not in (".pyc", ".woff2"):
                hasher.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
                hasher.update(path.read_bytes())
    return hasher.hexdigest()


def not_modified(request: HttpRequest, tag: str) -> HttpResponseBase | None:
    """304 where the reader has the page already."""
    answer = get_conditional_response(request, etag=tag) if tag else None
    return None if answer is None else marked(answer, tag)


def marked(answer: HttpResponseBase, tag: str) -> HttpResponseBase:
    """Of this reader alone, and asked for again each time; with the tag where it is the page that
    was asked for.
    """
    if "Cache-Control" not in answer:
        answer.headers["Cache-Control"] = "private, no-cache"
        patch_vary_headers(answer, ["Cookie", "Accept-Language"])
    if tag and answer.status_code in (200, 304):
        answer.headers["ETag"] = tag
    return answer


# What an open page needs to hear of what moves: asked for every few seconds (`static/js/live.js`).


FRESH = frozenset({"table", "nation", "battles", "battle", "desk", "log"})
"""The pages whose parts are brought up to date; on the others only the head is, and what moved is
told.
"""


class Live(NamedTuple):
    """What a page needs to hear of what moves: where it asks, what it has, whether its parts may be
    fetched again, and where it is told to ask (`config.live`); empty where it asks by itself.
    """

    url: str
    at: str
    parts: bool
    stream: str


def live(table: TableContext, name: str, status: int) -> Live | None:
    """None where nothing moves any more, or nobody but the reader moves."""
    plays_on = bool(table.campaign.onward)
    if table.campaign.archived or (table.solo and table.own_seats and not plays_on):
        return None
    parts = (
        name in FRESH
        and status == 200
        and table.request.method == "GET"
        and (plays_on or not table.solo)
    )
    stream = f"/live/{table.campaign.public_id}/" if settings.LIVE else ""
    return Live(table.url("live"), mark(table), parts, stream)


def mark(table: TableContext) -> str:
    """The reader's last entry, and all else of which a page tells without an entry: their place,
    their notices, the name.
    """
    campaign = table.campaign
    bell, played_on = shell_context.count(table.request), bool(campaign.onward)
    known = (
        f"{table.user.pk} {table.access} {bell} {campaign.name} {campaign.visibility} {played_on}"
    )
    return (
        f"{table.seen}.{salted_hmac('web.log.views', known, algorithm='sha256').hexdigest()[:16]}"
    )


# The site in one's pocket: what a browser needs to install it, and to read without a connection
# what its reader has seen.
#
# `static/js/worker.js` keeps pages that say so in a header, `static/js/pocket.js` tells of it and
# of what waits to be sent. Kept is what belongs to campaigns in which the reader has a place, for
# one reader at a time: another one's first page, or nobody's, empties what was kept.


KEEP, READER = "Tabula-Keep", "Tabula-Reader"
"""Headers by which a page says that it may be kept, and whose it is."""
KEPT = frozenset(
    {
        "table",
        "nation",
        "battles",
        "battle",
        "reports",
        "report",
        "rulings",
        "campaign_rules",
        "history",
        "story",
        "log",
        "entry",
        "clocks",
        "press",
        "talk",
        "talk_thread",
    }
)
"""The pages of a campaign that are kept, by name."""
FILES = (
    "css/base.css",
    "css/table.css",
    "css/talk.css",
    "js/app.js",
    "js/pocket.js",
    "js/map.js",
    "js/live.js",
    "mark.svg",
    "icons/icon-192.png",
    "fonts/eb-garamond-core-500-normal.woff2",
    "fonts/source-sans-3-core-400-600-normal.woff2",
)
"""What every page needs, fetched when the worker is installed; the rest is kept when it is used."""
PAPER, SEA = "#f3ecdb", "#1b5564"
WORKER = Path(settings.BASE_DIR) / "static" / "js" / "worker.js"


def may_keep(table: TableContext, name: str, response: HttpResponseBase) -> HttpResponseBase:
    """The page with its header, where it may be kept: of a campaign in which its reader has a
    place.
    """
    if (
        name in KEPT
        and table.access.member
        and response.status_code == 200
        and table.request.method == "GET"
    ):
        response.headers[KEEP] = "1"
    return response


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a browser asks before it installs the site."""
    pictures = [
        {
            "src": static(f"icons/{name}-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, purpose in (("icon", "any"), ("maskable", "maskable"))
        for size in (192, 512)
    ]
    text = {
        "id": "/",
        "name": "Tabula",
        "short_name": "Tabula",
        "lang": get_language(),
        "dir": "ltr",
        "description": _(
            "Campaigns that last for months, kept at one table: map, ledgers, dice, reports."
        ),
        "start_url": reverse("front"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games"],
        "icons": [
            *pictures,
            {
                "src": static("icons/icon.svg"),
                "sizes": "any",
                "type": "image/svg+xml",
                "purpose": "any",
            },
        ],
        "shortcuts": [{"name": _("Notices"), "url": reverse("notices")}],
    }
    return HttpResponse(
        json.dumps(text, ensure_ascii=False), content_type="application/manifest+json"
    )


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. It is another one where anything of the site is, and then takes the place
    of the one before.
    """
    known = {
        "version": version()[:16],
        "files": [static(name) for name in FILES],
        "offline": reverse("offline"),
        "static": settings.STATIC_URL,
        "hashed": settings.HASHED_STATIC,
        "out": reverse("account_logout"),
        "keep": KEEP,
        "reader": READER,
        "icon": static("icons/icon-192.png"),
    }
    text = f"const SET = {json.dumps(known)};\n{WORKER.read_text(encoding='utf-8')}"
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Shown where there is no connection and the page asked for was not kept: what was. It is kept
    itself, so it names nobody.
    """
    request.reader = ""  # type: ignore[attr-defined]  # whoever installed it: what waits for another stays
    request.user = AnonymousUser()
    return render(request, "pocket/offline.html")
