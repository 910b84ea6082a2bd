"""Founding a campaign, and changing its terms until it starts. The title's own part is in web/titles."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from campaign import rulebook, services
from campaign import scenarios as campaign_scenarios
from campaign.clocks import services as clocks_services
from campaign.errors import NotAllowed, TableError
from campaign.lifecycle.founding import MANUAL, may_mix
from campaign.log import positions
from campaign.models import Campaign
from engine.errors import MalformedRecord
from games.contract.title import Title
from games.registry import FOUNDINGS, TITLES, solo, together, word
from people.validators import zones
from web import scenarios
from web.clocks import deadlines
from web.dice import CHANCES
from web.forum.posts import set_up_thread, thread_address
from web.scenarios import Chosen
from web.shell import requests, throttle
from web.shell.campaign_page import TableContext, address, campaign_page, see_other
from web.titles import extras
from web.titles.cards import cards

FIELDS = {
    "bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility", "bad-chance": "chance", "no-hand": "chance",
}  # fmt: skip


def found_view(request: HttpRequest, title: Title) -> HttpResponse:
    errors: dict[str, str] = {}
    chosen = scenarios.chosen(request, title, None, errors)
    if request.method == "POST":
        terms_given, options = _terms(title, chosen, request.POST, errors)
        lengths = deadlines.read_first_terms(title, request.POST, errors)
        plan = deadlines.plan_of_turn(deadlines.first_term_fields(title, request.POST, {}), _seats(title, chosen))
        if "mend" in request.POST:
            context = _context(request, title, chosen, {}, {}, posted=deadlines.mended(request.POST, plan))
            return render(request, "lobby/found.html", context)
        if plan["known"] and plan["over"] and not request.POST.get("sure"):
            errors["clocks"] = _("The clocks contradict each other: see step 2.")
        address_of_thread = request.POST.get("thread", "").strip()
        if address_of_thread and not thread_address(address_of_thread):
            errors["thread"] = _("This is no address: copy it from the browser, with https:// in front.")
        seat = request.POST.get("seat", "")
        if not errors and not requests.first_time(request):
            return redirect(founded(request, "table"))
        if not errors:
            try:
                campaign = services.found_campaign(
                    request.user, title.key, request.POST.get("name", ""), terms_given, options,
                    request.POST.get("time_zone", ""), request.POST.get("visibility", ""), drawing=chosen.drawing,
                    chance=request.POST.get("chance", ""),
                )  # fmt: skip
            except MalformedRecord as wrong:
                _blame(title, wrong, errors)
            except TableError as refused:
                errors[FIELDS.get(refused.code, "")] = str(refused)
            else:
                if lengths:
                    clocks_services.set_terms(campaign, request.user, lengths)
                if address_of_thread:
                    set_up_thread(campaign, request.user, address_of_thread)
                if seat in {info.key for info in campaign.game.seats(*_terms_of(campaign))}:
                    _invitation, token = services.invite(campaign, request.user, seat)
                    services.take_seat(request.user, token)
                messages.success(request, _("%(name)s is founded.") % {"name": campaign.name})
                return redirect(reverse("table", args=[campaign.address]))
            requests.allow_again(request)
    context = _context(request, title, chosen, {}, errors)
    return render(request, "lobby/found.html", context, status=422 if errors else 200)


@campaign_page
def terms(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Other options or rules before the first move: a new seed and a new commitment."""
    table.must_be_host()
    if not table.draft:
        messages.error(request, _("Once a campaign has started, its scenario and options stand."))
        return redirect(table.home)
    scenario, options = table.terms
    errors: dict[str, str] = {}
    chosen = scenarios.chosen(request, table.title, scenario, errors, campaign_scenarios.text_of(table.campaign))
    if request.method == "POST":
        terms_given, wanted = _terms(table.title, chosen, request.POST, errors)
        if not errors:
            try:
                chance = request.POST.get("chance", table.campaign.chance)
                services.change_terms(
                    table.campaign, table.user, scenario=terms_given, options=wanted, drawing=chosen.drawing, chance=chance
                )
            except MalformedRecord as wrong:
                _blame(table.title, wrong, errors)
            except TableError as refused:
                errors[""] = str(refused)
            else:
                messages.success(request, _("The terms are changed. The dice have a new commitment."))
                return redirect(table.home)
    context = _context(request, table.title, chosen, options, errors, table.campaign)
    context |= {"campaign": table.campaign, "home": table.home}
    return render(request, "lobby/found.html", context, status=422 if errors else 200)


