"""The views of moderation."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign.errors import TableError
from moderation import services, targets
from moderation.models import AbuseReport
from moderation.targets import NoSuchText, Target
from people import services as people_services
from people.models import User, find_by_login
from people.services import AccountError, CannotBlock, CannotInvite
from web.account.access import user_of
from web.frame import requests
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.table import TableContext
from web.moderation.blocks import blocks_page
from web.moderation.forms import (
    BlockForm,
    DecisionForm,
    InvitationForm,
    ReportForm,
    SettledForm,
)
from web.moderation.invitations import SECRET, invitations_page
from web.moderation.queue import CLOSE_ACCOUNT, NO_REFUSAL, Refusal, queue_page
from web.moderation.report import report_page
from web.moderation.reported import campaign_reports_page, own_reports_page

LONGEST_TOKEN = 100
DECISIONS: dict[str, Callable[[User, AbuseReport, str], None]] = {
    "dismiss": services.dismiss,
    "remove": services.remove,
    "warn": services.warn,
    "close": services.close,
}


# Reports


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, kind: str, ref: str) -> HttpResponse:
    """Show a text with a form that reports it to the moderators.

    A moderator can also remove it here.
    """
    user = user_of(request)
    if user.guest:
        text = _("Create an account first, so that the moderators can tell you what they decide.")
        raise PermissionDenied(text)
    try:
        target = targets.find_target(kind, ref, user)
    except NoSuchText as error:
        raise Http404 from error
    if request.method != "POST":
        return render(request, "moderation/report.html", {"page": report_page(user, target)})
    try:
        return report_or_block(request, target)
    except CannotBlock as refusal:
        return show_report(request, target, str(refusal), 422)
    except TableError as refusal:
        if refusal.status == 404:
            raise Http404 from refusal
        return show_report(request, target, str(refusal), refusal.status)


def show_report(request: HttpRequest, target: Target, error: str, status: int) -> HttpResponse:
    """Show the text again, with the typed data and its error."""
    form = ReportForm(request.POST)
    form.is_valid()
    page = report_page(
        user_of(request),
        target,
        reason=form.cleaned_data["reason"],
        words=form.cleaned_data["words"],
        refused=form.cleaned_data["do"],
        error=error,
    )
    return render(request, "moderation/report.html", {"page": page}, status=status)


def report_or_block(request: HttpRequest, target: Target) -> HttpResponse:
    """Report or remove a text, or block its author."""
    user, form = user_of(request), ReportForm(request.POST)
    form.is_valid()
    match form.cleaned_data["do"]:
        case "block" if target.author is not None:
            block(request, target.author)
            return redirect("blocks")
        case "remove":
            services.remove_text(user, target.kind, target.ref, form.cleaned_data["words"])
            messages.success(request, _("The text has been removed."))
            return redirect("moderation")
        case _:
            services.report(user, target.kind, target.ref, form.cleaned_data["reason"])
            messages.success(
                request, _("You have reported the text. You will find the decision here.")
            )
            return redirect("own_reports")


def block(request: HttpRequest, other: User) -> None:
    """Block a user, without a message to them."""
    services.block(user_of(request), other)
    text = _("You have blocked %(name)s. We do not tell them.") % {"name": other.username}
    messages.success(request, text)


@login_required
@require_http_methods(["GET", "HEAD"])
def own_reports(request: HttpRequest) -> HttpResponse:
    """Show the reports that the reader has made, with their outcomes."""
    page = own_reports_page(user_of(request))
    return render(request, "moderation/own_reports.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def of_campaign(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show the reports that the game masters of a campaign may read. A POST settles a report."""
    table.must_be_host()
    user = user_of(request)
    if request.method == "POST":
        form = SettledForm(request.POST)
        form.is_valid()
        services.mark_as_seen_to(table.campaign, user, form.cleaned_data["report"] or 0)
        return see_other(table.url("reported"))
    page = campaign_reports_page(table.campaign, user)
    return show(request, table, "moderation/reported.html", {"page": page}, tab="seats")


# Decisions of moderators


def moderator_or_404(request: HttpRequest) -> User:
    """Return the reader if they are a moderator; for all others these pages do not exist."""
    user = user_of(request)
    if not people_services.is_moderator(user):
        raise Http404
    return user


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def queue(request: HttpRequest) -> HttpResponse:
    """Show the waiting reports, and page `?page=` of the decided ones. A POST decides a report."""
    moderator, refusal = moderator_or_404(request), NO_REFUSAL
    if request.method == "POST":
        try:
            return decide(request, moderator)
        except (TableError, AccountError) as error:
            refusal = refused_decision(request, str(error))
    page = queue_page(moderator, request.GET.get("page"), refusal)
    status = 422 if refusal.error else 200
    return render(request, "moderation/queue.html", {"page": page}, status=status)


