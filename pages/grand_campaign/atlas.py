"""The map of a page as inline SVG: a function of plain data, the same for every title that draws provinces.

All paint is by class and token (`map.css`); an owner is one attribute, frontiers are one path. The order
of layers is sea, land, provinces, waters, borders, frontiers, routes, names, marks, arrows, links.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from typing import Any, Literal, NotRequired, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from games.grand_campaign.drawing import Drawing
from games.grand_campaign.words import book, known_as
from pages.grand_campaign import atlas_parts as parts
from pages.grand_campaign.arrows import arrow
from pages.grand_campaign.atlas_parts import Paint, paints

TITLE = noop("Map of the provinces and their owners. The table below says the same.")
REGIONS = (noop("West"), noop("Danube"), noop("East"), noop("Persia"), noop("India"), noop("North-west"), noop("North-east"),
           noop("South-west"), noop("South-east"))  # fmt: skip
FOUGHT = 12
"""So many resolved attacks are shown."""
LEVELS = ("ramparts", "walls", "great-walls")
# A laid-out map has few provinces on the same sheet, so its marks are larger.
LAID_OUT_SCALE = 1.7
USUAL_RATIO = 1600 / 964

Scenario = Mapping[str, Any]
Window = tuple[float, float, float]


class Holding(TypedDict):
    """Who has a province (None: nobody) and what stands in it: a fortification's key or level, a fleet."""

    owner: str | None
    fortification: str | int | None
    fleet: bool


Attack = TypedDict(
    "Attack",
    {"number": int, "kind": str, "attacker": str, "from": str | None, "target": str, "status": str},
)


class State(TypedDict):
    """What changes on a map. `levels` are the fortifications in their order, if the scenario's rules rename them."""

    provinces: Mapping[str, Holding]
    attacks: Sequence[Attack]
    levels: NotRequired[Sequence[str]]
    fought: NotRequired[Sequence[Attack]]
    """The last attacks that are resolved."""


def from_record(state: Mapping[str, Any], levels: Sequence[str] = LEVELS) -> State:
    """The map's part of a state as the record writes it; of the attacks that are resolved the last are kept apart."""
    attacks: list[Attack] = [
        {
            "number": a["id"], "kind": a["kind"], "attacker": a["attacker"],
            "from": a["from"], "target": a["target"], "status": a["status"],
        }
        for a in state["attacks"]
    ]  # fmt: skip
    running = [a for a in attacks if a["status"] != "resolved"]
    fought = [a for a in attacks if a["status"] == "resolved"][-FOUGHT:]
    return {"provinces": state["provinces"], "attacks": running, "levels": levels, "fought": fought}


def nation_styles(drawing: Drawing, scenario: Scenario) -> dict[str, str]:
    """Per nation the inline style that goes with `data-nation`; empty where the stylesheet knows the nation."""
    return {key: paint.style for key, paint in paints(drawing, scenario["nations"]).items()}


def window_on(drawing: Drawing, keys: Collection[str], *, ratio: float = 2.5) -> Window:
    """Centre and zoom that show these provinces on a sheet of this ratio."""
    boxes = [parts.bounds(drawing)[key] for key in keys]
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    zoom = 0.88 * min(drawing.width / (right - left), drawing.width / ratio / (bottom - top))
    return round((left + right) / 2, 1), round((top + bottom) / 2, 1), round(max(1.0, min(4.0, zoom)), 2)


def level_of(holding: Holding, state: State) -> tuple[int, str]:
    """Level and word of a province's fortification; (0, "") without one."""
    found, levels = holding["fortification"], state.get("levels", LEVELS)
    if not found:
        return 0, ""
    level = found if isinstance(found, int) else levels.index(found) + 1
    name = levels[level - 1]
    return level, book()["structures"].get(name) or name.replace("-", " ").title()


