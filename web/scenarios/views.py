"""Views of scenarios: shipped ones, the reader's own, and those that others share."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from campaign import imports
from campaign import scenarios as shelves
from campaign.errors import TableError
from campaign.models import Scenario
from engine.strict_json import read
from games.contract.plain import RawScenario
from games.contract.scenarios import OwnScenarios
from games.contract.title import Title
from games.registry import TITLES
from web.frame import throttle
from web.frame.campaign_page import see_other
from web.frame.guests import refuse_guest
from web.frame.raw_forms import form_key
from web.scenarios.forms import ScenarioForm, SharingForm
from web.scenarios.judging import editable_titles, warnings_about
from web.scenarios.page import (
    LISTED_FAULTS,
    NewScenarioPage,
    library_page,
    new_scenario_page,
    scenario_page,
    shipped_page,
)
from web.scenarios.text import download
from web.tasks import ask_to_take_over


@require_safe
def library(request: HttpRequest) -> HttpResponse:
    """Show the reader's scenarios, those of others, and the shipped ones."""
    return render(request, "scenarios/library.html", {"page": library_page(request.user)})


@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Bring a scenario: a file with its drawing, two files, or pasted text."""
    if request.method != "POST":
        return show_new(request, new_scenario_page())
    refuse_guest(request)
    if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
        return throttle.refused(request, wait)
    form = ScenarioForm(request.POST, request.FILES)
    if not form.is_valid():
        return show_new(request, new_scenario_page(form))
    try:
        return bring(request, form)
    except TableError as refused:
        return show_new(request, new_scenario_page(form, refusal=str(refused)))


def bring(request: HttpRequest, form: ScenarioForm) -> HttpResponse:
    """Leave the scenario to a worker, or show its faults at once if they are found quickly.

    Checking the map takes time, so the worker does it, and it also checks every long text.

    Raises:
        TableError: The service refuses the scenario.
    """
    text, drawing = form.scenario_text, str(form.cleaned_data["drawing"])
    title = form.chosen_title
    name = form.name_of_file
    if form.length <= imports.SMALL:
        judged = imports.check_scenario_at_once(title.key, text, drawing, mapped=False)
        if judged.faults:
            warnings = warnings_about(title, judged.scenario, LISTED_FAULTS)
            return show_new(request, new_scenario_page(form, judged.faults, warnings))
        name = str(judged.scenario["name"])
    sharing = form.cleaned_data["sharing"]
    row, is_new = imports.keep_scenario(request.user, title.key, text, drawing, sharing, name)
    if is_new:
        ask_to_take_over(row.pk)
    return see_other(reverse("import_run", args=[row.pk]))


def show_new(request: HttpRequest, page: NewScenarioPage) -> HttpResponse:
    """Show the form for a new scenario."""
    status = 422 if page.is_refused else 200
    return render(request, "scenarios/new.html", {"page": page}, status=status)


def scenario_view(request: HttpRequest, ref: str) -> HttpResponse:
    """Show a scenario on a shelf; its owner shares and removes it here."""
    row = shelves.visible_scenario(ref, request.user)
    title = TITLES.get(row.title) if row else None
    if row is None or title is None:
        raise Http404
    if request.method == "POST":
        act = ACTS.get(form_key(request, "act"))
        if row.owner_id != request.user.pk or act is None:
            raise PermissionDenied(_("This scenario belongs to someone else."))
        try:
            return act(request, row)
        except TableError as refused:
            messages.error(request, str(refused))
            return redirect("scenario_shown", row.public_id)
    page = scenario_page(request, row, title)
    return render(request, "scenarios/scenario.html", {"page": page})


def share(request: HttpRequest, row: Scenario) -> HttpResponse:
    """Set the audience of the scenario."""
    form = SharingForm(request.POST)
    form.full_clean()
    shelves.share(request.user, row.public_id, form.cleaned_data["sharing"])
    messages.success(request, pgettext("notice", "Saved."))
    return redirect("scenario_shown", row.public_id)


def remove(request: HttpRequest, row: Scenario) -> HttpResponse:
    """Remove the scenario from every page except its owner's list."""
    shelves.remove(request.user, row.public_id)
    text = _("%(name)s has been removed. Campaigns that play it keep their copies.") % {
        "name": row.name
    }
    messages.success(request, text)
    return redirect("scenarios")


def bring_back(request: HttpRequest, row: Scenario) -> HttpResponse:
    """Restore a removed scenario."""
    shelves.restore_scenario(request.user, row.public_id)
    messages.success(request, _("%(name)s is now among your scenarios.") % {"name": row.name})
    return redirect("scenario_shown", row.public_id)


ACTS = {"share": share, "remove": remove, "back": bring_back}


@require_safe
def shipped(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """Show a scenario that is shipped with a title."""
    known_title, raw = shipped_scenario(title, key)
    page = shipped_page(request.user, known_title, key, raw)
    return render(request, "scenarios/scenario.html", {"page": page})


@require_safe
def file(request: HttpRequest, ref: str) -> HttpResponse:
    """Send a scenario as a file, with its drawing if it has one."""
    row = shelves.visible_scenario(ref, request.user)
    if row is None:
        raise Http404
    raw = read(row.text)
    bundle = {"scenario": raw, "drawing": read(row.drawing.text)} if row.drawing else raw
    return download(f"{raw['key']}.json", bundle)


@require_safe
def drawing(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """Send the drawing of a shipped scenario, as an example."""
    known_title, raw = shipped_scenario(title, key)
    text = known_title.shipped_drawing(raw) if isinstance(known_title, OwnScenarios) else ""
    if not text:
        raise Http404
    return download(f"{key}-drawing.json", read(text))


def shipped_scenario(title: str, key: str) -> tuple[Title, RawScenario]:
    """Return a shipped scenario and its title.

    Raises:
        Http404: There is no such scenario.
    """
    for known in editable_titles():
        if known.key == title and key in known.scenarios():
            return known, known.scenarios()[key]
    raise Http404
