"""Talk: threads between seats, one thread; and the press, which everybody reads.

Nobody but its parties learns from any page that a thread exists: these pages have no tag, and what
is counted in the head is the reader's own (`talk.selectors`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaign import founding
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.founding import SIGHTS
from campaign.log import selectors as log
from campaign.log.talk import HEADLINE, PROCLAMATION, proclaim, proclamations, report_press
from campaign.models import LogEntry
from engine.strict_json import whole
from moderation.models import Kind
from talk import selectors, services
from talk.models import Message, Thread
from talk.selectors import LONGEST, NoSuchThread, Reader
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.log.lines import rows

SNIPPET = 120
PROCLAMATIONS = 20


# Our own small markup: *strong*, _stress_, lines that begin with > are quoted, #12 leads to an
# entry. Nothing else: no address becomes a link and no picture of anybody's is loaded.

INLINE = re.compile(
    r"\*(?P<strong>[^*\s](?:[^*\n]*[^*\s])?)\*|(?<!\w)_(?P<stress>[^_\s](?:[^_\n]*[^_\s])?)_(?!\w)|(?<![\w&])#(?P<entry>[0-9]{1,6})\b"
)


def marked_up(text: str, entry_url: Callable[[int], str]) -> SafeString:
    """A message as HTML, every letter of it escaped."""
    blocks: list[SafeString] = []
    for part in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        for quoted, lines in _runs(part.split("\n")):
            body = SafeString("<br>".join(_inline(line, entry_url) for line in lines))
            blocks.append(
                format_html("<blockquote><p>{}</p></blockquote>" if quoted else "<p>{}</p>", body)
            )
    return SafeString("".join(blocks))


def _runs(lines: Sequence[str]) -> list[tuple[bool, list[str]]]:
    """Lines that follow each other and are quoted, or are not."""
    runs: list[tuple[bool, list[str]]] = []
    for line in lines:
        quoted = line.startswith(">")
        if not runs or runs[-1][0] != quoted:
            runs.append((quoted, []))
        runs[-1][1].append(line[1:].lstrip() if quoted else line)
    return runs


def _inline(line: str, entry_url: Callable[[int], str]) -> SafeString:
    parts: list[Any] = []
    at = 0
    for hit in INLINE.finditer(line):
        parts.append(line[at : hit.start()])
        if hit["strong"]:
            parts.append(format_html("<strong>{}</strong>", hit["strong"]))
        elif hit["stress"]:
            parts.append(format_html("<em>{}</em>", hit["stress"]))
        else:
            parts.append(
                format_html('<a href="{}">#{}</a>', entry_url(int(hit["entry"])), hit["entry"])
            )
        at = hit.end()
    parts.append(line[at:])
    return format_html_join("", "{}", ((part,) for part in parts))


# The threads, and writing a first message.


class Party(NamedTuple):
    key: str
    name: str
    holder: str
    own: bool = False


class ThreadRow(NamedTuple):
    """A line of the list."""

    url: str
    parties: list[Party]
    everybody: bool
    who: Party
    snippet: str
    at: Any
    unread: int
    muted: bool
    mine: bool


def party(table: TableContext, key: str, own: bool = False) -> Party:
    return Party(key, table.name_of(key), ", ".join(table.holders(key)), own)


def reader_of(table: TableContext) -> Reader:
    """Who asks. Raises `Http404` where nobody talks, `NotAllowed` for who does not read here."""
    if table.solo or table.campaign.programs:
        raise Http404
    return selectors.reader(
        table.campaign, table.user, table.places if table.user.is_authenticated else []
    )


def may_write(table: TableContext) -> bool:
    return not table.campaign.archived and not table.user.guest


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def talk_page(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Every thread of the reader's, and a new message; POST writes it, or changes what the game
    master reads.
    """
    who = reader_of(table)
    wrong, status = "", 200
    if request.method == "POST":
        try:
            if "sight" in request.POST:
                founding.change_sight(table.campaign, request.user, request.POST["sight"])
                messages.success(
                    request, _("The rule is changed from now on. Everybody is notified.")
                )
                return see_other(table.url("talk"))
            message = _write(request, table, request.POST.getlist("to"))
        except (Refused, NotNow, NoSuchEntry) as error:
            wrong, status = str(error), error.status
        else:
            return see_other(f"{table.url('talk_thread', message.thread.key)}#m{message.number}")
    quoted = whole(request.POST.get("quoted", "") or request.GET.get("quote", ""))
    chosen = request.POST.getlist("to") or request.GET.getlist("to")
    context = {
        "threads": [_row(table, who, one) for one in selectors.threads(who)],
        "choices": [
            party(table, key)
            for key in (*(seat.key for seat in table.seats), GAME_MASTER)
            if (key,) != who.voices
        ],
        "voices": [party(table, key) for key in who.voices],
        "everybody": services.EVERYBODY,
        "chosen": chosen,
        "voice": request.POST.get("seat", ""),
        "typed": request.POST.get("text", ""),
        "wrong": wrong,
        "quoted": quoted_line(table, quoted),
        "may_write": may_write(table),
        "opened": bool(wrong or chosen or quoted is not None),
        **rule(table),
    }
    return show(request, table, "talk/talk.html", context, here="talk", status=status)


