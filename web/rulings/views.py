"""Views of the rulings of a campaign: everyone reads them, the game master writes them."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import rulebook
from campaign.errors import NoSuchEntry, Refused
from campaign.models import LogEntry
from campaign.rulebook import Ruling
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.table import TableContext
from web.rulings.forms import RulingForm, RulingQuery
from web.rulings.page import empty_form, rulings_page


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def rulings(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the rulings, or write a ruling."""
    book = rulebook.ruling_book(table.campaign)
    if request.method != "POST":
        form = empty_form(table, RulingQuery(request.GET), book) if table.access.host else None
        return show_rulings(request, table, book, form)
    if not table.access.host:
        # Let the service refuse the reader before the form is checked.
        rulebook.rule_on(table.campaign, request.user, RulingForm("", request.POST)["text"].value())
    form = RulingForm(table.campaign.title, request.POST)
    entry = write_ruling(request, table, form)
    if entry is None:
        return show_rulings(request, table, book, form, status=400)
    number = entry.content["ruling"]
    done = (
        _("Ruling %(number)s has been revised.")
        if form.revised_number
        else _("Ruling %(number)s has been recorded.")
    )
    messages.success(request, done % {"number": number})
    return see_other(f"{table.url('rulings')}#ruling-{number}")


def write_ruling(request: HttpRequest, table: TableContext, form: RulingForm) -> LogEntry | None:
    """Write the ruling; return None, with the errors in the form, if it is refused."""
    if not form.is_valid():
        return None
    cleaned_data = form.cleaned_data
    try:
        return rulebook.rule_on(
            table.campaign,
            request.user,
            cleaned_data["text"],
            rule=cleaned_data["rule"],
            entry=cleaned_data["entry"],
            revises=cleaned_data["revises"],
        )
    except NoSuchEntry as error:
        form.add_error("entry", str(error))
    except Refused as error:
        form.add_error("rule" if error.code == "no-rule" else "text", str(error))
    return None


def show_rulings(
    request: HttpRequest,
    table: TableContext,
    book: Sequence[Ruling],
    form: RulingForm | None,
    status: int = 200,
) -> HttpResponse:
    """Show the page of the rulings."""
    page = rulings_page(table, book, form)
    return show(request, table, "rulings/rulings.html", {"page": page}, tab="rules", status=status)
