"""A seat's standing orders: given by its holder, read by them and the game master."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaign import practice, services
from campaign.clocks import selectors as clock_selectors
from campaign.errors import TableError
from campaign.log.texts import level_word
from campaign.models import Look, Membership, StandingOrders
from campaign.seats import seating, selectors
from campaign.seats.selectors import MOST
from engine.errors import IllegalMove
from engine.strict_json import whole
from games.contract.title import OrderField, OrderKind
from web import waiting
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.seats import hidden_hands
from web.waiting import waited_for

RADIOS = 8
"""Of more values than these one is chosen from a list."""
WHEN = {
    StandingOrders.AT_ONCE: gettext_lazy("at once"),
    StandingOrders.CLOCK: gettext_lazy("when my time is up"),
}


@dataclass
class Typed:
    """What was typed into a form of one kind, and what is wrong with it."""

    kind: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    when: str = StandingOrders.AT_ONCE
    at: int | None = None
    wrong: str = ""
    rule: str = ""
    status: int = 200


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def standing_orders_view(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """The orders of a seat; `?change=N` opens the N-th. A POST gives one, changes it, takes it out,
    or all of them.
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
            _("Only the holder of a seat gives it orders; the holder and the game master see them.")
        )
    if request.method == "POST":
        return _posted(request, table, seat)
    if seat not in table.own_seats:
        if hidden_hands.ahead(request):
            return hidden_hands.not_ahead()
        services.log_access(table.campaign, table.user, seat, Look.Way.ORDERS)
    if level := request.GET.get("suggest", ""):
        return _suggested(request, table, seat, level)
    return page(request, table, seat, _opened(table, seat, request.GET.get("change", "")))


def _suggested(request: HttpRequest, table: TableContext, seat: str, level: str) -> HttpResponse:
    """What a program would order: laid into the holder's form, told to a game master; nothing is
    saved by it.
    """
    try:
        order = practice.suggest(table.campaign, table.user, seat, level)
    except TableError as error:
        return _refused(request, table, seat, error, Typed())
    typed = Typed(str(order["kind"]), order) if seat in table.own_seats else Typed()
    line = selectors.order_sentence(table.campaign, order)
    return page(
        request, table, seat, typed, {"level": level, "word": level_word(level), "line": line}
    )


def _opened(table: TableContext, seat: str, asked: str) -> Typed:
    """The order that is to be changed, as it stands."""
    at = whole(asked)
    if at is None or seat not in table.own_seats:
        return Typed()
    kept = selectors.of_seat(table.campaign, table.user, seat, table.places)
    if kept is None or at >= kept.size:
        return Typed()
    one = kept.given[at]
    return Typed(one["order"]["kind"], one["order"], one["when"], at)


