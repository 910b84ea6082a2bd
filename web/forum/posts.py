"""The outbox of a campaign, each of its posts, and the threads they go to. For its game masters."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.conf import settings as site
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import access
from campaign.errors import Refused, TableError
from campaign.log import selectors
from campaign.models import Campaign
from engine.strict_json import whole
from forum import services
from forum.boards import Showing, Transport, TransportError, transport, transports
from forum.dialects import DIALECTS
from forum.models import Post, Thread
from forum.posts import outbox, reports, sending, threads
from forum.posts.outbox import State, Whole, automatic, marked, marker
from forum.posts.threads import LEAST, WrongSetting
from games.contract.report import Contents
from outgoing import OutsideError
from web.forum import reports as forum_reports
from web.frame import requests, throttle
from web.frame.campaign_page import TableContext, campaign_page, see_other, show

STATES: dict[str, tuple[Any, str, str]] = {
    State.DRAFT: (pgettext_lazy("post", "draft"), "", "scroll"),
    "copied": (pgettext_lazy("post", "copied"), "warn", "copy"),
    State.READY: (pgettext_lazy("post", "not posted"), "warn", "mail"),
    "moving": (pgettext_lazy("post", "on its way"), "mine", "clock"),
    State.SENDING: (pgettext_lazy("post", "being sent"), "mine", "clock"),
    State.POSTED: (pgettext_lazy("post", "posted"), "good", "check"),
    State.AWAITING: (pgettext_lazy("post", "awaiting approval"), "warn", "clock"),
    State.DOUBTFUL: (pgettext_lazy("post", "was it posted?"), "bad", "eye"),
    State.FAILED: (pgettext_lazy("post", "failed"), "bad", "stop"),
    State.SUPERSEDED: (pgettext_lazy("post", "superseded"), "", "undo"),
    State.ASIDE: (pgettext_lazy("post", "skipped"), "", "more"),
}
"""How a post stands, for people: its name, its tone and its picture."""
SOON = timedelta(minutes=2)
FOLDED = frozenset({"slot", "challenge", "result", "trade", "standings"})
"""Kinds that the report of a whole turn tells, too."""
FILTERS: dict[str, Any] = {
    "all": pgettext_lazy("posts", "All"),
    "todo": pgettext_lazy("posts", "To do"),
    "drafts": pgettext_lazy("posts", "Drafts"),
    "posted": pgettext_lazy("posts", "Posted"),
}


def must_be_host(table: TableContext) -> None:
    """Raises for everybody else, and for a guest, who reaches no other people."""
    table.must_be_host()
    access.must_have_account(table.user)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def posts(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The outbox, turn by turn; a POST drafts a report, marks or skips what is selected, or says
    how often is posted.
    """
    must_be_host(table)
    if request.method == "POST":
        return _do_together(request, table)
    threads = outbox.threads(table.campaign)
    wholes = outbox.outbox(table.campaign)
    at = mark(wholes)
    if request.GET.get("at") == at:
        return HttpResponse(status=204)
    rows = [outbox_row(table, one) for one in wholes]
    contents = forum_reports.contents(table)
    shown = request.GET.get("show", "")
    turns = turns_of(table, rows, contents, shown if shown in FILTERS else "all", bool(threads))
    offered = reports.offered(table.campaign)
    chosen = {reports.frequency_of(thread.drafted, offered) for thread in threads}
    counts = {
        "all": len(rows),
        "todo": sum(row["asks"] for row in rows),
        "drafts": sum(row["key"] == State.DRAFT for row in rows),
        "posted": sum(row["key"] in (State.POSTED, State.AWAITING) for row in rows),
    }
    context = {
        "again": f"{table.url('posts')}?at={at}",
        "every": every(wholes),
        "threads": [about(table, one) for one in threads],
        "new_url": table.url("new_thread"),
        "next": _next(table, rows, turns),
        "turns": turns,
        "filters": (
            [(key, name, counts[key], key == (shown or "all")) for key, name in FILTERS.items()]
            if rows
            else []
        ),
        "sums": [(name, number) for name, number in _sums(rows, turns) if number],
        "frequencies": (
            [
                (key, name, text, chosen == {key})
                for key, (name, text) in reports.FREQUENCIES.items()
            ]
            if threads and "slot" in offered
            else []
        ),
        "reports": [
            (item.key, item.name)
            for item in contents
            if threads and not forum_reports.SINGLE.fullmatch(item.key)
        ],
        "has_reports": reports.reporter(table.campaign) is not None,
        "tone_url": table.url("report_tone"),
        "heard_url": table.url("heard"),
        "asked": request.GET.get("report", ""),
    }
    return show(request, table, "forum/posts.html", context, here="reports")


