"""Views of a title's board: the page, the moves of its forms, and automatic play."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import automatic_moves, services
from campaign.errors import NotNow, Refused, TableMovedOn
from campaign.log import selectors
from campaign.log.talk import LONGEST, talk
from campaign.models import AccessLogEntry
from engine.errors import IllegalMove
from web.board.forms import STOP, BoardForm, PlayOnForm, TalkForm
from web.board.page import NOTHING_TRIED, Attempt, board_page
from web.board.playing_rights import must_play, own_pages, refusal_of, voice
from web.frame import throttle
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.requests import since
from web.frame.table import TableContext
from web.log.talk import unsent_key
from web.tasks import ask_to_finish

BARE = "tabula.bare"
"""Set in a request whose browser already has the board: the unchanging parts are left out."""
REFUSED = 422
CONFLICT = 409


def show_board(
    request: HttpRequest, table: TableContext, attempt: Attempt = NOTHING_TRIED
) -> HttpResponse:
    """Show the title's page. After a refused form, the fields contain what was typed."""
    page = board_page(request, table, attempt, is_bare=BARE in request.META)
    context = {"page": page}
    return show(request, table, page.template, context, tab="table", status=attempt.status)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def act(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Play the move of a form of the title's page."""
    own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    must_play(table)
    form = BoardForm(request.POST)
    try:
        result = play_move(table, form)
    except TableMovedOn as error:
        if error.again:
            return story_from(table, error.again[0].number)
        lines = selectors.lines(table.campaign, request.user, error.entries)
        return show_board(
            request, table, Attempt(form.title_fields, moved=lines, status=error.status)
        )
    except NotNow as refusal:
        why = {"sentence": str(refusal), "rule": "", "code": refusal.code}
        return show_board(request, table, Attempt(form.title_fields, why, status=CONFLICT))
    except IllegalMove as refusal:
        why = refusal_of(table, refusal)
        return show_board(request, table, Attempt(form.title_fields, why, status=REFUSED))
    first = result.entries[0].number
    if form.way_after and not result.campaign.ended:
        play_on_now(request, table, form.way_after, asked=False)
    return story_from(table, first)


def play_move(table: TableContext, form: BoardForm) -> services.Result:
    """Play the move that a form describes on the position of its page.

    Raise the refusals of the rules and of the table.
    """
    position = position_of_form(table, form.seen_entry)
    move = voice(table).speak(own_pages(table).read_move(position, form.title_fields))
    if "for" in move:
        services.log_access(table.campaign, table.user, move["for"], AccessLogEntry.Way.MOVE)
    return services.play(table.campaign, table.user, move, form.seen_entry)


def position_of_form(table: TableContext, seen: int) -> Any:
    """Return the position on which the user filled in a form.

    Raise `TableMovedOn` if that position is not available.
    """
    moved = since(table, seen)
    if not moved:
        return table.position
    shown = services.page_position_at(table.campaign, table.access, seen)
    if shown.position is None:
        raise TableMovedOn([line.entry for line in moved])
    return shown.position


def story_from(table: TableContext, number: int | None) -> HttpResponse:
    """Redirect to the table, where the story begins at this entry."""
    return see_other(table.home + (f"?told={number}" if number is not None else ""))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def play_on(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Start or stop automatic play."""
    own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    must_play(table)
    form = PlayOnForm(request.POST)
    if form.way == STOP:
        automatic_moves.stop(table.campaign)
        return redirect(table.home)
    if not form.way or table.campaign.ended:
        return redirect(table.home)
    moved = since(table, form.seen_entry)
    if not moved:
        return story_from(table, play_on_now(request, table, form.way))
    if form.way == automatic_moves.ON:  # It means the same after some of the automatic moves.
        play_on_if_possible(request, table)
    # The reader's own move means that a button was pressed twice.
    elif form.way != automatic_moves.STEP and moved[0].entry.actor_id != request.user.pk:
        text = _("The table has moved on since you opened that page. This is the current position.")
        messages.info(request, text)
    return story_from(table, moved[0].number)


def play_on_if_possible(request: HttpRequest, table: TableContext) -> None:
    """Continue with the automatic moves that are left, unless the table does so already."""
    campaign = table.campaign
    if not campaign.ended and campaign.onward is None:
        play_on_now(request, table, automatic_moves.ON, asked=False)


def play_on_now(
    request: HttpRequest, table: TableContext, way: str, *, asked: bool = True
) -> int | None:
    """Play on in one of `automatic_moves.WAYS`: the first moves now, the rest in the worker.

    Return the first entry. If automatic play was not asked for but follows a move, there is no
    message when it has nothing to do.
    """
    if not automatic_moves.begin(table.campaign, request.user, way):
        messages.info(request, _("The game is already going on automatically."))
        return None
    share = automatic_moves.advance(table.campaign.pk, automatic_moves.SHARE, automatic_moves.MOST)
    if share.more:
        ask_to_finish(table.campaign.pk)
    elif isinstance(share.refused, IllegalMove):
        messages.error(request, table.why_not(share.refused))
    elif share.refused is not None:
        messages.error(request, str(share.refused))
    elif not share.moves and asked:
        messages.info(request, _("Someone must decide first: the game cannot go on automatically."))
    return share.first


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def talk_view(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Post a message to the table. A refused message is shown in the field again."""
    own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    text = TalkForm(request.POST).text_of("text")
    if table.access.voices:
        wait = throttle.spend(request, throttle.TALK, f"user {request.user.pk}")
        if wait:
            request.session[unsent_key(table)] = text[:LONGEST]
            return throttle.refused(request, wait)
    try:
        talk(table.campaign, request.user, text)
    except (Refused, NotNow) as error:
        messages.error(request, str(error))
        request.session[unsent_key(table)] = text[:LONGEST]
    return see_other(table.home + "#talk")