def _posted(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    posted, here = request.POST, table.url("standing", seat)
    version, at = whole(posted.get("version", "")), whole(posted.get("at", ""))
    known = -1 if version is None else version
    if posted.get("do") in ("take-out", "clear"):
        place = at if posted["do"] == "take-out" else None
        if posted["do"] == "take-out" and place is None:
            raise Http404
        try:
            services.countermand(table.campaign, table.user, seat, known, place)
        except TableError as error:
            return _refused(request, table, seat, error, Typed())
        messages.success(request, _("Removed."))
        return see_other(here)
    kind = next(
        (one for one in selectors.kinds(table.campaign, seat) if one.key == posted.get("kind")),
        None,
    )
    if kind is None:
        raise Http404
    typed = Typed(kind.key, _read(kind, posted), posted.get("when", ""), at)
    before = table.campaign.last_sequence
    try:
        services.order(
            table.campaign,
            table.user,
            seat,
            known,
            {"kind": kind.key, **typed.values},
            typed.when,
            at,
        )
    except IllegalMove as refusal:
        typed.wrong, typed.rule, typed.status = table.why_not(refusal), refusal.rule, 422
        return page(request, table, seat, typed)
    except TableError as error:
        return _refused(request, table, seat, error, typed)
    table.campaign.refresh_from_db()
    spoke = table.campaign.last_sequence > before
    messages.success(
        request,
        _("The order is given, and has acted: see the log.") if spoke else _("The order is given."),
    )
    return see_other(here)


def _refused(
    request: HttpRequest, table: TableContext, seat: str, error: TableError, typed: Typed
) -> HttpResponse:
    if error.status in (403, 404):
        raise error
    typed.wrong, typed.status = str(error), 409 if error.status == 409 else 422
    return page(request, table, seat, typed)


def _read(kind: OrderKind, posted: QueryDict) -> dict[str, Any]:
    """The parts of an order as a form says them; whether they mean anything the title says."""
    answers: dict[str, Any] = {}
    for one in kind.fields:
        answers[one.key] = (
            [value for value in posted.getlist(one.key)[:200] if value]
            if one.several
            else posted.get(one.key, "")
        )
    return answers


def _advisers(table: TableContext, seat: str) -> list[tuple[str, str]]:
    """The programs that may be asked for an order: by the holder, by a game master while the holder
    is away.
    """
    gone = any(away.begun for _name, away in waiting.absent(table).get(seat, ()))
    if seat not in table.own_seats and not gone:
        return []
    return [(level, level_word(level)) for level in seating.levels(table.campaign)]


def page(
    request: HttpRequest,
    table: TableContext,
    seat: str,
    typed: Typed,
    suggested: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The orders as they stand, what was forbidden of them, and the forms of others; with what a
    program suggests.
    """
    kept = selectors.of_seat(table.campaign, table.user, seat, table.places)
    mine = seat in table.own_seats
    given = kept.given if kept else []
    closed = table.campaign.ended or not table.campaign.playable
    waits = (
        []
        if table.pages is not None
        else [
            one.contest
            for one in waited_for(table)
            if one.seat == seat and one.contest is not None and _is_challenged(table, one.contest)
        ]
    )
    context = {
        "seat": seat,
        "name": table.name_of(seat),
        "mine": mine,
        "kept": kept,
        "nation_url": table.home if table.pages is not None else table.url("nation", seat),
        "here_url": table.url("standing", seat),
        "holders": ", ".join(table.holders(seat)),
        "most": MOST,
        "typed": typed,
        "given": [
            {
                "at": n,
                "line": selectors.order_sentence(table.campaign, one["order"]),
                "when": WHEN[one["when"]],
                "open": typed.at == n,
            }
            for n, one in enumerate(given)
        ],
        "skips": [
            {
                "line": selectors.order_sentence(table.campaign, one.order),
                "skip": one,
                "url": (
                    table.url("battle", one.contest)
                    if one.contest is not None and table.pages is None
                    else ""
                ),
            }
            for one in (selectors.skips(kept) if kept else [])
        ],
        "forms": (
            [form(kind, typed) for kind in selectors.kinds(table.campaign, seat)]
            if mine and not closed
            else []
        ),
        "full": len(given) >= MOST,
        "clock": clock_selectors.terms_of(table.campaign)[clock_selectors.ANSWER],
        "waits": waits,
        "closed": closed,
        "advisers": [] if closed else _advisers(table, seat),
        "suggested": suggested,
        "closed_hand": None if mine else hidden_hands.closed_hands(table, seat),
    }
    answer = show(
        request,
        table,
        "seats/standing_orders.html",
        context,
        here=f"nation-{seat}",
        status=typed.status,
    )
    add_never_cache_headers(answer)
    return answer


def _is_challenged(table: TableContext, contest: int) -> bool:
    return bool(table.rows.contests.get(contest, {}).get("status") == "challenged")


def form(kind: OrderKind, typed: Typed) -> dict[str, Any]:
    """The form of a kind, with what was typed into it."""
    here = typed.kind == kind.key
    return {
        "kind": kind,
        "here": here,
        "at": typed.at if here else None,
        "wrong": typed.wrong if here else "",
        "rule": typed.rule if here else "",
        "fields": [part(one, typed.values if here else {}) for one in kind.fields],
        "when": [
            {
                "key": key,
                "name": name,
                "chosen": (typed.when if here else StandingOrders.AT_ONCE) == key,
            }
            for key, name in WHEN.items()
        ],
    }


def part(one: OrderField, values: Mapping[str, Any]) -> dict[str, Any]:
    value = values.get(one.key)
    chosen: Sequence[Any] = (
        value
        if isinstance(value, list)
        else [value or (one.values[0][0] if one.values and not one.several else "")]
    )
    return {
        "field": one,
        "long": not one.several and len(one.values) > RADIOS,
        "values": [{"key": key, "name": name, "chosen": key in chosen} for key, name in one.values],
    }


def links(table: TableContext) -> list[dict[str, str]]:
    """The pages of orders that the reader may open, for a title's own page: their seats', the game
    master's all that are held.
    """
    if (
        not table.campaign.started
        or table.campaign.ended
        or table.solo
        or not selectors.knows_orders(table.campaign)
    ):
        return []
    held = {one.seat for one in table.places if one.role == Membership.Role.SEAT}
    seats = [
        key for key in table.names if key in table.own_seats or (table.game_master and key in held)
    ]
    return [
        {"key": key, "name": table.name_of(key), "url": table.url("standing", key)} for key in seats
    ]