def rule(table: TableContext) -> dict[str, Any]:
    """What the game master reads, and who may change it."""
    own = table.campaign.sight
    return {
        "longest": LONGEST,
        "sight": SIGHTS[own],
        "sights": (
            [(key, text) for key, text in SIGHTS.items() if key != own]
            if table.access.chief
            else []
        ),
        "reports_url": table.url("reported") if table.host else "",
    }


def _write(request: HttpRequest, table: TableContext, to: Sequence[str]) -> Message:
    posted = request.POST
    return services.write(
        table.campaign,
        request.user,
        to,
        posted.get("text", "").replace("\r\n", "\n"),
        seat=posted.get("seat", ""),
        quoted=whole(posted.get("quoted", "")),
    )


def _row(table: TableContext, who: Reader, one: selectors.Row) -> ThreadRow:
    text = " ".join((one.last.text or one.last.gap).split())
    return ThreadRow(
        f"{table.url('talk_thread', one.thread.key)}#m{one.last.number}",
        parties(table, who, one.thread),
        one.thread.everybody,
        party(table, one.last.seat, one.last.seat in who.seats),
        text[:SNIPPET] + ("…" if len(text) > SNIPPET else ""),
        one.last.at,
        one.unread,
        one.muted,
        one.mine,
    )


def parties(table: TableContext, who: Reader, thread: Thread) -> list[Party]:
    return [
        party(table, key)
        for key in selectors.companions(who, thread, {seat.key: seat.name for seat in table.seats})
    ]


def quoted_line(table: TableContext, number: int | None) -> Any:
    """An entry of the log in words, as this reader sees it; None where there is none."""
    if number is None:
        return None
    try:
        return rows(table, [log.entry(table.campaign, table.user, number)])[0]
    except NoSuchEntry:
        return None


# One thread.


class Shown(NamedTuple):
    """A message on its page. `person` is who wrote it; `before` marks the first that was new."""

    number: int
    party: Party
    person: str
    html: SafeString
    gap: str
    report: str
    quote: Any
    at: Any
    own: bool
    new: bool


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def thread_page(request: HttpRequest, table: TableContext, key: str) -> HttpResponseBase:
    """The messages of a thread, the oldest first; POST answers or mutes. To look at it is to have
    read it.
    """
    who = reader_of(table)
    try:
        thread = selectors.thread_of(who, key)
        wrong, status = "", 200
        if request.method == "POST":
            try:
                return see_other(_done(request, table, who, thread))
            except (Refused, NotNow, NoSuchEntry) as error:
                wrong, status = str(error), error.status
    except NoSuchThread as error:
        raise Http404 from error
    unread, muted = selectors.mark(who, thread)
    written = selectors.messages(who).filter(thread=thread)
    before = whole(request.GET.get("before", ""))
    older = written.filter(number__lt=before) if before is not None else written
    shown = list(older.order_by("-number")[: selectors.PAGE])[::-1]
    first_new = {one.number for one in written.order_by("-number")[:unread]} if unread else set()
    if request.method == "GET" and unread:
        services.read_on(who, thread)
        table.notes = replace(
            table.notes, talk_new=max(0, table.notes.talk_new - (0 if muted else unread))
        )
    lines = _quotes(table, shown)
    context = {
        "thread": thread,
        "parties": parties(table, who, thread),
        "messages_shown": [
            Shown(
                one.number,
                party(table, one.seat, one.seat in who.seats),
                one.author.username,
                marked_up(one.text, lambda number: table.url("entry", number)),
                one.gap,
                _report_url(who, one),
                lines.get(one.quoted_id or 0),
                one.at,
                one.author_id == request.user.pk,
                one.number in first_new,
            )
            for one in shown
        ],
        "older": (
            shown[0].number
            if shown and written.filter(number__lt=shown[0].number).exists()
            else None
        ),
        "voices": [party(table, seat) for seat in who.voices_in(thread)],
        "mine": who.belongs(thread),
        "muted": muted,
        "typed": request.POST.get("text", "") if wrong else "",
        "wrong": wrong,
        "quoted": quoted_line(
            table, whole(request.POST.get("quoted", "") or request.GET.get("quote", ""))
        ),
        "may_write": may_write(table) and who.belongs(thread),
        **rule(table),
    }
    return show(request, table, "talk/thread.html", context, here="talk", status=status)


