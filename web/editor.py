"""The scenario editor: drafts on the map, the numbers of their rules, versions published
from them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from campaign import drafts, imports
from campaign import scenarios as shelves
from campaign.errors import Refused, TableError
from campaign.imports import ShapesRead
from campaign.models import Draft, Import, Scenario
from engine.errors import MalformedRecord, explained
from engine.strict_json import read, whole
from games.contract.title import Editable
from games.registry import TITLES
from people import services as people_services
from web.frame import throttle
from web.frame.campaign_page import see_other
from web.frame.parts import part_of_page
from web.scenarios.forms import SHARINGS
from web.scenarios.judging import editable_titles
from web.scenarios.page import LISTED
from web.scenarios.text import printable_text
from web.tasks import ask_to_read
from web.titles import extras

CONFLICT, WRONG = 409, 422
LONGEST_ACT = 20_000
"""The most characters of one act, or of the form with the numbers of the rules."""


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
    """The map, what is wrong, and the panel of what is chosen. `?province=`, `?nation=`, `?tab=`
    choose it.
    """
    draft = _draft(request, ref)
    return render(
        request, "scenarios/editor.html", _page(request, draft, _part(draft), request.GET)
    )


def _page(request: HttpRequest, draft: Draft, part: ModuleType, asked: QueryDict) -> dict[str, Any]:
    bundle = drafts.bundle_of(draft)
    province = asked.get("province", "")
    sheet = part.sheet(bundle, province)
    return {
        **_around(draft, bundle, part, asked),
        "map": part.map_of(bundle, province),
        "map_template": part.MAP,
        "shape": sheet.shape,
        "styles": sheet.styles,
        "graph": sheet.graph,
        "tools": part.TOOLS,
        "owners": part.owners(bundle),
        "here": "map",
    }


def _around(
    draft: Draft, bundle: dict[str, Any], part: ModuleType, asked: QueryDict
) -> dict[str, Any]:
    """What changes with every act beside the map."""
    faults, warnings = part.checks(bundle)
    published = list(drafts.versions(draft))
    return {
        "draft": draft,
        "faults": faults,
        "warnings": warnings,
        "panel": part.panel(bundle, asked.dict()),
        "can_undo": draft.past != "[]",
        "can_redo": draft.future != "[]",
        "sharings": SHARINGS,
        "published": published,
        "works": part.works(bundle),
        "next_version": published[0].version + 1 if published else 1,
        "saved": timezone.localtime(draft.saved_at),
    }


@login_required
@require_POST
def act(request: HttpRequest, ref: str) -> HttpResponse:
    """One act, or a step back or forward. Who asks for JSON gets what has changed on the page; a
    form is led back to it.
    """
    draft = _draft(request, ref)
    part, posted = _part(draft), request.POST
    status, wrong = 200, ""
    try:
        draft = _done(request, draft, part)
    except drafts.MovedOn as moved:
        status, wrong, draft = CONFLICT, str(moved), _draft(request, ref)
    except MalformedRecord as fault:
        status, wrong = WRONG, printable_text(f"{explained(fault, {}).why}.")
    except TableError as refused:
        status, wrong = WRONG, str(refused)
    if not request.accepts("text/html") or request.headers.get("Accept") == "application/json":
        return _changed(request, draft, part, status, wrong)
    if wrong:
        messages.error(request, wrong)
    way = "scenario_numbers" if posted.get("page") == "numbers" else "scenario_editor"
    asked = posted.get("back", "")
    return see_other(reverse(way, args=[draft.public_id]) + (f"?{asked}" if asked else ""))


def _must_be_short(posted: QueryDict) -> None:
    """Raise `Refused` if a form takes long to read. Forms that people fill in by hand are far
    shorter.
    """
    if sum(len(value) for _name, values in posted.lists() for value in values) > LONGEST_ACT:
        most = number_format(LONGEST_ACT, force_grouping=True)
        raise Refused(
            "too-long",
            _("What you change at once has at most %(most)s characters. Change less at a time.")
            % {"most": most},
        )


def _done(request: HttpRequest, draft: Draft, part: ModuleType) -> Draft:
    posted, user = request.POST, request.user
    _must_be_short(posted)
    revision = int(posted["revision"]) if posted.get("revision", "").isdecimal() else -1
    if posted.get("act") in ("undo", "redo"):
        return (drafts.undo if posted["act"] == "undo" else drafts.redo)(
            user, draft.public_id, revision
        )
    return drafts.change(
        user, draft.public_id, revision, part.act_of(drafts.bundle_of(draft), posted.dict())
    )


def _changed(
    request: HttpRequest, draft: Draft, part: ModuleType, status: int, wrong: str
) -> JsonResponse:
    """The parts of the page that an act has changed; of the map only what moves, where its shape is
    the one that stands.
    """
    bundle, posted = drafts.bundle_of(draft), request.POST
    sheet = part.sheet(bundle, posted.get("show_province", ""), posted.get("shape", ""))
    asked = QueryDict(mutable=True)
    asked.update(
        {
            key: posted[f"show_{key}"]
            for key in ("province", "nation", "tab")
            if posted.get(f"show_{key}")
        }
    )
    context = _around(draft, bundle, part, asked)
    answer = {
        "revision": draft.revision,
        "wrong": wrong,
        "shape": sheet.shape,
        "svg": sheet.svg,
        "moving": sheet.moving,
        "styles": sheet.styles,
        "graph": sheet.graph,
        "undo": context["can_undo"],
        "redo": context["can_redo"],
        "name": draft.name,
        "owners": part.owners(bundle),
        "panel": part_of_page("scenarios/_editor_panel.html", context, request),
        "checks": part_of_page("scenarios/_editor_checks.html", context, request),
        "saved": part_of_page("scenarios/_editor_saved.html", context, request),
    }
    return JsonResponse(answer, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def numbers(request: HttpRequest, ref: str) -> HttpResponse:
    """The numbers of the rules: what differs, and how the rulebook will read. POST writes every
    number that was typed.
    """
    draft = _draft(request, ref)
    part = _part(draft)
    wrong: dict[str, str] = {}
    if request.method == "POST":
        try:
            _must_be_short(request.POST)
            acts, wrong = part.rules_acts(drafts.bundle_of(draft), dict(request.POST.lists()))
        except Refused as refused:
            acts, wrong = [], {"": str(refused)}
        back = request.POST.get("usual", "")
        acts = [{"act": "rules", "path": back, "value": None}] if back else acts
        for one in acts:
            try:
                draft = drafts.change(request.user, ref, draft.revision, one)
            except MalformedRecord as fault:
                wrong[one["path"]] = printable_text(f"{explained(fault, {}).why}.")
        if not wrong:
            return see_other(request.get_full_path())
    bundle = drafts.bundle_of(draft)
    sections = part.numbers(bundle)
    known = {cell.path for _heading, cells in sections for cell in cells}
    context = {
        **_around(draft, bundle, part, request.GET),
        "sections": sections,
        "reads": part.reads(bundle),
        "wrong": wrong,
        "others": [text for path, text in wrong.items() if path not in known],
        "typed": request.POST,
        "here": "numbers",
        "own": sum(cell.own for _heading, cells in sections for cell in cells),
        "only": request.GET.get("only") == "1",
    }
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
        row = drafts.publish(
            request.user, ref, revision, posted.get("note", ""), posted.get("sharing", "")
        )
    except MalformedRecord as fault:
        messages.error(request, printable_text(f"{fault}."))
    except TableError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(
            request,
            _("Version %(n)s is published. It never changes; the draft goes on.")
            % {"n": row.version},
        )
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
        messages.success(
            request,
            _("The draft of %(name)s is removed. What was published stays.") % {"name": draft.name},
        )
    return see_other(reverse("scenarios"))


@login_required
@require_POST
def fork(request: HttpRequest) -> HttpResponse:
    """A draft of one's own that begins from a scenario: `from` is the address of one on a shelf, or
    `title/key` of a shipped one. The version of a draft of one's own leads back to that draft.
    """
    if people_services.is_guest(request.user):
        raise PermissionDenied(
            _("A guest plays alone. Make an account first: what you have goes with you.")
        )
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
        if (
            origin.draft is not None
            and origin.draft.owner_id == request.user.pk
            and origin.draft.removed_at is None
        ):
            return see_other(reverse("scenario_editor", args=[origin.draft.public_id]))
        raw, title_key, drawing = (
            read(origin.text),
            origin.title,
            origin.drawing.text if origin.drawing else "",
        )
    name = request.POST.get("name", "") or (
        "" if origin else _("%(name)s, changed") % {"name": raw["name"]}
    )
    bundle = {"scenario": raw, "drawing": read(drawing) if drawing else None}
    return begin(request, title_key, bundle, name, origin, str(raw["name"]))


def begin(
    request: HttpRequest,
    title: str,
    bundle: dict[str, Any],
    name: str = "",
    origin: Scenario | None = None,
    begun_from: str = "",
) -> HttpResponse:
    """Begin a draft and lead to it; what is wrong is told on the page of scenarios."""
    try:
        draft = drafts.begin(request.user, title, bundle, name, origin, begun_from)
    except MalformedRecord as fault:
        messages.error(request, printable_text(f"{fault}."))
    except TableError as refused:
        messages.error(request, str(refused))
    else:
        return see_other(reverse("scenario_editor", args=[draft.public_id]))
    return see_other(reverse("scenarios"))


# How a scenario begins: from the map, from another scenario, from a file with shapes, from a sheet
# of hexagons.

WAYS = (
    (
        "map",
        gettext_lazy("The map of 90 provinces"),
        gettext_lazy(
            "Atlantic to Ganges: names, borders and sea routes are there, owners are yours to set"
        ),
    ),
    (
        "other",
        gettext_lazy("Another scenario"),
        gettext_lazy("a copy that is yours from then on; its origin stays named"),
    ),
    (
        "file",
        gettext_lazy("An SVG or GeoJSON file"),
        gettext_lazy("each named shape becomes a province"),
    ),
    (
        "grid",
        gettext_lazy("Nothing"),
        gettext_lazy("a sheet of hexagons, to be painted into provinces"),
    ),
)
LARGEST = 2_000_000
LONGEST_NAME = 60
MOST_SHAPES = 150
ROWS = "\n".join(
    [
        "......................",
        "......B...............",
        "...AABBB..............",
        "...AAABB..............",
        "....ACCC..............",
        ".....CCC..............",
        "......C...............",
        "......................",
        "......................",
    ]
)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def begin_shape(request: HttpRequest) -> HttpResponse:
    """One of four ways, `?from=`; it ends in the editor, with a draft of one's own."""
    if people_services.is_guest(request.user) and request.method == "POST":
        raise PermissionDenied(
            _("A guest plays alone. Make an account first: what you have goes with you.")
        )
    asked = request.POST if request.method == "POST" else request.GET
    way = asked.get("from", "map")
    way = way if way in {key for key, _name, _about in WAYS} else "map"
    context: dict[str, Any] = {
        "way": way,
        "ways": WAYS,
        "name": request.POST.get("name", ""),
        "rows": request.POST.get("rows", ROWS),
        "names": request.POST.get("names", ""),
        "others": _others(request) if way == "other" else (),
        "chosen": asked.get("scenario", ""),
        "errors": [],
        "sheet": None,
    }
    if request.method != "POST":
        return _show_kept(request, context)
    if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
        return throttle.refused(request, wait)
    part = extras(_title(), "beginning")
    assert part is not None
    try:
        if way == "file":
            return _left_to_worker(request)
        return _begun(request, part, way)
    except MalformedRecord as wrong:
        context["errors"] = [printable_text(part.sentence(wrong))]
    except TableError as refused:
        context["errors"] = [str(refused)]
    if way == "file" and request.POST.get("text"):
        context["sheet"] = _kept_sheet(request, part, names=_names(request))
    return render(request, "scenarios/begin.html", context, status=422)


