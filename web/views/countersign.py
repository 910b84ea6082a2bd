"""A countersigner's word under what a game master corrected, undid or judged."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import services
from campaign.countersigned import asks
from campaign.errors import TableError
from campaign.selectors import Line
from web.views.common import TableContext, campaign_page


def may(table: TableContext, line: Line) -> bool:
    """May the reader countersign this entry now?"""
    who, entry = table.access, line.entry
    own = entry.actor_id == getattr(table.user, "pk", None) or getattr(table.user, "username", "") in line.signed
    return who.countersigner and not who.host and asks(entry) and not own


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def countersign(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """POST countersigns; a GET leads to the entry."""
    if request.method == "POST":
        try:
            services.countersign(table.campaign, table.user, number)
        except TableError as error:
            if error.status in (403, 404):
                raise
            messages.error(request, str(error))
        else:
            messages.success(request, _("Entry %(number)s is countersigned.") % {"number": number})
    return redirect(table.url("entry", number))
