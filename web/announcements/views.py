"""Views that announce a move or preview it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from campaign import services
from campaign.errors import CannotUndo, NotNow, TableMovedOn, WrongCampaign
from campaign.log import entries, selectors
from campaign.models import GAME_MASTER, Campaign
from engine.effects import Effect
from engine.errors import IllegalMove
from web.announcements.announcement import Announcement
from web.announcements.page import (
    overtaken_move,
    question,
    refused_move,
)
from web.frame.campaign_page import campaign_page, see_other, show, whole_page
from web.frame.table import TableContext
from web.history.film import film_onward
from web.log import lines
from web.moves import own_seats
from web.moves.forms import FormRefusal
from web.nation.views import show_nation

MOVED_ON, UNPROCESSABLE = 409, 422


@require_http_methods(["GET", "POST"])
@campaign_page
def announce(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Make the posted move and return to its form; ask first if it cannot be taken back."""
    if request.method != "POST":
        return redirect(table.home)
    announcement = Announcement(table, request.POST)
    if announcement.seen > table.seen:
        return show_refused(announcement, FormRefusal(str(WrongCampaign())), MOVED_ON)
    wrong = announcement.missing_choice()
    if wrong is None:
        try:
            return ask_or_make(announcement)
        except TableMovedOn as error:
            return show_overtaken(announcement, error)
        except NotNow as refusal:
            wrong = FormRefusal(str(refusal))
        except IllegalMove as refusal:
            wrong = announcement.wrong(refusal)
    return show_form(announcement, wrong, UNPROCESSABLE)


def ask_or_make(announcement: Announcement) -> HttpResponse:
    """Make a move, or ask for the confirmation that it needs."""
    table, raw = announcement.table, announcement.raw
    if not announcement.form.is_sure:
        services.must_still_hold(table.campaign, table.user, [raw], announcement.seen)
        follow, why = announcement.actor.preview(raw)
        concerned = own_seats.of_move(table, raw)
        if why or concerned:
            page = question(announcement, follow, why, concerned)
            return show(table.request, table, "announcements/confirm.html", {"page": page})
    result = services.play(table.campaign, table.user, raw, announcement.seen)
    entry = result.entries[-1]
    if onward := film_onward(table, result.campaign, (result.entries[0].number or 1) - 1):
        return whole_page(table.request, onward)
    if entry.is_move:
        effects = [effect for effect in result.effects if table.access.sees(effect.audience)]
        confirm_move(announcement, entry.content, effects, result.campaign)
    else:
        text = _("Announced. The move is waiting for a die that is thrown elsewhere.")
        messages.success(table.request, text)
    return see_other(announcement.back)


@require_http_methods(["GET", "POST"])
@campaign_page
def preview(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the form again with its consequences, without making the move."""
    if request.method != "POST":
        return redirect(table.home)
    announcement = Announcement(table, request.POST)
    if announcement.seat != GAME_MASTER:
        return show_nation(table, announcement.seat, announcement.opened())
    return show_form(announcement, None, 200)


def show_form(announcement: Announcement, wrong: FormRefusal | None, status: int) -> HttpResponse:
    """Show the form with its error: on the nation's page, or on a page of its own."""
    if announcement.is_on_nation_page and announcement.offer is not None:
        opened = announcement.opened(wrong)
        return show_nation(announcement.table, announcement.seat, opened, status)
    return show_refused(announcement, wrong, status, with_form=True)


def show_refused(
    announcement: Announcement, wrong: FormRefusal | None, status: int, *, with_form: bool = False
) -> HttpResponse:
    table = announcement.table
    card = announcement.card(wrong) if with_form else None
    context = {"page": refused_move(announcement, card, wrong)}
    return show(table.request, table, "announcements/refused.html", context, status=status)


def show_overtaken(announcement: Announcement, error: TableMovedOn) -> HttpResponse:
    """Show the entries that others made meanwhile, and the form again if it is still valid.

    If the user has already made this very move, they have pressed the button twice.
    """
    table = announcement.table
    if error.again:
        campaign = Campaign.objects.get(pk=table.campaign.pk)
        line = selectors.lines(campaign, table.user, error.again)[-1]
        confirm_move(announcement, line.entry.content, line.effects, campaign)
        return see_other(announcement.back)
    since = lines.rows(table, selectors.lines(table.campaign, table.user, error.entries))
    wrong, foreseen = announcement.missing_choice(), None
    if wrong is None:
        try:
            foreseen = announcement.actor.preview(announcement.raw)
        except IllegalMove as refusal:
            wrong = FormRefusal(announcement.actor.sentence(refusal), refusal.rule)
    page = overtaken_move(announcement, since, wrong, foreseen, is_changed=error.changed)
    context = {"page": page}
    return show(table.request, table, "announcements/moved_on.html", context, status=MOVED_ON)


def confirm_move(
    announcement: Announcement,
    raw: Mapping[str, object],
    effects: Sequence[Effect],
    campaign: Campaign,
) -> None:
    """Leave a message about the announced move, with Undo if the reader may take it back.

    `campaign` is its row after the move.
    """
    table = announcement.table
    text = announcement.actor.words.confirmation(raw, effects)
    try:
        services.own_undo(campaign, table.access)
    except CannotUndo:
        messages.success(table.request, text)
        return
    seen = entries.known_to(campaign, table.access) - 1
    get_token(table.request)
    link = (
        '<span>{}</span> <a href="{}" hx-post="{}" hx-vals=\'{{"seen": {}}}\' hx-target="body"'
        ' hx-swap="innerHTML show:none" hx-push-url="true">{}</a>'
    )
    url, verb = table.url("undo"), pgettext("own move", "Undo")
    messages.success(table.request, format_html(link, text, url, url, seen, verb))