def turns_of(
    table: TableContext,
    rows: Sequence[dict[str, Any]],
    contents: Sequence[Contents],
    shown: str,
    threads: bool,
) -> list[dict[str, Any]]:
    """The outbox by turns, the latest first: the posts, what the report of the turn covers, and
    what no post tells.
    """
    turns: dict[int, dict[str, Any]] = {}
    names = {item.key: item for item in contents}
    live = {row["first"].report for row in rows if not row["over"]}

    def turn(number: int) -> dict[str, Any]:
        return turns.setdefault(
            number, {"number": number, "rows": [], "items": [], "covered": [], "whole": None}
        )

    for row in rows:
        item, entry = names.get(row["first"].report), row["first"].entry
        one = turn(item.turn if item is not None else entry.turn if entry is not None else 0)
        one["rows"].append(row)
        if row["first"].kind in reports.WHOLE and not row["over"] and one["whole"] is None:
            one["whole"] = row
    for item in contents:
        if item.key in live or item.kind == "battle":
            continue
        line = {
            "name": item.name,
            "complete": item.complete,
            "url": table.url("report", item.key),
            "key": item.key,
        }
        one = turn(item.turn)
        if threads and item.kind in FOLDED:
            one["covered"].append(line)
        else:
            one["items"].append(
                {**line, "draft": threads and forum_reports.SINGLE.fullmatch(item.key) is None}
            )
    wanted: dict[str, Callable[[dict[str, Any]], bool]] = {
        "all": lambda row: True,
        "todo": lambda row: bool(row["asks"]),
        "drafts": lambda row: bool(row["key"] == State.DRAFT),
        "posted": lambda row: row["key"] in (State.POSTED, State.AWAITING),
    }
    for one in turns.values():
        one["todo"] = sum(row["asks"] for row in one["rows"])
        one["posted"] = sum(row["key"] in (State.POSTED, State.AWAITING) for row in one["rows"])
        one["rows"] = [row for row in one["rows"] if wanted[shown](row)]
        if shown != "all":
            one["items"], one["covered"] = [], []
        one["over"] = [row for row in one["rows"] if row["over"]]
        one["rows"] = [row for row in one["rows"] if not row["over"]]
        one["rows"].sort(
            key=lambda row: row["first"].report != reports.KEY
        )  # the announcement comes first
        one["ahead"] = [item for item in one["items"] if item["key"] == reports.KEY]
        one["items"] = [item for item in one["items"] if item["key"] != reports.KEY]
        if (
            one["whole"] is not None and one["whole"] in one["rows"]
        ):  # first in its turn, with what it covers under it
            one["rows"].sort(key=lambda row: row is not one["whole"])
        one["count"] = (
            len(one["rows"]) + len(one["ahead"]) + len(one["items"]) + len(one["covered"])
        )
    shown_turns = [
        one for number, one in sorted(turns.items(), reverse=True) if one["count"] or one["over"]
    ]
    for place, one in enumerate(shown_turns):
        one["open"] = place == 0 or one["todo"] > 0
    return shown_turns


def picture_waits(post: Post) -> bool:
    """Is the picture in this post still to be drawn?"""
    number = post.entry.number if post.entry is not None else None
    return forum_reports.picture_waits(post.campaign, post.kind, number, post.thread.language)


def _sums(
    rows: Sequence[dict[str, Any]], turns: Sequence[dict[str, Any]]
) -> Iterator[tuple[Any, int]]:
    """How many posts stand how, in the order in which they come."""
    keys = [row["key"] for row in rows if not row["over"]]
    for key, (name, _tone, _icon) in STATES.items():
        yield name, keys.count(key)
    yield pgettext("posts", "in the report"), sum(len(one["covered"]) for one in turns)


