"""Views of undo: the game master strikes or restores moves, seats take back their own."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from campaign import services
from campaign.errors import CannotUndo, TableError, TableMovedOn, WrongCampaign
from campaign.log import undo as log_undo
from campaign.models import LogEntry
from games.contract.pages import Pages
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.parts import part_alone
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome, attempt, move_words_of
from web.undo.after_undo import after_undo_page
from web.undo.forms import LastUndoForm, RewindForm, TakeBackForm
from web.undo.last import ask_master, last_undo_page, undo_last
from web.undo.page import rewind_page
from web.undo.take_back import chosen, last_moves, own_undo_page, take_back_page, undo_to_restore


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def rewind(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show what an undo or a restoration would change; on POST carry it out.

    `?entry=` is the last entry that remains, `?undo=` the undo to be restored; without either the
    page asks for an entry.
    """
    table.must_be_game_master()
    is_post, outcome = request.method == "POST", None
    form = RewindForm(request.POST if is_post else request.GET)
    if is_post:
        entry, outcome = confirm_rewind(table, form, request.POST)
        if entry is not None:
            done = table.home if form.restores else table.url("after_undo", entry.number)
            return redirect(done)
    page = rewind_page(table, form, outcome)
    return show(request, table, "undo/rewind.html", {"page": page}, status=page.status)


def confirm_rewind(
    table: TableContext, form: RewindForm, post_data: QueryDict
) -> tuple[LogEntry | None, ActionOutcome]:
    """Strike or restore as the form asks. Return the entry of the act, or the refusal."""
    number = form.target
    if number is None:
        wrong = (
            _("Choose the undo that you want to take back.")
            if form.restores
            else _("Choose the entry after which everything is struck.")
        )
        return None, ActionOutcome(wrong=wrong, field="entry")
    written: list[LogEntry] = []
    act = services.restore if form.restores else services.undo_to

    def do(seen: int) -> None:
        written.append(act(table.campaign, table.user, number, form.text_of("reason"), seen))

    outcome = attempt(table, do, post_data)
    if not written:
        return None, outcome
    if form.restores:  # after an undo the next page shows it first
        text = _("What entry %(number)s had struck is in force again.")
        messages.success(table.request, text % {"number": number})
    return written[0], outcome


@require_safe
@campaign_page
def after_undo(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """Show the state of the campaign after an undo.

    Redirect to the struck branch once a move has been played, and for a title with its own page.
    """
    table.must_be_game_master()
    try:
        turn, back = log_undo.restoration(table.campaign, number)
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
    """Let a seat take back its moves, from the move `to` on; a GET asks for confirmation."""
    if table.pages is not None:
        return take_back(request, table, table.pages)
    if not table.own_seats:
        raise PermissionDenied(_("Only the holder of a seat can take its moves back."))
    is_post = request.method == "POST"
    form = TakeBackForm(request.POST if is_post else request.GET)
    try:
        mine = services.own_undos(table.campaign, table.access)
        gone = services.moves_from(mine, form.first_struck)
    except CannotUndo as error:
        messages.error(request, str(error))
        return redirect(table.home)
    move_name = move_words_of(table).move_noun(gone[0].content)
    if not is_post:
        page = own_undo_page(table, mine, gone, move_name)
        return show(request, table, "undo/own_undo.html", {"page": page})
    undo_own_moves(request, table, form, gone, move_name)
    return see_other(table.url("nation", gone[0].seat))


def undo_own_moves(
    request: HttpRequest,
    table: TableContext,
    form: TakeBackForm,
    gone: list[LogEntry],
    move_name: str,
) -> None:
    """Strike the moves and leave a message for the reader."""
    first = gone[-1].number if len(gone) > 1 else None
    try:
        services.undo_own(table.campaign, request.user, form.seen_entry, first)
    except WrongCampaign as error:
        messages.error(request, str(error))
    except TableMovedOn:
        messages.error(
            request, _("The table has moved on since this page was made. Nothing was undone.")
        )
    except CannotUndo as error:
        messages.error(request, str(error))
    else:
        text = (
            _("%(move)s undone. The entry stays readable.")
            if len(gone) == 1
            else ngettext(
                "%(n)s move undone. It stays readable.",
                "%(n)s moves undone. They stay readable.",
                len(gone),
            )
        )
        messages.success(request, text % {"move": move_name, "n": len(gone)})


# The last decision

PANEL = "undo-panel"
"""The element into which a page loads the panel of the last decision."""
RESTORE, ASK = "restore", "ask"


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def last_undo(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show what the undo of the last decision changes; on POST do it, restore it, or ask for it."""
    if not table.own_seats and not table.host:
        raise PermissionDenied(_("Only people who play here can take moves back."))
    if request.method == "POST":
        return confirm_last_undo(request, table, LastUndoForm(request.POST))
    context = {"page": last_undo_page(table, LastUndoForm(request.GET).text_of("back"))}
    if request.headers.get("HX-Target") == PANEL:
        return part_alone(request, table, "undo/_panel.html", context)
    return show(request, table, "undo/last_undo.html", context)


def confirm_last_undo(
    request: HttpRequest, table: TableContext, form: LastUndoForm
) -> HttpResponse:
    """Carry out what the panel asks for, and redirect to the page where it was opened."""
    try:
        done = act_of_panel(table, form)
    except TableMovedOn:
        messages.error(
            request, _("The table has moved on since that page was made. Nothing was taken back.")
        )
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    else:
        if done:
            messages.success(request, done)
    return see_other(page_after(table, form.text_of("back")))


def act_of_panel(table: TableContext, form: LastUndoForm) -> str:
    """Do what the pressed button says, and return the message for the reader."""
    if form.text_of("do") == ASK:
        return ask_master(table)
    return restore_last(table, form) if form.text_of("do") == RESTORE else undo_last(table, form)


def page_after(table: TableContext, back: str) -> str:
    """Return the table, or the page of the reader's own seat `back`."""
    if table.pages is None and back in table.own_seats:
        return table.url("nation", back)
    return table.home


# A title with a page of its own


def take_back(request: HttpRequest, table: TableContext, pages: Pages) -> HttpResponse:
    """Show the moves that can be taken back; on POST strike them, or restore (`do=restore`).

    `?to=` is the first entry to be struck.
    """
    if not table.own_seats and not table.game_master:
        raise PermissionDenied(_("Only people who play here can take moves back."))
    if request.method == "POST":
        return confirm_take_back(request, table, TakeBackForm(request.POST))
    page = take_back_page(table, pages, TakeBackForm(request.GET).text_of("to"))
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


def restore_last(table: TableContext, form: TakeBackForm | LastUndoForm) -> str:
    """Restore the moves of the last undo, and return the message for the reader."""
    undone = undo_to_restore(table)
    if undone is None:
        raise CannotUndo("nothing", _("There is nothing to restore."))
    services.restore(table.campaign, table.user, undone, form.text_of("reason"), form.seen_entry)
    return _("It is in force again.")


def strike_last(table: TableContext, form: TakeBackForm) -> str:
    """Strike the moves from the chosen one on, and return the message for the reader."""
    back = chosen(table, last_moves(table), form.text_of("to"))
    if back is None:
        raise CannotUndo("nothing", _("There is nothing to take back."))
    if back.own:
        services.undo_own(table.campaign, table.user, form.seen_entry, back.number)
    else:
        services.undo_to(
            table.campaign, table.user, back.number - 1, form.text_of("reason"), form.seen_entry
        )
    return _("Taken back. Struck moves stay readable in the log.")
