"""An invitation: GET shows what one joins and changes nothing, POST takes the seat."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import access, handovers, positions, rulebook, services
from campaign.errors import InvitationRefused, Refused, TableError
from campaign.models import Invitation, Membership
from campaign.services.seating import free_seats
from engine.sentence import sentence
from games.registry import FOUNDINGS
from web.titles import extras
from web.views.common import TableContext

LONGEST_TOKEN = 100
KEPT = "invitation"


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """A link is looked at once: its token goes into the session, and out of the address bar and its history."""
    if request.method == "POST":
        return _taken(request, token)
    try:
        _looked(token)
    except InvitationRefused as refused:
        return _refused(request, refused)
    request.session[KEPT] = token
    return redirect("invitation")


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """The invitation whose link was opened last."""
    token = str(request.session.get(KEPT, ""))
    if request.method == "POST":
        return _taken(request, token)
    try:
        found = _looked(token)
    except InvitationRefused as refused:
        return _refused(request, refused)
    return _shown(request, found)


def _looked(token: str) -> Invitation:
    if not token:
        raise InvitationRefused("none", _("There is no invitation here. Open the link you were sent once more."))
    if len(token) > LONGEST_TOKEN:
        raise InvitationRefused("unknown", _("This link is no invitation. Ask who sent it for a new one."))
    return services.look_at(token)


def _taken(request: HttpRequest, token: str) -> HttpResponse:
    if not request.user.is_authenticated or getattr(request.user, "guest", False):
        request.session[KEPT] = token[:LONGEST_TOKEN]
        return redirect_to_login(reverse("invitation"))
    try:
        taken = services.take_seat(request.user, token, request.POST.get("seat", ""))
    except (InvitationRefused, Refused) as refused:
        return _refused(request, refused)
    request.session.pop(KEPT, None)
    table = TableContext(request, taken.campaign, access.of(taken.campaign, request.user))
    text = _("You have the seat of the {name}.") if taken.seat else _("You are co-game-master.")
    messages.success(request, sentence(text, name=table.name_of(taken.seat)))
    handed = taken.seat and handovers.handed(taken.campaign, request.user, taken.seat)
    return redirect(table.url("handover", taken.seat) if handed else table.home)


def _shown(request: HttpRequest, found: Invitation) -> HttpResponse:
    campaign, seat = found.campaign, found.seat
    table = TableContext(request, campaign, access.of(campaign, request.user))
    free, onward = free_seats(campaign), urlencode({"next": reverse("invitation")})
    own = extras(campaign.title, "founding") or FOUNDINGS.get(campaign.title)
    context = {
        "table": table,
        "campaign": campaign,
        "host": found.made_by.username,
        "master": found.role != Membership.Role.SEAT,
        "leaver": found.leaver_id is not None and table.holders(seat),
        "seat": next((s for s in table.seats if s.key == seat), None),
        "choices": [s for s in table.seats if s.key in free],
        "taken": len(table.seats) - len(free),
        "facts": own.facts(positions.scenario(campaign), positions.options(campaign)) if own else [],
        "rules_here": reverse("rules", args=[campaign.title]) if rulebook.text(campaign.title) else "",
        "sign_in": f"{reverse('account_login')}?{onward}",
        "sign_up": f"{reverse('account_signup')}?{onward}",
    }
    return render(request, "join.html", context)


def _refused(request: HttpRequest, refused: TableError) -> HttpResponse:
    """What is wrong and whom to ask; who is at the table already finds the way there."""
    url, campaign = "", getattr(refused, "campaign", None)
    if campaign is not None and access.may_see(campaign, request.user):
        url = reverse("table", args=[campaign.address])
    return render(request, "join.html", {"refusal": refused, "campaign_url": url}, status=refused.status)
