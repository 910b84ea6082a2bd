"""Where an entry stands on the forum: said by who said the entry, or by the game master."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import services
from campaign.errors import Refused
from web.views.common import TableContext, campaign_page, see_other


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def link(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """POST links; a GET leads to the entry."""
    if request.method != "POST":
        return redirect(table.url("entry", number))
    try:
        made = services.link(table.campaign, table.user, number, request.POST.get("url", ""))
    except Refused as error:
        messages.error(request, str(error))
    else:
        if made is not None:
            messages.success(request, _("The link is kept.") if made.said["url"] else _("The link is taken back."))
    return see_other(table.url("entry", number))
