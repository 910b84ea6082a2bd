"""The site as an app: installation, and pages that can be read without a connection.

`static/js/worker.js` keeps pages that allow it in a header; `static/js/pocket.js` shows the reader
what is kept and which forms wait. Only pages of campaigns in which the reader has a place are
kept, for one reader at a time: the first page of another reader, or of no one, empties the store.
"""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from web.frame import release
from web.frame.requests import request_facts
from web.frame.table import TableContext

KEEP, READER = "Tabula-Keep", "Tabula-Reader"
"""Headers that say whether a page may be kept, and for which reader."""
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
"""The files that every page needs, which are fetched when the worker is installed. Others are kept
when they are used.
"""
PAPER, SEA = "#f3ecdb", "#1b5564"
WORKER = Path(settings.BASE_DIR) / "static" / "js" / "worker.js"


def may_keep(table: TableContext, name: str, response: HttpResponseBase) -> HttpResponseBase:
    """Mark a page that the reader's browser may keep, and return it.

    These are pages of campaigns in which the reader has a place.
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
    """Answer with the manifest that a browser reads before it installs the site."""
    icons = [
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
            "Campaigns that last for months, kept in one place: map, ledgers, dice and reports."
        ),
        "start_url": reverse("front"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games"],
        "icons": [
            *icons,
            {
                "src": static("icons/icon.svg"),
                "sizes": "any",
                "type": "image/svg+xml",
                "purpose": "any",
            },
        ],
        "shortcuts": [{"name": pgettext("offline", "Notices"), "url": reverse("notices")}],
    }
    return HttpResponse(
        json.dumps(text, ensure_ascii=False), content_type="application/manifest+json"
    )


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Answer with the service worker.

    Its text changes with every release, so that browsers replace the earlier worker.
    """
    known = {
        "version": release.version()[:16],
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
    """Show the page for a browser without a connection that did not keep the requested page.

    It lists the kept pages. It is kept itself, so it names no one.
    """
    request_facts(request).reader_mark = ""  # so the browser keeps its waiting forms
    request.user = AnonymousUser()
    return render(request, "pocket/offline.html")
