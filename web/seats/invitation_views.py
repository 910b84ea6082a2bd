"""The views of invitations: a GET shows the campaign and the seat, a POST takes the seat."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from campaign import access, services
from campaign.errors import InvitationRefused, Refused, TableError
from campaign.models import Invitation, Membership
from campaign.seats import selectors
from campaign.seats.seating import free_seats
from engine.language import sentence
from people import services as people_services
from people.forms import InvitedSignUp
from web.account.sign_in import SignUpView
from web.frame.table import TableContext
from web.seats.forms import SeatForm
from web.seats.invitations import RefusedPage, invitation_page

LONGEST_TOKEN = 100
KEPT = "invitation"
"""The key of a session for the invitation link that was opened last."""


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Move the token of a link into the session, out of the address bar and its history."""
    if request.method == "POST":
        return take(request, token)
    try:
        invitation_of(token)
    except InvitationRefused as refusal:
        return refused(request, refusal)
    request.session[KEPT] = token
    return redirect("invitation")


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """Show the invitation whose link was opened last."""
    token = str(request.session.get(KEPT, ""))
    if request.method == "POST":
        return take(request, token)
    try:
        row = invitation_of(token)
    except InvitationRefused as refusal:
        return refused(request, refusal)
    return shown(request, row)


def invitation_of(token: str) -> Invitation:
    """Return the invitation of a token. Raises `InvitationRefused` if the token is not valid."""
    if not token:
        raise InvitationRefused(
            "none", _("There is no invitation here. Open the link in your invitation again.")
        )
    if len(token) > LONGEST_TOKEN:
        raise InvitationRefused(
            "unknown",
            _("This link is not an invitation. Ask the person who sent it for a new one."),
        )
    return services.open_invitation(token)


def take(request: HttpRequest, token: str) -> HttpResponse:
    """Give the reader the seat; ask them to sign up or sign in first."""
    if not people_services.has_account(request.user):
        request.session[KEPT] = token[:LONGEST_TOKEN]
        if "username" in request.POST:
            return sign_up(request, token)
        return redirect_to_login(reverse("invitation"))
    seat = SeatForm(request.POST).text_of("seat")
    try:
        taken = services.take_seat(request.user, token, seat)
    except (InvitationRefused, Refused) as refusal:
        return refused(request, refusal)
    request.session.pop(KEPT, None)
    table = TableContext(request, taken.campaign, access.access_of(taken.campaign, request.user))
    text = (
        _("You now have the seat of {name:the}.")
        if taken.seat
        else pgettext("seats", "You are a co-game-master.")
    )
    messages.success(request, sentence(text, name=table.name_of(taken.seat)))
    handed = taken.seat and selectors.handover_of(taken.campaign, request.user, taken.seat)
    return redirect(table.url("handover", taken.seat) if handed else table.home)


class AccountAndSeat(SignUpView):
    """The sign-up of a user who takes the seat of an invitation at once."""

    invitation: Invitation = cast(Invitation, None)
    token = ""

    def get_form_class(self) -> type[InvitedSignUp]:
        """Return the shorter form of an invitation."""
        return InvitedSignUp

    def get_success_url(self) -> str:
        """Return the address of the invitation."""
        return reverse("invitation")

    def form_valid(self, form: InvitedSignUp) -> HttpResponse:
        """Create the account and take the seat; if the seat is not free, do neither."""
        seat = SeatForm(self.request.POST).text_of("seat")
        chooses = self.invitation.role == Membership.Role.SEAT and not self.invitation.seat
        if chooses and seat not in free_seats(self.invitation.campaign):
            form.add_error(None, _("Choose a free seat."))
            return self.form_invalid(form)
        answer = super().form_valid(form)
        signed_in = answer.status_code == 302 and self.request.user.is_authenticated
        return take(self.request, self.token) if signed_in else answer

    def form_invalid(self, form: InvitedSignUp) -> HttpResponse:
        """Show the invitation with the errors of the form."""
        return shown(self.request, self.invitation, form)


def sign_up(request: HttpRequest, token: str) -> HttpResponse:
    """Create an account and take the seat."""
    try:
        row = invitation_of(token)
    except InvitationRefused as refusal:
        return refused(request, refusal)
    request.user = AnonymousUser()  # a guest becomes the account, as on the page to sign up
    view = AccountAndSeat.as_view(invitation=row, token=token)
    return cast(HttpResponse, view(request))


def shown(request: HttpRequest, row: Invitation, form: InvitedSignUp | None = None) -> HttpResponse:
    """Show an invitation, with a refused form if there is one."""
    campaign = row.campaign
    table = TableContext(request, campaign, access.access_of(campaign, request.user))
    page = invitation_page(request, table, row, SeatForm(request.POST).text_of("seat"), form)
    context = {"page": page, "table": table}
    return render(request, "seats/join.html", context, status=422 if form else 200)


def refused(request: HttpRequest, refusal: TableError) -> HttpResponse:
    """Show why an invitation cannot be used, with a link for users who may see the campaign."""
    url, campaign = "", getattr(refusal, "campaign", None)
    if campaign is not None and access.may_see(campaign, request.user):
        url = reverse("table", args=[campaign.address])
    page = RefusedPage(str(refusal), url)
    return render(request, "seats/invitation_refused.html", {"page": page}, status=refusal.status)
