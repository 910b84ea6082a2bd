"""What a post on a board might mean at the table: a guess that does nothing by itself.

`READERS` are asked in their order, for the newest posts only. The seat that they are given is that of the member whose name
the author has, "" where nobody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import access
from campaign.errors import TableError
from campaign.log import selectors
from engine.strict_json import whole
from forum import reading as hearing
from forum import services
from forum.models import HeardPost
from people.validators import fold
from web.log.lines import rows
from web.play import text_moves
from web.shell.campaign_page import TableContext, campaign_page, see_other, show

NEWEST = 10
"""Posts that are guessed at."""
MOST_SEATS = 3
"""Whose moves are gone through for it: a seat may have a thousand."""
MOST_LINES = 30


class Meaning(NamedTuple):
    """A sentence for people, and where one goes with it; `line` is what was read so, as it was typed."""

    text: str
    url: str = ""
    line: str = ""


def seat_of(table: TableContext, author: str) -> str:
    """The seat of the member who has this name here or on the forum, or whose nation has it; "" where nobody has."""
    wanted = fold(author.strip())
    for seat in table.seats if wanted else ():
        who = seat.holder
        if wanted in map(fold, (seat.name, *((who.username, who.forum_name) if who is not None else ()))):
            return seat.key
    return ""


def guesses(table: TableContext, posts: Sequence[HeardPost]) -> dict[int, list[Meaning]]:
    """By the rows' numbers."""
    meanings = {}
    for post in posts[:NEWEST]:
        seat = seat_of(table, post.author)
        meanings[post.pk] = [meaning for read in READERS for meaning in read(table, post, seat)]
    return meanings


def own_quotations(table: TableContext, post: HeardPost, seat: str) -> Iterator[Meaning]:
    """A report of this campaign, or a quotation of one."""
    if post.post is None:
        return
    url = table.url("report", post.post.report) if post.post.report not in ("", "test") else ""
    yield Meaning(_("Our report.") if post.ours else _("It quotes a report of ours."), url)


def moves(table: TableContext, post: HeardPost, seat: str) -> Iterable[Meaning]:
    """Lines that say a move which its author's seat may make now; told to who may speak for that seat and nobody else."""
    if not seat or post.post is not None or table.pages is not None or not table.access.speaks_for(seat):
        return
    if not table.campaign.started or table.finished or table.stopped:
        return
    listener = _listener(table, seat)
    if listener is None:
        return
    names = text_moves.speakers(table)
    for typed in text_moves.typed_lines(post.text)[:MOST_LINES]:
        named, rest = text_moves.addressed(typed, names)
        heard = listener.hear(rest) if named in ("", None, seat) else None
        if heard is not None and heard.raw is not None:
            yield Meaning(heard.text, line=rest)


def _listener(table: TableContext, seat: str) -> Any:
    """One a seat and page; None where enough seats were gone through."""
    known: dict[str, Any] = table.__dict__.setdefault("_listeners", {})
    if seat not in known and len(known) < MOST_SEATS:
        by = seat if seat in table.access.voices else text_moves.GAME_MASTER
        known[seat] = text_moves.Listener(table, seat, by, table.position)
    return known.get(seat)


READERS: tuple[Callable[[TableContext, HeardPost, str], Iterable[Meaning]], ...] = (own_quotations, moves)


# What others write where the campaign is told, beside the log. For who sits at the table.

PAGE = 25
LINES = 200
"""Entries of the log that are looked at for one page."""
BESIDE = 6
"""Of them beside one post; the log has the others."""
LONG = 500
"""Characters after which a post is folded up."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def replies_view(request: HttpRequest, table: TableContext) -> HttpResponse:
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
    heard = hearing.posts(table.campaign, everything=table.host, skip=max(start - 1, 0), limit=PAGE + (2 if start else 1))
    until, heard = (_at(heard[0]), heard[1:]) if start and heard else (None, heard)
    posts = heard[:PAGE]
    context = {
        "posts": _with_log_lines(table, posts, guesses(table, posts) if page == 1 else {}, until),
        "places": places,
        "followed": any(one.active for one in places),
        "older": page + 1 if len(heard) > PAGE else None,
        "newer": page - 1,
        "host": table.host,
        "log_url": table.url("log"),
        "orders_url": table.url("orders") if page == 1 and table.access.voices and table.pages is None else "",
    }
    return show(request, table, "forum/replies.html", context, here="reports")


def _with_log_lines(
    table: TableContext, posts: Sequence[HeardPost], meanings: dict[int, list[Meaning]], until: datetime | None
) -> list[dict[str, Any]]:
    """Each post with what the log has from it to the next one, which for the first came at `until`, if ever."""
    if not posts:
        return []
    lines = selectors.log(table.campaign, table.user, limit=LINES)
    lines_shown = []
    for post in posts:
        at, seat, guessed = _at(post), seat_of(table, post.author), meanings.get(post.pk, [])
        here = [line for line in lines if line.entry.at >= at and (until is None or line.entry.at < until)]
        row = {
            "post": post, "at": at, "seat": seat, "name": table.name_of(seat) if seat else "", "meanings": guessed,
            "long": len(post.text) > LONG, "begins": post.text[:LONG].rsplit(" ", 1)[0],
            "lines": rows(table, here[:BESIDE]), "more_lines": len(here) - BESIDE,
            "readable": bool(seat) and post.post is None and table.access.speaks_for(seat),
            "as_lines": "\n".join(one.line for one in guessed if one.line) or post.text[:5000],
        }  # fmt: skip
        lines_shown.append(row)
        until = at
    return lines_shown


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
            services.set_following(thread, table.user, active=do == "follow", shown=request.POST.get("shown") == "on")
            messages.success(
                request, _("It is read every quarter of an hour.") if do == "follow" else _("It is not read any more.")
            )
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    return see_other(table.url("heard"))
