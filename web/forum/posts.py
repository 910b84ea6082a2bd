"""What is told elsewhere: the outbox of a campaign and each of its posts. For its game masters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import access
from campaign.errors import Refused, TableError
from engine.strict_json import whole
from forum import services
from forum.boards import Transport, transport, transports
from forum.dialects import DIALECTS
from forum.models import Post, Thread
from forum.posts import outbox, render, reports
from forum.posts.outbox import State, Whole, automatic, marked, marker
from forum.posts.threads import LEAST, WrongSetting
from web.forum import reports as forum_reports
from web.shell import campaign_page as shell_campaign_page
from web.shell import requests, throttle
from web.shell.campaign_page import TableContext, campaign_page, see_other, show

TONES = {
    State.POSTED: "good", State.AWAITING: "warn", State.DOUBTFUL: "bad", State.FAILED: "bad", State.DRAFT: "mine",
    State.READY: "warn", State.SENDING: "mine",
}  # fmt: skip
LATEST = 5
SOON = timedelta(minutes=2)


def must_be_host(table: TableContext) -> None:
    """Raises for everybody else, and for a guest, who reaches no other people."""
    table.must_be_host()
    access.must_have_account(table.user)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def posts(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The outbox; a POST drafts the report that it names."""
    must_be_host(table)
    if request.method == "POST":
        return _draft(request, table)
    threads = outbox.threads(table.campaign)
    found = outbox.outbox(table.campaign)
    at = mark(found)
    if request.GET.get("at") == at:
        return HttpResponse(status=204)
    lines = [outbox_row(table, one) for one in found]
    context = {
        "again": f"{table.url('posts')}?at={at}",
        "every": every(found),
        "threads": [about(table, one) for one in threads],
        "new_url": table.url("new_thread"),
        "asks": [one for one in reversed(lines) if one["asks"]],
        "moves": [one for one in reversed(lines) if one["moves"]],
        "there": [one for one in lines if not (one["asks"] or one["moves"] or one["over"])],
        "over": [one for one in lines if one["over"]],
        "reports": [(item.key, item.name) for item in reports.contents(table.campaign)] if threads else [],
        "has_reports": reports.reporter(table.campaign) is not None,
        "reports_url": table.url("reports"),
        "asked": request.GET.get("report", ""),
    }
    return show(request, table, "forum/posts.html", context, here="reports")


def mark(found: list[Whole]) -> str:
    """How far all of it is: another one where the page would tell something else."""
    facts = [
        (part.pk, part.state, part.last_error, str(part.next_at), part.permalink, part.thread.locked_at is None)
        for one in found
        for part in one.parts
    ]
    return sha256(repr(facts).encode()).hexdigest()[:16]


def every(found: list[Whole]) -> int:
    """After how many seconds a page that is open looks again by itself: soon while something is being sent, rarely while
    the next try is far; 0 where nothing is on its way."""
    moving = [one.now for one in found if one.moves]
    soon = timezone.now() + SOON
    near = any(one.state == State.SENDING or (one.next_at is not None and one.next_at <= soon) for one in moving)
    return (4 if near else 60) if moving else 0


def about(table: TableContext, thread: Thread) -> dict[str, Any]:
    """A thread as the pages show it."""
    way = transport(thread.transport)
    return {
        "one": thread, "way": way.name, "automatic": way.automatic, "url": table.url("thread", thread.pk),
        "place": thread.told.get("address", ""),
    }  # fmt: skip


def outbox_row(table: TableContext, one: Whole) -> dict[str, Any]:
    """A report on its way, as a line of the outbox."""
    now, head = one.now, one.head
    return {
        "one": one, "first": head, "now": now, "asks": one.asks, "moves": one.moves, "over": head.state in outbox.OVER,
        "name": head.subject or head.report, "kind": reports.NAMES.get(head.kind, head.kind),
        "tone": TONES.get(State(now.state), ""),
        "state": now.get_state_display(), "url": table.url("post", head.number), "by_hand": not automatic(head.thread),
        "entry_url": table.url("entry", head.entry.number) if head.entry is not None and head.entry.number is not None else "",
        "parts": len(one.parts) if head.state != State.DRAFT else 0,
        "there": sum(part.settled for part in one.parts),
    }  # fmt: skip


