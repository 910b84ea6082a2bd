"""Countersignatures of a game master's corrections, undos, rulings, and acts for their own seat."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import review, services
from campaign.errors import TableError
from campaign.log.selectors import Line
from web.desk.forms import CountersignForm
from web.frame.campaign_page import campaign_page
from web.frame.table import TableContext

FORBIDDEN, NOT_FOUND = 403, 404


def may_countersign(table: TableContext, line: Line) -> bool:
    """Return whether the reader may now countersign this entry or object to it."""
    user = table.user
    if not user.is_authenticated or user.username in line.signed:
        return False
    return not review.may_not_answer(line.entry, line.mark.own, user.pk, table.access, table.places)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def countersign(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """Countersign an entry, or with `do=object` object to it; a GET redirects to the entry."""
    if request.method == "POST":
        try:
            text = sign_or_object(table, number, request.POST)
        except TableError as error:
            if error.status in (FORBIDDEN, NOT_FOUND):
                raise
            messages.error(request, str(error))
        else:
            messages.success(request, text)
    return redirect(table.url("entry", number))


def sign_or_object(table: TableContext, number: int, post_data: QueryDict) -> str:
    """Countersign the entry or object to it, and return the message for the reader."""
    form = CountersignForm(post_data)
    if form.objects:
        services.object_to(table.campaign, table.user, number, form.text_of("reason"))
        text = _("Your objection appears below entry %(number)s, and everyone has been notified.")
    else:
        services.countersign(table.campaign, table.user, number)
        text = _("You have countersigned entry %(number)s.")
    return text % {"number": number}