def _next(
    table: TableContext, rows: Sequence[dict[str, Any]], turns: Sequence[dict[str, Any]]
) -> dict[str, Any] | None:
    """What a person posts by hand next, with its text: the oldest that waits. None where nothing
    does.
    """
    waiting = [
        row
        for row in reversed(rows)
        if row["asks"] and row["by_hand"] and row["first"].report != reports.TEST
    ]
    late = reports.KEY if table.campaign.started else ""  # a draft of it has no text any more
    waiting = [row for row in waiting if row["first"].report != late or row["key"] != State.DRAFT]
    waiting.sort(key=lambda row: row["first"].report != reports.KEY)
    row = next(
        (
            row
            for row in waiting
            if row["key"] in (State.DRAFT, State.READY, "copied", State.FAILED)
        ),
        None,
    )
    if row is None:
        return None
    head, now = row["first"], row["now"]
    if head.state == State.DRAFT:
        parts = reports.parts(
            head,
            table.seats,
            [user.username for user in selectors.game_masters(table.campaign, table.places)],
        )
        if not parts:
            return None
        text, count, part = (
            marked(parts[0].text, marker(table.campaign, head.number, 1)),
            len(parts),
            1,
        )
    else:
        text, count, part = now.text, len(row["one"].parts), now.part
    thread, covered = head.thread, [one["covered"] for one in turns if one["whole"] is row]
    dialect = DIALECTS[thread.dialect]
    return {
        **row,
        "text": text,
        "part": part,
        "count": count,
        "several": count > 1,
        "dialect": dialect.name,
        "weight": dialect.weight(text),
        "limit": reports.limit(thread),
        "place": thread.open_settings.get("address", ""),
        "thread": thread.name,
        "language": thread.language,
        "covered": len(covered[0]) if covered else 0,
        "waits": picture_waits(head),
    }


def mark(wholes: list[Whole]) -> str:
    """How far all of it is: another one where the page would tell something else."""
    facts = [
        (
            part.pk,
            part.state,
            part.last_error,
            str(part.next_at),
            part.permalink,
            part.thread.locked_at is None,
        )
        for one in wholes
        for part in one.parts
    ]
    return sha256(repr(facts).encode()).hexdigest()[:16]


def every(wholes: list[Whole]) -> int:
    """After how many seconds a page that is open looks again by itself: soon while something is
    being sent, rarely while the next try is far; 0 where nothing is on its way.
    """
    moving = [one.now for one in wholes if one.moves]
    soon = timezone.now() + SOON
    near = any(
        one.state == State.SENDING or (one.next_at is not None and one.next_at <= soon)
        for one in moving
    )
    return (4 if near else 60) if moving else 0


def about(table: TableContext, thread: Thread) -> dict[str, Any]:
    """A thread as the pages show it."""
    way = transport(thread.transport)
    return {
        "one": thread,
        "way": way.name,
        "automatic": way.automatic,
        "url": table.url("thread", thread.pk),
        "place": thread.open_settings.get("address", ""),
    }


def outbox_row(table: TableContext, one: Whole) -> dict[str, Any]:
    """A report on its way, as a line of the outbox."""
    now, head = one.now, one.head
    key = (
        "copied"
        if one.copied
        else "moving"
        if one.moves and now.state == State.READY
        else str(now.state)
    )
    if (
        now.state == State.READY
        and key == State.READY
        and automatic(head.thread)
        and now.thread.locked_at is None
    ):
        key = "moving"
    name, tone, icon = STATES[key]
    return {
        "one": one,
        "first": head,
        "now": now,
        "asks": one.asks,
        "moves": one.moves,
        "over": head.state in outbox.OVER,
        "name": head.subject or head.report,
        "kind": reports.NAMES.get(head.kind, head.kind),
        "key": key,
        "tone": tone,
        "icon": icon,
        "at": now.posted_at or (now.copied_at if key == "copied" else None),
        "selectable": not one.head.settled and not one.moves and head.state not in outbox.OVER,
        "state": name,
        "url": table.url("post", head.number),
        "by_hand": not automatic(head.thread),
        "entry_url": (
            table.url("entry", head.entry.number)
            if head.entry is not None and head.entry.number is not None
            else ""
        ),
        "parts": len(one.parts) if head.state != State.DRAFT else 0,
        "there": sum(part.settled for part in one.parts),
    }


