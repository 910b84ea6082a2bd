"""The scenario editor: drafts on the map, the numbers of their rules, versions published from them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from campaign import drafts
from campaign import scenarios as shelves
from campaign.errors import TableError
from campaign.models import Draft, Scenario
from engine.errors import MalformedRecord, explained
from engine.strict_json import read
from games.registry import TITLES
from people import services as people_services
from web.scenarios import SHARINGS, scenario_shown
from web.shell import throttle
from web.shell.campaign_page import see_other
from web.titles import extras

CONFLICT, WRONG = 409, 422


def _part(draft: Draft) -> ModuleType:
    part = extras(draft.title, "editor")
    if part is None:
        raise Http404
    return part


def _draft(request: HttpRequest, ref: str) -> Draft:
    draft = drafts.draft_of(request.user, ref)
    if draft is None:
        raise Http404
    return draft


@login_required
@require_http_methods(["GET", "HEAD"])
def editor(request: HttpRequest, ref: str) -> HttpResponse:
    """The map, what is wrong, and the panel of what is chosen. `?province=`, `?nation=`, `?tab=` choose it."""
    draft = _draft(request, ref)
    return render(request, "scenarios/editor.html", _page(request, draft, _part(draft), request.GET))


def _page(request: HttpRequest, draft: Draft, part: ModuleType, asked: QueryDict) -> dict[str, Any]:
    bundle = drafts.bundle_of(draft)
    province = asked.get("province", "")
    sheet = part.sheet(bundle, province)
    return {
        **_around(draft, bundle, part, asked), "map": part.map_of(bundle, province), "map_template": part.MAP,
        "shape": sheet.shape, "styles": sheet.styles,
        "graph": sheet.graph, "tools": part.TOOLS, "owners": part.owners(bundle), "here": "map",
    }  # fmt: skip


def _around(draft: Draft, bundle: dict[str, Any], part: ModuleType, asked: QueryDict) -> dict[str, Any]:
    """What changes with every act beside the map."""
    faults, warnings = part.checks(bundle)
    published = list(drafts.versions(draft))
    return {
        "draft": draft, "faults": faults, "warnings": warnings, "panel": part.panel(bundle, asked.dict()),
        "can_undo": draft.past != "[]", "can_redo": draft.future != "[]", "sharings": SHARINGS, "published": published,
        "works": part.works(bundle),
        "next_version": published[0].version + 1 if published else 1, "saved": timezone.localtime(draft.saved_at),
    }  # fmt: skip


@login_required
@require_POST
def act(request: HttpRequest, ref: str) -> HttpResponse:
    """One act, or a step back or forward. Who asks for JSON gets what has changed on the page; a form is led back to it."""
    draft = _draft(request, ref)
    part, posted = _part(draft), request.POST
    status, wrong = 200, ""
    try:
        draft = _done(request, draft, part)
    except drafts.MovedOn as moved:
        status, wrong, draft = CONFLICT, str(moved), _draft(request, ref)
    except MalformedRecord as fault:
        status, wrong = WRONG, scenario_shown(f"{explained(fault, {}).why}.")
    except TableError as refused:
        status, wrong = WRONG, str(refused)
    if not request.accepts("text/html") or request.headers.get("Accept") == "application/json":
        return _changed(request, draft, part, status, wrong)
    if wrong:
        messages.error(request, wrong)
    way = "scenario_numbers" if posted.get("page") == "numbers" else "scenario_editor"
    asked = posted.get("back", "")
    return see_other(reverse(way, args=[draft.public_id]) + (f"?{asked}" if asked else ""))


def _done(request: HttpRequest, draft: Draft, part: ModuleType) -> Draft:
    posted, user = request.POST, request.user
    revision = int(posted["revision"]) if posted.get("revision", "").isdecimal() else -1
    if posted.get("act") in ("undo", "redo"):
        return (drafts.undo if posted["act"] == "undo" else drafts.redo)(user, draft.public_id, revision)
    return drafts.change(user, draft.public_id, revision, part.act_of(drafts.bundle_of(draft), posted.dict()))


def _changed(request: HttpRequest, draft: Draft, part: ModuleType, status: int, wrong: str) -> JsonResponse:
    """The parts of the page that an act has changed; of the map only what moves, where its shape is the one that stands."""
    bundle, posted = drafts.bundle_of(draft), request.POST
    sheet = part.sheet(bundle, posted.get("show_province", ""), posted.get("shape", ""))
    asked = QueryDict(mutable=True)
    asked.update({key: posted[f"show_{key}"] for key in ("province", "nation", "tab") if posted.get(f"show_{key}")})
    context = _around(draft, bundle, part, asked)
    answer = {
        "revision": draft.revision, "wrong": wrong, "shape": sheet.shape, "svg": sheet.svg, "moving": sheet.moving,
        "styles": sheet.styles, "graph": sheet.graph, "undo": context["can_undo"], "redo": context["can_redo"],
        "name": draft.name, "owners": part.owners(bundle),
        "panel": render_to_string("scenarios/_editor_panel.html", context, request),
        "checks": render_to_string("scenarios/_editor_checks.html", context, request),
        "saved": render_to_string("scenarios/_editor_saved.html", context, request),
    }  # fmt: skip
    return JsonResponse(answer, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def numbers(request: HttpRequest, ref: str) -> HttpResponse:
    """The numbers of the rules: what differs, and how the rulebook will read. POST writes every number that was typed."""
    draft = _draft(request, ref)
    part = _part(draft)
    wrong: dict[str, str] = {}
    if request.method == "POST":
        acts, wrong = part.rules_acts(drafts.bundle_of(draft), dict(request.POST.lists()))
        back = request.POST.get("usual", "")
        acts = [{"act": "rules", "path": back, "value": None}] if back else acts
        for one in acts:
            try:
                draft = drafts.change(request.user, ref, draft.revision, one)
            except MalformedRecord as fault:
                wrong[one["path"]] = scenario_shown(f"{explained(fault, {}).why}.")
        if not wrong:
            return see_other(request.get_full_path())
    bundle = drafts.bundle_of(draft)
    sections = part.numbers(bundle)
    known = {cell.path for _heading, cells in sections for cell in cells}
    context = {
        **_around(draft, bundle, part, request.GET), "sections": sections, "reads": part.reads(bundle), "wrong": wrong,
        "others": [text for path, text in wrong.items() if path not in known],
        "typed": request.POST, "here": "numbers", "own": sum(cell.own for _heading, cells in sections for cell in cells),
        "only": request.GET.get("only") == "1",
    }  # fmt: skip
    return render(request, "scenarios/numbers.html", context, status=WRONG if wrong else 200)


@login_required
@require_POST
def publish(request: HttpRequest, ref: str) -> HttpResponse:
    """The draft as it stands becomes the next version."""
    draft, posted = _draft(request, ref), request.POST
    if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
        return throttle.refused(request, wait)
    try:
        revision = int(posted["revision"]) if posted.get("revision", "").isdecimal() else -1
        row = drafts.publish(request.user, ref, revision, posted.get("note", ""), posted.get("sharing", ""))
    except MalformedRecord as fault:
        messages.error(request, scenario_shown(f"{fault}."))
    except TableError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Version %(n)s is published. It never changes; the draft goes on.") % {"n": row.version})
        return see_other(reverse("scenario_shown", args=[row.public_id]))
    return redirect("scenario_editor", draft.public_id)


@login_required
@require_POST
def put_away(request: HttpRequest, ref: str) -> HttpResponse:
    """Remove a draft, or bring it back."""
    try:
        if request.POST.get("act") == "back":
            drafts.bring_back(request.user, ref)
            return see_other(reverse("scenario_editor", args=[ref]))
        draft = drafts.remove(request.user, ref)
    except TableError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The draft of %(name)s is removed. What was published stays.") % {"name": draft.name})
    return see_other(reverse("scenarios"))


@login_required
@require_POST
def fork(request: HttpRequest) -> HttpResponse:
    """A draft of one's own that begins from a scenario: `from` is the address of one on a shelf, or `title/key` of a shipped
    one. The version of a draft of one's own leads back to that draft."""
    if people_services.is_guest(request.user):
        raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
    asked, origin = request.POST.get("from", ""), None
    title_key, _slash, key = asked.partition("/")
    if key:
        title = TITLES.get(title_key)
        raw = dict(title.scenarios()).get(key) if title is not None else None
        part = extras(title_key, "shown")
        if raw is None or part is None:
            raise Http404
        drawing = part.drawing_of(raw)
    else:
        origin = shelves.seen(asked, request.user)
        if origin is None:
            raise Http404
        if origin.draft is not None and origin.draft.owner_id == request.user.pk and origin.draft.removed_at is None:
            return see_other(reverse("scenario_editor", args=[origin.draft.public_id]))
        raw, title_key, drawing = read(origin.text), origin.title, origin.drawing.text if origin.drawing else ""
    name = request.POST.get("name", "") or ("" if origin else _("%(name)s, changed") % {"name": raw["name"]})
    bundle = {"scenario": raw, "drawing": read(drawing) if drawing else None}
    return begin(request, title_key, bundle, name, origin, str(raw["name"]))


def begin(
    request: HttpRequest, title: str, bundle: dict[str, Any], name: str = "", origin: Scenario | None = None, begun_from: str = ""
) -> HttpResponse:
    """Begin a draft and lead to it; what is wrong is told on the page of scenarios."""
    try:
        draft = drafts.begin(request.user, title, bundle, name, origin, begun_from)
    except MalformedRecord as fault:
        messages.error(request, scenario_shown(f"{fault}."))
    except TableError as refused:
        messages.error(request, str(refused))
    else:
        return see_other(reverse("scenario_editor", args=[draft.public_id]))
    return see_other(reverse("scenarios"))
