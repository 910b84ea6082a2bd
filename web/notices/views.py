"""The reader's notices: all, those of a campaign, one opened, marked as read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.models import Campaign
from engine.strict_json import whole
from notices import kinds as notices_kinds
from notices import selectors, services, webhooks
from notices import services as notices_services
from notices import texts as listed
from notices.channels import mail, push
from notices.channels import services as channel_services
from notices.channels import services as channels_services
from notices.channels.mail import read_by
from notices.channels.services import Wrong
from notices.delivery import still_his
from notices.kinds import CHALLENGED, CHANNEL_OFF
from notices.models import Channel, Delivery, Feed, How, Service, Webhook, Wish
from notices.registry import KINDS
from notices.selectors import offered, preference_for
from notices.texts import absolute, calendar
from web.frame import requests, throttle
from web.frame.campaign_page import TableContext, address, campaign_page, see_other, show
from web.frame.reauthentication import signed_in_lately
from web.frame.requests import page_or_table, safe_redirect

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
        "troubled": (
            [*channels_services.troubled(request.user), *webhooks.troubled(request.user)]
            if before is None
            else []
        ),
        "notices": [
            {"told": one, "url": reverse("notice", args=(one.notice.pk,))} for one in shown
        ],
        "older": shown[-1].notice.pk if len(letters) > PAGE else None,
        "before": asked,
        "back": request.get_full_path(),
        "any_new": (
            any(one.new for one in shown)
            or bool(
                requests.news(request)
                if campaign is None
                else requests.unread_of(request, campaign.public_id)
            )
        ),
    }


@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    return render(request, "notices/notices.html", {**_listed(request, None), "whose": None})


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def of_campaign(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The reader's notices of one campaign; a POST mutes them for this reader, or takes that back
    (`do`).
    """
    if not request.user.is_authenticated:
        raise PermissionDenied
    if request.method == "POST":
        if request.POST.get("do") == "mute":
            services.mute(request.user, table.campaign)
        elif request.POST.get("do") == "unmute":
            services.unmute(request.user, table.campaign)
        return see_other(
            reverse("told") if request.POST.get("back") == "told" else table.url("campaign_notices")
        )
    muted = selectors.mutes(request.user).filter(campaign=table.campaign).exists()
    context = {**_listed(request, table.campaign), "whose": table.campaign, "muted": muted}
    return show(request, table, "notices/campaign_notices.html", context)


@require_safe
@login_required
def opened(request: HttpRequest, pk: int) -> HttpResponse:
    """Marks it as read and goes where it leads; with `?answer` of a challenge to the form that
    answers it.
    """
    notice = selectors.notices(request.user).filter(pk=pk).first()
    if notice is None:
        raise Http404
    services.mark_read(request.user, notices=[notice.pk])
    if notice.kind == CHANNEL_OFF and notice.known["own"]:
        return redirect("told")
    if notice.kind == CHALLENGED and "answer" in request.GET:
        nation = address("nation", notice.campaign.address, notice.seat)
        return redirect(f"{nation}#answer-{notice.known['contest']}")
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
        campaign_row = (
            Campaign.objects.filter(public_id=campaign).first() if campaign.isalnum() else None
        )
        if campaign_row is not None:
            services.mark_read(request.user, campaign=campaign_row)
    else:
        services.mark_read(request.user)
    return see_other(safe_redirect(request) or reverse("notices"))


# Ends somebody's letters without signing in: by one click of a mail program (RFC 8058), or on the
# page behind the link.


