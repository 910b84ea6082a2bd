"""The page on which a user closes their account, or has everything erased."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from campaign.errors import Refused
from campaign.hosting import host_acts
from campaign.log import positions
from campaign.models import LogEntry, Membership
from games.registry import TITLES
from people import services as people_services
from people.models import User
from talk.models import Message
from web.account.access import own_user
from web.account.forms import ConfirmNameForm
from web.frame.reauthentication import signed_in_lately

CLOSE, ERASE = "close", "erase"


class RunCampaign(NamedTuple):
    """A campaign whose only game master the user is."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class LeavingPage:
    """The consequences of leaving: what is deleted, and what is kept."""

    name: str
    closes_at: datetime | None
    """The moment at which the account closes, if the user has asked for it."""
    campaigns: list[RunCampaign]
    places: list[str]
    days: int
    messages: int
    entries: int
    close_error: str
    erase_error: str

    @property
    def confirm_label(self) -> str:
        return _("To confirm, type your name: %(name)s") % {"name": self.name}

    @property
    def close_verb(self) -> str:
        return _("Close the account in %(days)s days") % {"days": self.days}

    @property
    def erase_verb(self) -> str:
        return _("Erase everything in %(days)s days") % {"days": self.days}

    @property
    def messages_text(self) -> str:
        """The number of messages that are erased."""
        text = ngettext(
            "the text of %(n)s message that you wrote",
            "the texts of %(n)s messages that you wrote",
            self.messages,
        )
        return text % {"n": self.messages}

    @property
    def entries_text(self) -> str:
        """The number of log entries that are kept, and the reason."""
        text = ngettext(
            (
                "%(n)s log entry, under “a former player”: the hashes of a log cover everything"
                " in it, and the game of the other players depends on it"
            ),
            (
                "%(n)s log entries, under “a former player”: the hashes of a log cover everything"
                " in it, and the game of the other players depends on them"
            ),
            self.entries,
        )
        return text % {"n": self.entries}


def leaving_page(user: User, do: str = "", error: str = "") -> LeavingPage:
    """Return the consequences of leaving. `do` is the form with an error."""
    held = Membership.objects.filter(user=user, until=None).select_related("campaign")
    return LeavingPage(
        name=user.username,
        closes_at=user.closes_at,
        campaigns=[
            RunCampaign(campaign.name, reverse("seats", args=[campaign.address]))
            for campaign in host_acts.masters_of(user)
        ],
        places=[place_of(member) for member in held.order_by("campaign__name", "pk")],
        days=people_services.DELAY.days,
        messages=Message.objects.filter(author=user).count(),
        entries=LogEntry.objects.filter(actor=user).count(),
        close_error=error if do == CLOSE else "",
        erase_error=error if do == ERASE else "",
    )


def place_of(member: Membership) -> str:
    """Return a campaign with the user's seat or role in it."""
    campaign = member.campaign
    names = positions.seats(campaign) if member.seat and campaign.title in TITLES else {}
    return f"{campaign.name}: {names.get(member.seat) or member.get_role_display()}"


@login_required
@signed_in_lately
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest) -> HttpResponse:
    """Show the consequences of leaving; a POST closes the account, erases it, or keeps it."""
    user = own_user(request)
    if request.method != "POST":
        return render(request, "moderation/leave.html", {"page": leaving_page(user)})
    form = ConfirmNameForm(request.POST)
    form.is_valid()
    do = form.cleaned_data["do"]
    if do == "keep":
        host_acts.keep_account(user)
        messages.success(request, _("Your account stays open."))
        return redirect("leave")
    if form.cleaned_data["name"].strip() != user.username:
        error = _("Type your name exactly as shown above to confirm.")
    else:
        try:
            host_acts.ask_to_close(user, erase=do == ERASE)
        except Refused as refusal:
            error = str(refusal)
        else:
            logout(request)
            return redirect("left")
    page = leaving_page(user, do, error)
    return render(request, "moderation/leave.html", {"page": page}, status=422)


@require_safe
def left(request: HttpRequest) -> HttpResponse:
    """Show a user who is now signed out what happens next."""
    return render(request, "moderation/left.html", {"days": people_services.DELAY.days})
