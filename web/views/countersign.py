"""A countersigner's word under what a game master corrected, undid or judged, or did for his own seat."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import countersigned, services
from campaign.errors import TableError
from campaign.selectors import Line
from web.views.common import TableContext, campaign_page


def may(table: TableContext, line: Line) -> bool:
    """May the reader countersign this entry, or object to it, now?"""
    user, own = table.user, line.mark.own
    if not user.is_authenticated or user.username in line.signed:
        return False
    return not countersigned.bars(line.entry, own, user.pk, table.access, table.places)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def countersign(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """POST countersigns, with `do` = object it objects; a GET leads to the entry."""
    if request.method == "POST":
        try:
            if request.POST.get("do") == "object":
                services.object_to(table.campaign, table.user, number, request.POST.get("reason", ""))
                said = _("Your objection stands under entry %(number)s, and everybody is told.")
            else:
                services.countersign(table.campaign, table.user, number)
                said = _("Entry %(number)s is countersigned.")
        except TableError as error:
            if error.status in (403, 404):
                raise
            messages.error(request, str(error))
        else:
            messages.success(request, said % {"number": number})
    return redirect(table.url("entry", number))
