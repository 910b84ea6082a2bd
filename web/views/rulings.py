"""The rulings book of a campaign: read by all, written by the game master."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import rulings as readings
from campaign.errors import NoSuchEntry, Refused
from campaign.rulebook import chapters, numbers
from campaign.services.rulings import LONGEST, rule_on
from engine.strict_json import whole
from web import own
from web.views.common import TableContext, campaign_page, see_other, show

FIELDS = ("text", "rule", "entry", "revises")


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def rulings(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?revise=` a number opens the form with that ruling; `?rule=` and `?entry=` fill a new one."""
    found = readings.book(table.campaign)
    if request.method == "POST":
        return _write(request, table, found)
    form: dict[str, Any] | None = None
    if table.access.host:
        form = {field: request.GET.get(field, "")[:60] for field in ("rule", "entry")}
        asked = request.GET.get("revise", "")
        if asked:
            old = next((one for one in found if str(one.number) == asked), None)
            if old is None:
                raise Http404
            form = {"text": old.text, "rule": old.rule, "entry": old.about or "", "revises": old.number}
    return _page(request, table, found, form)


def _page(
    request: HttpRequest, table: TableContext, found: list[readings.Ruling], form: Any, wrong: str = "", field: str = ""
) -> HttpResponse:
    context = {
        "rulings": found, "form": form, "wrong": wrong, "wrong_field": field, "longest": LONGEST,
        "own": own.always(table) if form is not None else None,
        "has_rules": bool(chapters(table.campaign.title)[1]), "next_number": max((one.number for one in found), default=0) + 1,
    }  # fmt: skip
    return show(request, table, "campaign/rulings.html", context, here="rules", status=400 if wrong else 200)


def _write(request: HttpRequest, table: TableContext, found: list[readings.Ruling]) -> HttpResponse:
    typed = {field: request.POST.get(field, "").strip() for field in FIELDS}
    rule = typed["rule"].removeprefix("§").strip()
    known = numbers(table.campaign.title)
    if not table.access.host:
        # The door says it in its words, before anything typed is judged.
        rule_on(table.campaign, request.user, typed["text"])
    if rule and known and rule not in known:
        unknown = _("The rules have no paragraph %(rule)s. Choose one that is there.") % {"rule": rule}
        return _page(request, table, found, typed, unknown, "rule")
    entry = whole(typed["entry"])
    if typed["entry"] and entry is None:
        return _page(request, table, found, typed, _("An entry is a number of the log."), "entry")
    try:
        said = rule_on(table.campaign, request.user, typed["text"], rule=rule, entry=entry, revises=whole(typed["revises"]))
    except NoSuchEntry as error:
        return _page(request, table, found, typed, str(error), "entry")
    except Refused as error:
        return _page(request, table, found, typed, str(error), "rule" if error.code == "no-rule" else "text")
    number = said.said["ruling"]
    done = _("Ruling %(number)s is revised.") if typed["revises"] else _("Ruling %(number)s stands in the book.")
    messages.success(request, done % {"number": number})
    return see_other(f"{table.url('rulings')}#ruling-{number}")
