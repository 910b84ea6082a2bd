"""Founding a campaign, and changing its terms until it starts. The title's own part is in web/titles."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign import drawings, services
from campaign.errors import TableError
from campaign.models import Campaign
from campaign.services import timing
from engine.errors import MalformedRecord
from engine.title import Title
from games.registry import TITLES
from people.validators import zones
from web import first_clocks, once, scenarios
from web.scenarios import Chosen
from web.titles import extras
from web.titles.cards import cards
from web.views.common import TableContext, campaign_page

FIELDS = {"bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility"}


def found(request: HttpRequest, title: Title) -> HttpResponse:
    errors: dict[str, str] = {}
    chosen = scenarios.chosen(request, title, None, errors)
    if request.method == "POST":
        made, options = _terms(title, chosen, request.POST, errors)
        lengths = first_clocks.read(request.POST, errors)
        if not errors and not once.first(request):
            return redirect(founded(request, "table"))
        if not errors:
            try:
                campaign = services.found(
                    request.user, title.key, request.POST.get("name", ""), made, options,
                    request.POST.get("time_zone", ""), request.POST.get("visibility", ""), drawing=chosen.drawing,
                )  # fmt: skip
            except MalformedRecord as wrong:
                _blame(title, wrong, errors)
            except TableError as refused:
                errors[FIELDS.get(refused.code, "")] = str(refused)
            else:
                if lengths:
                    timing.set_terms(campaign, request.user, lengths)
                messages.success(request, _("%(name)s is founded.") % {"name": campaign.name})
                return redirect(reverse("table", args=[campaign.address]))
            once.forget(request)
    context = _context(request, title, chosen, {}, errors)
    return render(request, "found.html", context, status=422 if errors else 200)


@campaign_page
def terms(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Other options or rules before the first move: a new seed and a new commitment."""
    table.must_be_host()
    if not table.draft:
        messages.error(request, _("Once a campaign has started, its scenario and options stand."))
        return redirect(table.home)
    scenario, options = table.terms
    errors: dict[str, str] = {}
    chosen = scenarios.chosen(request, table.title, scenario, errors, drawings.text_of(table.campaign))
    if request.method == "POST":
        made, wanted = _terms(table.title, chosen, request.POST, errors)
        if not errors:
            try:
                services.change_terms(table.campaign, table.user, scenario=made, options=wanted, drawing=chosen.drawing)
            except MalformedRecord as wrong:
                _blame(table.title, wrong, errors)
            except TableError as refused:
                errors[""] = str(refused)
            else:
                messages.success(request, _("The terms are changed. The dice have a new commitment."))
                return redirect(table.home)
    context = _context(request, table.title, chosen, options, errors) | {"campaign": table.campaign, "home": table.home}
    return render(request, "found.html", context, status=422 if errors else 200)


@require_safe
def scenario(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """A shipped scenario as a file: what one's own begins with."""
    found = TITLES.get(title)
    raw = found.scenarios().get(key) if found and scenarios.takes_own(found) else None
    if raw is None:
        raise Http404
    answer = HttpResponse(scenarios.written(raw), content_type="application/json; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{key}.json"'
    return answer


def founded(request: HttpRequest, page: str) -> str:
    """Where the second click leads: to a page of what the first has founded, to the list while that is on its way."""
    name = request.POST.get("name", "").strip()
    campaign = Campaign.objects.filter(founder_id=request.user.pk, name=name).order_by("-pk").first()
    return reverse(page, args=[campaign.address]) if campaign else reverse("front")


def _part(title: Title) -> ModuleType | None:
    return extras(title.key, "founding")


def _terms(title: Title, chosen: Chosen, posted: Any, errors: dict[str, str]) -> tuple[Any, dict[str, Any]]:
    """Scenario and options of what was posted; what is wrong goes into `errors`."""
    own = _part(title)
    if own is None:
        return chosen.raw, {}
    theirs = chosen.key == scenarios.OWN or chosen.key.startswith(scenarios.SHELF)
    # Where the form showed this scenario's own rules, what it says now is all that is meant.
    made, options, wrong = own.read(chosen.raw, posted, keep=theirs and posted.get("rules_of") != chosen.key)
    errors |= wrong
    return made, options


def _blame(title: Title, wrong: MalformedRecord, errors: dict[str, str]) -> None:
    """Put the record's error beside the field it is of."""
    own = _part(title)
    field = own.field_of(wrong.where)[0] if own else wrong.where
    errors[field] = f"{wrong.why}."


def _fields() -> dict[str, str]:
    own = {key: str(name) for key, name in scenarios.FIELDS.items()}
    lengths = {f"{kind}-length": str(name) for kind, name in first_clocks.NAMES.items()}
    return {"name": _("Name"), "time_zone": _("Time zone"), "visibility": _("Who finds it"), **own, **lengths}


def _summary(title: Title, errors: Mapping[str, str]) -> list[str]:
    """Every error with the name of its field before it."""
    own, named = _part(title), _fields()
    made = []
    for field, text in errors.items():
        label = named.get(field) or (own.field_of(field)[1] if own else field)
        made.append(f"{label}: {text}" if label else text)
    return made


def _context(
    request: HttpRequest, title: Title, chosen: Chosen, options: Mapping[str, Any], errors: Mapping[str, str]
) -> dict[str, Any]:
    own, bound = _part(title), request.POST if request.method == "POST" else None
    zone = getattr(request.user, "time_zone", "UTC")
    names = {"name", "time_zone", "visibility", "hands", *scenarios.FIELDS}
    return {
        "title": title,
        "cards": cards(),
        "seats": title.seats(title.scenario(chosen.raw), title.options({})),
        "scenario": chosen,
        "values": bound or {"name": "", "time_zone": zone, "visibility": Campaign.Visibility.UNLISTED},
        "errors": {key: text for key, text in errors.items() if key in names},
        "other_errors": _summary(title, errors),
        "own": own.form(chosen.raw, options, bound, errors) if own else None,
        "own_template": own.TEMPLATE if own else "",
        "zones": zones(),
        "lengths": first_clocks.fields(bound or {}, errors),
        "units": first_clocks.UNITS,
        "visibilities": Campaign.Visibility.choices,
    }
