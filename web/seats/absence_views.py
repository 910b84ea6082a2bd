"""The views for absent players: absences, remedies, standing orders."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import practice, services
from campaign.errors import NoSuchEntry, TableError
from campaign.log.acts.programs import level_word
from campaign.models import GAME_MASTER, AccessLogEntry
from campaign.seats import selectors, standing_orders
from engine.errors import IllegalMove
from games.contract.title import OrderKind
from people.models import Absence, User
from web.frame import throttle
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome
from web.seats import hidden_hands
from web.seats.absence import Calendar, absence_page, announce, away_form, calendar_of
from web.seats.absence_actions import absence_actions_page, do_remedy
from web.seats.forms import (
    AbsenceForm,
    AbsenceQuery,
    OrdersForm,
    OrdersQuery,
    RemedyForm,
    order_values,
)
from web.seats.standing_orders import NOTHING_TYPED, Suggestion, TypedOrder, orders_page

# A user's absences


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def absent(request: HttpRequest) -> HttpResponse:
    """Show the reader's absences; a POST announces an absence, changes it, or takes it back.

    `?change=N` opens the form of an absence. A guest plays alone and has no absences.
    """
    user = cast(User, request.user)
    calendar = calendar_of(user)
    if request.method == "POST" and not user.guest:
        return absence_posted(request, user, calendar)
    opened = calendar.opened(AbsenceQuery(request.GET).number_of("change"))
    page = absence_page(calendar, away_form(calendar, opened), opened)
    return render(request, "seats/absence.html", {"page": page})


def absence_posted(request: HttpRequest, user: User, calendar: Calendar) -> HttpResponse:
    """Announce, change or take back an absence."""
    asked = AbsenceForm(request.POST)
    opened = opened_by(asked, calendar)
    if wait := throttle.spend(request, throttle.ABSENCE, f"user {user.pk}"):
        return throttle.refused(request, wait)
    if asked.takes_back and opened is not None:
        standing_orders.take_back_absence(user, opened.pk)
        messages.success(request, _("Absence withdrawn. Your campaigns have been notified."))
        return redirect("absence")
    form = away_form(calendar, opened, request.POST)
    try:
        accepted = announce(user, calendar, opened, form)
    except NoSuchEntry as error:
        raise Http404 from error
    if accepted:
        messages.success(
            request, _("Absence logged. People who are waiting for you can see it there.")
        )
        return redirect("absence")
    page = absence_page(calendar, form, opened)
    return render(request, "seats/absence.html", {"page": page}, status=422)


def opened_by(form: AbsenceForm, calendar: Calendar) -> Absence | None:
    """Return the absence of a form. Raises `Http404` if it is not the user's."""
    opened = calendar.opened(form.number_of("absence"))
    if form.text_of("absence") and opened is None:
        raise Http404
    return opened


# Remedies for an absent player (RULES 11)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def absence_actions(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Show the remedies for a seat; a POST does time-out, solo, both, forfeit or replace."""
    if seat not in table.names or seat == GAME_MASTER or table.solo:
        raise Http404
    table.must_be_game_master()
    if not table.campaign.started or table.campaign.ended or not table.campaign.playable:
        return see_other(table.url("desk"))
    form, do = RemedyForm(request.POST), form_key(request)
    outcome: ActionOutcome | None = None
    if request.method == "POST":
        outcome = do_remedy(table, seat, do, form)
        if outcome.done:
            return see_other(table.url("seats") if do == "replace" else table.url("remedies", seat))
    page = absence_actions_page(table, seat, form, outcome)
    status = outcome.status if outcome else 200
    return show(
        request, table, "seats/absence_actions.html", {"page": page}, tab="desk", status=status
    )