@csrf_exempt  # a mail program has no page of ours open; the token is what says it may
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Looking changes nothing: programs that look at links before a person does unsubscribe nobody.
    Letters end here or grow fewer; to have them sent again one signs in.
    """
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
    response = render(
        request, "notices/unsubscribe.html", {"channel": channel, "done": done, "token": token}
    )
    response.headers["Cache-Control"] = "private, no-store"
    return response


# What a reader of feeds or a calendar fetches: no session, the token in the address says whose it
# is.

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
    """With the time of the newest notice, not that of the asking: a feed that says nothing new is
    the same.
    """

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
            title=_("Notices of %(name)s at Tabula") % {"name": user.username},
            link=site + reverse("notices"),
            description="",
            language=user.language or None,
            feed_guid=f"tag:{request.get_host().split(':')[0]},2026:notices/{user.pk}",
        )
        for one in letters:
            heading = _("[%(campaign)s] %(title)s") % {
                "campaign": one.notice.campaign.name,
                "title": one.title,
            }
            lines = [line for line in (one.struck, one.body, absolute(one.notice.at)) if line]
            feed.add_item(
                title=heading,
                link=site + reverse("notice", args=(one.notice.pk,)),
                description="\n".join(lines),
                unique_id=f"tag:{request.get_host().split(':')[0]},2026:notice/{one.notice.pk}",
                pubdate=one.notice.at,
                updateddate=one.notice.at,
                author_name=one.notice.campaign.name,
            )
        feed.newest = letters[0].notice.at if letters else user.date_joined
        return _private(feed.writeString("utf-8"), "application/atom+xml")


@require_safe
def deadlines_feed(request: HttpRequest, token: str) -> HttpResponse:
    """The deadlines that run for them, and those of their campaigns' turns; `?all=1` everybody's,
    where they are game master.
    """
    user = _owner(token, Feed.What.DEADLINES)
    site, host = f"{request.scheme}://{request.get_host()}", request.get_host().split(":")[0]
    with read_by(user.language, user.time_zone):
        events = listed.of_person(user, site, host, everybody=request.GET.get("all") == "1")
        name = _("Deadlines of %(name)s at Tabula") % {"name": user.username}
        return _private(calendar(name, events, timezone.now()), "text/calendar")


# How somebody is told: their letters, their channels, what comes through which, their feeds, what
# was sent.

One = TypeVar("One", Channel, Webhook)
ONCE = "feed"
RECENT = 15
FORMS = {Feed.What.NOTICES: "feed_notices", Feed.What.DEADLINES: "feed_deadlines"}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notification_settings(request: HttpRequest) -> HttpResponseBase:
    """A POST's `do` says which form it is; what names a channel names one of one's own."""
    user = request.user
    if user.demo or user.guest:  # type: ignore[union-attr]
        return render(request, "notices/told_nowhere.html")
    deed = (
        {**DEEDS, "feed": _feed, "revoke": _revoke}.get(request.POST.get("do", ""))
        if request.method == "POST"
        else None
    )
    if deed is None:
        return page(request)
    return attempt(
        request, deed, ones_own(request), lambda wrong: page(request, wrong), reverse("told")
    )


def ones_own(request: HttpRequest) -> list[Channel]:
    """The reader's channels, their letters first: everybody has these."""
    own = list(channel_services.of_person(request.user))
    if all(one.service != Service.EMAIL for one in own):
        own.append(channel_services.letter_box(request.user))
    return sorted(own, key=lambda one: (one.service != Service.EMAIL, one.pk))


def attempt(
    request: HttpRequest,
    deed: Callable[[HttpRequest, list[One]], str | HttpResponse],
    own: list[One],
    again: Callable[[Wrong], HttpResponse],
    home: str,
) -> HttpResponseBase:
    """Do it and come back; what was wrong stands beside its form, and what is secret is
    typed anew.
    """
    try:
        answer = deed(request, own)
    except Wrong as wrong:
        return again(wrong)
    if isinstance(answer, HttpResponse):
        return answer
    messages.success(request, answer)
    return redirect(home)


