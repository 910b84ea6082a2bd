"""An invitation: GET shows what one joins and changes nothing, POST takes the seat."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from campaign import access, positions, selectors, services
from campaign.errors import InvitationRefused
from campaign.models import Campaign
from campaign.services.seating import free_seats
from web.titles import extras
from web.views.common import TableContext

LONGEST_TOKEN = 100


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        try:
            taken = services.take_seat(request.user, token, request.POST.get("seat", ""))
        except InvitationRefused as refused:
            return _refused(request, refused)
        table = TableContext(request, taken.campaign, access.of(taken.campaign, request.user))
        messages.success(request, f"You have the seat of the {table.name_of(taken.seat)}.")
        return redirect(table.home)
    try:
        if len(token) > LONGEST_TOKEN:
            raise InvitationRefused("unknown", "This link is no invitation. Ask who sent it for a new one.")
        invitation = services.look_at(token)
    except InvitationRefused as refused:
        return _refused(request, refused)
    return _shown(request, invitation.campaign, invitation.seat, invitation.made_by.username)


def _shown(request: HttpRequest, campaign: Campaign, seat: str, host: str) -> HttpResponse:
    table = TableContext(request, campaign, access.of(campaign, request.user))
    free, onward = free_seats(campaign), urlencode({"next": request.get_full_path()})
    own = extras(campaign.title, "founding")
    context = {
        "table": table,
        "campaign": campaign,
        "host": host,
        "seat": next((s for s in table.seats if s.key == seat), None),
        "choices": [s for s in table.seats if s.key in free],
        "taken": len(table.seats) - len(free),
        "facts": own.facts(positions.scenario(campaign), positions.options(campaign)) if own else [],
        "sign_in": f"{reverse('account_login')}?{onward}",
        "sign_up": f"{reverse('account_signup')}?{onward}",
    }
    return render(request, "join.html", context)


def _refused(request: HttpRequest, refused: InvitationRefused) -> HttpResponse:
    """What is wrong and whom to ask; who is at the table already finds the way there."""
    url = ""
    if refused.campaign is not None and access.may_see(refused.campaign, request.user):
        url = reverse("table", args=[refused.campaign.address])
    masters = ", ".join(user.username for user in selectors.game_masters(refused.campaign)) if refused.campaign else ""
    return render(request, "join.html", {"refusal": refused, "campaign_url": url, "masters": masters}, status=refused.status)
