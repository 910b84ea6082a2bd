"""A campaign's own channels, for its game masters: what everybody may know, and the message "whom we wait for"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from notices.models import Channel, Delivery, Service
from notices.services import boards
from notices.services import channels as services
from notices.services.channels import Wrong
from web.views import told
from web.views.common import TableContext, campaign_page, show

RECENT = 15


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def channels(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """GET lists; a POST's `do` says which form it is. It shows nothing hidden: who plays and runs the campaign sees it."""
    table.must_be_host()
    if request.method != "POST":
        return page(request, table)

    def add(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
        return told.added(request, table.campaign)

    deed = {**DEEDS, "add": add}.get(request.POST.get("do", ""))
    if deed is None:
        return page(request, table)
    own = list(services.of_campaign(table.campaign))
    return told.attempt(request, deed, own, lambda wrong: page(request, table, wrong), table.url("channels"))


def page(request: HttpRequest, table: TableContext, wrong: Wrong | None = None) -> HttpResponse:
    own = list(services.of_campaign(table.campaign))
    context = {
        "others": [{**told.shown(one, request.POST, wrong), "board": carries(one)} for one in own],
        "full": len(own) > services.MOST, "zone_there": table.campaign.time_zone,
        "spoken": settings.LANGUAGES,
        "recent": Delivery.objects.filter(channel__in=own).select_related("channel")[:RECENT],
        **told.table(own), **told.typed(request.POST, wrong),
    }  # fmt: skip
    return show(request, table, "campaign/channels.html", context, here="desk", status=422 if wrong else 200)


def carries(channel: Channel) -> bool:
    """May it carry the message "whom we wait for"?"""
    return channel.confirmed_at is not None and channel.service == Service.DISCORD


def _board(request: HttpRequest, own: list[Channel]) -> str:
    boards.show(told.chosen(request, own))
    return _("The message is made within a minute or two.")


def _anew(request: HttpRequest, own: list[Channel]) -> str:
    boards.anew(told.chosen(request, own))
    return _("A new message is made within a minute or two.")


def _no_board(request: HttpRequest, own: list[Channel]) -> str:
    boards.leave(told.chosen(request, own))
    return _("The message is changed no more. Delete it in Discord.")


def _language(request: HttpRequest, own: list[Channel]) -> str:
    services.set_language(told.chosen(request, own), request.POST.get("language", ""))
    return _("Saved.")


DEEDS: dict[str, Callable[[HttpRequest, list[Channel]], Any]] = {
    **{name: told.DEEDS[name] for name in ("again", "confirm", "test", "on", "off", "remove", "wishes")},
    "board": _board, "anew": _anew, "no-board": _no_board, "language": _language,
}  # fmt: skip