def page(request: HttpRequest, wrong: Wrong | None = None) -> HttpResponse:
    own = ones_own(request)
    box = own[0]
    context = {
        "box": channel_row(box, request.POST, wrong),
        "to": mail.address(request.user),
        "others": [
            channel_row(one, request.POST, wrong)
            for one in own
            if one is not box and one.service != Service.PUSH
        ],
        "devices": [
            channel_row(one, request.POST, wrong) for one in own if one.service == Service.PUSH
        ],
        "push_key": push.public_key(),
        "device_wrong": str(wrong) if wrong is not None and wrong.field == "device" else "",
        "mutes": selectors.mutes(request.user),
        "full": len(own) > channel_services.MOST,
        "hours": range(24),
        "feeds": feed_rows(request),
        "recent": Delivery.objects.filter(channel__in=own).select_related("channel")[:RECENT],
        "letters_in": request.user.get_language_display() if request.user.language else "",  # type: ignore[union-attr]
        **table(own),
        **typed(request.POST, wrong),
    }
    return render(request, "notices/told.html", context, status=422 if wrong else 200)


def typed(posted: QueryDict, wrong: Wrong | None) -> dict[str, Any]:
    """What the form of a new channel shows again: the name, never the address."""
    adding = wrong is not None and posted.get("do") == "add"
    return {
        "name": posted.get("name", "")[: channel_services.LONGEST_NAME] if adding else "",
        "add_wrong": {wrong.field or "address": str(wrong)} if wrong is not None and adding else {},
    }


def channel_row(channel: Channel, posted: QueryDict, wrong: Wrong | None) -> dict[str, Any]:
    """A channel with what went wrong in one of its forms."""
    mine = (
        wrong is not None and posted.get("do") != "add" and posted.get("channel") == str(channel.pk)
    )
    return {
        "one": channel,
        "wrong": str(wrong) if mine else "",
        "code": posted.get("do") == "confirm" and mine,
    }


def table(own: Iterable[Channel]) -> dict[str, Any]:
    """What comes through which channel: rows of kinds by group, with a choice for each channel that
    takes any.
    """
    open_ones = [one for one in own if one.confirmed_at is not None]
    wished = {
        (channel, kind): wish
        for channel, kind, wish in Wish.objects.filter(channel__in=open_ones).values_list(
            "channel_id", "kind", "how"
        )
    }
    rows = []
    for name, keys in notices_kinds.kinds_by_group(
        [key for key, kind in KINDS.items() if any(offered(one, kind) for one in open_ones)]
    ):
        kinds = [
            {
                "key": key,
                "name": _(KINDS[key].name),
                "urgent": KINDS[key].urgent,
                "cells": [
                    {
                        "channel": one,
                        "field": f"how-{one.pk}-{key}",
                        "how": preference_for(one, key, wished),
                    }
                    for one in open_ones
                ],
            }
            for key in keys
        ]
        rows.append({"name": _(name), "kinds": kinds})
    return {"groups": rows, "columns": open_ones, "hows": How.choices}


def feed_rows(request: HttpRequest) -> list[dict[str, Any]]:
    """The feeds, with the address of one that was made just now, told once."""
    known, secret = (
        notices_services.of_person(request.user),
        requests.take_secret(request, ONCE) or {"name": "", "secret": ""},
    )
    return [
        {
            "what": what,
            "name": what.label,
            "feed": known.get(what),
            "url": secret["secret"] if secret["name"] == what else "",
        }
        for what in Feed.What
    ]


# What the forms do --------------------------------------------------------------------------------


def among(request: HttpRequest, own: list[One], field: str) -> One | None:
    """Which of one's own the form names, if it is there still."""
    number = whole(request.POST.get(field, ""), 18)
    return next((one for one in own if one.pk == number), None)


def chosen(request: HttpRequest, own: list[Channel]) -> Channel:
    if (channel := among(request, own, "channel")) is None:
        raise Wrong(_("This channel is gone."))
    return channel


def spent(request: HttpRequest) -> HttpResponse | None:
    """Whatever sends something at once is counted."""
    return throttle.mail(request, throttle.CHANNEL, f"user {request.user.pk}")


