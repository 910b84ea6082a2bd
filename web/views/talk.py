"""Talk at a table that is played on a page of its own by several: plans, proposals, answers."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from campaign.errors import NotNow, Refused
from campaign.services.talking import LONGEST, talk
from web import throttle
from web.talked import kept
from web.views.common import TableContext, campaign_page, see_other
from web.views.played import own_pages


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def say(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Says it, and back to the board; what was typed and cannot be said stands in the field again."""
    own_pages(table)
    if request.method != "POST":
        return redirect(table.home)
    text = request.POST.get("text", "")
    if table.access.voices and (wait := throttle.spend(request, throttle.TALK, f"user {request.user.pk}")):
        request.session[kept(table)] = text[:LONGEST]
        return throttle.refused(request, wait)
    try:
        talk(table.campaign, request.user, text)
    except (Refused, NotNow) as wrong:
        messages.error(request, str(wrong))
        request.session[kept(table)] = text[:LONGEST]
    return see_other(table.home + "#talk")
