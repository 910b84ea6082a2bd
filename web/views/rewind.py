"""A rewind, and a restoration, before it is confirmed: everything that it would change, then the word that does it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import life, rewinds, selectors, services
from campaign.errors import CannotUndo, NoSuchEntry, NotNow
from campaign.models import LogEntry
from campaign.rewinds import Rewind
from engine.strict_json import whole
from web import own
from web.rewinding import Listing
from web.views.common import TableContext, campaign_page, show
from web.views.deed import Deed, attempt

LISTED = 120


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def rewind(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """`?entry=` the last that stays, or `?undo=` the entry whose moves come back; without either it asks. A POST does it."""
    table.must_be_game_master()
    if request.method != "POST":
        return page(request, table, request.GET)
    entry, deed = said(table, request.POST)
    if entry is None:
        return page(request, table, request.POST, deed)
    return redirect(table.home if entry.act == "restore" else table.url("branch", entry.number))


def said(table: TableContext, posted: Any) -> tuple[LogEntry | None, Deed]:
    """Strikes, or restores, what the form names: the entry that does, or what stands in its way."""
    back, number = "undo" in posted, numbered(posted)
    if number is None:
        wrong = _("Say which undo is to be taken back.") if back else _("Choose the entry after which everything is struck.")
        return None, Deed(wrong=wrong, field="entry")
    made: list[LogEntry] = []
    act = services.restore if back else services.undo_to

    def do(seen: Any) -> None:
        made.append(act(table.campaign, table.user, number, posted.get("reason", ""), seen))

    deed = attempt(table, do, posted)
    if not made:
        return None, deed
    done = _("What entry %(number)s had struck is in force again.")
    if not back:
        done = _("Everything after entry %(number)s is struck; it stays readable in the log.")
    messages.success(table.request, done % {"number": number})
    return made[0], deed


def numbered(typed: Any) -> int | None:
    return whole(str(typed.get("undo" if "undo" in typed else "entry", "")).strip())


def page(request: HttpRequest, table: TableContext, typed: Any, deed: Deed | None = None) -> HttpResponse:
    """The list, or why there is none; with what was typed."""
    number, wrong, closed = numbered(typed), "", shut(table)
    found: Rewind | None = None
    if number is not None and not closed:
        found, wrong = foreseen(table, number, back="undo" in typed)
    asks = found is None and "undo" not in typed and not closed
    context = {
        "back": "undo" in typed,
        "number": number,
        "choices": choices(table, selectors.log(table.campaign, table.access, limit=LISTED)) if asks else [],
        "listing": Listing(table, found) if found else None,
        "own": own.of_struck(table, found.moves) if found else None,
        "wrong": closed or wrong,
        "closed": closed,
        "deed": deed,
        "beside": deed.wrong if deed and deed.field == "reason" else "",
        "reason": typed.get("reason", ""),
        "seen": table.seen,
        "from_url": table.url("desk") if table.pages is None else table.home,
    }
    status = deed.status if deed else 200
    return show(request, table, "campaign/rewind.html", context, status=404 if wrong and status == 200 else status)


def shut(table: TableContext) -> str:
    """Why nothing is struck or restored here at present, whatever entry is named; empty where it may be."""
    try:
        life.must_be_played(table.campaign, by_master=True)
    except NotNow as refusal:
        return str(refusal)
    return ""


def foreseen(table: TableContext, number: int, *, back: bool) -> tuple[Rewind | None, str]:
    """What it would turn; or nothing, and why not."""
    try:
        if back:
            return rewinds.restored(table.campaign, rewinds.of(table.campaign, number)[0]), ""
        return rewinds.to(table.campaign, number), ""
    except CannotUndo as refusal:
        return None, str(refusal)
    except NoSuchEntry:
        text = _("Entry %(number)s is no undo.") if back else _("The log has no entry %(number)s.")
        return None, text % {"number": number}


def choices(table: TableContext, latest: list[selectors.Line]) -> list[dict[str, Any]]:
    """The entries among these that one can go back to, the newest first: moves in force, and the beginning."""
    found = [
        line for line in latest if line.number is not None and ((line.entry.is_move and not line.struck) or line.number == 0)
    ]
    return [{"number": line.number, "text": f"{line.number} · {name(table, line)}{line.text}"[:90]} for line in found][1:]


def name(table: TableContext, line: selectors.Line) -> str:
    return f"{table.name_of(line.entry.seat)}: " if line.entry.seat else ""