def _done(request: HttpRequest, table: TableContext, who: Reader, thread: Thread) -> str:
    """What a form of a thread's page asked for, and where it leads."""
    here, do = table.url("talk_thread", thread.key), request.POST.get("do", "")
    if do in ("mute", "unmute"):
        services.mute(who, thread, do == "mute")
        return here
    if not who.belongs(thread):
        raise NoSuchThread
    seats = [services.EVERYBODY] if thread.everybody else list(thread.seats)
    voice = request.POST.get("seat", "") or who.voices_in(thread)[0]
    if voice not in who.voices_in(thread):
        raise Refused("not-your-seat", _("You do not hold this seat."))
    message = services.write(
        table.campaign,
        request.user,
        seats,
        request.POST.get("text", "").replace("\r\n", "\n"),
        seat=voice,
        quoted=whole(request.POST.get("quoted", "")),
    )
    return f"{here}#m{message.number}"


def _report_url(who: Reader, one: Message) -> str:
    """Where the reader reports a message; empty where it is theirs, or gone, or they only
    look on.
    """
    if one.removed or one.author_id == who.user.pk or who.user.guest or not who.belongs(one.thread):
        return ""
    return reverse("report_text", args=[Kind.MESSAGE, f"{one.thread.key}.{one.number}"])


def _quotes(table: TableContext, shown: Iterable[Message]) -> dict[int, Any]:
    """The quoted entries in words, by their keys, as this reader sees them."""
    quoted = {one.quoted_id: one.quoted for one in shown if one.quoted is not None}
    return {pk: quoted_line(table, entry.number) for pk, entry in quoted.items() if pk is not None}


@require_safe
@campaign_page
def messages_file(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Everything that the reader may read here, as one text to keep: beside the audit pack, which
    is the same for everybody.
    """
    who = reader_of(table)
    names = {seat.key: seat.name for seat in table.seats}
    by_thread: dict[int, list[Message]] = {}
    for one in selectors.messages(who):
        by_thread.setdefault(one.thread_id, []).append(one)
    parts = [f"{table.campaign.name}\n{table.url('talk')}\n"]
    for written in by_thread.values():
        thread = written[0].thread
        keys = [*names, GAME_MASTER] if thread.everybody else thread.seats
        heading = (
            _("To the whole table")
            if thread.everybody
            else " · ".join(table.name_of(key) for key in keys)
        )
        parts.append(f"\n{'=' * 72}\n{heading}\n")
        for one in written:
            quote = f" (#{one.quoted.number})" if one.quoted is not None else ""
            text = one.gap or one.text
            at = timezone.localtime(one.at, UTC)
            parts.append(
                f"\n[{at:%Y-%m-%d %H:%M} UTC] {table.name_of(one.seat)}"
                f" ({one.author.username}){quote}\n{text}\n"
            )
    answer = HttpResponse("".join(parts), content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.campaign.address}-talk.txt"'
    return answer


# The press.


def _proclaimed(table: TableContext, one: LogEntry) -> SafeString:
    """Its text; nothing where it is removed, which stands in the place of the headline."""
    return (
        SafeString("")
        if one.removed
        else marked_up(one.content["text"], lambda number: table.url("entry", number))
    )


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def press_page(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Every proclamation, the latest first; POST publishes one, or says whether reports
    carry them.
    """
    if table.campaign.programs:
        raise Http404
    voices = (*table.own_seats, *((GAME_MASTER,) if table.host else ()))
    wrong, status, posted = "", 200, request.POST
    if request.method == "POST":
        if not request.user.is_authenticated:
            raise NotAllowed(
                "not-at-the-table",
                _(
                    "Only people who hold a seat at this table, and the game master, can write"
                    " here."
                ),
            )
        try:
            if posted.get("do") == "report":
                report_press(table.campaign, request.user, "on" in posted)
                messages.success(request, _("Saved."))
                return see_other(table.url("press"))
            entry = proclaim(
                table.campaign,
                request.user,
                posted.get("headline", ""),
                posted.get("text", "").replace("\r\n", "\n"),
                posted.get("seat", ""),
            )
        except (Refused, NotNow) as error:
            wrong, status = str(error), error.status
        else:
            messages.success(request, _("Published. Everybody reads it."))
            return see_other(f"{table.url('press')}#e{entry.number}")
    every = proclamations(table.campaign)
    before = whole(request.GET.get("before", ""))
    every = every.filter(number__lt=before) if before is not None else every
    entries: list[LogEntry] = list(every[: PROCLAMATIONS + 1])
    context = {
        "published": [
            {
                "number": one.number,
                "party": party(table, one.seat),
                "person": one.actor.username if one.actor else "",
                "headline": one.content["headline"],
                "html": _proclaimed(table, one),
                "at": one.at,
                "turn": one.turn,
                "report": not one.removed,
                "author": one.actor_id,
                "url": table.url("entry", one.number),
            }
            for one in entries[:PROCLAMATIONS]
        ],
        "older": entries[PROCLAMATIONS - 1].number if len(entries) > PROCLAMATIONS else None,
        "voices": [party(table, key) for key in voices],
        "may_write": bool(voices) and may_write(table),
        "headline": posted.get("headline", ""),
        "typed": posted.get("text", ""),
        "voice": posted.get("seat", ""),
        "wrong": wrong,
        "headline_longest": HEADLINE,
        "longest": PROCLAMATION,
    }
    return show(request, table, "talk/press.html", context, here="press", status=status)
