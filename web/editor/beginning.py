"""Ways to begin a draft: the map, another scenario, a file with shapes, a sheet of hexagons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_http_methods, require_POST

from campaign import drafts, imports
from campaign import scenarios as shelves
from campaign.errors import Refused, TableError
from campaign.models import ImportJob, Scenario
from campaign.shapes import beginnings
from engine.errors import MalformedRecord
from engine.strict_json import read, replace_unprintable
from games.contract.plain import Bundle, RawScenario
from games.contract.scenarios import OwnScenarios, ShapesSheet
from games.contract.title import WithScenarioEditor
from games.registry import TITLES
from web.editor.forms import LARGEST_FILE, LONGEST_ROWS, BeginForm, ForkForm, ShapesQuery
from web.frame import throttle
from web.frame.campaign_page import see_other
from web.frame.guests import refuse_guest
from web.scenarios.judging import editable_titles
from web.scenarios.page import LISTED
from web.tasks import ask_to_read

WRONG = 422
REF_LENGTH = 8
WAYS = (
    (
        BeginForm.MAP,
        gettext_lazy("The map of 90 provinces"),
        gettext_lazy(
            "from the Atlantic to the Ganges, with names, borders and sea routes; you set the "
            "owners"
        ),
    ),
    (
        BeginForm.OTHER,
        gettext_lazy("Another scenario"),
        gettext_lazy("your own copy; it still names the original"),
    ),
    (
        BeginForm.FILE,
        gettext_lazy("An SVG or GeoJSON file"),
        gettext_lazy("each named shape becomes a province"),
    ),
    (
        BeginForm.GRID,
        gettext_lazy("An empty sheet"),
        gettext_lazy("hexagons that you paint as provinces"),
    ),
)
"""Key, name and explanation of each way to begin."""
EXAMPLE_ROWS = "\n".join(
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


@dataclass(frozen=True, slots=True)
class Way:
    """A way to begin a draft."""

    key: str
    name: str
    explanation: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A scenario that can be copied."""

    key: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """Scenarios under a common heading."""

    heading: str
    sources: Sequence[Source]


@dataclass(frozen=True, slots=True)
class BeginPage:
    """The form that begins a draft in one of four ways."""

    way: str
    ways: Sequence[Way]
    name: str
    rows: str
    names: str
    groups: Sequence[SourceGroup]
    errors: Sequence[str]
    sheet: ShapesSheet | None

    @property
    def is_from_map(self) -> bool:
        return self.way == BeginForm.MAP

    @property
    def is_copy(self) -> bool:
        return self.way == BeginForm.OTHER

    @property
    def is_from_file(self) -> bool:
        return self.way == BeginForm.FILE

    @property
    def is_from_grid(self) -> bool:
        return self.way == BeginForm.GRID

    @property
    def shapes(self) -> ShapesSheet | None:
        """The file that was read, if it contains shapes."""
        return self.sheet if self.sheet is not None and self.sheet.text else None


@dataclass(frozen=True, slots=True)
class Copy:
    """A scenario to copy: its title, its bundle, its row if it is on a shelf, and its name."""

    title: str
    bundle: Bundle
    origin: Scenario | None
    name: str


def begin_page(
    request: HttpRequest,
    form: BeginForm,
    errors: Sequence[str] = (),
    sheet: ShapesSheet | None = None,
    name: str = "",
) -> BeginPage:
    """Return the form; `name` replaces the typed name."""
    way = form.way
    typed = form.cleaned_data if request.method == "POST" else {}
    return BeginPage(
        way=way,
        ways=[Way(key, str(title), str(text), key == way) for key, title, text in WAYS],
        name=name or typed.get("name", ""),
        rows=typed.get("rows", "") if "rows" in form.data and typed else EXAMPLE_ROWS,
        names=typed.get("names", ""),
        groups=source_groups(request, form.cleaned_data["scenario"])
        if way == BeginForm.OTHER
        else (),
        errors=errors,
        sheet=sheet,
    )