def _do_together(request: HttpRequest, table: TableContext) -> HttpResponse:
    """What the outbox's forms do; without `do`, a draft."""
    do, back = request.POST.get("do", ""), table.url("posts")
    numbers = [number for one in request.POST.getlist("post") if (number := whole(one)) is not None]
    try:
        if do == "posted":
            marked_posts = services.posted_together(
                table.campaign, table.user, numbers, request.POST.get("link", "")
            )
            text = ngettext(
                "%(count)s post is marked as posted.",
                "%(count)s posts are marked as posted.",
                len(marked_posts),
            )
            messages.success(request, text % {"count": len(marked_posts)})
        elif do == "aside":
            skipped = services.skipped_together(table.campaign, table.user, numbers)
            text = ngettext(
                "%(count)s post is skipped.", "%(count)s posts are skipped.", len(skipped)
            )
            messages.success(request, text % {"count": len(skipped)})
        elif do == "frequency":
            services.set_frequency(table.campaign, table.user, request.POST.get("frequency", ""))
            messages.success(request, _("Saved. It applies from the next report on."))
        elif do == "place":
            thread = set_up_thread(table.campaign, table.user, request.POST.get("address", ""))
            due = reports.due_in_new_thread(reports.contents(table.campaign))
            if due is not None:
                services.draft(table.campaign, table.user, thread, due.key)
            messages.success(request, _("Saved. Reports are drafted for this thread from now on."))
        else:
            return _draft(request, table)
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    return see_other(back)


def set_up_thread(campaign: Campaign, user: Any, address: str) -> Thread:
    """The thread at this address, to copy and paste to. Raises `WrongSetting`."""
    return services.set_up(
        campaign,
        user,
        transport="clipboard",
        name="",
        settings={"address": address},
        dialect=services.board_at(address)[1],
        language=get_language() or "en",
    )