# Standing orders


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def orders(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Show the standing orders of a seat; a POST gives, changes or removes orders.

    `?change=N` opens the form of an order, and `?suggest=` shows a program's advice.
    """
    if (
        seat not in table.names
        or seat == GAME_MASTER
        or not selectors.knows_orders(table.campaign)
        or table.solo
    ):
        raise Http404
    if seat not in table.own_seats and not table.game_master:
        raise PermissionDenied(
            _(
                "Only the holder of a seat can give it orders. Only the holder and the game "
                "master can see them."
            )
        )
    if request.method == "POST":
        return orders_posted(request, table, seat, OrdersForm(request.POST))
    if seat not in table.own_seats:
        if hidden_hands.is_prefetch(request):
            return hidden_hands.refuse_prefetch()
        services.log_access(table.campaign, table.user, seat, AccessLogEntry.Way.ORDERS)
    query = OrdersQuery(request.GET)
    if level := query.text_of("suggest"):
        return suggested(request, table, seat, level)
    return show_orders(request, table, seat, opened_order(table, seat, query.number_of("change")))


def show_orders(
    request: HttpRequest,
    table: TableContext,
    seat: str,
    form_values: TypedOrder,
    suggestion: Suggestion | None = None,
) -> HttpResponse:
    """Show the orders of a seat, with the typed values of a form."""
    context = {"page": orders_page(table, seat, form_values, suggestion)}
    template, tab = "seats/standing_orders.html", f"nation-{seat}"
    answer = show(request, table, template, context, tab=tab, status=form_values.status)
    add_never_cache_headers(answer)
    return answer


def opened_order(table: TableContext, seat: str, place: int | None) -> TypedOrder:
    """Return the order that is to be changed, with its present values."""
    if place is None or seat not in table.own_seats:
        return NOTHING_TYPED
    kept = selectors.orders_of_seat(table.campaign, table.user, seat, table.places)
    if kept is None or place >= kept.size:
        return NOTHING_TYPED
    given = kept.orders[place]
    return TypedOrder(given["order"]["kind"], given["order"], given["when"], place)


def suggested(request: HttpRequest, table: TableContext, seat: str, level: str) -> HttpResponse:
    """Show the order that a program suggests. The holder gets it in the form; nothing is saved."""
    try:
        order = practice.suggest(table.campaign, table.user, seat, level)
    except TableError as error:
        return orders_refused(request, table, seat, error, NOTHING_TYPED)
    typed = TypedOrder(str(order["kind"]), order) if seat in table.own_seats else NOTHING_TYPED
    line = selectors.order_sentence(table.campaign, order)
    return show_orders(request, table, seat, typed, Suggestion(level, level_word(level), line))


def orders_posted(
    request: HttpRequest, table: TableContext, seat: str, form: OrdersForm
) -> HttpResponse:
    """Give, change or remove orders."""
    if form.removes:
        return remove_orders(request, table, seat, form)
    kinds = selectors.order_kinds(table.campaign, seat)
    kind = next((kind for kind in kinds if kind.key == form.text_of("kind")), None)
    if kind is None:
        raise Http404
    return give_order(request, table, seat, form, kind)


def remove_orders(
    request: HttpRequest, table: TableContext, seat: str, form: OrdersForm
) -> HttpResponse:
    """Remove an order, or all orders."""
    place = None if form.clears else form.number_of("at")
    if place is None and not form.clears:
        raise Http404
    try:
        services.remove_order(table.campaign, table.user, seat, form.read_version, place)
    except TableError as error:
        return orders_refused(request, table, seat, error, NOTHING_TYPED)
    messages.success(request, _("Removed."))
    return see_other(table.url("standing", seat))


def give_order(
    request: HttpRequest, table: TableContext, seat: str, form: OrdersForm, kind: OrderKind
) -> HttpResponse:
    """Give or change an order of a kind."""
    values, place = order_values(kind, request.POST), form.number_of("at")
    typed = TypedOrder(kind.key, values, form.text_of("when"), place)
    order = {"kind": kind.key, **values}
    before = table.campaign.last_sequence
    try:
        services.give_order(
            table.campaign, table.user, seat, form.read_version, order, typed.when, place
        )
    except IllegalMove as refusal:
        wrong = table.why_not(refusal)
        return show_orders(
            request, table, seat, replace(typed, wrong=wrong, rule=refusal.rule, status=422)
        )
    except TableError as error:
        return orders_refused(request, table, seat, error, typed)
    table.campaign.refresh_from_db()
    has_acted = table.campaign.last_sequence > before
    messages.success(
        request,
        _("The order has been given and has already acted: see the log.")
        if has_acted
        else _("The order has been given."),
    )
    return see_other(table.url("standing", seat))


def orders_refused(
    request: HttpRequest, table: TableContext, seat: str, error: TableError, form_values: TypedOrder
) -> HttpResponse:
    """Show the reason of a refusal."""
    if error.status in (403, 404):
        raise error
    status = 409 if error.status == 409 else 422
    return show_orders(request, table, seat, replace(form_values, wrong=str(error), status=status))