def source_groups(request: HttpRequest, chosen: str) -> list[SourceGroup]:
    """Return the scenarios that can be copied: shipped, own and public scenarios."""
    titles = [title for title in editable_titles() if isinstance(title, WithScenarioEditor)]
    keys = {title.key for title in titles}
    shipped = [
        (f"{title.key}/{key}", str(raw.get("name", key)))
        for title in titles
        for key, raw in title.scenarios().items()
    ]
    mine = [
        (row.public_id, row.name)
        for row in shelves.scenarios_of_user(request.user)
        if row.title in keys
    ]
    public = [
        (row.public_id, row.name)
        for row in shelves.public_scenarios(request.user)[:LISTED]
        if row.title in keys
    ]
    groups = (
        (pgettext("editor", "Built-in"), shipped),
        (pgettext("editor", "Your scenarios"), mine),
        (pgettext("editor", "Shared by others"), public),
    )
    return [
        SourceGroup(heading, [Source(key, name, key == chosen) for key, name in rows])
        for heading, rows in groups
        if rows
    ]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def begin_shape(request: HttpRequest) -> HttpResponse:
    """Show the form for the way `?from=`; on POST begin the draft and redirect to the editor."""
    form = BeginForm(request.POST if request.method == "POST" else request.GET)
    if request.method != "POST":
        return show_begin(request, kept_page(request, form))
    refuse_guest(request)
    if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
        return throttle.refused(request, wait)
    try:
        if form.way == BeginForm.FILE:
            return leave_to_worker(request, form)
        return begin_draft(request, form)
    except MalformedRecord as fault:
        errors = [replace_unprintable(beginnings()[1].sentence(fault))]
    except TableError as refused:
        errors = [str(refused)]
    sheet = None
    if form.way == BeginForm.FILE and form.cleaned_data["text"]:
        sheet = kept_sheet(request, form.shape_names)
    return show_begin(request, begin_page(request, form, errors, sheet), WRONG)


def show_begin(request: HttpRequest, page: BeginPage, status: int = 200) -> HttpResponse:
    """Show the form that begins a draft."""
    return render(request, "editor/begin.html", {"page": page}, status=status)


def kept_page(request: HttpRequest, form: BeginForm) -> BeginPage:
    """Return the form with the shapes that a worker has read, if `?read=` names them."""
    row = row_of_shapes(request)
    if row is None or not row.result:
        return begin_page(request, form)
    sheet = kept_sheet(request)
    errors = row.result.get("errors") or (sheet.faults if sheet is not None else ())
    return begin_page(request, form, errors, sheet, row.name)


def row_of_shapes(request: HttpRequest) -> ImportJob | None:
    """Return the user's own row that `?read=` names; None if it no longer exists."""
    pk = ShapesQuery(request.GET).number_of("read")
    return imports.shapes_of(request.user, pk) if pk else None


def kept_sheet(request: HttpRequest, names: list[str] | None = None) -> ShapesSheet | None:
    """Return the sheet of the row that `?read=` names, with the names typed since then."""
    row = row_of_shapes(request)
    sheet = row.result.get("sheet") if row is not None and row.result else None
    return beginnings()[1].from_json(sheet, names) if sheet else None


def leave_to_worker(request: HttpRequest, form: BeginForm) -> HttpResponse:
    """Store the uploaded file, or the text in the form with its typed names, for a worker.

    Raises:
        MalformedRecord: There is no file, or it is too large.
        TableError: The service refuses it.
    """
    sent = request.FILES.get("file")
    if sent is None or form.begins:
        names: list[str] | None = form.shape_names
        data = form.cleaned_data["text"].encode("utf-8", "surrogatepass")
    else:
        names, data = None, sent.read(LARGEST_FILE + 1)
    if not data:
        raise MalformedRecord("", _("Choose a file first"))
    if len(data) > LARGEST_FILE:
        raise MalformedRecord("", _("The file is larger than 2 MB"))
    row, is_new = imports.keep_shapes(request.user, data, names, form.draft_name, begin=form.begins)
    if is_new:
        ask_to_read(row.pk)
    return see_other(reverse("import_run", args=[row.pk]))


