"""Views of clocks: show the deadlines, extend a deadline, change the terms."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign.clocks import selectors as clock_terms
from campaign.clocks import services
from campaign.clocks.selectors import Terms
from campaign.errors import TableError
from campaign.log import selectors
from web.clocks.forms import ExtensionForm, TermsForm
from web.clocks.page import (
    ClocksPage,
    RefusedTerms,
    came_from,
    clock_to_extend,
    clocks_page,
    extension,
    kinds,
)
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome, attempt


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def clocks(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show the clocks, with `?extend=` the form for a clock.

    `do` of a POST is `extend` or `terms`.
    """
    if request.method != "POST":
        form = ExtensionForm(request.GET)
        clock = clock_to_extend(table, form.number_of("extend"))
        opened = extension(table, clock, form) if clock is not None else None
        return show_clocks(request, table, clocks_page(table, opened))
    table.must_be_host()
    if form_key(request) == "extend":
        return extend(request, table, ExtensionForm(request.POST))
    return set_terms(request, table, TermsForm(request.POST))


def show_clocks(
    request: HttpRequest, table: TableContext, page: ClocksPage, status: int = 200
) -> HttpResponse:
    """Show the page."""
    return show(request, table, "clocks/clocks.html", {"page": page}, tab="clocks", status=status)


def extend(request: HttpRequest, table: TableContext, form: ExtensionForm) -> HttpResponseBase:
    """Give a clock a new deadline."""
    clock = clock_to_extend(table, form.number_of("extend"))
    if clock is None:
        messages.error(request, _("This clock is no longer running."))
        return see_other(table.url("clocks"))
    to, wrong = form.deadline(table.campaign.time_zone)
    if to is None:
        outcome = ActionOutcome(wrong=wrong, field="to")
    else:
        reason = form.text_of("reason")
        act = partial(services.extend, table.campaign, table.user, clock, to, reason)
        outcome = attempt(table, act, request.POST)
    if not outcome.done:
        outcome.field = outcome.field or ("" if outcome.overtaken else "to")
        opened = extension(table, clock, form, outcome)
        return show_clocks(request, table, clocks_page(table, opened), outcome.status)
    line = selectors.log(table.campaign, table.user, limit=1)[0]
    messages.success(request, line.text)
    return see_other(came_from(table, clock, form.text_of("back")))


def set_terms(request: HttpRequest, table: TableContext, form: TermsForm) -> HttpResponseBase:
    """Change how long tasks may take, and what happens at the deadline."""
    wanted, wrong = checked_terms(table, form)
    if not wrong:
        try:
            services.set_terms(table.campaign, table.user, wanted)
        except TableError as refused:
            if refused.status in (403, 404):
                raise
            wrong = {"": str(refused)}
    if wrong:
        page = clocks_page(table, refused=RefusedTerms(form, wrong))
        return show_clocks(request, table, page, 422)
    messages.success(request, _("Changed. Everyone can read the change in the log."))
    return see_other(table.url("clocks") + "#terms")


def checked_terms(
    table: TableContext, form: TermsForm
) -> tuple[dict[str, Terms | None], dict[str, str]]:
    """Return the typed terms, and their errors by clock."""
    wanted: dict[str, Terms | None] = {}
    wrong: dict[str, str] = {}
    reminds = form.text_or("reminds", clock_terms.BOTH)
    for kind in kinds(table):
        terms = form.terms_of(kind).terms(reminds)
        try:
            checked = terms and clock_terms.checked_terms(table.campaign, kind, terms)
            wanted[kind] = checked
        except TableError as refused:
            wrong[kind] = str(refused)
    return wanted, wrong