def map_svg(
    drawing: Drawing,
    scenario: Scenario,
    state: State,
    *,
    highlight: Collection[str] | None = None,
    starts: Collection[str] = (),
    selected: str | None = None,
    target: str | None = None,
    window: Window | None = None,
    links: Callable[[str], str] | Literal[False] | None = None,
    fills: Mapping[str, str] | None = None,
    changed: Collection[str] = (),
    title: str | None = None,
    uid: str = "m",
    moving: bool = False,
    fought: bool = False,
) -> str:
    """The map of a state.

    `highlight` lights provinces up, `starts` marks them weaker, `selected` frames one, `target` is the lit one chosen.
    `window` (centre x, y, zoom) shows a part. Each province is a link to `links(key)`, by default `#p-KEY`, none where
    that is empty; `False` makes a picture without links. `fills` says which field of a form, by its id, a province's
    link fills. `changed` are marked as just become otherwise. `uid` keeps ids apart where a page has several maps.

    `fought` has the attacks that were resolved lately as well, in a group of their own that is not seen until asked for.

    `moving` is the map without what is the same at all times: for a page that has the rest, by the same `uid`. What may
    differ stands in three groups, each named by its `data-now`.
    """
    still = parts.still(drawing, uid)
    colours = paints(drawing, scenario["nations"])
    owner = {key: state["provinces"][key]["owner"] for key in drawing.provinces}
    kinds = {p["key"]: "external" if p["kind"] == "external" else "independent" for p in scenario["provinces"]}
    group = {key: owner[key] or kinds[key] for key in drawing.provinces}
    unowned = {kind: Paint("", False) for kind in ("independent", "external")}
    marked = {key: paint.attributes(key) for key, paint in (colours | unowned).items()}
    frontier = "".join(d for (a, b), d in drawing.contacts.items() if group[a] != group[b])
    lit = "".join(f'<use href="#{uid}-{escape(key)}" class="m-start"/>' for key in starts)
    lit += "".join(
        f'<use href="#{uid}-{escape(key)}" class="m-lit{" is-target" if key == target else ""}"/>' for key in highlight or ()
    )
    lit += "".join(f'<use href="#{uid}-{escape(key)}" class="m-changed"/>' for key in changed)
    if selected:
        lit += f'<use href="#{uid}-{escape(selected)}" class="m-selected"/>'
    labels = "".join(parts.label(key, drawing, _kind(group[key], colours), marked[group[key]]) for key in drawing.provinces)
    owners = _clips(owner, uid) + "".join(_province(key, group[key], owner[key], uid, marked) for key in drawing.provinces)
    borders = f'<path class="m-frontier" d="{frontier}"/><use href="#{uid}--land" class="m-coast"/>{lit}'
    over = _marks(drawing, scenario, state, owner, marked) + labels
    over += _nation_names(drawing, scenario, owner, colours) + _arrows(drawing, state, marked)
    over += _fought(drawing, state, marked) if fought else ""
    if moving:
        moved = {"owners": owners, "borders": borders, "over": over}
        return f"<svg>{''.join(_now(name, inside) for name, inside in moved.items())}</svg>"
    return "".join((
        _opening(drawing, uid, _(TITLE) if title is None else title, group=links is not False, whole=window is None),
        "<defs>", _defs(drawing, uid), still.shapes, "</defs>",
        f'<g class="map__world"{_window(drawing, window)}>',
        still.under, _now("owners", owners), still.waters, still.borders, _now("borders", borders), still.routes, still.names,
        _now("over", over),
        _hits(scenario, owner, uid, links, fills or {}) if links is not False else "",
        "</g></svg>",
    ))  # fmt: skip


def _now(name: str, inside: str) -> str:
    return f'<g data-now="{name}">{inside}</g>'


def _opening(drawing: Drawing, uid: str, title: str, *, group: bool, whole: bool) -> str:
    role = "group" if group else "img"
    laid = " map__svg--laid" if drawing.laid_out else ""
    ratio = drawing.width / drawing.height
    # Our own sheets may lose an edge to the frame; a sheet of another form is shown whole, with sea beside it.
    ours = whole is False or abs(ratio - USUAL_RATIO) < 0.03
    fit, frame = ("slice", "") if ours else ("meet", f' style="aspect-ratio:{min(max(ratio, 1.35), 2.2):.3f}"')
    return (
        f'<svg class="map__svg{laid}" viewBox="0 0 {drawing.width} {drawing.height}" role="{role}"{frame} '
        f'aria-labelledby="{uid}--title" preserveAspectRatio="xMidYMid {fit}"><title id="{uid}--title">{escape(title)}</title>'
    )


def _window(drawing: Drawing, window: Window | None) -> str:
    style = ""
    if (drawing.width, drawing.height) != (1600, 964):
        style = f"transform-origin:{drawing.width / 2:g}px {drawing.height / 2:g}px;"
    if window:
        x, y, zoom = window
        # Names and arrows keep their size on paper, whatever the zoom; map.css has 0.5 at its 3.5.
        style += f"--kc:{min(1.0, 1.75 / zoom):.2f};"
        style += f"transform:scale({zoom:g}) translate({drawing.width / 2 - x:g}px,{drawing.height / 2 - y:g}px)"
    return f' style="{style}"' if style else ""


