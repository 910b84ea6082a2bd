"""A campaign's webhooks, for its game masters: where every public entry is sent as data, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign.models import Campaign
from engine.strict_json import whole
from notices import signing
from notices import webhooks as sending
from notices.models import Webhook, WebhookDelivery
from notices.services import webhooks as services
from notices.services.channels import Wrong
from web import once, shown_once
from web.views import told
from web.views.common import TableContext, campaign_page, show

RECENT = 20
ONCE = "webhook"


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """GET lists; a POST's `do` says which form it is."""
    table.must_be_host()
    if request.method != "POST":
        return page(request, table)

    def add(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
        return _add(request, table)

    deed = {**DEEDS, "add": add}.get(request.POST.get("do", ""))
    if deed is None:
        return page(request, table)
    own = list(services.of_campaign(table.campaign))
    return told.attempt(request, deed, own, lambda wrong: page(request, table, wrong), table.url("webhooks"))


def page(request: HttpRequest, table: TableContext, wrong: Wrong | None = None) -> HttpResponse:
    found = services.of_campaign(table.campaign)
    own, hearing = list(found), set(sending.may_hear(found).values_list("pk", flat=True))
    adding = wrong is not None and request.POST.get("do") == "add"
    number = None if adding else whole(request.POST.get("webhook", ""), 18)
    context = {
        "hooks": [
            {"one": one, "hears": one.pk in hearing, "wrong": str(wrong) if wrong and one.pk == number else ""} for one in own
        ],
        "recent": WebhookDelivery.objects.filter(webhook__in=own).select_related("webhook")[:RECENT],
        "full": len(own) >= services.MOST, "most": services.MOST, "batch": sending.MOST_ENTRIES, "days": sending.PATIENCE.days,
        "new": shown_once.take(request, ONCE), "add_wrong": str(wrong) if adding else "", "longest": services.LONGEST,
        "wrong": str(wrong) if wrong and not adding and number not in {one.pk for one in own} else "",
        "check": signing.CHECK, "example": _example(table.campaign), "signature": signing.SIGNATURE, "delivery": signing.DELIVERY,
    }  # fmt: skip
    return show(request, table, "campaign/webhooks.html", context, here="desk", status=422 if wrong else 200)


def _example(campaign: Campaign) -> str:
    """What is sent of the last entry that everybody sees, over several lines."""
    last = campaign.last_number
    body = sending.payload(campaign, f"abcdefgh-{last}-{last}", sending.public(campaign, last, last))
    return json.dumps(json.loads(body), indent=2, ensure_ascii=False)


def _chosen(request: HttpRequest, own: list[Webhook]) -> Webhook:
    if (found := told.among(request, own, "webhook")) is None:
        raise Wrong(_("This webhook is gone."))
    return found


def _add(request: HttpRequest, table: TableContext) -> str | HttpResponse:
    if wait := told.spent(request):
        return wait
    if not once.first(request):
        return redirect(request.path)
    try:
        made, secret = services.add(table.campaign, request.user, request.POST.get("address", ""))
    except Wrong:
        once.forget(request)
        raise
    shown_once.keep(request, ONCE, made.host, secret)
    return _("%(name)s is told from the next entry on.") % {"name": made.host}


def _test(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
    hook = _chosen(request, own)
    if wait := told.spent(request):
        return wait
    services.try_out(hook)
    return _("The test arrived at %(name)s.") % {"name": hook.host}


def _secret(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
    hook = _chosen(request, own)
    if not once.first(request):
        return redirect(request.path)
    shown_once.keep(request, ONCE, hook.host, services.renew(hook))
    return _("The old secret signs nothing any more.")


def _on(request: HttpRequest, own: list[Webhook]) -> str:
    hook = _chosen(request, own)
    services.switch(hook, on=True)
    return _("%(name)s is switched on. What was said meanwhile is sent, too.") % {"name": hook.host}


def _off(request: HttpRequest, own: list[Webhook]) -> str:
    hook = _chosen(request, own)
    services.switch(hook, on=False)
    return _("%(name)s is switched off.") % {"name": hook.host}


def _remove(request: HttpRequest, own: list[Webhook]) -> str:
    hook = _chosen(request, own)
    services.remove(hook)
    return _("%(name)s is taken away, and its address with it.") % {"name": hook.host}


DEEDS: dict[str, Callable[[HttpRequest, list[Webhook]], str | HttpResponse]] = {
    "test": _test, "secret": _secret, "on": _on, "off": _off, "remove": _remove,
}  # fmt: skip
