"""Views of the reader's notices and of the notification settings."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.models import Campaign
from engine.strict_json import read_whole_number
from notices import selectors, services
from notices.channels import mail
from notices.channels import services as channel_services
from notices.channels.services import ChannelError
from notices.kinds.undelivered import ChannelOff
from notices.models import Channel, FeedAddress
from notices.registry import KINDS
from web.frame import requests
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.reauthentication import signed_in_lately
from web.frame.requests import page_or_table, safe_redirect
from web.frame.table import TableContext, address
from web.notices.actions import ACTIONS, ChannelAction, attempt
from web.notices.forms import (
    LONGEST_KEY,
    FeedForm,
    MuteForm,
    NoticesQuery,
    ReadForm,
    UnsubscribeForm,
)
from web.notices.page import NoticesPage, notices_page
from web.notices.settings import FEED_SECRET, own_channels, settings_page
from web.notices.unsubscribe import unsubscribe_page

FEED_PAGES = {
    FeedAddress.Kind.NOTICES: "feed_notices",
    FeedAddress.Kind.DEADLINES: "feed_deadlines",
}


@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """Show the notices of all campaigns; `?before=` shows older notices."""
    return render(request, "notices/notices.html", {"page": page_of(request)})


def page_of(request: HttpRequest, table: TableContext | None = None) -> NoticesPage:
    """Return the requested page of notices, of a single campaign or of all."""
    query = NoticesQuery(request.GET)
    if not query.is_valid():
        raise Http404
    return notices_page(request, query.cleaned_data["before"], table)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def of_campaign(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the reader's notices of a campaign. A POST mutes or unmutes it."""
    if not request.user.is_authenticated:
        raise PermissionDenied
    if request.method == "POST":
        return mute(request, table)
    page = page_of(request, table)
    return show(request, table, "notices/campaign_notices.html", {"page": page})


def mute(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Mute or unmute a campaign for this reader."""
    form = MuteForm(request.POST)
    form.is_valid()
    do, back = form.cleaned_data["do"], form.cleaned_data["back"]
    if do == "mute":
        services.mute(request.user, table.campaign)
    elif do == "unmute":
        services.unmute(request.user, table.campaign)
    return see_other(reverse("told") if back == "told" else table.url("campaign_notices"))


@require_safe
@login_required
def opened(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a notice as read and redirect to its page.

    `?answer` leads to the form that answers it, if there is one.
    """
    notice = selectors.notices(request.user).filter(pk=pk).first()
    if notice is None:
        raise Http404
    services.mark_read(request.user, notices=[notice.pk])
    if notice.kind == ChannelOff.key and notice.facts["own"]:
        return redirect("told")
    if KINDS[notice.kind].answer_button and "answer" in request.GET:
        nation = address("nation", notice.campaign.address, notice.seat)
        return redirect(f"{nation}#answer-{notice.facts['contest']}")
    name, *rest = page_or_table(notice.campaign.title, selectors.linked_page(notice))
    return redirect(address(str(name), notice.campaign.address, *rest))


@require_POST
@login_required
def read(request: HttpRequest) -> HttpResponse:
    """Mark a notice (`notice`) as read, those of a campaign (`campaign`), or all."""
    form = ReadForm(request.POST)
    form.is_valid()
    notice, public_id = form.cleaned_data["notice"], form.cleaned_data["campaign"]
    if notice:
        number = read_whole_number(notice, LONGEST_KEY)
        if number is not None:
            services.mark_read(request.user, notices=[number])
    elif public_id:
        campaigns = Campaign.objects.filter(public_id=public_id)
        campaign = campaigns.first() if public_id.isalnum() else None
        if campaign is not None:
            services.mark_read(request.user, campaign=campaign)
    else:
        services.mark_read(request.user)
    return see_other(safe_redirect(request) or reverse("notices"))


@csrf_exempt  # a mail program has no page of this site; the token authorises it
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe a user from e-mails without signing in.

    They do so on this page, or by a single click in a mail program. A GET changes nothing, because
    some programs open links before the user does. To receive e-mails again the user signs in.
    """
    channel = mail.channel_of_token(token)
    if channel is None:
        raise Http404
    choice = UnsubscribeForm(request.POST).choice() if request.method == "POST" else ""
    if choice == "off":
        channel_services.switch(channel, on=False)
    elif choice == "digest":
        channel_services.digest_only(channel)
    channel.refresh_from_db()
    page = unsubscribe_page(channel, token, is_digest=choice == "digest")
    response = render(request, "notices/unsubscribe.html", {"page": page})
    response.headers["Cache-Control"] = "private, no-store"
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notification_settings(request: HttpRequest) -> HttpResponseBase:
    """Show the notification settings. `do` of a POST is the name of the form."""
    user = request.user
    assert user.is_authenticated
    if user.demo or user.guest:
        return render(request, "notices/told_nowhere.html")
    action = SETTINGS_ACTIONS.get(form_key(request)) if request.method == "POST" else None
    channels = own_channels(user)
    if action is None:
        return show_settings(request, channels)
    return attempt(
        request,
        action,
        channels,
        lambda wrong: show_settings(request, None, wrong),
        reverse("told"),
    )


def show_settings(
    request: HttpRequest, channels: list[Channel] | None, wrong: ChannelError | None = None
) -> HttpResponse:
    """Show the settings, with the error in a form."""
    page = settings_page(request, channels or own_channels(request.user), wrong)
    status = 422 if wrong else 200
    return render(request, "notices/told.html", {"page": page}, status=status)


@signed_in_lately
def make_feed(request: HttpRequest, own: list[Channel]) -> str:
    """Make a new address of a feed, which is shown once."""
    what = chosen_feed(request)
    token = services.create_feed(request.user, what)
    url = request.build_absolute_uri(reverse(FEED_PAGES[what], args=(token,)))
    requests.keep_secret(request, FEED_SECRET, what, url)
    return _("The address has been created. We show it only once.")


def revoke_feed(request: HttpRequest, own: list[Channel]) -> str:
    """Revoke the address of a feed."""
    services.revoke_feed(request.user, chosen_feed(request))
    return _("The address has been revoked and no longer works.")


def chosen_feed(request: HttpRequest) -> FeedAddress.Kind:
    """Return the feed that a form names. Raise `ChannelError` if there is no such feed."""
    form = FeedForm(request.POST)
    form.is_valid()
    what = form.cleaned_data["what"]
    if what not in FeedAddress.Kind.values:
        raise ChannelError(_("This feed does not exist."))
    return FeedAddress.Kind(what)


SETTINGS_ACTIONS: dict[str, ChannelAction] = {**ACTIONS, "feed": make_feed, "revoke": revoke_feed}
