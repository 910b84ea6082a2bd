"""Undo: the game master strikes or restores moves, seats take their own back."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from campaign import services
from campaign.errors import CannotUndo, NotOfThisTable, TableError, TableMovedOn
from campaign.log import undo as log_undo
from campaign.models import LogEntry
from games.contract.pages import Pages
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.table import TableContext
from web.moves.deeds import Deed, attempt, speaker
from web.undo.after_undo import after_undo_page
from web.undo.forms import RewindForm, TakeBackForm
from web.undo.page import rewind_page
from web.undo.take_back import chosen, last_moves, own_undo_page, take_back_page, undo_to_restore


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def rewind(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show what an undo (`?entry=` the last that stays) or a restoration (`?undo=`) would change;
    without either ask for an entry. A POST does it.
    """
    table.must_be_game_master()
    is_post, deed = request.method == "POST", None
    form = RewindForm(request.POST if is_post else request.GET)
    if is_post:
        entry, deed = confirm_rewind(table, form, request.POST)
        if entry is not None:
            done = table.home if form.restores else table.url("after_undo", entry.number)
            return redirect(done)
    page = rewind_page(table, form, deed)
    return show(request, table, "undo/rewind.html", {"page": page}, status=page.status)


def confirm_rewind(
    table: TableContext, form: RewindForm, posted: QueryDict
) -> tuple[LogEntry | None, Deed]:
    """Strike or restore what the form names. Return the entry of the act, or why there is none."""
    number = form.target
    if number is None:
        wrong = (
            _("Choose the undo to be taken back.")
            if form.restores
            else _("Choose the entry after which everything is struck.")
        )
        return None, Deed(wrong=wrong, field="entry")
    written: list[LogEntry] = []
    act = services.restore if form.restores else services.undo_to

    def do(seen: int) -> None:
        written.append(act(table.campaign, table.user, number, form.typed("reason"), seen))

    deed = attempt(table, do, posted)
    if not written:
        return None, deed
    if form.restores:  # of an undo the next page says it first
        text = _("What entry %(number)s had struck is in force again.")
        messages.success(table.request, text % {"number": number})
    return written[0], deed


@require_safe
@campaign_page
def after_undo(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """Show the state of the campaign after an undo.

    Once someone has played on, and for a title with a page of its own, lead to the struck branch.
    """
    table.must_be_game_master()
    try:
        turn, back = log_undo.restored(table.campaign, number)
    except CannotUndo:
        return redirect(table.url("branch", number))
    if table.pages is not None or table.solo:
        return redirect(table.url("branch", number))
    page = after_undo_page(table, turn, back)
    scripts = page.own.scripts if page.own else ()
    context = {"page": page}
    return show(request, table, "undo/after_undo.html", context, tab="log", scripts=scripts)


@require_http_methods(["GET", "POST"])
@campaign_page
def undo(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Let a seat take its moves back, all from that of `to` on; a GET asks first."""
    if table.pages is not None:
        return take_back(request, table, table.pages)
    if not table.own_seats:
        raise PermissionDenied(_("Only the holder of a seat takes its moves back."))
    is_post = request.method == "POST"
    form = TakeBackForm(request.POST if is_post else request.GET)
    try:
        mine = services.own_undos(table.campaign, table.access)
        gone = services.until(mine, form.first_struck)
    except CannotUndo as error:
        messages.error(request, str(error))
        return redirect(table.home)
    deed = speaker(table).deed(gone[0].content)
    if not is_post:
        page = own_undo_page(table, mine, gone, deed)
        return show(request, table, "undo/own_undo.html", {"page": page})
    undo_own_moves(request, table, form, gone, deed)
    return see_other(table.url("nation", gone[0].seat))


def undo_own_moves(
    request: HttpRequest, table: TableContext, form: TakeBackForm, gone: list[LogEntry], deed: str
) -> None:
    """Strike the moves and leave a message for the reader."""
    first = gone[-1].number if len(gone) > 1 else None
    try:
        services.undo_own(table.campaign, request.user, form.seen_entry, first)
    except NotOfThisTable as error:
        messages.error(request, str(error))
    except TableMovedOn:
        messages.error(
            request, _("The table has moved on since this page was made. Nothing was undone.")
        )
    except CannotUndo as error:
        messages.error(request, str(error))
    else:
        text = ngettext(
            "%(move)s undone. The entry stays readable.",
            "%(n)s moves undone. They stay readable.",
            len(gone),
        )
        messages.success(request, text % {"move": deed, "n": len(gone)})


# A title with a page of its own


def take_back(request: HttpRequest, table: TableContext, pages: Pages) -> HttpResponse:
    """Show what can be taken back: `?to=` is the first entry to be struck. A POST strikes, or
    restores (`do=restore`).
    """
    if not table.own_seats and not table.game_master:
        raise PermissionDenied(_("Only people who play here take moves back."))
    if request.method == "POST":
        return confirm_take_back(request, table, TakeBackForm(request.POST))
    page = take_back_page(table, pages, TakeBackForm(request.GET).typed("to"))
    return show(request, table, "undo/take_back.html", {"page": page})


def confirm_take_back(
    request: HttpRequest, table: TableContext, form: TakeBackForm
) -> HttpResponse:
    act = restore_last if form.restores else strike_last
    try:
        messages.success(request, act(table, form))
    except TableMovedOn:
        messages.error(
            request, _("The table has moved on since that page was made. Nothing was taken back.")
        )
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
        return see_other(table.url("undo"))
    return see_other(table.home)


def restore_last(table: TableContext, form: TakeBackForm) -> str:
    """Restore what was taken back last, and return the message for the reader."""
    undone = undo_to_restore(table)
    if undone is None:
        raise CannotUndo("nothing", _("There is nothing to restore."))
    services.restore(table.campaign, table.user, undone, form.typed("reason"), form.seen_entry)
    return _("It is in force again.")


def strike_last(table: TableContext, form: TakeBackForm) -> str:
    """Strike the moves from one on, and return the message for the reader."""
    back = chosen(table, last_moves(table), form.typed("to"))
    if back is None:
        raise CannotUndo("nothing", _("There is nothing to take back."))
    if back.own:
        services.undo_own(table.campaign, table.user, form.seen_entry, back.number)
    else:
        services.undo_to(
            table.campaign, table.user, back.number - 1, form.typed("reason"), form.seen_entry
        )
    return _("Taken back. What is struck stays readable in the log.")
