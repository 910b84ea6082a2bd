"""Looking at a hidden hand, deliberately; and who looked, for the hand's holder."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaign import access, services
from campaign.models import Look
from campaign.review import selectors as kept
from web.seats import hidden_hands
from web.shell.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.shell.requests import inside_this_site

LISTED = 200
EVERY = "all"


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def open_hand_view(request: HttpRequest, table: TableContext, seat: str) -> HttpResponseBase:
    """POST opens the hand of a seat, or of `all`, to the game master for an hour, which is kept for its holder; with `do` = close
    it closes all. A GET opens nothing."""
    if seat != EVERY and (seat not in table.names or seat == GAME_MASTER):
        raise Http404
    table.must_be_game_master()
    back = _back(request, table, seat)
    if request.method != "POST" or not access.hides(table.campaign):
        return see_other(back)
    if request.POST.get("do") == "close":
        hidden_hands.closed_again(table)
        return see_other(back)
    held = [one.key for one in table.seats if one.holder is not None and seat in (EVERY, one.key)]
    for key in held:
        services.log_access(table.campaign, table.user, key, Look.Way.HAND)
    hidden_hands.opened(table, held)
    return see_other(back)


def _back(request: HttpRequest, table: TableContext, seat: str) -> str:
    if back := inside_this_site(request, request.POST.get("back", ""), f"/c/{table.ref}/"):
        return back
    return table.home if seat == EVERY or table.pages is not None else table.url("nation", seat)


@require_safe
@campaign_page
def access_log_view(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Who looked at the hand of a seat: its holder reads of all, a game master of himself."""
    if seat not in table.names or seat == GAME_MASTER or table.solo:
        raise Http404
    if seat not in table.own_seats and not table.game_master:
        raise PermissionDenied(_("Only the holder of a seat can read who looked at its hand."))
    looks_shown = list(kept.of_seat(table.campaign, table.user.pk, table.access, seat)[: LISTED + 1])
    context = {
        "seat": seat, "name": table.name_of(seat), "mine": seat in table.own_seats, "looks": looks_shown[:LISTED],
        "more": len(looks_shown) > LISTED, "hides": access.hides(table.campaign),
        "nation_url": table.home if table.pages is not None else table.url("nation", seat),
    }  # fmt: skip
    return show(request, table, "seats/access_log.html", context, here=f"nation-{seat}")
