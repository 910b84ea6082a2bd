"""A game master's eyes are closed to hidden hands until they open one, which is kept for its holder
(docs/decisions/0027).

What they opened stands in their session, for an hour; pages read it from there and write nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaign import access, review, services
from campaign.models import GAME_MASTER, Look
from web.frame.campaign_page import SESSION, TableContext, campaign_page, see_other, show
from web.frame.requests import inside_this_site

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

OPEN = timedelta(hours=1)


def opened(table: TableContext, seats: Sequence[str]) -> None:
    """These hands lie open to them from now on."""
    session = table.request.session
    kept = dict(session.get(SESSION, {}))
    until = int((timezone.now() + OPEN).timestamp())
    kept[table.campaign.public_id] = {
        **kept.get(table.campaign.public_id, {}),
        **dict.fromkeys(seats, until),
    }
    session[SESSION] = kept


def closed_again(table: TableContext) -> None:
    """All hands of this campaign are closed to them again."""
    session = table.request.session
    session[SESSION] = {
        key: value
        for key, value in session.get(SESSION, {}).items()
        if key != table.campaign.public_id
    }


def closed_hands(table: TableContext, *seats: str) -> dict[str, Any] | None:
    """What a page says of a hand that is closed to its game master, all hands where none is named;
    None where they see it.
    """
    if table.access.eyes is None or not table.game_master:
        return None
    every = [
        seat.key
        for seat in table.seats
        if seat.holder is not None and (not seats or seat.key in seats)
    ]
    closed = [key for key in every if not table.access.opens(key)]
    if not closed:
        return None
    names = [(key, table.name_of(key), ", ".join(table.holders(key))) for key in closed]
    return {
        "url": table.url("look", closed[0] if len(closed) == 1 else "all"),
        "seats": names,
        "back": table.request.path,
    }


def looks_url(table: TableContext, seat: str) -> str:
    """Where the seat's holder reads who looked at its hand, and the game master when they did;
    empty for everybody else.
    """
    campaign = table.campaign
    allowed = seat in table.own_seats or (table.game_master and access.hides(campaign))
    if table.solo or not campaign.started or not allowed:
        return ""
    return table.url("looks", seat) if seat in table.own_seats or table.holders(seat) else ""


def looks_links(table: TableContext) -> list[dict[str, str]]:
    """The same pages of every seat whose hand is hidden, for a title's own page; none where all
    hands are open.
    """
    if not access.hides(table.campaign):
        return []
    urls = {key: looks_url(table, key) for key in table.names if key != GAME_MASTER}
    return [
        {"key": key, "name": table.name_of(key), "url": url} for key, url in urls.items() if url
    ]


def ahead(request: HttpRequest) -> bool:
    """Does a browser ask beforehand, for a page that nobody may come to look at?"""
    purposes = " ".join(
        request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Moz")
    ).lower()
    return "prefetch" in purposes or "prerender" in purposes


def not_ahead() -> HttpResponse:
    """What shows hidden hands is not fetched beforehand: it would be kept as a look."""
    answer = HttpResponse(status=503)
    answer.headers["Cache-Control"] = "no-store"
    return answer


# Looking at a hidden hand, deliberately; and who looked, for the hand's holder.

LISTED = 200
EVERY = "all"


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def open_hand_view(request: HttpRequest, table: TableContext, seat: str) -> HttpResponseBase:
    """POST opens the hand of a seat, or of `all`, to the game master for an hour, which is kept for
    its holder; with `do` = close it closes all. A GET opens nothing.
    """
    if seat != EVERY and (seat not in table.names or seat == GAME_MASTER):
        raise Http404
    table.must_be_game_master()
    back = _back(request, table, seat)
    if request.method != "POST" or not access.hides(table.campaign):
        return see_other(back)
    if request.POST.get("do") == "close":
        closed_again(table)
        return see_other(back)
    held = [one.key for one in table.seats if one.holder is not None and seat in (EVERY, one.key)]
    for key in held:
        services.log_access(table.campaign, table.user, key, Look.Way.HAND)
    opened(table, held)
    return see_other(back)


def _back(request: HttpRequest, table: TableContext, seat: str) -> str:
    if back := inside_this_site(request, request.POST.get("back", ""), f"/c/{table.ref}/"):
        return back
    return table.home if seat == EVERY or table.pages is not None else table.url("nation", seat)


@require_safe
@campaign_page
def access_log_view(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Who looked at the hand of a seat: its holder reads of all, a game master of themselves."""
    if seat not in table.names or seat == GAME_MASTER or table.solo:
        raise Http404
    if seat not in table.own_seats and not table.game_master:
        raise PermissionDenied(_("Only the holder of a seat can read who looked at its hand."))
    looks_shown = list(
        review.of_seat(table.campaign, table.user.pk, table.access, seat)[: LISTED + 1]
    )
    context = {
        "seat": seat,
        "name": table.name_of(seat),
        "mine": seat in table.own_seats,
        "looks": looks_shown[:LISTED],
        "more": len(looks_shown) > LISTED,
        "hides": access.hides(table.campaign),
        "nation_url": table.home if table.pages is not None else table.url("nation", seat),
    }
    return show(request, table, "seats/access_log.html", context, here=f"nation-{seat}")
