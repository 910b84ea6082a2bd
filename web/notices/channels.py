"""A campaign's own channels, for its game masters: what everybody may know, and the message "whom
we wait for".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign.models import Campaign
from engine.strict_json import whole
from notices import boards
from notices import webhooks as notices_webhooks
from notices.channels import services
from notices.channels.services import Wrong
from notices.models import Channel, Delivery, Service, Webhook, WebhookDelivery
from web.frame import requests
from web.frame.campaign_page import TableContext, campaign_page, show
from web.notices import views as notices_settings

RECENT = 15


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def channels(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """GET lists; a POST's `do` says which form it is. It shows nothing hidden: who plays and runs
    the campaign sees it.
    """
    table.must_be_host()
    if request.method != "POST":
        return channels_page(request, table)

    def add(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
        return notices_settings.added(request, table.campaign)

    deed = {**CHANNEL_ACTIONS, "add": add}.get(request.POST.get("do", ""))
    if deed is None:
        return channels_page(request, table)
    own = list(services.of_campaign(table.campaign))
    return notices_settings.attempt(
        request,
        deed,
        own,
        lambda wrong: channels_page(request, table, wrong),
        table.url("channels"),
    )


def channels_page(
    request: HttpRequest, table: TableContext, wrong: Wrong | None = None
) -> HttpResponse:
    own = list(services.of_campaign(table.campaign))
    context = {
        "others": [
            {**notices_settings.channel_row(one, request.POST, wrong), "board": carries(one)}
            for one in own
        ],
        "full": len(own) > services.MOST,
        "zone_there": table.campaign.time_zone,
        "spoken": settings.LANGUAGES,
        "recent": Delivery.objects.filter(channel__in=own).select_related("channel")[:RECENT],
        **notices_settings.table(own),
        **notices_settings.typed(request.POST, wrong),
    }
    return show(
        request, table, "notices/channels.html", context, here="desk", status=422 if wrong else 200
    )


def carries(channel: Channel) -> bool:
    """May it carry the message "whom we wait for"?"""
    return channel.confirmed_at is not None and channel.service == Service.DISCORD


def _board(request: HttpRequest, own: list[Channel]) -> str:
    boards.show(notices_settings.chosen(request, own))
    return _("The message is created within a minute or two.")


def _anew(request: HttpRequest, own: list[Channel]) -> str:
    boards.anew(notices_settings.chosen(request, own))
    return _("A new message is made within a minute or two.")


def _no_board(request: HttpRequest, own: list[Channel]) -> str:
    boards.leave(notices_settings.chosen(request, own))
    return _("The message is no longer changed. Delete it in Discord.")


def _language(request: HttpRequest, own: list[Channel]) -> str:
    services.set_language(notices_settings.chosen(request, own), request.POST.get("language", ""))
    return _("Saved.")


CHANNEL_ACTIONS: dict[str, Callable[[HttpRequest, list[Channel]], Any]] = {
    **{
        name: notices_settings.DEEDS[name]
        for name in ("again", "confirm", "test", "on", "off", "remove", "wishes")
    },
    "board": _board,
    "anew": _anew,
    "no-board": _no_board,
    "language": _language,
}


# A campaign's webhooks, for its game masters: where every public entry is sent as data, and what
# became of it.

RECENT_DELIVERIES = 20
ONCE = "webhook"


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """GET lists; a POST's `do` says which form it is."""
    table.must_be_host()
    if request.method != "POST":
        return webhooks_page(request, table)

    def add(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
        return _add(request, table)

    deed = {**WEBHOOK_ACTIONS, "add": add}.get(request.POST.get("do", ""))
    if deed is None:
        return webhooks_page(request, table)
    own = list(notices_webhooks.of_campaign(table.campaign))
    return notices_settings.attempt(
        request,
        deed,
        own,
        lambda wrong: webhooks_page(request, table, wrong),
        table.url("webhooks"),
    )


def webhooks_page(
    request: HttpRequest, table: TableContext, wrong: Wrong | None = None
) -> HttpResponse:
    hooks_here = notices_webhooks.of_campaign(table.campaign)
    own, hearing = (
        list(hooks_here),
        set(notices_webhooks.may_hear(hooks_here).values_list("pk", flat=True)),
    )
    adding = wrong is not None and request.POST.get("do") == "add"
    number = None if adding else whole(request.POST.get("webhook", ""), 18)
    context = {
        "hooks": [
            {
                "one": one,
                "hears": one.pk in hearing,
                "wrong": str(wrong) if wrong and one.pk == number else "",
            }
            for one in own
        ],
        "recent": (
            WebhookDelivery.objects.filter(webhook__in=own).select_related("webhook")[
                :RECENT_DELIVERIES
            ]
        ),
        "full": len(own) >= notices_webhooks.MOST_WEBHOOKS,
        "most": notices_webhooks.MOST_WEBHOOKS,
        "batch": notices_webhooks.MOST_ENTRIES,
        "days": notices_webhooks.PATIENCE.days,
        "new": requests.take_secret(request, ONCE),
        "add_wrong": str(wrong) if adding else "",
        "longest": notices_webhooks.LONGEST_NAME,
        "wrong": (
            str(wrong) if wrong and not adding and number not in {one.pk for one in own} else ""
        ),
        "check": notices_webhooks.CHECK,
        "example": _example(table.campaign),
        "signature": notices_webhooks.SIGNATURE,
        "delivery": notices_webhooks.DELIVERY,
    }
    return show(
        request, table, "notices/webhooks.html", context, here="desk", status=422 if wrong else 200
    )


def _example(campaign: Campaign) -> str:
    """What is sent of the last entry that everybody sees, over several lines."""
    last = campaign.last_number
    body = notices_webhooks.payload(
        campaign, f"abcdefgh-{last}-{last}", notices_webhooks.public(campaign, last, last)
    )
    return json.dumps(json.loads(body), indent=2, ensure_ascii=False)


def _chosen(request: HttpRequest, own: list[Webhook]) -> Webhook:
    if (webhook := notices_settings.among(request, own, "webhook")) is None:
        raise Wrong(_("This webhook is gone."))
    return webhook


def _add(request: HttpRequest, table: TableContext) -> str | HttpResponse:
    if wait := notices_settings.spent(request):
        return wait
    if not requests.first_time(request):
        return redirect(request.path)
    try:
        webhook, secret = notices_webhooks.add(
            table.campaign, request.user, request.POST.get("address", "")
        )
    except Wrong:
        requests.allow_again(request)
        raise
    requests.keep_secret(request, ONCE, webhook.host, secret)
    return _("%(name)s receives everything from the next entry on.") % {"name": webhook.host}


def _test(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
    hook = _chosen(request, own)
    if wait := notices_settings.spent(request):
        return wait
    notices_webhooks.try_out(hook)
    return _("The test arrived at %(name)s.") % {"name": hook.host}


def _secret(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
    hook = _chosen(request, own)
    if not requests.first_time(request):
        return redirect(request.path)
    requests.keep_secret(request, ONCE, hook.host, notices_webhooks.renew(hook))
    return _("The old secret no longer signs anything.")


def _on(request: HttpRequest, own: list[Webhook]) -> str:
    hook = _chosen(request, own)
    notices_webhooks.switch(hook, on=True)
    return _("%(name)s is switched on. What happened meanwhile is sent, too.") % {"name": hook.host}


def _off(request: HttpRequest, own: list[Webhook]) -> str:
    hook = _chosen(request, own)
    notices_webhooks.switch(hook, on=False)
    return _("%(name)s is switched off.") % {"name": hook.host}


def _remove(request: HttpRequest, own: list[Webhook]) -> str:
    hook = _chosen(request, own)
    notices_webhooks.remove(hook)
    return _("%(name)s is removed, and its address with it.") % {"name": hook.host}


WEBHOOK_ACTIONS: dict[str, Callable[[HttpRequest, list[Webhook]], str | HttpResponse]] = {
    "test": _test,
    "secret": _secret,
    "on": _on,
    "off": _off,
    "remove": _remove,
}
