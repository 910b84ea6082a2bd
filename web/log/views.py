"""Views of the log, an entry, its link to the forum, the record as a file, and new entries."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import etag, require_http_methods, require_safe

from campaign import services
from campaign.errors import Refused
from campaign.log import record as records
from campaign.models import AccessLogEntry
from engine.strict_json import canonical
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.live import mark
from web.frame.table import TableContext
from web.log.forms import LinkForm, LiveForm, LogForm
from web.log.page import entry_page, log_page, new_entries_page
from web.seats import hidden_hands


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show a page of the log, by default the newest.

    `?before=` and `?after=` take the number of an entry and show the page next to it, `?at=` shows
    the page that has the entry, and `?all` shows everything.
    """
    form = LogForm(request.GET)
    if not form.is_valid():
        raise Http404
    return show(request, table, "log/log.html", {"page": log_page(table, form.query)}, tab="log")


@require_safe
@campaign_page
def entry(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    """Show an entry."""
    return show(request, table, "log/entry.html", {"page": entry_page(table, number)}, tab="log")


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def link(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """Save the link of an entry's post on the forum; a GET redirects to the entry."""
    if request.method != "POST":
        return redirect(table.url("entry", number))
    form = LinkForm(request.POST)
    try:
        url = form.cleaned_data["url"] if form.is_valid() else form["url"].value()
        entry = services.link(table.campaign, table.user, number, url)
    except Refused as error:
        messages.error(request, str(error))
    else:
        if entry is not None:
            saved = entry.content["url"]
            messages.success(
                request, _("The link has been saved.") if saved else _("The link has been removed.")
            )
    return see_other(table.url("entry", number))


@require_safe
@campaign_page
def record(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the record of the moves in force, which `manage.py replay` reads.

    While the campaign runs, only the game master's record contains hidden hands.
    """
    if records.check_may_export(table.campaign, table.user):
        if hidden_hands.is_prefetch(request):
            return hidden_hands.refuse_prefetch()
        services.log_access_to_all(table.campaign, table.user, AccessLogEntry.Way.RECORD)
    text = canonical(records.export(table.campaign, table.user))
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.campaign.address}.json"'
    return answer


def mark_tag(request: HttpRequest, table: TableContext) -> str:
    """Return the mark of the entries that the reader sees, as the ETag of the answer."""
    return quote_etag(mark(table))


@require_safe
@campaign_page
@etag(mark_tag)
def moved(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the new entries since a page was made; answer 304 to a page that has the same mark."""
    context = {"table": table, "page": new_entries_page(table, LiveForm(request.GET).query)}
    return render(request, "log/live.html", context)
