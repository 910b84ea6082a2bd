"""How somebody is told: his letters, his channels, what comes through which, his feeds, what was sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign.models import Campaign
from engine.strict_json import whole
from notices import kinds as notices_kinds
from notices import selectors
from notices import services as notices_services
from notices.channels import mail, push, services
from notices.channels.services import Wrong
from notices.models import Channel, Delivery, Feed, How, Service, Webhook, Wish
from notices.registry import KINDS
from notices.selectors import offered, preference_for
from web.shell import requests, throttle

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
    deed = {**DEEDS, "feed": _feed, "revoke": _revoke}.get(request.POST.get("do", "")) if request.method == "POST" else None
    if deed is None:
        return page(request)
    return attempt(request, deed, ones_own(request), lambda wrong: page(request, wrong), reverse("told"))


def ones_own(request: HttpRequest) -> list[Channel]:
    """The reader's channels, his letters first: everybody has these."""
    own = list(services.of_person(request.user))
    if all(one.service != Service.EMAIL for one in own):
        own.append(services.letter_box(request.user))
    return sorted(own, key=lambda one: (one.service != Service.EMAIL, one.pk))


def attempt(
    request: HttpRequest,
    deed: Callable[[HttpRequest, list[One]], str | HttpResponse],
    own: list[One],
    again: Callable[[Wrong], HttpResponse],
    home: str,
) -> HttpResponseBase:
    """Do it and come back; what was wrong stands beside its form, and what is secret is typed anew."""
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
        "box": channel_row(box, request.POST, wrong), "to": mail.address(request.user),
        "others": [channel_row(one, request.POST, wrong) for one in own if one is not box and one.service != Service.PUSH],
        "devices": [channel_row(one, request.POST, wrong) for one in own if one.service == Service.PUSH],
        "push_key": push.public_key(), "device_wrong": str(wrong) if wrong is not None and wrong.field == "device" else "",
        "mutes": selectors.mutes(request.user), "full": len(own) > services.MOST, "hours": range(24), "feeds": feed_rows(request),
        "recent": Delivery.objects.filter(channel__in=own).select_related("channel")[:RECENT],
        "letters_in": request.user.get_language_display() if request.user.language else "",  # type: ignore[union-attr]
        **table(own), **typed(request.POST, wrong),
    }  # fmt: skip
    return render(request, "notices/told.html", context, status=422 if wrong else 200)


def typed(posted: QueryDict, wrong: Wrong | None) -> dict[str, Any]:
    """What the form of a new channel shows again: the name, never the address."""
    adding = wrong is not None and posted.get("do") == "add"
    return {"name": posted.get("name", "")[: services.LONGEST_NAME] if adding else "",
            "add_wrong": {wrong.field or "address": str(wrong)} if wrong is not None and adding else {}}  # fmt: skip


def channel_row(channel: Channel, posted: QueryDict, wrong: Wrong | None) -> dict[str, Any]:
    """A channel with what went wrong in one of its forms."""
    mine = wrong is not None and posted.get("do") != "add" and posted.get("channel") == str(channel.pk)
    return {"one": channel, "wrong": str(wrong) if mine else "", "code": posted.get("do") == "confirm" and mine}


def table(own: Iterable[Channel]) -> dict[str, Any]:
    """What comes through which channel: rows of kinds by group, with a choice for each channel that takes any."""
    open_ones = [one for one in own if one.confirmed_at is not None]
    wished = {
        (channel, kind): wish
        for channel, kind, wish in Wish.objects.filter(channel__in=open_ones).values_list("channel_id", "kind", "how")
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
                    {"channel": one, "field": f"how-{one.pk}-{key}", "how": preference_for(one, key, wished)} for one in open_ones
                ],
            }
            for key in keys
        ]
        rows.append({"name": _(name), "kinds": kinds})
    return {"groups": rows, "columns": open_ones, "hows": How.choices}


def feed_rows(request: HttpRequest) -> list[dict[str, Any]]:
    """The feeds, with the address of one that was made just now, told once."""
    known, secret = notices_services.of_person(request.user), requests.take_secret(request, ONCE) or {"name": "", "secret": ""}
    return [
        {"what": what, "name": what.label, "feed": known.get(what), "url": secret["secret"] if secret["name"] == what else ""}
        for what in Feed.What
    ]


# What the forms do ----------------------------------------------------------------------------------------------------


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
    """A channel of one's own, or a campaign's. The same form sent twice adds one: two would tell everything twice."""
    if wait := spent(request):
        return wait
    if not requests.first_time(request):
        return redirect(request.path)
    try:
        channel = services.add(request.user, request.POST.get("address", ""), request.POST.get("name", ""), campaign)
    except Wrong:
        requests.allow_again(request)
        raise
    return sent_there(channel)


def sent_there(channel: Channel) -> str:
    return _("A code was sent to %(name)s. Type it below.") % {"name": channel.called}


def _device(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    if wait := spent(request):
        return wait
    services.add_device(request.user, request.POST.get("subscription", ""), request.POST.get("name", ""))
    return _("This device is notified from now on. Choose below of what.")


def _discreet(request: HttpRequest, own: list[Channel]) -> str:
    services.set_discreet(chosen(request, own), "on" in request.POST)
    return _("Saved.")


def _quiet(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    first, last = (request.POST.get(name, "") for name in ("from", "to"))
    hours = [None if not one else -1 if (hour := whole(one, 2)) is None else hour for one in (first, last)]
    services.set_quiet(channel, *hours)
    return _("Saved.")


def _again(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    channel = chosen(request, own)
    if wait := spent(request):
        return wait
    services.again(channel)
    return sent_there(channel)


def _confirm(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    services.confirm(channel, request.POST.get("code", "")[:20])
    return _("%(name)s is confirmed. Choose below what is sent there.") % {"name": channel.called}


def _test(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    channel = chosen(request, own)
    if wait := spent(request):
        return wait
    services.try_out(channel)
    return _("A test was sent to %(name)s.") % {"name": channel.called}


def _on(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    services.switch(channel, on=True)
    return _("%(name)s is switched on.") % {"name": channel.called}


def _off(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    services.switch(channel, on=False)
    return _("%(name)s is switched off.") % {"name": channel.called}


def _remove(request: HttpRequest, own: list[Channel]) -> str:
    channel = chosen(request, own)
    if channel.service == Service.EMAIL:
        raise Wrong(_("E-mails are switched off, not removed."))
    services.remove(channel)
    return _("%(name)s is removed, and its address with it.") % {"name": channel.called}


def _hour(request: HttpRequest, own: list[Channel]) -> str:
    hour = whole(request.POST.get("hour", ""), 2)
    services.set_hour(chosen(request, own), -1 if hour is None else hour)
    return _("Saved.")


def _channel_preferences(request: HttpRequest, own: list[Channel]) -> str:
    for channel in own:
        begin = f"how-{channel.pk}-"
        wishes = {name.removeprefix(begin): how for name, how in request.POST.dict().items() if name.startswith(begin)}
        if wishes:
            services.wish(channel, wishes)
    return _("Saved.")


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
    "add": _add, "again": _again, "confirm": _confirm, "test": _test, "on": _on, "off": _off, "remove": _remove, "hour": _hour,
    "wishes": _channel_preferences, "device": _device, "discreet": _discreet, "quiet": _quiet,
}  # fmt: skip
