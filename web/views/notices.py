"""The reader's notices: all, those of a campaign, one opened, marked as read."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.models import Campaign
from engine.strict_json import whole
from notices import selectors, services
from notices.of_channels import CHANNEL_OFF
from notices.services import channels, webhooks
from web import bell
from web.leads import leads
from web.onward import onward
from web.views.common import TableContext, address, campaign_page, see_other, show

PAGE = 50
LONGEST = 18


def _listed(request: HttpRequest, campaign: Campaign | None) -> dict[str, Any]:
    """A page of notices; `?before=` pages on."""
    asked = request.GET.get("before", "")
    before = whole(asked, LONGEST)
    if asked and before is None:
        raise Http404
    found = selectors.notices(request.user, campaign)
    if before is not None:
        found = found.filter(pk__lt=before)
    told = selectors.told(found[: PAGE + 1])
    shown = told[:PAGE]
    return {
        "troubled": [*channels.troubled(request.user), *webhooks.troubled(request.user)] if before is None else [],
        "notices": [{"told": one, "url": reverse("notice", args=(one.notice.pk,))} for one in shown],
        "older": shown[-1].notice.pk if len(told) > PAGE else None, "before": asked, "back": request.get_full_path(),
        "any_new": any(one.new for one in shown)
        or any(campaign is None or one.campaign == campaign.pk for one in bell.news(request)),
    }  # fmt: skip


@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    return render(request, "notices.html", {**_listed(request, None), "whose": None})


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def of_campaign(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The reader's notices of one campaign; a POST mutes them for him, or takes that back (`do`)."""
    if not request.user.is_authenticated:
        raise PermissionDenied
    if request.method == "POST":
        if request.POST.get("do") == "mute":
            services.mute(request.user, table.campaign)
        elif request.POST.get("do") == "unmute":
            services.unmute(request.user, table.campaign)
        return see_other(reverse("told") if request.POST.get("back") == "told" else table.url("campaign_notices"))
    muted = selectors.mutes(request.user).filter(campaign=table.campaign).exists()
    context = {**_listed(request, table.campaign), "whose": table.campaign, "muted": muted}
    return show(request, table, "campaign/notices.html", context)


@require_safe
@login_required
def opened(request: HttpRequest, pk: int) -> HttpResponse:
    """Marks it as read and goes where it leads."""
    notice = selectors.notices(request.user).filter(pk=pk).first()
    if notice is None:
        raise Http404
    services.mark_read(request.user, notices=[notice.pk])
    if notice.kind == CHANNEL_OFF and notice.known["own"]:
        return redirect("told")
    name, *rest = leads(notice.campaign.title, selectors.page(notice))
    return redirect(address(name, notice.campaign.address, *rest))


@require_POST
@login_required
def read(request: HttpRequest) -> HttpResponse:
    """Marks one (`notice`), those of a campaign (`campaign`, its eight characters), or all."""
    one, campaign = request.POST.get("notice", ""), request.POST.get("campaign", "")
    if one:
        number = whole(one, LONGEST)
        if number is not None:
            services.mark_read(request.user, notices=[number])
    elif campaign:
        found = Campaign.objects.filter(public_id=campaign).first() if campaign.isalnum() else None
        if found is not None:
            services.mark_read(request.user, campaign=found)
    else:
        services.mark_read(request.user)
    return see_other(onward(request) or reverse("notices"))
