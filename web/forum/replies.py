"""What a post on a board might mean at the table: a guess that does nothing by itself.

`READERS` are asked in their order, for the newest posts only. The seat that they are given is that
of the member whose name the author has, "" where nobody's.
"""

from __future__ import annotations

import difflib
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
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.log.lines import rows
from web.typed_moves.lines import addressed, speakers, typed_lines
from web.typed_moves.listener import Listener
from web.typed_moves.reader import Reader

NEWEST = 10
"""Posts that are guessed at."""
MOST_SEATS = 3
"""Whose moves are gone through for it: a seat may have a thousand."""
MOST_LINES = 30


class Meaning(NamedTuple):
    """A sentence for people, and where one goes with it; `line` is what was read so, as it was
    typed.
    """

    text: str
    url: str = ""
    line: str = ""


def seat_of(table: TableContext, author: str) -> str:
    """The seat of the member who has this name here or on the forum, or whose nation has it; ""
    where nobody has.
    """
    wanted = fold(author.strip())
    for seat in table.seats if wanted else ():
        who = seat.holder
        if wanted in map(
            fold, (seat.name, *((who.username, who.forum_name) if who is not None else ()))
        ):
            return seat.key
    return ""


def guesses(table: TableContext, posts: Sequence[HeardPost]) -> dict[int, list[Meaning]]:
    """By the rows' numbers: of the newest that are not read as moves yet."""
    meanings = {}
    open_posts = [
        post
        for post in posts
        if post.gone_at is None and (post.post is not None or _is_unread(post))
    ]
    for post in open_posts[:NEWEST]:
        seat = seat_of(table, post.author)
        meanings[post.pk] = [meaning for read in READERS for meaning in read(table, post, seat)]
    return meanings


def _is_unread(post: HeardPost) -> bool:
    return post.taken_at is None or (
        post.changed_at is not None and post.changed_at > post.taken_at
    )


def own_quotations(table: TableContext, post: HeardPost, seat: str) -> Iterator[Meaning]:
    """A report of this campaign, or a quotation of one."""
    if post.post is None:
        return
    url = table.url("report", post.post.report) if post.post.report not in ("", "test") else ""
    yield Meaning(_("Our report.") if post.ours else _("It quotes a report of ours."), url)


def moves(table: TableContext, post: HeardPost, seat: str) -> Iterable[Meaning]:
    """Lines that say a move which its author's seat may make now; told to who may speak for that
    seat and nobody else.
    """
    if (
        not seat
        or post.post is not None
        or table.pages is not None
        or not table.access.speaks_for(seat)
    ):
        return
    if not table.campaign.started or table.campaign.ended or table.campaign.stopped:
        return
    listener = _listener(table, seat)
    if listener is None:
        return
    names = speakers(table)
    for typed in typed_lines(post.text)[:MOST_LINES]:
        named, rest = addressed(typed, names)
        heard = listener.hear(rest) if named in ("", None, seat) else None
        if heard is not None and heard.raw is not None:
            yield Meaning(heard.text, line=rest)


def results(table: TableContext, post: HeardPost, seat: str) -> Iterable[Meaning]:
    """Lines that tell the result of one battle that is fought now; told to who plays at the
    table.
    """
    if (
        post.post is not None
        or table.pages is not None
        or not table.access.voices
        or not table.campaign.started
    ):
        return
    reader: Reader = table.__dict__.setdefault("_result_reader", Reader(table, ""))
    for typed in typed_lines(post.text)[:MOST_LINES]:
        if any(sign.isdigit() for sign in typed) and (battle := reader.result(typed)) is not None:
            text = _("This reads as the result of battle #%(number)s: claim it…") % {
                "number": battle.number
            }
            yield Meaning(text, battle.url)


def _listener(table: TableContext, seat: str) -> Any:
    """One a seat and page; None where enough seats were gone through."""
    known: dict[str, Any] = table.__dict__.setdefault("_listeners", {})
    if seat not in known and len(known) < MOST_SEATS:
        by = seat if seat in table.access.voices else GAME_MASTER
        known[seat] = Listener(table, seat, by, table.position)
    return known.get(seat)


READERS: tuple[Callable[[TableContext, HeardPost, str], Iterable[Meaning]], ...] = (
    own_quotations,
    moves,
    results,
)


# What others write where the campaign is told, beside the log. For who sits at the table.

PAGE = 25
LINES = 200
"""Entries of the log that are looked at for one page."""
BESIDE = 6
"""Of them beside one post; the log has the others."""
MOST_WAITING, MOST_LOOKED_AT = 5, 60
"""Unread orders of other pages that are named, and posts that are looked at for them."""
MOST_COMPARED = 200
"""Lines of a changed post that are compared with what it was."""
LONG = 500
"""Characters after which a post is folded up."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def replies_view(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?page=` counts from 1, the newest. A POST of a game master's does `do` to `thread`."""
    if not table.access.member:
        raise PermissionDenied(_("Only people who sit at this table read this page."))
    if request.method == "POST":
        return _do(request, table)
    page = whole(request.GET.get("page") or "1", 4)
    if not page:
        raise Http404
    places = hearing.places(table.campaign) if table.host else []
    start = (page - 1) * PAGE
    # One more on either side: what came after the first here, and whether there is another page.
    heard = hearing.posts(
        table.campaign,
        everything=table.host,
        skip=max(start - 1, 0),
        limit=PAGE + (2 if start else 1),
    )
    until, heard = (_at(heard[0]), heard[1:]) if start and heard else (None, heard)
    posts = heard[:PAGE]
    context = {
        "posts": _with_log_lines(table, posts, guesses(table, posts), until),
        "waiting": (
            _waiting(table, {post.pk for post in posts}) if start or len(heard) > PAGE else []
        ),
        "places": places,
        "followed": any(one.active for one in places),
        "older": page + 1 if len(heard) > PAGE else None,
        "newer": page - 1,
        "host": table.host,
        "log_url": table.url("log"),
        "orders_url": table.url("orders") if table.access.voices and table.pages is None else "",
    }
    return show(request, table, "forum/replies.html", context, here="reports")


