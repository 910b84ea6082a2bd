"""What others write where the campaign is told, beside the log. For who sits at the table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import access, selectors
from campaign.errors import TableError
from engine.strict_json import whole
from forum import heard as hearing
from forum import services
from forum.models import HeardPost
from web import heard as reading
from web.views.common import TableContext, campaign_page, see_other, show
from web.views.lines import rows

PAGE = 25
LINES = 200
"""Entries of the log that are looked at for one page."""
BESIDE = 6
"""Of them beside one post; the log has the others."""
LONG = 500
"""Characters after which a post is folded up."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def heard(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?page=` counts from 1, the newest. A POST of a game master's does `do` to `thread`."""
    if not table.access.member:
        raise PermissionDenied(_("Only who sits at this table reads this page."))
    if request.method == "POST":
        return _do(request, table)
    page = whole(request.GET.get("page") or "1", 4)
    if not page:
        raise Http404
    places = hearing.places(table.campaign) if table.host else []
    start = (page - 1) * PAGE
    # One more on either side: what came after the first here, and whether there is another page.
    found = hearing.posts(table.campaign, everything=table.host, skip=max(start - 1, 0), limit=PAGE + (2 if start else 1))
    until, found = (_at(found[0]), found[1:]) if start and found else (None, found)
    posts = found[:PAGE]
    context = {
        "posts": _beside(table, posts, reading.guesses(table, posts) if page == 1 else {}, until),
        "places": places,
        "followed": any(one.active for one in places),
        "older": page + 1 if len(found) > PAGE else None,
        "newer": page - 1,
        "host": table.host,
        "log_url": table.url("log"),
        "orders_url": table.url("orders") if page == 1 and table.access.voices and table.pages is None else "",
    }
    return show(request, table, "campaign/heard.html", context, here="reports")


def _beside(
    table: TableContext, posts: Sequence[HeardPost], meanings: dict[int, list[reading.Meaning]], until: datetime | None
) -> list[dict[str, Any]]:
    """Each post with what the log has from it to the next one, which for the first came at `until`, if ever."""
    if not posts:
        return []
    lines = selectors.log(table.campaign, table.user, limit=LINES)
    made = []
    for post in posts:
        at, seat, guessed = _at(post), reading.seat_of(table, post.author), meanings.get(post.pk, [])
        here = [line for line in lines if line.entry.at >= at and (until is None or line.entry.at < until)]
        row = {
            "post": post, "at": at, "seat": seat, "name": table.name_of(seat) if seat else "", "meanings": guessed,
            "long": len(post.text) > LONG, "begins": post.text[:LONG].rsplit(" ", 1)[0],
            "lines": rows(table, here[:BESIDE]), "more_lines": len(here) - BESIDE,
            "readable": bool(seat) and post.post is None and table.access.speaks_for(seat),
            "as_lines": "\n".join(one.line for one in guessed if one.line) or post.text[:5000],
        }  # fmt: skip
        made.append(row)
        until = at
    return made


def _at(post: HeardPost) -> datetime:
    return post.said_at or post.heard_at


def _do(request: HttpRequest, table: TableContext) -> HttpResponse:
    table.must_be_host()
    access.must_have_account(table.user)
    number, do = whole(request.POST.get("thread", "")), request.POST.get("do", "")
    thread = next((one.thread for one in hearing.places(table.campaign) if one.thread.pk == number), None)
    if thread is None or do not in ("follow", "stop", "again"):
        raise Http404
    try:
        if do == "again":
            services.read_again(thread, table.user)
            messages.success(request, _("It is tried again within a minute."))
        else:
            services.follow(thread, table.user, active=do == "follow", shown=request.POST.get("shown") == "on")
            messages.success(
                request, _("It is read every quarter of an hour.") if do == "follow" else _("It is not read any more.")
            )
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    return see_other(table.url("heard"))