def _show_kept(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Return the page with the shapes that a worker has read."""
    row = _row_of_shapes(request)
    if row is not None and row.result:
        kept = json.loads(row.result)
        context |= {
            "name": row.name,
            "sheet": _kept_sheet(request, extras(_title(), "beginning")),
            "errors": kept.get("errors"),
        }
        if context["sheet"] is not None and not context["errors"]:
            context["errors"] = context["sheet"].faults
    return render(request, "scenarios/begin.html", context)


def _row_of_shapes(request: HttpRequest) -> Import | None:
    """Return the user's own row that `?read=` names; None if it does not exist or has been
    removed.
    """
    pk = whole(request.GET.get("read", ""))
    return imports.shapes_of(request.user, pk) if pk else None


def _kept_sheet(request: HttpRequest, part: Any, names: list[str] | None = None) -> Any:
    """Return the sheet of the row that `?read=` names, with the names typed since; None if there is
    none.
    """
    row = _row_of_shapes(request)
    sheet = json.loads(row.result).get("sheet") if row is not None and row.result else None
    return part.from_json(sheet, names) if sheet else None


def _title() -> str:
    """The title whose scenarios begin here."""
    return next(
        one.key
        for one in editable_titles()
        if isinstance(one, Editable) and extras(one.key, "beginning")
    )


def _names(request: HttpRequest) -> list[str]:
    """The names that were typed for the shapes of a file, in its order."""
    return [request.POST.get(f"shape_{n}", "") for n in range(1, MOST_SHAPES + 1)]


def _name(request: HttpRequest) -> str:
    return " ".join(request.POST.get("name", "").split())[:LONGEST_NAME]


def _left_to_worker(request: HttpRequest) -> HttpResponse:
    """Keep the sent file, or the one in the form with its typed names, and redirect to its
    progress.
    """
    sent, text = request.FILES.get("file"), request.POST.get("text", "")
    begin = request.POST.get("act") == "begin" and bool(text)
    names = None if sent is not None and not begin else _names(request)
    if names is not None:
        data = text.encode("utf-8", "surrogatepass")
    else:
        data = sent.read(LARGEST + 1) if sent is not None else b""
    if not data:
        raise MalformedRecord("", _("Choose a file first"))
    if len(data) > LARGEST:
        raise MalformedRecord("", _("The file is larger than 2 MB"))
    row, new = imports.keep_shapes(request.user, data, names, _name(request), begin=begin)
    if new:
        ask_to_read(row.pk)
    return see_other(reverse("import_run", args=[row.pk]))


def read_shapes(data: bytes, names: Sequence[str] | None, name: str, *, begin: bool) -> ShapesRead:
    """Read a file with shapes (`campaign.hooks.read_shapes`)."""
    title = _title()
    part: Any = extras(title, "beginning")
    errors = []
    if begin:
        try:
            return ShapesRead(
                title=title, bundle=part.from_file(data, names or (), name or _("A new scenario"))
            )
        except MalformedRecord as fault:
            errors = [printable_text(part.sentence(fault))]
    sheet = part.look(data, names)
    if not sheet.text:
        return ShapesRead(faults=sheet.faults)
    return ShapesRead(part.as_json(sheet), errors=errors)


def _begun(request: HttpRequest, part: Any, way: str) -> HttpResponse:
    """The draft. Raises `MalformedRecord`, `TableError`."""
    posted = request.POST
    name = _name(request)
    title, origin, begun_from = _title(), None, ""
    if way == "other":
        title, bundle, origin, begun_from = _copied(request, posted.get("scenario", ""))
    else:
        name = name or _("A new scenario")
        if way == "map":
            bundle, begun_from = part.from_map(name), _("the map of 90 provinces")
        else:
            bundle = part.from_rows(
                posted.get("rows", "")[:10_000], posted.get("names", "")[:10_000], name
            )
            begun_from = _("a sheet of hexagons")
    draft = drafts.begin(request.user, title, bundle, name, origin, begun_from)
    return see_other(reverse("scenario_editor", args=[draft.public_id]))


def _others(request: HttpRequest) -> list[tuple[str, list[tuple[str, str]]]]:
    """The scenarios that can be copied, in groups: shipped ones, one's own, those of others."""
    titles = {title.key for title in editable_titles() if isinstance(title, Editable)}
    shipped = [
        (f"{title.key}/{key}", str(raw.get("name", key)))
        for title in editable_titles()
        if title.key in titles
        for key, raw in title.scenarios().items()
    ]
    mine = [
        (row.public_id, row.name)
        for row in shelves.scenarios_of_user(request.user)
        if row.title in titles
    ]
    public = [
        (row.public_id, row.name)
        for row in shelves.public(request.user)[:LISTED]
        if row.title in titles
    ]
    groups = ((_("Shipped"), shipped), (_("Your scenarios"), mine), (_("Shared by others"), public))
    return [(heading, rows) for heading, rows in groups if rows]


def _copied(request: HttpRequest, asked: str) -> tuple[str, dict[str, Any], Scenario | None, str]:
    title_key, _slash, key = asked.partition("/")
    if key:
        title, part = TITLES.get(title_key), extras(title_key, "shown")
        raw = dict(title.scenarios()).get(key) if title is not None else None
        if raw is None or part is None:
            raise Refused("unknown", _("There is no such scenario."))
        drawing = part.drawing_of(raw)
        origin = None
    else:
        origin = shelves.seen(asked[:8], request.user)
        if origin is None:
            raise Refused("unknown", _("There is no such scenario."))
        raw, title_key, drawing = (
            read(origin.text),
            origin.title,
            origin.drawing.text if origin.drawing else "",
        )
    return (
        title_key,
        {"scenario": raw, "drawing": read(drawing) if drawing else None},
        origin,
        str(raw["name"]),
    )
