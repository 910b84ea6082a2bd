"""The reader's notices: all, those of a campaign, one opened, marked as read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.models import Campaign
from engine.strict_json import whole
from notices import deadlines as listed
from notices import selectors, services, webhooks
from notices.channels import mail
from notices.channels import services as channels_services
from notices.channels.mail import read_by
from notices.deadlines import calendar
from notices.delivery import still_his
from notices.kinds import CHALLENGED, CHANNEL_OFF
from notices.models import Feed
from notices.texts import absolute
from web.shell import context as shell_context
from web.shell.campaign_page import TableContext, address, campaign_page, see_other, show
from web.shell.requests import page_or_table, safe_redirect

PAGE = 50
LONGEST = 18


def _listed(request: HttpRequest, campaign: Campaign | None) -> dict[str, Any]:
    """A page of notices; `?before=` pages on."""
    asked = request.GET.get("before", "")
    before = whole(asked, LONGEST)
    if asked and before is None:
        raise Http404
    rows = selectors.notices(request.user, campaign)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    letters = selectors.notices_in_words(rows[: PAGE + 1])
    shown = letters[:PAGE]
    return {
        "troubled": [*channels_services.troubled(request.user), *webhooks.troubled(request.user)] if before is None else [],
        "notices": [{"told": one, "url": reverse("notice", args=(one.notice.pk,))} for one in shown],
        "older": shown[-1].notice.pk if len(letters) > PAGE else None, "before": asked, "back": request.get_full_path(),
        "any_new": any(one.new for one in shown)
        or any(campaign is None or one.campaign == campaign.pk for one in shell_context.news(request)),
    }  # fmt: skip


@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    return render(request, "notices/notices.html", {**_listed(request, None), "whose": None})


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
    return show(request, table, "notices/campaign_notices.html", context)


@require_safe
@login_required
def opened(request: HttpRequest, pk: int) -> HttpResponse:
    """Marks it as read and goes where it leads; with `?answer` of a challenge to the form that answers it."""
    notice = selectors.notices(request.user).filter(pk=pk).first()
    if notice is None:
        raise Http404
    services.mark_read(request.user, notices=[notice.pk])
    if notice.kind == CHANNEL_OFF and notice.known["own"]:
        return redirect("told")
    if notice.kind == CHALLENGED and "answer" in request.GET:
        return redirect(f"{address('nation', notice.campaign.address, notice.seat)}#answer-{notice.known['contest']}")
    name, *rest = page_or_table(notice.campaign.title, selectors.page(notice))
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
        campaign_row = Campaign.objects.filter(public_id=campaign).first() if campaign.isalnum() else None
        if campaign_row is not None:
            services.mark_read(request.user, campaign=campaign_row)
    else:
        services.mark_read(request.user)
    return see_other(safe_redirect(request) or reverse("notices"))


# Ends somebody's letters without signing in: by one click of a mail program (RFC 8058), or on the page behind the link.


@csrf_exempt  # a mail program has no page of ours open; the token is what says it may
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Looking changes nothing: programs that look at links before a person does unsubscribe nobody. Letters end here or grow
    fewer; to have them sent again one signs in."""
    channel = mail.of_token(token)
    if channel is None:
        raise Http404
    done = ""
    if request.method == "POST":
        one_click = request.POST.get("List-Unsubscribe") == "One-Click"
        done = "off" if one_click else request.POST.get("do", "")
        if done == "off":
            channels_services.switch(channel, on=False)
        elif done == "digest":
            channels_services.digest_only(channel)
        channel.refresh_from_db()
    response = render(request, "notices/unsubscribe.html", {"channel": channel, "done": done, "token": token})
    response.headers["Cache-Control"] = "private, no-store"
    return response


# What a reader of feeds or a calendar fetches: no session, the token in the address says whose it is.

MOST = 50


def _owner(token: str, what: str) -> Any:
    """Whose feed it is; 404 where the token opens none, whether it was revoked or never was one."""
    feed = services.opened(token, what)
    if feed is None:
        raise Http404
    return feed.user


def _private(body: str, form: str) -> HttpResponse:
    response = HttpResponse(body, content_type=f"{form}; charset=utf-8")
    response.headers["Cache-Control"] = "private, max-age=300"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


class Atom(Atom1Feed):
    """With the time of the newest notice, not that of the asking: a feed that says nothing new is the same."""

    newest: datetime | None = None

    def latest_post_date(self) -> datetime:
        return self.newest or super().latest_post_date()


@require_safe
def notices_feed(request: HttpRequest, token: str) -> HttpResponse:
    """The newest notices, struck ones said to be so. `read` ones too: a feed keeps what it told."""
    user = _owner(token, Feed.What.NOTICES)
    site = f"{request.scheme}://{request.get_host()}"
    with read_by(user.language, user.time_zone):
        letters = selectors.notices_in_words(still_his(user, selectors.notices(user)[:MOST]))
        feed = Atom(
            title=_("Notices of %(name)s at Tabula") % {"name": user.username}, link=site + reverse("notices"), description="",
            language=user.language or None, feed_guid=f"tag:{request.get_host().split(':')[0]},2026:notices/{user.pk}",
        )  # fmt: skip
        for one in letters:
            heading = _("[%(campaign)s] %(title)s") % {"campaign": one.notice.campaign.name, "title": one.title}
            lines = [line for line in (one.struck, one.body, absolute(one.notice.at)) if line]
            feed.add_item(
                title=heading, link=site + reverse("notice", args=(one.notice.pk,)), description="\n".join(lines),
                unique_id=f"tag:{request.get_host().split(':')[0]},2026:notice/{one.notice.pk}",
                pubdate=one.notice.at, updateddate=one.notice.at, author_name=one.notice.campaign.name,
            )  # fmt: skip
        feed.newest = letters[0].notice.at if letters else user.date_joined
        return _private(feed.writeString("utf-8"), "application/atom+xml")


@require_safe
def deadlines_feed(request: HttpRequest, token: str) -> HttpResponse:
    """The deadlines that run for him, and those of his campaigns' turns; `?all=1` everybody's, where he is game master."""
    user = _owner(token, Feed.What.DEADLINES)
    site, host = f"{request.scheme}://{request.get_host()}", request.get_host().split(":")[0]
    with read_by(user.language, user.time_zone):
        events = listed.of_person(user, site, host, everybody=request.GET.get("all") == "1")
        name = _("Deadlines of %(name)s at Tabula") % {"name": user.username}
        return _private(calendar(name, events, timezone.now()), "text/calendar")