def begin_draft(request: HttpRequest, form: BeginForm) -> HttpResponse:
    """Begin the draft from the map, another scenario or the sheet of hexagons.

    Raises:
        MalformedRecord: The data that was sent cannot be read.
        TableError: The service refuses the draft.
    """
    copy = copy_of(request, form)
    draft = drafts.begin_draft(
        request.user, copy.title, dict(copy.bundle), form.draft_name, copy.origin, copy.name
    )
    return see_other(reverse("scenario_editor", args=[draft.public_id]))


def copy_of(request: HttpRequest, form: BeginForm) -> Copy:
    """Return the initial contents of the draft.

    Raises:
        Refused: This scenario does not exist.
    """
    title, part = beginnings()
    name = form.draft_name or pgettext("editor", "A new scenario")
    if form.way == BeginForm.OTHER:
        copy = find_copy(request, form.cleaned_data["scenario"])
        if copy is None:
            raise Refused("unknown", _("This scenario does not exist."))
        return copy
    if form.way == BeginForm.MAP:
        return Copy(title, part.from_map(name), None, _("the map of 90 provinces"))
    rows, names = form.cleaned_data["rows"], form.cleaned_data["names"]
    bundle = part.from_rows(rows[:LONGEST_ROWS], names[:LONGEST_ROWS], name)
    return Copy(title, bundle, None, _("a sheet of hexagons"))


def find_copy(request: HttpRequest, source: str) -> Copy | None:
    """Return a scenario to copy; None if the reader may see none with this reference.

    `source` is `title/key` of a shipped scenario, or the reference of a scenario on a shelf.
    """
    title_key, _slash, key = source.partition("/")
    if not key:
        origin = shelves.visible_scenario(source[:REF_LENGTH], request.user)
        return shelf_copy(origin) if origin is not None else None
    title = TITLES.get(title_key)
    raw = title.scenarios().get(key) if title is not None else None
    if not isinstance(title, OwnScenarios) or raw is None:
        return None
    drawing = title.shipped_drawing(raw)
    return Copy(title_key, bundle_of(raw, drawing), None, str(raw["name"]))


def shelf_copy(origin: Scenario) -> Copy:
    """Return a copy of a scenario on a shelf."""
    raw = read(origin.text)
    drawing = origin.drawing.text if origin.drawing else ""
    return Copy(origin.title, bundle_of(raw, drawing), origin, str(raw["name"]))


def bundle_of(raw: RawScenario, drawing: str) -> Bundle:
    """Return a scenario with its drawing, if it has one."""
    return {"scenario": raw, "drawing": read(drawing) if drawing else None}


@login_required
@require_POST
def fork(request: HttpRequest) -> HttpResponse:
    """Begin a draft from a scenario; redirect to the reader's draft if it is a version of that."""
    refuse_guest(request)
    form = ForkForm(request.POST)
    copy = find_copy(request, form.source)
    if copy is None:
        raise Http404
    draft = copy.origin.draft if copy.origin is not None else None
    if draft is not None and draft.owner_id == request.user.pk and draft.removed_at is None:
        return see_other(reverse("scenario_editor", args=[draft.public_id]))
    name = form.cleaned_data["name"]
    if not name and copy.origin is None:
        name = _("%(name)s, changed") % {"name": copy.name}
    try:
        new = drafts.begin_draft(
            request.user, copy.title, dict(copy.bundle), name, copy.origin, copy.name
        )
    except MalformedRecord as fault:
        messages.error(request, replace_unprintable(f"{fault}."))
    except TableError as refused:
        messages.error(request, str(refused))
    else:
        return see_other(reverse("scenario_editor", args=[new.public_id]))
    return see_other(reverse("scenarios"))