def refused_decision(request: HttpRequest, error: str) -> Refusal:
    """Return the typed data of a refused decision, with its error."""
    form = DecisionForm(request.POST)
    form.is_valid()
    return Refusal(**form.cleaned_data, error=error)


def decide(request: HttpRequest, moderator: User) -> HttpResponse:
    """Decide a report, or close an account without a report."""
    form = DecisionForm(request.POST)
    form.is_valid()
    cleaned_data = form.cleaned_data
    if cleaned_data["do"] == CLOSE_ACCOUNT:
        return close_account(request, moderator, cleaned_data["name"], cleaned_data["words"])
    key = cleaned_data["report"]
    row = AbuseReport.objects.filter(pk=key).first() if key is not None else None
    decision = DECISIONS.get(cleaned_data["do"])
    if row is None or decision is None:
        raise Http404
    decision(moderator, row, cleaned_data["words"])
    messages.success(
        request,
        _("Your decision has been carried out. The person who reported the text is notified."),
    )
    return redirect("moderation")


def close_account(request: HttpRequest, moderator: User, name: str, words: str) -> HttpResponse:
    """Close the account with this name or e-mail address."""
    user = find_by_login(name)
    if user is None or user.guest:
        text = _("There is no user with this name. Type the full name or the e-mail address.")
        raise TableError("no-such-person", text)
    services.close_account(moderator, user, words)
    messages.success(
        request, _("The account of %(name)s has been closed.") % {"name": user.username}
    )
    return redirect("moderation")


# Blocks


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def blocks(request: HttpRequest) -> HttpResponse:
    """Show the users that the reader has blocked. A POST blocks a user by name, or ends a block."""
    user = user_of(request)
    if user.guest or user.demo:
        raise PermissionDenied(_("Create an account first: guests cannot receive messages."))
    if request.method == "POST":
        return change_blocks(request, user)
    return render(request, "moderation/blocks.html", {"page": blocks_page(user)})


def change_blocks(request: HttpRequest, user: User) -> HttpResponse:
    """Block a user by name, or end a block."""
    form = BlockForm(request.POST)
    form.is_valid()
    key = form.cleaned_data["unblock"]
    if key is not None:
        if people_services.unblock(user, key):
            messages.success(request, _("You have ended the block."))
        return redirect("blocks")
    name = form.cleaned_data.get("name", "")
    other = person_by_name(name)
    if other is None:
        error = _(
            "There is no user with this name. Type the full name as it appears next to their texts."
        )
        return show_blocks(request, user, name, error)
    try:
        block(request, other)
    except CannotBlock as refusal:
        return show_blocks(request, user, name, str(refusal))
    return redirect("blocks")


def show_blocks(request: HttpRequest, user: User, name: str, error: str) -> HttpResponse:
    """Show the blocks, with the typed name and its error."""
    page = blocks_page(user, name, error)
    return render(request, "moderation/blocks.html", {"page": page}, status=422)


def person_by_name(name: str) -> User | None:
    """Return the user with this name.

    E-mail addresses are not accepted, because the answer would reveal whether an account has it.
    """
    user = find_by_login(name) if "@" not in name else None
    return None if user is None or user.guest else user


# Invitations to the site


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def site_invitations(request: HttpRequest) -> HttpResponse:
    """Show the host's sign-up links. A POST makes a link, which is shown once, or revokes one."""
    moderator = moderator_or_404(request)
    if request.method == "POST":
        return change_invitations(request, moderator)
    return render(request, "moderation/invitations.html", {"page": invitations_page(request)})


def change_invitations(request: HttpRequest, moderator: User) -> HttpResponse:
    """Make a sign-up link, or revoke a link."""
    form, now = InvitationForm(request.POST), timezone.now()
    form.is_valid()
    cleaned_data = form.cleaned_data
    if cleaned_data["revoke"] is not None:
        people_services.revoke_invitation(cleaned_data["revoke"], now)
        messages.success(request, _("The link no longer works."))
        return redirect("site_invitations")
    try:
        row, token = people_services.make_invitation(
            moderator,
            now,
            days=form.number_of_days(),
            uses=form.number_of_uses(),
            note=cleaned_data["note"],
        )
    except CannotInvite as error:
        page = invitations_page(request, cleaned_data, {error.field: str(error)})
        return render(request, "moderation/invitations.html", {"page": page}, status=422)
    url = request.build_absolute_uri(reverse("invited", args=[token]))
    requests.keep_secret(request, SECRET, row.note or _("Sign-up link"), url)
    return redirect(reverse("site_invitations") + "#new")


@require_http_methods(["GET", "HEAD"])
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Remember a sign-up link in this browser's session, and redirect to sign-up."""
    if people_services.has_account(request.user):
        return redirect("front")
    if people_services.open_invitation(token[:LONGEST_TOKEN], timezone.now()) is None:
        return render(request, "moderation/invitation_over.html", status=410)
    request.session[people_services.INVITATION_KEY] = token
    return redirect("account_signup")