def _add(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    return added(request)


def added(request: HttpRequest, campaign: Campaign | None = None) -> str | HttpResponse:
    """A channel of one's own, or a campaign's. The same form sent twice adds one: two would tell
    everything twice.
    """
    if wait := spent(request):
        return wait
    if not requests.first_time(request):
        return redirect(request.path)
    try:
        channel = channel_services.add(
            request.user, request.POST.get("address", ""), request.POST.get("name", ""), campaign
        )
    except Wrong:
        requests.allow_again(request)
        raise
    return sent_there(channel)


def sent_there(channel: Channel) -> str:
    return _("A code was sent to %(name)s. Type it below.") % {"name": channel.called}


def _device(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    if wait := spent(request):
        return wait
    channel_services.add_device(
        request.user, request.POST.get("subscription", ""), request.POST.get("name", "")
    )
    return _("This device is notified from now on. Choose below of what.")


def _discreet(request: HttpRequest, own: list[Channel]) -> str:
    channel_services.set_discreet(chosen(request, own), "on" in request.POST)
    return _("Saved.")


def _quiet(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    first, last = (request.POST.get(name, "") for name in ("from", "to"))
    hours = [
        None if not one else -1 if (hour := whole(one, 2)) is None else hour
        for one in (first, last)
    ]
    channel_services.set_quiet(channel, *hours)
    return _("Saved.")


def _again(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    channel = chosen(request, own)
    if wait := spent(request):
        return wait
    channel_services.again(channel)
    return sent_there(channel)


def _confirm(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    channel_services.confirm(channel, request.POST.get("code", "")[:20])
    return _("%(name)s is confirmed. Choose below what is sent there.") % {"name": channel.called}


def _test(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    channel = chosen(request, own)
    if wait := spent(request):
        return wait
    channel_services.try_out(channel)
    if channel.service == Service.EMAIL:
        return _("A test is on its way to %(name)s. The list below shows its result.") % {
            "name": channel.called
        }
    return _("A test was sent to %(name)s.") % {"name": channel.called}


def _on(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    channel_services.switch(channel, on=True)
    return _("%(name)s is switched on.") % {"name": channel.called}


def _off(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    channel_services.switch(channel, on=False)
    return _("%(name)s is switched off.") % {"name": channel.called}


def _remove(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    if channel.service == Service.EMAIL:
        raise Wrong(_("E-mails are switched off, not removed."))
    channel_services.remove(channel)
    return _("%(name)s is removed, and its address with it.") % {"name": channel.called}


def _hour(request: HttpRequest, own: list[Channel]) -> str:
    hour = whole(request.POST.get("hour", ""), 2)
    channel_services.set_hour(chosen(request, own), -1 if hour is None else hour)
    return _("Saved.")


def _channel_preferences(request: HttpRequest, own: list[Channel]) -> str:
    for channel in own:
        begin = f"how-{channel.pk}-"
        wishes = {
            name.removeprefix(begin): how
            for name, how in request.POST.dict().items()
            if name.startswith(begin)
        }
        if wishes:
            channel_services.wish(channel, wishes)
    return _("Saved.")


@signed_in_lately
def _feed(request: HttpRequest, own: list[Channel]) -> str:
    what = Feed.What(kind(request))
    token = notices_services.make(request.user, what)
    url = request.build_absolute_uri(reverse(FORMS[what], args=(token,)))
    requests.keep_secret(request, ONCE, what, url)
    return _("Address created. It is shown once.")


def _revoke(request: HttpRequest, own: list[Channel]) -> str:
    notices_services.revoke(request.user, kind(request))
    return _("The address is revoked: nothing is read there any more.")


def kind(request: HttpRequest) -> str:
    what = request.POST.get("what", "")
    if what not in Feed.What.values:
        raise Wrong(_("There is no such feed."))
    return what


DEEDS: dict[str, Callable[[HttpRequest, list[Channel]], str | HttpResponse]] = {
    "add": _add,
    "again": _again,
    "confirm": _confirm,
    "test": _test,
    "on": _on,
    "off": _off,
    "remove": _remove,
    "hour": _hour,
    "wishes": _channel_preferences,
    "device": _device,
    "discreet": _discreet,
    "quiet": _quiet,
}
