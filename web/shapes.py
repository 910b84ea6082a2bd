"""How a scenario begins: from the map, from another scenario, from a file with shapes, from a sheet of hexagons."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaign import drafts
from campaign import scenarios as shelves
from campaign.errors import Refused, TableError
from campaign.models import Scenario
from engine.errors import MalformedRecord
from engine.strict_json import read
from games.contract.title import Editable
from games.registry import TITLES
from people import services as people_services
from web.scenarios import LISTED, scenario_shown, written_here
from web.shell import throttle
from web.shell.campaign_page import see_other
from web.titles import extras

WAYS = (
    ("map", gettext_lazy("The map of 90 provinces"),
     gettext_lazy("Atlantic to Ganges: names, borders and sea routes are there, owners are yours to set")),
    ("other", gettext_lazy("Another scenario"), gettext_lazy("a copy that is yours from then on; its origin stays named")),
    ("file", gettext_lazy("An SVG or GeoJSON file"), gettext_lazy("each named shape becomes a province")),
    ("grid", gettext_lazy("Nothing"), gettext_lazy("a sheet of hexagons, to be painted into provinces")),
)  # fmt: skip
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
def begin(request: HttpRequest) -> HttpResponse:
    """One of four ways, `?from=`; it ends in the editor, with a draft of one's own."""
    if people_services.is_guest(request.user) and request.method == "POST":
        raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
    asked = request.POST if request.method == "POST" else request.GET
    way = asked.get("from", "map")
    way = way if way in {key for key, _name, _about in WAYS} else "map"
    context: dict[str, Any] = {
        "way": way, "ways": WAYS, "name": request.POST.get("name", ""), "rows": request.POST.get("rows", ROWS),
        "names": request.POST.get("names", ""), "others": _others(request) if way == "other" else (),
        "chosen": asked.get("scenario", ""), "errors": [], "sheet": None,
    }  # fmt: skip
    if request.method != "POST":
        return render(request, "scenarios/begin.html", context)
    if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
        return throttle.refused(request, wait)
    part = extras(_title(), "beginning")
    assert part is not None
    try:
        if way == "file" and not (request.POST.get("act") == "begin" and request.POST.get("text")):
            context["sheet"] = _looked_at(request, part)
            context["errors"] = context["sheet"].faults
            return render(request, "scenarios/begin.html", context, status=422 if context["errors"] else 200)
        return _begun(request, part, way)
    except MalformedRecord as wrong:
        context["errors"] = [scenario_shown(part.sentence(wrong))]
    except TableError as refused:
        context["errors"] = [str(refused)]
    if way == "file" and request.POST.get("text"):
        context["sheet"] = part.look(request.POST["text"].encode(), _names(request))
    return render(request, "scenarios/begin.html", context, status=422)


def _title() -> str:
    """The title whose scenarios begin here."""
    return next(one.key for one in written_here() if isinstance(one, Editable) and extras(one.key, "beginning"))


def _names(request: HttpRequest) -> list[str]:
    """The names that were typed for the shapes of a file, in its order."""
    return [request.POST.get(f"shape_{n}", "") for n in range(1, MOST_SHAPES + 1)]


def _looked_at(request: HttpRequest, part: Any) -> Any:
    """The file that was sent, or the one that stands in the form with names that were typed."""
    sent = request.FILES.get("file")
    if sent is not None:
        if (sent.size or 0) > LARGEST:
            raise MalformedRecord("", _("The file is larger than 2 MB"))
        return part.look(sent.read())
    if request.POST.get("text"):
        return part.look(request.POST["text"].encode(), _names(request))
    raise MalformedRecord("", _("Choose a file first"))


def _begun(request: HttpRequest, part: Any, way: str) -> HttpResponse:
    """The draft. Raises `MalformedRecord`, `TableError`."""
    posted = request.POST
    name = " ".join(posted.get("name", "").split())[:LONGEST_NAME]
    title, origin, begun_from = _title(), None, ""
    if way == "other":
        title, bundle, origin, begun_from = _copied(request, posted.get("scenario", ""))
    else:
        name = name or _("A new scenario")
        if way == "map":
            bundle, begun_from = part.from_map(name), _("the map of 90 provinces")
        elif way == "file":
            bundle, begun_from = part.from_file(posted["text"].encode(), _names(request), name), _("a file")
        else:
            bundle = part.from_rows(posted.get("rows", "")[:10_000], posted.get("names", "")[:10_000], name)
            begun_from = _("a sheet of hexagons")
    draft = drafts.begin(request.user, title, bundle, name, origin, begun_from)
    return see_other(reverse("scenario_editor", args=[draft.public_id]))


def _others(request: HttpRequest) -> list[tuple[str, list[tuple[str, str]]]]:
    """The scenarios that can be copied, in groups: shipped ones, one's own, those of others."""
    titles = {title.key for title in written_here() if isinstance(title, Editable)}
    shipped = [
        (f"{title.key}/{key}", str(raw.get("name", key)))
        for title in written_here()
        if title.key in titles
        for key, raw in title.scenarios().items()
    ]
    mine = [(row.public_id, row.name) for row in shelves.scenarios_of_user(request.user) if row.title in titles]
    public = [(row.public_id, row.name) for row in shelves.public(request.user)[:LISTED] if row.title in titles]
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
        raw, title_key, drawing = read(origin.text), origin.title, origin.drawing.text if origin.drawing else ""
    return title_key, {"scenario": raw, "drawing": read(drawing) if drawing else None}, origin, str(raw["name"])