def _defs(drawing: Drawing, uid: str) -> str:
    box = 'patternUnits="userSpaceOnUse"'
    patterns = "".join(
        f'<pattern id="{uid}--p-{escape(key)}" width="8" height="8" {box} class="pat">{parts.PATTERNS[n.pattern]}</pattern>'
        for key, n in drawing.nations.items()
    )
    return (
        f'{patterns}<pattern id="{uid}--sand" width="11" height="9" {box}><circle class="sand" cx="2" cy="2" r=".55"/>'
        f'<circle class="sand" cx="7.5" cy="6" r=".45"/></pattern>'
        f'<pattern id="{uid}--ext" width="7" height="7" {box}><path class="ext-line" d="M0 7L7 0"/></pattern>'
    )


def _clips(owner: Mapping[str, str | None], uid: str) -> str:
    return "".join(
        f'<clipPath id="{uid}--c-{escape(key)}"><use href="#{uid}-{escape(key)}"/></clipPath>'
        for key, own in owner.items()
        if own
    )


def _province(key: str, group: str, own: str | None, uid: str, marked: Mapping[str, str]) -> str:
    shape = f'<use href="#{uid}-{escape(key)}"'
    out = f'{shape} class="m-prov" {marked[group]}/>'
    if own:
        out += f'{shape} fill="url(#{uid}--p-{escape(own)})" class="m-pat"/>'
        out += f'<g clip-path="url(#{uid}--c-{escape(key)})">{shape} class="m-rim" {marked[own]}/></g>'
    elif group == "external":
        out += f'{shape} fill="url(#{uid}--ext)" opacity=".5"/>'
    return out


def _kind(group: str, colours: Mapping[str, Paint]) -> str:
    if group in colours:
        return "is-light" if colours[group].light_text else "is-dark"
    return "is-ext" if group == "external" else "is-ind"


def _marks(drawing: Drawing, scenario: Scenario, state: State, owner: Mapping[str, str | None], marked: Mapping[str, str]) -> str:
    capitals = {n["capital"] for n in scenario["nations"]}
    external = {p["key"] for p in scenario["provinces"] if p["kind"] == "external"}
    scale, out = LAID_OUT_SCALE if drawing.laid_out else 1.0, []
    for key, p in drawing.provinces.items():
        holding, (x, y), capital = state["provinces"][key], p.seat.at, key in capitals and owner[key] is not None
        if capital:
            out.append(parts.star(x, y, 8.2 * scale))
        elif key not in external:
            out.append(f'<circle class="m-seat" cx="{x:g}" cy="{y:g}" r="{1.8 * scale:g}"/>')
        level, word = level_of(holding, state)
        if level:
            out.append(parts.fort(x + (14 if capital else 9) * scale, y + 2 * scale, scale, level, word))
        if holding["fleet"]:
            # A fleet of a province without a harbour is no map's business to refuse: it lies at the seat.
            fx, fy = p.port.at if p.port else (x, y)
            out.append(parts.fleet(fx, fy + 8, scale, marked[owner[key] or "independent"]))
    return "".join(out)


def _nation_names(drawing: Drawing, scenario: Scenario, owner: Mapping[str, str | None], colours: Mapping[str, Paint]) -> str:
    """The nations' names, for the whole map on a small screen: at home while most of it is theirs, else amidst what is."""
    out = []
    for nation in scenario["nations"]:
        key, home = nation["key"], [p["key"] for p in scenario["provinces"] if p["owner"] == nation["key"]]
        own = [p for p, o in owner.items() if o == key]
        if not own:
            continue
        x, y = drawing.nations[key].label
        if 2 * sum(owner[p] == key for p in home) < len(home) or 2 * len(home) < len(own):
            at = [drawing.provinces[p].label for p in own]
            mx, my = sum(a[0] for a in at) / len(at), sum(a[1] for a in at) / len(at)
            x, y = min(at, key=lambda a, mx=mx, my=my: (a[0] - mx) ** 2 + (a[1] - my) ** 2)  # type: ignore[misc]
        kind = "is-light" if colours[key].light_text else "is-dark"
        short = escape(parts.brief(known_as(key, nation["name"])))
        out.append(f'<text class="{kind}" {colours[key].attributes(key)} x="{x:g}" y="{y:g}">{short}</text>')
    return f'<g class="m-nations" aria-hidden="true">{"".join(out)}</g>'


def _arrows(drawing: Drawing, state: State, marked: Mapping[str, str]) -> str:
    tokens: list[tuple[float, float]] = []
    drawn = (arrow(a, drawing, tokens, marked[a["attacker"]]) for a in state["attacks"] if a["status"] != "resolved")
    return f'<g class="m-arrows">{"".join(drawn)}</g>'