@require_safe
def scenario(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """A shipped scenario as a file: what one's own begins with."""
    title_known = TITLES.get(title)
    raw = title_known.scenarios().get(key) if title_known and scenarios.takes_own(title_known) else None
    if raw is None:
        raise Http404
    answer = HttpResponse(scenarios.written(raw), content_type="application/json; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{key}.json"'
    return answer


def _seats(title: Title, chosen: Chosen) -> int:
    """How many play one after the other."""
    try:
        return len(title.seats(title.scenario(chosen.raw), title.options({})))
    except MalformedRecord:
        return 1


def _terms_of(campaign: Campaign) -> tuple[Any, Any]:
    return positions.scenario(campaign), positions.options(campaign)


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
    scenario_given, options, wrong = own.read(chosen.raw, posted, keep=theirs and posted.get("rules_of") != chosen.key)
    errors |= wrong
    return scenario_given, options


def _blame(title: Title, wrong: MalformedRecord, errors: dict[str, str]) -> None:
    """Put the record's error beside the field it is of."""
    own = _part(title)
    field = own.field_of(wrong.where)[0] if own else wrong.where
    errors[field] = f"{wrong.why}."


def _fields() -> dict[str, str]:
    own = {key: str(name) for key, name in scenarios.FIELDS.items()}
    lengths = {f"{kind}-length": str(name) for kind, (name, _about) in deadlines.NAMES.items()}
    own["chance"] = _("How chance comes about")
    named = {"name": _("Name"), "time_zone": _("Time zone"), "visibility": _("Who finds it"), "thread": _("Thread")}
    return {**named, **own, **lengths}


def _summary(title: Title, errors: Mapping[str, str]) -> list[str]:
    """Every error with the name of its field before it."""
    own, named = _part(title), _fields()
    lines = []
    for field, text in errors.items():
        label = named.get(field) or (own.field_of(field)[1] if own else field)
        lines.append(f"{label}: {text}" if label else text)
    return lines


def _context(
    request: HttpRequest,
    title: Title,
    chosen: Chosen,
    options: Mapping[str, Any],
    errors: Mapping[str, str],
    campaign: Campaign | None = None,
    posted: QueryDict | None = None,
) -> dict[str, Any]:
    own, bound = _part(title), posted or (request.POST if request.method == "POST" else None)
    zone = getattr(request.user, "time_zone", "UTC")
    names = {"name", "thread", "time_zone", "visibility", "hands", "chance", *scenarios.FIELDS}
    fields = deadlines.first_term_fields(title, bound or {}, errors)
    chances = [one for one in CHANCES if campaign is None or one[0] != MANUAL] if may_mix(title.key) else []
    return {
        "chances": chances,
        "chance": bound.get("chance", "") if bound is not None else campaign.chance if campaign else "",
        "people_step": 4 + bool(own) + bool(chances),
        "plan": deadlines.plan_of_turn(fields, _seats(title, chosen)),
        "thread_step": 3 + bool(own) + bool(chances),
        "play_seat": bound.get("seat", "") if bound else "",
        "paces": [(key, name, weeks) for key, (name, weeks, _lengths) in deadlines.PACES.items()],
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
        "lengths": fields,
        "units": deadlines.UNITS,
        "visibilities": Campaign.Visibility.choices,
    }


# Which title is founded, and the founding of one that one may play alone: its own questions, who finds it; alone, it has
# begun.

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
        return found_view(request, title)
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
            campaign = services.found_campaign(request.user, title.key, name, scenario, options, zone, visibility)
        except MalformedRecord as wrong:
            errors[wrong.where.split(".")[-1]] = f"{wrong.why}."
        except TableError as refused:
            errors[{"bad-name": "name", "bad-visibility": "visibility"}.get(refused.code, "")] = str(refused)
        else:
            return see_other(address("table", campaign.address))
    return render(
        request, "lobby/found_alone.html", _alone_context(title, questions, data, errors), status=422 if errors else 200
    )


def _known(title: Title, scenario: Any) -> Any:
    """A shipped scenario by its key, as the door takes it."""
    return title.scenarios().get(scenario, scenario) if isinstance(scenario, str) else scenario


def _alone_context(title: Title, questions: Any, data: Mapping[str, str], errors: Mapping[str, str]) -> dict[str, Any]:
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
        "rules_here": reverse("rules", args=[title.key]) if rulebook.rules_text(title.key) else "",
    }
