"""The page of a title on its board, the moves of its forms, and what is played on automatically."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import playing_on, services
from campaign.errors import NotNow, Refused, TableMovedOn
from campaign.log import selectors
from campaign.log.talk import LONGEST, talk
from campaign.models import AccessLogEntry
from engine.errors import IllegalMove
from web.board.forms import STOP, BoardForm, PlayOnForm, TalkForm
from web.board.page import NOTHING_TRIED, Attempt, board_page
from web.board.voices import must_play, own_pages, refusal_of, voice
from web.frame import throttle
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.requests import since
from web.frame.table import TableContext
from web.log.talk import unsent_key
from web.tasks import ask_to_finish

BARE = "tabula.bare"
"""Set for a request whose browser has the board already: what never changes is left out."""
REFUSED = 422
CONFLICT = 409


def show_board(
    request: HttpRequest, table: TableContext, attempt: Attempt = NOTHING_TRIED
) -> HttpResponse:
    """Show the title's page. After a form that was not accepted, what was typed is in it again."""
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
    """Play the move that a form says on the position of its page. Raises what the rules and the
    table refuse.
    """
    position = position_of_form(table, form.seen_entry)
    move = voice(table).speak(own_pages(table).asked(position, form.title_fields))
    if "for" in move:
        services.log_access(table.campaign, table.user, move["for"], AccessLogEntry.Way.MOVE)
    return services.play(table.campaign, table.user, move, form.seen_entry)


def position_of_form(table: TableContext, seen: int) -> Any:
    """Return the position on which the user filled in a form. Raises `TableMovedOn` if there is
    none.
    """
    moved = since(table, seen)
    if not moved:
        return table.position
    shown = services.shown_at(table.campaign, table.access, seen)
    if shown.position is None:
        raise TableMovedOn([line.entry for line in moved])
    return shown.position


def story_from(table: TableContext, number: int | None) -> HttpResponse:
    """Lead back to the table, where the story begins at this entry."""
    return see_other(table.home + (f"?told={number}" if number is not None else ""))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def play_on(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Play on, or stop playing on."""
    own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    must_play(table)
    form = PlayOnForm(request.POST)
    if form.way == STOP:
        playing_on.stop(table.campaign)
        return redirect(table.home)
    if not form.way or table.campaign.ended:
        return redirect(table.home)
    moved = since(table, form.seen_entry)
    if not moved:
        return story_from(table, play_on_now(request, table, form.way))
    if moved[0].entry.actor_id != request.user.pk:  # their own: a button pressed twice
        text = _("The table has moved on since that page was made. This is the position now.")
        messages.info(request, text)
    return story_from(table, moved[0].number)


def play_on_now(
    request: HttpRequest, table: TableContext, way: str, *, asked: bool = True
) -> int | None:
    """Play on in one of `playing_on.WAYS`: the first moves now, the rest in the worker.

    Return the first entry. If it was not `asked` for but follows a move, the page has no message
    when nothing goes on.
    """
    if not playing_on.begin(table.campaign, request.user, way):
        messages.info(request, _("This table is being played on already."))
        return None
    share = playing_on.advance(table.campaign.pk, playing_on.SHARE, playing_on.MOST)
    if share.more:
        ask_to_finish(table.campaign.pk)
    elif isinstance(share.refused, IllegalMove):
        messages.error(request, table.why_not(share.refused))
    elif share.refused is not None:
        messages.error(request, str(share.refused))
    elif not share.moves and asked:
        messages.info(request, _("Somebody must decide first: nothing goes on automatically."))
    return share.first


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def talk_view(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Say something to the table. What cannot be said is in the field again."""
    own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    text = TalkForm(request.POST).typed("text")
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