def _waiting(table: TableContext, here: set[int]) -> list[dict[str, Any]]:
    """Orders of those for whom the reader speaks that nobody has read yet, and that stand on
    another page.
    """
    if (
        not table.access.voices
        or table.pages is not None
        or not table.campaign.started
        or table.campaign.ended
    ):
        return []
    rows = hearing.unread(table.campaign, everything=table.host).exclude(pk__in=here)[
        :MOST_LOOKED_AT
    ]
    theirs = [
        (post, seat)
        for post in rows
        if (seat := seat_of(table, post.author)) and table.access.speaks_for(seat)
    ]
    places = hearing.order_of(table.campaign, everything=table.host) if theirs else []
    return [
        {
            "post": post,
            "seat": seat,
            "name": table.name_of(seat),
            "at": _at(post),
            "url": f"{table.url('heard')}?page={places.index(post.pk) // PAGE + 1}#p{post.pk}",
        }
        for post, seat in theirs[:MOST_WAITING]
        if post.pk in places
    ]


def _difference(post: HeardPost) -> list[tuple[str, str]]:
    """The lines of a post that was changed: `old` ones, `new` ones, and those that stayed, which
    have no mark.
    """
    marks = {"- ": "old", "+ ": "new", "  ": ""}
    lines = difflib.ndiff(
        post.before.splitlines()[:MOST_COMPARED], post.text.splitlines()[:MOST_COMPARED]
    )
    return [(marks[line[:2]], line[2:]) for line in lines if line[:2] in marks]


def _with_log_lines(
    table: TableContext,
    posts: Sequence[HeardPost],
    meanings: dict[int, list[Meaning]],
    until: datetime | None,
) -> list[dict[str, Any]]:
    """Each post with what the log has from it to the next one, which for the first came at `until`,
    if ever.
    """
    if not posts:
        return []
    lines = selectors.log(table.campaign, table.user, limit=LINES)
    lines_shown = []
    for post in posts:
        at, seat, guessed = _at(post), seat_of(table, post.author), meanings.get(post.pk, [])
        here = [
            line
            for line in lines
            if line.entry.at >= at and (until is None or line.entry.at < until)
        ]
        row = {
            "post": post,
            "at": at,
            "seat": seat,
            "name": table.name_of(seat) if seat else "",
            "meanings": guessed,
            "long": len(post.text) > LONG,
            "begins": post.text[:LONG].rsplit(" ", 1)[0],
            "lines": rows(table, here[:BESIDE]),
            "more_lines": len(here) - BESIDE,
            "readable": bool(seat) and post.post is None and table.access.speaks_for(seat),
            "as_lines": _as_lines(post, guessed),
            "unread": post.gone_at is None and _is_unread(post),
            "difference": _difference(post) if post.changed_at is not None else [],
        }
        lines_shown.append(row)
        until = at
    return lines_shown


def _as_lines(post: HeardPost, guessed: Sequence[Meaning]) -> str:
    """What is read as moves: the lines that are some, else all of the post; of one that was read
    before, what is new in it.
    """
    lines = [one.line for one in guessed if one.line]
    if (
        post.taken_at is not None
        and post.changed_at is not None
        and post.changed_at > post.taken_at
    ):
        fresh = [text for mark, text in _difference(post) if mark == "new"]
        lines = [line for line in lines if any(line in text for text in fresh)] or fresh
    return "\n".join(lines)[:5000] or post.text[:5000]


def _at(post: HeardPost) -> datetime:
    return post.said_at or post.heard_at


def _read(request: HttpRequest, table: TableContext) -> HttpResponse:
    """A post is read as moves, for which the form goes on to the page of moves as text, or is set
    aside.
    """
    number = whole(request.POST.get("post", ""))
    rows = hearing.of_campaign(table.campaign, everything=table.host)
    post = rows.filter(pk=number).first() if number is not None and number < 2**63 else None
    if post is None:
        raise Http404
    seat = seat_of(table, post.author)
    if not seat or post.post is not None or not table.access.speaks_for(seat):
        raise PermissionDenied(_("You do not hold this seat."))
    hearing.take(post)
    if request.POST["do"] == "aside":
        return see_other(f"{table.url('heard')}#p{post.pk}")
    answer = HttpResponse(status=307)  # the same form again, to where moves are read
    answer["Location"] = table.url("orders")
    return answer


def _do(request: HttpRequest, table: TableContext) -> HttpResponse:
    if request.POST.get("do") in ("read", "aside"):
        return _read(request, table)
    table.must_be_host()
    access.must_have_account(table.user)
    number, do = whole(request.POST.get("thread", "")), request.POST.get("do", "")
    thread = next(
        (one.thread for one in hearing.places(table.campaign) if one.thread.pk == number), None
    )
    if thread is None or do not in ("follow", "stop", "again"):
        raise Http404
    try:
        if do == "again":
            services.read_again(thread, table.user)
            messages.success(request, _("It is tried again within a minute."))
        else:
            services.set_following(
                thread, table.user, active=do == "follow", shown=request.POST.get("shown") == "on"
            )
            messages.success(
                request,
                (
                    _("It is read every quarter of an hour.")
                    if do == "follow"
                    else _("It is not read any more.")
                ),
            )
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    return see_other(table.url("heard"))
