"""Which title is founded, and the founding of one that one may play alone: its own questions, who finds it; alone, it has
begun."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import rulebook, services
from campaign.errors import NotAllowed, TableError
from campaign.models import Campaign
from engine.errors import MalformedRecord
from engine.title import Title
from games.registry import FOUNDINGS, TITLES, solo, together, word
from web import throttle
from web.titles.cards import cards
from web.views import found
from web.views.common import address, see_other

VISIBILITIES = (
    (Campaign.Visibility.UNLISTED, gettext_lazy("Unlisted"), gettext_lazy("whoever has the address")),
    (Campaign.Visibility.LISTED, gettext_lazy("Listed"), gettext_lazy("in the hall of fame when it has ended")),
)
MEMBERS = (Campaign.Visibility.MEMBERS, gettext_lazy("Members only"), gettext_lazy("for several at one table"))


@login_required
def choose(request: HttpRequest) -> HttpResponse:
    """`?title=`: the founding of that title, of the first where there is no such."""
    title = TITLES.get(request.POST.get("title", "") or request.GET.get("title", "")) or next(iter(TITLES.values()))
    if not solo(title) and title.key not in FOUNDINGS:
        if getattr(request.user, "guest", False) and request.method == "POST":
            raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
        return found.found(request, title)
    return alone(request, title)


def alone(request: HttpRequest, title: Title) -> HttpResponse:
    founding, errors, data = FOUNDINGS.get(title.key), dict[str, str](), request.POST
    questions = founding.questions if founding else ()
    if request.method == "POST":
        answers = {one.key: data.get(one.key, "") for one in questions}
        try:
            scenario, options = founding.terms(answers) if founding else (data.get("scenario", ""), {})
            name = data.get("name", "").strip() or (founding.called(answers) if founding else title.name)
            visibility = data.get("visibility", "")
            alone_here = len(title.seats(title.scenario(_known(title, scenario)), title.options(options))) == 1
            if visibility == Campaign.Visibility.MEMBERS and alone_here:
                raise NotAllowed("bad-visibility", _("Listed or unlisted: there is nobody else at this table."))
            if getattr(request.user, "guest", False) and not alone_here:
                raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
            if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
                return throttle.refused(request, wait)
            zone = getattr(request.user, "time_zone", "UTC")
            campaign = services.found(request.user, title.key, name, scenario, options, zone, visibility)
        except MalformedRecord as wrong:
            errors[wrong.where.split(".")[-1]] = f"{wrong.why}."
        except TableError as refused:
            errors[{"bad-name": "name", "bad-visibility": "visibility"}.get(refused.code, "")] = str(refused)
        else:
            return see_other(address("table", campaign.address))
    return render(request, "found_alone.html", _context(title, questions, data, errors), status=422 if errors else 200)


def _known(title: Title, scenario: Any) -> Any:
    """A shipped scenario by its key, as the door takes it."""
    return title.scenarios().get(scenario, scenario) if isinstance(scenario, str) else scenario


def _context(title: Title, questions: Any, data: Mapping[str, str], errors: Mapping[str, str]) -> dict[str, Any]:
    asked = [
        {"one": one, "value": data.get(one.key, "") if data else one.default, "error": errors.get(one.key, "")}
        for one in questions
    ]
    keys = {one.key for one in questions} | {"name", "visibility"}
    return {
        "title": title,
        "cards": cards(),
        "questions": asked,
        "scenarios": [] if questions else [(key, raw.get("name", key)) for key, raw in title.scenarios().items()],
        "name": data.get("name", ""),
        "visibilities": (*VISIBILITIES, MEMBERS) if together(title) else VISIBILITIES,
        "together": together(title),
        "solo": solo(title),
        "visibility": data.get("visibility", Campaign.Visibility.UNLISTED),
        "errors": errors,
        "other": [text for key, text in errors.items() if key not in keys],
        "what": word(title.key, "campaign"),
        "rules_here": reverse("rules", args=[title.key]) if rulebook.text(title.key) else "",
    }