def _fought(drawing: Drawing, state: State, marked: Mapping[str, str]) -> str:
    """Who attacked whom lately, the newest on top."""
    tokens: list[tuple[float, float]] = []
    drawn = (arrow(a, drawing, tokens, marked[a["attacker"]]) for a in state.get("fought", ()))
    return f'<g class="m-fought">{"".join(drawn)}</g>'


def _who(owner: str | None, kind: str, names: Mapping[str, str]) -> str:
    return names[owner] if owner else _("external") if kind == "external" else _("independent")


def _hits(
    scenario: Scenario, owner: Mapping[str, str | None], uid: str, links: Callable[[str], str] | None, fills: Mapping[str, str]
) -> str:
    names = {n["key"]: known_as(n["key"], n["name"]) for n in scenario["nations"]}
    out = []
    for p in scenario["provinces"]:
        said = escape(f"{p['name']}, {_who(owner[p['key']], p['kind'], names)}")
        href = escape(links(p["key"]) if links else f"#p-{p['key']}")
        if not href:
            continue
        field = f' data-field="{escape(fills[p["key"]])}" data-value="{escape(p["key"])}"' if p["key"] in fills else ""
        out.append(
            f'<a href="{href}"{field} aria-label="{said}"><use href="#{uid}-{escape(p["key"])}"/><title>{said}</title></a>'
        )
    return f'<g class="m-hits">{"".join(out)}</g>'


def map_context(drawing: Drawing, scenario: Scenario, state: State, **options: Any) -> dict[str, Any]:
    """What `titles/grand_campaign/_map.html` wants as `map`; the options are those of `map_svg`.

    A map with a `window` is a crop: no regions and no key.
    """
    crop = options.get("window") is not None
    regions = (
        []
        if crop
        else [
            {"key": r.key, "name": _(r.name) if r.name in REGIONS else r.name, "sheet": i}
            for i, r in enumerate(drawing.regions, start=1)
        ]
    )
    style = "" if crop else "".join(
        f"--z{i}:{r.zoom:g};--x{i}:{drawing.width / 2 - r.centre[0]:g}px;--y{i}:{drawing.height / 2 - r.centre[1]:g}px;"
        for i, r in enumerate(drawing.regions, start=1)
    )  # fmt: skip
    svg = map_svg(drawing, scenario, state, **options)
    return {"svg": svg, "regions": regions, "style": style, "crop": crop, "laid_out": drawing.laid_out,
            "fought": bool(options.get("fought") and state.get("fought"))}  # fmt: skip


def provinces_table(drawing: Drawing, scenario: Scenario, state: State) -> list[dict[str, Any]]:
    """What the map says, a row a province, by name: for screen readers, for sorting, for the panel of one."""
    nations = {n["key"]: n for n in scenario["nations"]}
    called = {key: known_as(key, n["name"]) for key, n in nations.items()}
    capitals = {n["capital"]: n["key"] for n in scenario["nations"]}
    near: dict[str, dict[str, list[str]]] = {p["key"]: {"borders": [], "sea_routes": []} for p in scenario["provinces"]}
    for way in ("borders", "sea_routes"):
        for a, b in scenario[way]:
            near[a][way].append(b)
            near[b][way].append(a)
    styles, rows = nation_styles(drawing, scenario), []
    for p in sorted(scenario["provinces"], key=lambda p: (p["name"].casefold(), p["key"])):
        key, d, holding = p["key"], drawing.provinces[p["key"]], state["provinces"][p["key"]]
        owner = holding["owner"]
        level, word = level_of(holding, state)
        rows.append({
            "key": key, "name": p["name"], "kind": p["kind"], "owner": owner,
            "owner_name": _who(owner, p["kind"], called),
            "group": owner or ("external" if p["kind"] == "external" else "independent"),
            "style": styles[owner] if owner else "",
            "capital_of": capitals.get(key), "seat": d.seat.name, "port": d.port.name if d.port else None,
            "army": nations[owner]["army"] if owner else p["army"], "local_army": p["army"],
            "level": level, "fortification": word, "fleet": holding["fleet"], "maritime": d.port is not None,
            "by_land": sorted(near[key]["borders"]), "by_sea": sorted(near[key]["sea_routes"]),
            "attacks": [a["number"] for a in state["attacks"] if a["target"] == key],
            "starting_point": [a["number"] for a in state["attacks"] if a["from"] == key],
        })  # fmt: skip
    return rows
