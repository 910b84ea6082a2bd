"""Who sits where: invitations, for the game master."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from campaign import services
from campaign.errors import TableError
from campaign.models import Campaign, Invitation
from people.validators import zones
from web.views.common import TableContext, address, campaign_page, show

ONCE = "invited"
FIELDS = {"bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility"}


@campaign_page
def seats(request: HttpRequest, table: TableContext) -> HttpResponse:
    """GET lists; POST does one of `invite`, `revoke`, `vacate`, `describe`."""
    if request.method == "POST" and request.POST.get("do") == "vacate":
        return _done(request, table, _vacate)
    table.must_be_game_master()
    about, wrong = _about(table), {}
    if request.method == "POST" and request.POST.get("do") == "describe":
        about = {key: request.POST.get(key, "") for key in about}
        try:
            table.campaign = services.describe(table.campaign, table.user, **about)
        except TableError as error:
            wrong = {FIELDS.get(error.code, "name"): str(error)}
        else:
            messages.success(request, "Saved.")
            return redirect(table.url("seats"))
    elif request.method == "POST":
        deed = {"invite": _invite, "revoke": _revoke}.get(request.POST.get("do", ""))
        return _done(request, table, deed) if deed else redirect(table.url("seats"))
    made = request.session.get(ONCE, {})
    link = made.pop(table.campaign.public_id, None)
    if link:
        # The link is told once: what a page reloaded could show again, a passer-by could read.
        request.session[ONCE] = made
    context = {
        "about": about,
        "wrong": wrong,
        "invitations": invitations(table),
        "new": link,
        "visibilities": Campaign.Visibility.choices,
        "zones": zones(),
        "desk_url": table.url("desk"),
        "free": [seat for seat in table.seats if seat.holder is None],
    }
    return show(request, table, "campaign/seats.html", context, here="seats", status=422 if wrong else 200)


def _about(table: TableContext) -> dict[str, str]:
    campaign = table.campaign
    return {"name": campaign.name, "time_zone": campaign.time_zone, "visibility": campaign.visibility}


def invitations(table: TableContext) -> list[dict[str, Any]]:
    """Every link made, newest first, and what became of it."""
    now, made = timezone.now(), []
    for one in table.campaign.invitations.select_related("made_by").order_by("-created_at", "-pk"):
        state, tone = "open", "mine"
        if one.revoked_at is not None:
            state, tone = "revoked", ""
        elif one.uses_left < 1:
            state, tone = "used", "good"
        elif one.expires_at <= now:
            state, tone = "expired", ""
        name = table.name_of(one.seat) if one.seat else "any free seat"
        made.append({"one": one, "name": name, "state": state, "tone": tone, "open": state == "open"})
    return made


def _done(request: HttpRequest, table: TableContext, deed: Any) -> HttpResponse:
    try:
        messages.success(request, deed(request, table))
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    onward = table.url("seats") if table.game_master else table.home
    return redirect(onward)


def _invite(request: HttpRequest, table: TableContext) -> str:
    seat = request.POST.get("seat", "")
    uses = len([s for s in table.seats if s.holder is None]) or 1
    _, token = services.invite(table.campaign, table.user, seat, 1 if seat else uses)
    made = request.session.get(ONCE, {})
    made[table.campaign.public_id] = {
        "url": request.build_absolute_uri(address("join", token)),
        "name": table.name_of(seat) if seat else "any free seat",
        "seat": seat,
    }
    request.session[ONCE] = made
    return "The link is made. It is shown once."


def _revoke(request: HttpRequest, table: TableContext) -> str:
    number = request.POST.get("invitation", "")
    found = None
    if number.isascii() and number.isdecimal() and len(number) < 10:
        found = Invitation.objects.filter(campaign=table.campaign, pk=int(number)).first()
    if found is None:
        raise TableError("no-such-invitation", "There is no such invitation.")
    services.revoke(found, table.user)
    return "The link opens nothing any more."


def _vacate(request: HttpRequest, table: TableContext) -> str:
    seat = request.POST.get("seat", "")
    services.vacate(table.campaign, table.user, seat)
    return f"{table.name_of(seat)}: the seat is free."