def _draft(request: HttpRequest, table: TableContext) -> HttpResponse:
    number = whole(request.POST.get("thread", ""))
    thread = outbox.thread(table.campaign, number) if number is not None else None
    try:
        if thread is None:
            raise Refused("no-thread", _("Choose where it is to be posted."))
        made = services.draft(table.campaign, table.user, thread, request.POST.get("report", ""))
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
        return see_other(table.url("posts"))
    return see_other(table.url("post", made.number))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def post(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    """One report on its way: its text, its receipt, and what may be done; a POST does `do` to `part`."""
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
        told = reports.parts(head, table.seats, [user.username for user in table.game_masters])
        gone = not told
        colours = {seat.key: seat.info.colour for seat in table.seats} if dialect.colours else {}
        shown = [
            {
                "part": n, "row": head, "subject": one_part.subject, "count": dialect.weight(one_part.text),
                "text": marked(one_part.text, marker(table.campaign, head.number, 1) if n == 1 else _("[its own mark]")),
                "look": _preview_with_host(forum_reports.preview_post(one_part.told, colours, dialect.tables)),
            }
            for n, one_part in enumerate(told, 1)
        ]  # fmt: skip
    else:
        shown = [
            {"part": row.part, "row": row, "subject": row.subject, "text": row.text, "count": dialect.weight(row.text)}
            for row in one.parts
            if row.text  # none was made of a draft that was put aside or overtaken
        ]
    context = {
        **outbox_row(table, one), "thread": about(table, thread), "automatic": way.automatic, "shown": shown, "gone": gone,
        "dialect": dialect, "limit": reports.limit(thread), "language": thread.language, "one_by_one": len(shown) > 1,
        "posts_url": table.url("posts"), "untouched": all(not row.posted_at and not row.doubt for row in one.parts),
        "report_url": "" if head.report == reports.TEST else table.url("report", head.report),
        "corrects": [(old.number, old.subject, table.url("post", old.number)) for old in head.corrects.all()],
        "corrected": [(new.number, new.subject, table.url("post", new.number)) for new in head.corrections.all()],
    }  # fmt: skip
    if not one.asks:
        rest = outbox.waiting(outbox.outbox(table.campaign, most=60))
        context["next"] = outbox_row(table, rest[0]) if rest else None
    return show(request, table, "forum/post.html", context, here="reports")


def _preview_with_host(look: SafeString) -> SafeString:
    """A preview whose pictures are asked of the host that the page came from: there the site may have another name."""
    site = escape(str(getattr(settings, "SITE_URL", "")).rstrip("/"))
    return SafeString(look.replace(f'src="{site}/', 'src="/'))


def _ready(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.ready(row, table.user)
    return _("It goes with the next round, within a minute.") if automatic(row.thread) else _("Its text stands now.")


def _posted(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.posted(row, table.user, request.POST.get("link", ""), part=whole(request.POST.get("part", "")) or 1)
    return _("Noted: it is posted.")


def _absent(table: TableContext, row: Post, request: HttpRequest) -> str:
    after = services.absent(row, table.user)
    return _("It is sent again.") if after.state == State.READY else _("It is not sent again: what it tells is struck.")


def _again(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.again(row, table.user)
    return _("It is tried again, within a minute.")


def _unready(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.unready(row, table.user)
    return _("A draft again: its text is made from the log each time.")


def _unposted(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.unposted(row, table.user)
    return _("Not posted after all: it waits for its link.")


def _aside(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.aside(row, table.user)
    return _("Skipped. It can be brought back.")


def _back(table: TableContext, row: Post, request: HttpRequest) -> str:
    services.resume_post(row, table.user)
    return _("Brought back.")


DEEDS: dict[str, Callable[[TableContext, Post, HttpRequest], str]] = {
    "ready": _ready, "posted": _posted, "absent": _absent, "again": _again, "unready": _unready,
    "unposted": _unposted, "aside": _aside, "back": _back,
}  # fmt: skip


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
    return see_other(table.url("post", one.head.number))


def glance(table: TableContext) -> dict[str, Any] | None:
    """The outbox as the desk shows it; None for a title that tells no reports."""
    if reports.reporter(table.campaign) is None:
        return None
    found = outbox.outbox(table.campaign, most=60)
    asks = outbox.waiting(found)
    turn, there = table.campaign.turn, [one.head for one in found if one.head.posted_at is not None]
    return {
        "waiting": len(asks), "on_way": sum(1 for one in found if one.moves), "url": table.url("posts"),
        "posted": sum(1 for one in there if one.entry is not None and one.entry.turn == turn),
        "opened": any(one.report == f"opening-{turn}" for one in there),
        "new_url": table.url("new_thread") if not found and not shell_campaign_page.desk_notes(table.campaign) else "",
    }  # fmt: skip


# Where a campaign is told: set up, changed, tried out. For its game masters; credentials are typed here and never shown.

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
        ways = [{"one": one, "url": f"{table.url('new_thread')}?transport={one.key}"} for one in transports().values()]
        return show(request, table, "forum/thread_new.html", {"ways": ways, "posts_url": table.url("posts")}, here="reports")
    typed: dict[str, Any] = {
        "name": "", "dialect": way.dialect, "language": get_language() or "en", "limit": "", "tone": "",
        "at_once": False, "active": True,
        "kinds": reports.usual(table.campaign), "settings": {},
    }  # fmt: skip
    if request.method != "POST":
        return _form(request, table, way, typed)
    typed = _typed(request, way)
    if not requests.first_time(request):  # two threads of one place would post everything twice
        return see_other(table.url("posts"))
    try:
        made = services.set_up(table.campaign, table.user, transport=way.key, **_given(typed))
    except WrongSetting as error:
        requests.allow_again(request)
        return _form(request, table, way, typed, error)
    except TableError as error:
        requests.allow_again(request)
        if error.status == 403:
            raise
        messages.error(request, str(error))
        return see_other(table.url("posts"))
    messages.success(request, _("Set up. Now try it out with a test post.") if way.automatic else _("Set up."))
    return see_other(table.url("thread", made.pk) if way.automatic else table.url("posts"))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def thread(request: HttpRequest, table: TableContext, pk: int) -> HttpResponse:
    """One place: `do` of a POST is save, test, unlock, remove."""
    must_be_host(table)
    found = outbox.thread(table.campaign, pk)
    way = transports().get(found.transport) if found is not None else None
    if found is None or way is None:
        raise Http404
    if request.method != "POST":
        typed = {
            "name": found.name, "dialect": found.dialect, "language": found.language, "limit": found.limit or "",
            "tone": found.tone,
            "at_once": found.at_once, "active": found.active, "kinds": found.drafted, "settings": found.told,
        }  # fmt: skip
        return _form(request, table, way, typed, thread=found)
    do = request.POST.get("do", "")
    if do == "save":
        typed = _typed(request, way)
        try:
            services.change(found, table.user, **_given(typed), active=bool(typed["active"]))
        except WrongSetting as error:
            return _form(request, table, way, typed, error, found)
        messages.success(request, _("Saved."))
        return see_other(table.url("thread", found.pk))
    if do == "test" and (refusal := throttle.mail(request, throttle.CHANNEL, str(table.user.pk))):
        return refusal
    return _do_thread(request, table, found, do)


def _do_thread(request: HttpRequest, table: TableContext, found: Thread, do: str) -> HttpResponse:
    back = table.url("thread", found.pk)
    try:
        if do == "test":
            made = services.try_out(found, table.user)
            messages.success(request, _("The test post is made."))
            back = table.url("post", made.number)
        elif do == "unlock":
            services.unlock(found, table.user)
            messages.success(request, _("It is tried again, once, within a minute."))
        elif do == "remove":
            services.remove(found, table.user)
            messages.success(request, _("Removed, and its credentials with it. What was posted stays told here."))
            back = table.url("posts")
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    return see_other(back)


def _typed(request: HttpRequest, way: Transport) -> dict[str, Any]:
    said = request.POST
    return {
        "name": said.get("name", ""), "dialect": said.get("dialect", ""), "language": said.get("language", ""),
        "limit": said.get("limit", "").strip(), "tone": said.get("tone", ""),
        "at_once": said.get("at_once") == "on", "active": said.get("active") == "on",
        "kinds": said.getlist("kinds"), "settings": {need.key: said.get(PREFIX + need.key, "") for need in way.needs},
    }  # fmt: skip


def _given(typed: Mapping[str, Any]) -> dict[str, Any]:
    """As the services want it. A limit that is no number is one that nobody may choose."""
    limit = whole(typed["limit"]) if typed["limit"] else None
    return {
        **{key: typed[key] for key in ("name", "settings", "dialect", "language", "kinds", "at_once", "tone")},
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
            "need": need, "name": PREFIX + need.key, "error": errors.get(need.key, ""),
            "value": "" if need.secret else typed["settings"].get(need.key, ""),
            "kept": need.secret and thread is not None and bool(thread.sealed),
        }
        for need in way.needs
    ]  # fmt: skip
    context = {
        "way": way, "typed": typed, "needs": needs, "errors": errors, "thread": thread, "least": LEAST,
        "dialects": [(key, one.name, one.key == way.dialect) for key, one in DIALECTS.items()],
        "languages": site.LANGUAGES, "tones": [(key, str(name).split(": ", 1)[0]) for key, name in render.TONES.items()],
        "offered": [(kind, reports.NAMES[kind]) for kind in reports.offered(table.campaign)],
        "posts_url": table.url("posts"), "new_url": table.url("new_thread"),
    }  # fmt: skip
    return show(request, table, "forum/thread.html", context, here="reports", status=422 if wrong else 200)