def _draft(request: HttpRequest, table: TableContext) -> HttpResponse:
    number = whole(request.POST.get("thread", ""))
    thread = outbox.thread(table.campaign, number) if number is not None else None
    threads = outbox.threads(table.campaign) if "thread" not in request.POST else []
    thread = threads[0] if len(threads) == 1 else thread
    if thread is None:
        raise Refused("no-thread", _("Choose where it is to be posted."))
    post = services.draft(table.campaign, table.user, thread, request.POST.get("report", ""))
    return see_other(table.url("post", post.number))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def post(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    """One report on its way: its text, its receipt, and what may be done; a POST does `do` to
    `part`.
    """
    must_be_host(table)
    one = outbox.whole(table.campaign, number)
    if one is None:
        raise Http404
    if request.method == "POST":
        return _do(request, table, one)
    head, thread = one.head, one.head.thread
    way, dialect = transport(thread.transport), DIALECTS[thread.dialect]
    gone = False
    if head.state == State.DRAFT:
        parts = reports.parts(
            head,
            table.seats,
            [user.username for user in selectors.game_masters(table.campaign, table.places)],
        )
        gone = not parts
        colours = {seat.key: seat.info.colour for seat in table.seats} if dialect.colours else {}
        shown = [
            {
                "part": n,
                "row": head,
                "subject": one_part.subject,
                "count": dialect.weight(one_part.text),
                "text": marked(
                    one_part.text,
                    marker(table.campaign, head.number, 1) if n == 1 else _("[its own mark]"),
                ),
                "look": _preview_with_host(
                    forum_reports.preview_post(one_part.report, colours, dialect.tables)
                ),
            }
            for n, one_part in enumerate(parts, 1)
        ]
    else:
        shown = [
            {
                "part": row.part,
                "row": row,
                "subject": row.subject,
                "text": row.text,
                "count": dialect.weight(row.text),
            }
            for row in one.parts
            if row.text  # none was made of a draft that was put aside or overtaken
        ]
    context = {
        **outbox_row(table, one),
        "thread": about(table, thread),
        "automatic": way.automatic,
        "shown": shown,
        "gone": gone,
        "dialect": dialect,
        "limit": reports.limit(thread),
        "language": thread.language,
        "one_by_one": len(shown) > 1,
        "waits": picture_waits(head) and not request.GET.get("now"),
        "posts_url": table.url("posts"),
        "untouched": all(not row.posted_at and not row.doubt for row in one.parts),
        "report_url": "" if head.report == reports.TEST else table.url("report", head.report),
        "corrects": [
            (old.number, old.subject, table.url("post", old.number)) for old in head.corrects.all()
        ],
        "corrected": [
            (new.number, new.subject, table.url("post", new.number))
            for new in head.corrections.all()
        ],
    }
    pending = [(row, row.edit) for row in one.parts if row.edit_at is not None]
    context["changing"] = bool(pending)
    context["changes"] = [
        (row.part, _changed_lines(row.text, text))
        for row, text in pending or outbox.rewritten(head)
    ]
    if not one.asks:
        rest = outbox.waiting(outbox.outbox(table.campaign, most=60))
        context["next"] = outbox_row(table, rest[0]) if rest else None
    context.pop("icon", None)  # in templates this is the name of a function
    return show(request, table, "forum/post.html", context, here="reports")


def _changed_lines(was: str, now: str) -> list[tuple[str, str]]:
    """The lines of a text that go, `old`, and those that come, `new`."""
    marks = {"- ": "old", "+ ": "new"}
    lines = difflib.ndiff(was.splitlines(), now.splitlines())
    return [(marks[line[:2]], line[2:]) for line in lines if line[:2] in marks and line[2:].strip()]


def _preview_with_host(look: SafeString) -> SafeString:
    """A preview whose pictures are asked of the host that the page came from: there the site may
    have another name.
    """
    site = escape(str(getattr(settings, "SITE_URL", "")).rstrip("/"))
    return SafeString(look.replace(f'src="{site}/', 'src="/'))


def _ready(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.ready(row, table.user)
    return (
        _("It is sent with the next round, within a minute.")
        if automatic(row.thread)
        else _("Its text can no longer change.")
    )


def _copied(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.copied(row, table.user, part=whole(request.POST.get("part", "")) or 1)
    return _("Its text can no longer change. Copy it, and bring back its link.")


def _posted(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.posted(
        row, table.user, request.POST.get("link", ""), part=whole(request.POST.get("part", "")) or 1
    )
    return _("Noted: it is posted.")


def _absent(table: TableContext, row: Post, request: HttpRequest) -> str:
    after = services.absent(row, table.user)
    return (
        _("It is sent again.")
        if after.state == State.READY
        else _("It is not sent again: what it reports is struck.")
    )


def _again(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.again(row, table.user)
    return _("It is tried again, within a minute.")


def _unready(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.unready(row, table.user)
    return _("It is a draft again: its text is made from the log each time.")


def _unposted(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.unposted(row, table.user)
    return _("Not posted after all: it waits for its link.")


def _aside(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.aside(row, table.user)
    return _("Skipped. It can be brought back.")


def _back(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.resume_post(row, table.user)
    return _("Brought back.")


def _edit(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.edit(row, table.user)
    return _("It is changed there within a minute.")


def _keep(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.keep(row, table.user)
    return _("What stands there stays as it is.")


DEEDS: dict[str, Callable[[TableContext, Post, HttpRequest], str]] = {
    "ready": _ready,
    "copied": _copied,
    "posted": _posted,
    "absent": _absent,
    "again": _again,
    "unready": _unready,
    "unposted": _unposted,
    "aside": _aside,
    "back": _back,
    "edit": _edit,
    "keep": _keep,
}


def _do(request: HttpRequest, table: TableContext, one: Whole) -> HttpResponse:
    deed = DEEDS.get(request.POST.get("do", ""))
    wanted = whole(request.POST.get("part", "")) or 1
    row = next((part for part in one.parts if part.part == wanted), one.head)
    if deed is not None:
        try:
            messages.success(request, deed(table, row, request))
        except TableError as error:
            if error.status == 403:
                raise
            messages.error(request, str(error))
    if (
        request.headers.get("X-Requested-With") == "fetch"
    ):  # the button that copies: the page stays as it is
        return HttpResponse(status=204)
    return see_other(
        table.url("posts")
        if request.POST.get("back") == "outbox"
        else table.url("post", one.head.number)
    )


def glance(table: TableContext) -> dict[str, Any] | None:
    """Return the outbox for the desk; None for a title without reports.

    `announcement`: whether the announcement should be posted before the start but has not been
    posted.
    """
    if reports.reporter(table.campaign) is None:
        return None
    wholes = outbox.outbox(table.campaign, most=60)
    unannounced = outbox.lacks_announcement(table.campaign, table.user, wholes)
    waiting = [
        one
        for one in outbox.waiting(wholes)
        if not (unannounced and one.head.report == reports.KEY)
    ]
    turn, there = (
        table.campaign.turn,
        [one.head for one in wholes if one.head.posted_at is not None],
    )
    return {
        "announcement": unannounced,
        "waiting": len(waiting),
        "on_way": sum(1 for one in wholes if one.moves),
        "url": table.url("posts"),
        "posted": sum(1 for one in there if one.entry is not None and one.entry.turn == turn),
        "opening": any(one.head.report == f"opening-{turn}" for one in wholes),
        "opened": any(one.report == f"opening-{turn}" for one in there),
        "new_url": table.url("new_thread") if not wholes and not table.notes.thread else "",
    }


# Where a campaign is told: set up, changed, tried out. For its game masters; credentials are typed
# here and never shown.

PREFIX = "set-"
"""Of the fields that a transport asks for."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def new(request: HttpRequest, table: TableContext) -> HttpResponse:
    """First how the posts get there, then where there is: `?transport=` is what was chosen."""
    must_be_host(table)
    key = (request.POST if request.method == "POST" else request.GET).get("transport", "")
    way = transports().get(key)
    if way is None:
        ways = [
            {"one": one, "url": f"{table.url('new_thread')}?transport={one.key}"}
            for one in transports().values()
        ]
        return show(
            request,
            table,
            "forum/thread_new.html",
            {"ways": ways, "posts_url": table.url("posts")},
            here="reports",
        )
    typed: dict[str, Any] = {
        "name": "",
        "dialect": way.dialect,
        "language": get_language() or "en",
        "limit": "",
        "tone": "",
        "at_once": False,
        "active": True,
        "kinds": reports.usual(table.campaign),
        "settings": {},
    }
    if request.method != "POST":
        return _form(request, table, way, typed)
    typed = _typed(request, way)
    if not requests.first_time(request):  # two threads of one place would post everything twice
        return see_other(table.url("posts"))
    try:
        place = services.set_up(table.campaign, table.user, transport=way.key, **_given(typed))
    except WrongSetting as error:
        requests.allow_again(request)
        return _form(request, table, way, typed, error)
    except TableError as error:
        requests.allow_again(request)
        if error.status == 403:
            raise
        messages.error(request, str(error))
        return see_other(table.url("posts"))
    if reports.may_announce(table.campaign) and reports.reporter(table.campaign) is not None:
        services.draft(table.campaign, table.user, place, reports.KEY)
    messages.success(
        request, _("Set up. Now try it out with a test post.") if way.automatic else _("Set up.")
    )
    return see_other(table.url("thread", place.pk) if way.automatic else table.url("posts"))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def thread(request: HttpRequest, table: TableContext, pk: int) -> HttpResponse:
    """One place: `do` of a POST is save, check, test, unlock, remove."""
    must_be_host(table)
    place = outbox.thread(table.campaign, pk)
    way = transports().get(place.transport) if place is not None else None
    if place is None or way is None:
        raise Http404
    if request.method != "POST":
        typed = {
            "name": place.name,
            "dialect": place.dialect,
            "language": place.language,
            "limit": place.limit or "",
            "tone": place.tone,
            "at_once": place.at_once,
            "active": place.active,
            "kinds": place.drafted,
            "settings": place.open_settings,
        }
        return _form(request, table, way, typed, thread=place)
    do = request.POST.get("do", "")
    if do == "save":
        typed = _typed(request, way)
        try:
            services.change(place, table.user, **_given(typed), active=bool(typed["active"]))
        except WrongSetting as error:
            return _form(request, table, way, typed, error, place)
        messages.success(request, _("Saved."))
        return see_other(table.url("thread", place.pk))
    if do in ("test", "check") and (
        refusal := throttle.mail(request, throttle.CHANNEL, str(table.user.pk))
    ):
        return refusal
    return _do_thread(request, table, place, do)


def _do_thread(request: HttpRequest, table: TableContext, place: Thread, do: str) -> HttpResponse:
    back = table.url("thread", place.pk)
    try:
        if do == "test":
            test_post = services.try_out(place, table.user)
            messages.success(request, _("The test post is made."))
            back = table.url("post", test_post.number)
        elif do == "check":
            _check(request, table, place)
        elif do == "unlock":
            services.unlock(place, table.user)
            messages.success(request, _("It is tried again, once, within a minute."))
        elif do == "remove":
            services.remove(place, table.user)
            messages.success(
                request,
                _("Removed, and its credentials with it. What was posted stays recorded here."),
            )
            back = table.url("posts")
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    return see_other(back)


def _check(request: HttpRequest, table: TableContext, place: Thread) -> None:
    """What the board shows of the topic, as a notice; nothing is posted."""
    try:
        topic = sending.look(place, table.user)
    except (TransportError, OutsideError) as error:
        messages.error(request, str(error))
        return
    facts = {
        "board": topic.board or threads.place_name(topic.address),
        "topic": topic.title,
        "why": topic.refusal,
    }
    if topic.refusal:
        messages.warning(
            request, _("{board}: {topic}. This account may not reply there: {why}").format(**facts)
        )
    elif transport(place.transport).automatic:
        messages.success(
            request, _("{board}: {topic}. This account may reply there.").format(**facts)
        )
    else:
        messages.success(request, _("{board}: {topic}. Guests may read it.").format(**facts))


def _typed(request: HttpRequest, way: Transport) -> dict[str, Any]:
    posted = request.POST
    return {
        "name": posted.get("name", ""),
        "dialect": posted.get("dialect", ""),
        "language": posted.get("language", ""),
        "limit": posted.get("limit", "").strip(),
        "tone": posted.get("tone", ""),
        "at_once": posted.get("at_once") == "on",
        "active": posted.get("active") == "on",
        "kinds": posted.getlist("kinds"),
        "settings": {need.key: posted.get(PREFIX + need.key, "") for need in way.needs},
    }


def _given(typed: Mapping[str, Any]) -> dict[str, Any]:
    """As the services want it. A limit that is no number is one that nobody may choose."""
    limit = whole(typed["limit"]) if typed["limit"] else None
    return {
        **{
            key: typed[key]
            for key in ("name", "settings", "dialect", "language", "kinds", "at_once", "tone")
        },
        "limit": -1 if typed["limit"] and limit is None else limit,
    }


def _form(
    request: HttpRequest,
    table: TableContext,
    way: Transport,
    typed: Mapping[str, Any],
    wrong: WrongSetting | None = None,
    thread: Thread | None = None,
) -> HttpResponse:
    errors = {wrong.field: str(wrong)} if wrong else {}
    needs = [
        {
            "need": need,
            "name": PREFIX + need.key,
            "error": errors.get(need.key, ""),
            "value": "" if need.secret else typed["settings"].get(need.key, ""),
            "kept": need.secret and thread is not None and bool(thread.sealed),
        }
        for need in way.needs
    ]
    context = {
        "way": way,
        "typed": typed,
        "needs": needs,
        "errors": errors,
        "thread": thread,
        "least": LEAST,
        "dialects": [(key, one.name, one.key == way.dialect) for key, one in DIALECTS.items()],
        "languages": site.LANGUAGES,
        "tones": [(key, str(name).split(": ", 1)[0]) for key, name in reports.TONES.items()],
        "offered": [(kind, reports.NAMES[kind]) for kind in reports.offered(table.campaign)],
        "posts_url": table.url("posts"),
        "new_url": table.url("new_thread"),
        "checkable": thread is not None and isinstance(threads.reader(thread), Showing),
    }
    return show(
        request, table, "forum/thread.html", context, here="reports", status=422 if wrong else 200
    )
