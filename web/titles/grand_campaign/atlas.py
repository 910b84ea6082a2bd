"""The map of a page as inline SVG: a function of plain data, the same for every title that draws
provinces.

All paint is by class and token (`map.css`); an owner is one attribute, frontiers are one path. The
order of layers is sea, land, provinces (which are the links), waters, borders, frontiers, routes,
names, marks, arrows. Each shape that comes from a file costs a browser a tenth of a millisecond: so
what can be one path is one.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from html import escape
from itertools import product
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from campaign import scenarios
from campaign.log import positions
from campaign.models import Campaign
from engine.language import Name
from games.grand_campaign.drawing import parts
from games.grand_campaign.drawing.drawing import Drawing, brought_drawing, for_scenario
from games.grand_campaign.drawing.drawing import Name as Label
from games.grand_campaign.rules.faults import ALIKE
from games.grand_campaign.rules.scenario import load, shipped
from games.grand_campaign.text.words import book, known_as

TITLE = noop("Map of the provinces and their owners. The table below shows the same.")
REGIONS = (
    noop("West"),
    noop("Danube"),
    noop("East"),
    noop("Persia"),
    noop("India"),
    noop("North-west"),
    noop("North-east"),
    noop("South-west"),
    noop("South-east"),
)
FOUGHT = 12
"""So many resolved attacks are shown."""
LEVELS = ("ramparts", "walls", "great-walls")
# A laid-out map has few provinces on the same sheet, so its marks are larger.
LAID_OUT_SCALE = 1.7
USUAL_RATIO = 1600 / 964

Scenario = Mapping[str, Any]
Window = tuple[float, float, float]


class Holding(TypedDict):
    """Who has a province (None: nobody) and what stands in it: a fortification's key or level, a
    fleet.
    """

    owner: str | None
    fortification: str | int | None
    fleet: bool


Attack = TypedDict(
    "Attack",
    {"number": int, "kind": str, "attacker": str, "from": str | None, "target": str, "status": str},
)


class State(TypedDict):
    """What changes on a map. `levels` are the fortifications in their order, if the scenario's
    rules rename them.
    """

    provinces: Mapping[str, Holding]
    attacks: Sequence[Attack]
    levels: NotRequired[Sequence[str]]
    fought: NotRequired[Sequence[Attack]]
    """The last attacks that are resolved."""


def from_record(state: Mapping[str, Any], levels: Sequence[str] = LEVELS) -> State:
    """The map's part of a state as the record writes it; of the attacks that are resolved the last
    are kept apart.
    """
    attacks: list[Attack] = [
        {
            "number": a["id"],
            "kind": a["kind"],
            "attacker": a["attacker"],
            "from": a["from"],
            "target": a["target"],
            "status": a["status"],
        }
        for a in state["attacks"]
    ]
    running = [a for a in attacks if a["status"] != "resolved"]
    fought = [a for a in attacks if a["status"] == "resolved"][-FOUGHT:]
    return {"provinces": state["provinces"], "attacks": running, "levels": levels, "fought": fought}


def nation_styles(drawing: Drawing, scenario: Scenario) -> dict[str, str]:
    """Per nation the inline style that goes with `data-nation`; empty where the stylesheet knows
    the nation.
    """
    return {key: paint.style for key, paint in paints(drawing, scenario["nations"]).items()}


def window_on(drawing: Drawing, keys: Collection[str], *, ratio: float = 2.5) -> Window:
    """Centre and zoom that show these provinces on a sheet of this ratio."""
    boxes = [bounds(drawing)[key] for key in keys]
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    zoom = 0.88 * min(drawing.width / (right - left), drawing.width / ratio / (bottom - top))
    return (
        round((left + right) / 2, 1),
        round((top + bottom) / 2, 1),
        round(max(1.0, min(4.0, zoom)), 2),
    )


def level_of(holding: Holding, state: State) -> tuple[int, str]:
    """Level and word of a province's fortification; (0, "") without one."""
    walls, levels = holding["fortification"], state.get("levels", LEVELS)
    if not walls:
        return 0, ""
    level = walls if isinstance(walls, int) else levels.index(walls) + 1
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
    file: str = "",
) -> str:
    """The map of a state.

    `highlight` lights provinces up, `starts` marks them weaker, `selected` frames one, `target` is
    the lit one chosen. `window` (centre x, y, zoom) shows a part. Each province is a link to
    `links(key)`, by default `#p-KEY`, none where that is empty; `False` makes a picture without
    links. `fills` says which field of a form, by its id, a province's link fills. `changed` are
    marked as just become otherwise. `uid` keeps ids apart where a page has several maps.

    `fought` has the attacks that were resolved lately as well, in a group of their own that is not
    seen until asked for.

    `file` is the address of the drawing's outlines (`outlines`), where these do not stand on the
    page.

    `moving` is the map without what is the same at all times: for a page that has the rest, by the
    same `uid`. What may differ stands in three groups, each named by its `data-now`.
    """
    of = f"{file}#{OUTLINES}" if file else f"#{uid}"
    lines, still = lines_of(drawing, thin=bool(file)), still_parts(drawing, uid, of)
    colours = paints(drawing, scenario["nations"])
    owner = {key: state["provinces"][key]["owner"] for key in drawing.provinces}
    kinds = {
        p["key"]: "external" if p["kind"] == "external" else "independent"
        for p in scenario["provinces"]
    }
    group = {key: owner[key] or kinds[key] for key in drawing.provinces}
    unowned = {kind: Paint("", False) for kind in ("independent", "external")}
    marked = {key: paint.attributes(key) for key, paint in (colours | unowned).items()}
    lit = "".join(f'<use href="{of}-{escape(key)}" class="m-start"/>' for key in starts)
    lit += "".join(
        f'<use href="{of}-{escape(key)}" class="m-lit{" is-target" if key == target else ""}"/>'
        for key in highlight or ()
    )
    lit += "".join(f'<use href="{of}-{escape(key)}" class="m-changed"/>' for key in changed)
    if selected:
        lit += f'<use href="{of}-{escape(selected)}" class="m-selected"/>'
    labels = "".join(
        label(key, drawing, _kind(group[key], colours), marked[group[key]])
        for key in drawing.provinces
    )
    to = {} if links is False else _links(drawing, scenario, owner, links, fills or {})
    owned = _clips(owner, uid, of)
    for key in (p["key"] for p in scenario["provinces"]):
        owned += _province(key, group[key], owner[key], uid, of, marked, to.get(key, ""))
    owners = _now("owners", owned, ' class="m-hits"' if to else "")
    borders = f'{_frontier(drawing, lines, group)}<use href="{of}--land" class="m-coast"/>{lit}'
    over = _marks(drawing, scenario, state, owner, marked) + labels
    over += _nation_names(drawing, scenario, owner, colours) + _arrows(drawing, state, marked)
    over += _fought(drawing, state, marked) if fought else ""
    if moving:
        return f"<svg>{owners}{_now('borders', borders)}{_now('over', over)}</svg>"
    return "".join(
        (
            _opening(
                drawing,
                uid,
                _(TITLE) if title is None else title,
                group=links is not False,
                whole=window is None,
            ),
            "<defs>",
            _defs(drawing, uid),
            "" if file else _shapes(drawing, uid, lines),
            "</defs>",
            f'<g class="map__world{" is-linked" if to else ""}"{_window(drawing, window)}>',
            still.under,
            owners,
            still.waters,
            _now("borders", borders),
            still.routes,
            _now("over", over),
            "</g></svg>",
        )
    )


def _now(name: str, inside: str, kind: str = "") -> str:
    return f'<g data-now="{name}"{kind}>{inside}</g>'


def _opening(drawing: Drawing, uid: str, title: str, *, group: bool, whole: bool) -> str:
    role = "group" if group else "img"
    laid = " map__svg--laid" if drawing.laid_out else ""
    ratio = drawing.width / drawing.height
    # Our own sheets may lose an edge to the frame; a sheet of another form is shown whole, with sea
    # beside it.
    ours = whole is False or abs(ratio - USUAL_RATIO) < 0.03
    fit, frame = (
        ("slice", "")
        if ours
        else ("meet", f' style="aspect-ratio:{min(max(ratio, 1.35), 2.2):.3f}"')
    )
    return (
        f'<svg class="map__svg{laid}" viewBox="0 0 {drawing.width} {drawing.height}"'
        f' role="{role}"{frame} aria-labelledby="{uid}--title" preserveAspectRatio="xMidYMid'
        f' {fit}"><title id="{uid}--title">{escape(title)}</title>'
    )


def _window(drawing: Drawing, window: Window | None) -> str:
    style = ""
    if (drawing.width, drawing.height) != (1600, 964):
        style = f"transform-origin:{drawing.width / 2:g}px {drawing.height / 2:g}px;"
    if window:
        x, y, zoom = window
        # Names and arrows keep their size on paper, whatever the zoom; map.css has 0.5 at its 3.5.
        style += f"--kc:{min(1.0, 1.75 / zoom):.2f};"
        style += (
            f"transform:scale({zoom:g})"
            f" translate({drawing.width / 2 - x:g}px,{drawing.height / 2 - y:g}px)"
        )
    return f' style="{style}"' if style else ""


def _defs(drawing: Drawing, uid: str) -> str:
    box = 'patternUnits="userSpaceOnUse"'
    patterns = "".join(
        f'<pattern id="{uid}--p-{escape(key)}" width="8" height="8" {box}'
        f' class="pat">{PATTERNS[n.pattern]}</pattern>'
        for key, n in drawing.nations.items()
    )
    return (
        f'{patterns}<pattern id="{uid}--sand" width="11" height="9" {box}><circle class="sand"'
        ' cx="2" cy="2" r=".55"/><circle class="sand" cx="7.5" cy="6" r=".45"/></pattern><pattern'
        f' id="{uid}--ext" width="7" height="7" {box}><path class="ext-line" d="M0 7L7'
        ' 0"/></pattern>'
    )


def _frontier(drawing: Drawing, lines: Lines, group: Mapping[str, str]) -> str:
    """The lines between lands of two owners, as one path."""
    apart = [
        line
        for (a, b), line in zip(drawing.contacts, lines.contacts, strict=True)
        if group[a] != group[b]
    ]
    return f'<path class="m-frontier" d="{"".join(apart)}"/>'


def _clips(owner: Mapping[str, str | None], uid: str, of: str) -> str:
    return "".join(
        f'<clipPath id="{uid}--c-{escape(key)}"><use href="{of}-{escape(key)}"/></clipPath>'
        for key, own in owner.items()
        if own
    )


def _province(
    key: str, group: str, own: str | None, uid: str, of: str, marked: Mapping[str, str], link: str
) -> str:
    """Where there is a link it is around what is painted first, and takes the pointer for all that
    lies on it.
    """
    shape = f'<use href="{of}-{escape(key)}"'
    out = f'{shape} class="m-prov" {marked[group]}/>'
    if link:
        out = f"{link}{out}</a>"
    if own:
        out += f'{shape} fill="url(#{uid}--p-{escape(own)})" class="m-pat"/>'
        out += (
            f'<g clip-path="url(#{uid}--c-{escape(key)})">{shape} class="m-rim" {marked[own]}/></g>'
        )
    elif group == "external":
        out += f'{shape} fill="url(#{uid}--ext)" opacity=".5"/>'
    return out


def _kind(group: str, colours: Mapping[str, Paint]) -> str:
    if group in colours:
        return "is-light" if colours[group].light_text else "is-dark"
    return "is-ext" if group == "external" else "is-ind"


def _marks(
    drawing: Drawing,
    scenario: Scenario,
    state: State,
    owner: Mapping[str, str | None],
    marked: Mapping[str, str],
) -> str:
    capitals = {n["capital"] for n in scenario["nations"]}
    external = {p["key"] for p in scenario["provinces"] if p["kind"] == "external"}
    scale, out, seats = LAID_OUT_SCALE if drawing.laid_out else 1.0, [], []
    for key, p in drawing.provinces.items():
        holding, (x, y), capital = (
            state["provinces"][key],
            p.seat.at,
            key in capitals and owner[key] is not None,
        )
        if capital:
            out.append(star(x, y, 8.2 * scale))
        elif key not in external:
            seats.append(f"M{x:g} {y:g}h.01")
        level, word = level_of(holding, state)
        if level:
            out.append(fort(x + (14 if capital else 9) * scale, y + 2 * scale, scale, level, word))
        if holding["fleet"]:
            # A fleet of a province without a harbour is no map's business to refuse: it lies at the
            # seat.
            fx, fy = p.port.at if p.port else (x, y)
            out.append(fleet(fx, fy + 8, scale, marked[owner[key] or "independent"]))
    dots = "".join(seats)  # one path: its round ends are the dots
    rings = (("m-seat", 3.6 * scale + 0.8), ("m-seat m-seat--in", 3.6 * scale - 0.8))
    return "".join(
        f'<path class="{name}" d="{dots}" style="stroke-width:{wide:g}px"/>' for name, wide in rings
    ) + "".join(out)


def _nation_names(
    drawing: Drawing,
    scenario: Scenario,
    owner: Mapping[str, str | None],
    colours: Mapping[str, Paint],
) -> str:
    """The nations' names, for the whole map on a small screen: at home while most of it is theirs,
    else amidst what is.
    """
    out = []
    for nation in scenario["nations"]:
        key, home = (
            nation["key"],
            [p["key"] for p in scenario["provinces"] if p["owner"] == nation["key"]],
        )
        own = [p for p, o in owner.items() if o == key]
        if not own:
            continue
        x, y = drawing.nations[key].label
        if 2 * sum(owner[p] == key for p in home) < len(home) or 2 * len(home) < len(own):
            at = [drawing.provinces[p].label for p in own]
            mx, my = sum(a[0] for a in at) / len(at), sum(a[1] for a in at) / len(at)
            x, y = min(at, key=lambda a, mx=mx, my=my: (a[0] - mx) ** 2 + (a[1] - my) ** 2)  # type: ignore[misc]
        kind = "is-light" if colours[key].light_text else "is-dark"
        short = escape(brief(known_as(key, nation["name"], drawing.nations[key].spoken)))
        out.append(
            f'<text class="{kind}" {colours[key].attributes(key)} x="{x:g}"'
            f' y="{y:g}">{short}</text>'
        )
    return f'<g class="m-nations" aria-hidden="true">{"".join(out)}</g>'


def _arrows(drawing: Drawing, state: State, marked: Mapping[str, str]) -> str:
    tokens: list[tuple[float, float]] = []
    drawn = (
        arrow(a, drawing, tokens, marked[a["attacker"]])
        for a in state["attacks"]
        if a["status"] != "resolved"
    )
    return f'<g class="m-arrows">{"".join(drawn)}</g>'


def _fought(drawing: Drawing, state: State, marked: Mapping[str, str]) -> str:
    """Who attacked whom lately, the newest on top."""
    tokens: list[tuple[float, float]] = []
    drawn = (arrow(a, drawing, tokens, marked[a["attacker"]]) for a in state.get("fought", ()))
    return f'<g class="m-fought">{"".join(drawn)}</g>'


def _who(owner: str | None, kind: str, names: Mapping[str, str]) -> str:
    return names[owner] if owner else _("external") if kind == "external" else _("independent")


def _links(
    drawing: Drawing,
    scenario: Scenario,
    owner: Mapping[str, str | None],
    links: Callable[[str], str] | None,
    fills: Mapping[str, str],
) -> dict[str, str]:
    """The beginning of each province's link, where it leads anywhere."""
    names = {
        n["key"]: known_as(n["key"], n["name"], drawing.nations[n["key"]].spoken)
        for n in scenario["nations"]
    }
    out = {}
    for p in scenario["provinces"]:
        label = escape(f"{p['name']}, {_who(owner[p['key']], p['kind'], names)}")
        href = escape(links(p["key"]) if links else f"#p-{p['key']}")
        field = (
            f' data-field="{escape(fills[p["key"]])}" data-value="{escape(p["key"])}"'
            if p["key"] in fills
            else ""
        )
        if href:
            out[p["key"]] = f'<a href="{href}"{field} aria-label="{label}">'
    return out


def map_context(
    drawing: Drawing, scenario: Scenario, state: State, **options: Any
) -> dict[str, Any]:
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
    style = (
        ""
        if crop
        else "".join(
            f"--z{i}:{r.zoom:g};"
            f"--x{i}:{drawing.width / 2 - r.centre[0]:g}px;"
            f"--y{i}:{drawing.height / 2 - r.centre[1]:g}px;"
            for i, r in enumerate(drawing.regions, start=1)
        )
    )
    svg = map_svg(drawing, scenario, state, **options)
    frame = {"laid_out": drawing.laid_out, "regions": regions, "style": style}
    return {
        "svg": svg,
        "frame": frame,
        **frame,
        "crop": crop,
        "fought": bool(options.get("fought") and state.get("fought")),
    }


_near: deque[tuple[Scenario, dict[str, dict[str, list[str]]]]] = deque(maxlen=16)


def neighbours(scenario: Scenario) -> dict[str, dict[str, list[str]]]:
    """What borders on each province, and where its sea routes lead: worked out once a scenario, and
    nobody changes it.
    """
    for known, ways_known in list(_near):
        if known is scenario:
            return ways_known
    near: dict[str, dict[str, list[str]]] = {
        p["key"]: {"borders": [], "sea_routes": []} for p in scenario["provinces"]
    }
    for way in ("borders", "sea_routes"):
        for a, b in scenario[way]:
            near[a][way].append(b)
            near[b][way].append(a)
    for ways in near.values():
        for listed in ways.values():
            listed.sort()
    _near.append((scenario, near))
    return near


def provinces_table(drawing: Drawing, scenario: Scenario, state: State) -> list[dict[str, Any]]:
    """What the map says, a row a province, by name: for screen readers, for sorting, for the panel
    of one.
    """
    nations = {n["key"]: n for n in scenario["nations"]}
    called = {
        key: known_as(key, n["name"], drawing.nations[key].spoken) for key, n in nations.items()
    }
    capitals = {n["capital"]: n["key"] for n in scenario["nations"]}
    near = neighbours(scenario)
    styles, rows = nation_styles(drawing, scenario), []
    for p in sorted(scenario["provinces"], key=lambda p: (p["name"].casefold(), p["key"])):
        key, d, holding = p["key"], drawing.provinces[p["key"]], state["provinces"][p["key"]]
        owner = holding["owner"]
        level, word = level_of(holding, state)
        rows.append(
            {
                "key": key,
                "name": p["name"],
                "kind": p["kind"],
                "owner": owner,
                "owner_name": _who(owner, p["kind"], called),
                "group": owner or ("external" if p["kind"] == "external" else "independent"),
                "style": styles[owner] if owner else "",
                "capital_of": capitals.get(key),
                "seat": d.seat.name,
                "port": d.port.name if d.port else None,
                "army": nations[owner]["army"] if owner else p["army"],
                "local_army": p["army"],
                "level": level,
                "fortification": word,
                "fleet": holding["fleet"],
                "maritime": d.port is not None,
                "by_land": near[key]["borders"],
                "by_sea": near[key]["sea_routes"],
                "attacks": [a["number"] for a in state["attacks"] if a["target"] == key],
                "starting_point": [a["number"] for a in state["attacks"] if a["from"] == key],
            }
        )
        rows[-1]["cells"] = tuple(
            tuple(cell) if isinstance(cell := rows[-1][name], list) else cell for name in CELLS
        )
    return rows


CELLS = (
    "key",
    "name",
    "capital_of",
    "owner",
    "group",
    "owner_name",
    "army",
    "fortification",
    "fleet",
    "maritime",
    "attacks",
    "starting_point",
)
"""What a province's row on a page is made of."""


# Pieces of the map: what never changes of a drawing (made once), marks, colours of nations.

PATTERNS = {
    "solid": "",
    "diagonal-left": '<path d="M0 0L8 8M-2 6L2 10M6 -2L10 2"/>',
    "zigzag": '<path d="M0 6L2 3L4 6L6 3L8 6"/>',
    "dots": '<circle cx="2" cy="2" r=".6"/><circle cx="6" cy="6" r=".6"/>',
    "crosshatch": '<path d="M0 0L8 8M0 8L8 0"/>',
    "vertical": '<path d="M2 0V8M6 0V8"/>',
    "horizontal": '<path d="M0 2H8M0 6H8"/>',
}
# Six nations have their colours in tokens.css, six more colours stand there for whoever needs them.
HOUSE = ("hephtalites", "huns", "kushans", "romans", "sassanids", "vandals")
SPARE = ("7", "8", "9", "10", "11", "12")
LIGHT_TEXT = {"hephtalites", "huns", "romans", "sassanids", "7", "9", "12"}
# For comparison only, never drawn: independent and external land, which no nation may resemble; the
# two grounds names are written on; the two inks.
TAKEN = ((216, 185, 140), (102, 99, 95))
PAPER, NIGHT = (243, 236, 219), (32, 28, 21)
CREAM, DARK = (255, 248, 234), (29, 20, 8)

Rgb = tuple[int, int, int]
Spot = tuple[float, float]
Box = tuple[float, float, float, float]


# colours ------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Paint:
    """A nation's colours: CSS custom properties (none if the stylesheet knows the nation), and how
    names are set on it.
    """

    style: str
    light_text: bool

    def attributes(self, key: str) -> str:
        style = f' style="{self.style}"' if self.style else ""
        return f'data-nation="{escape(key)}"{style}'


def brief(name: str, most: int = 14) -> str:
    """A nation's name as short as a drawing has room for; beside it stands the whole one in
    words.
    """
    short = name if len(name) <= most else name[: most - 1].rstrip(" -") + "…"
    return name.written(short) if isinstance(name, Name) else short


def paints(drawing: Drawing, nations: Sequence[Mapping[str, Any]]) -> dict[str, Paint]:
    """Colours for the nations of a scenario, in its order.

    The six of the house have their own. Others show the scenario's colour if it is a colour and
    unlike those before it and the land nobody owns; else the next of the spare ones.
    """
    out: dict[str, Paint] = {}
    used: list[Rgb] = list(TAKEN)
    used += [rgb for n in nations if n["key"] in HOUSE and (rgb := _rgb(n.get("colour")))]
    spare = [*SPARE, *(key for key in HOUSE if all(n["key"] != key for n in nations))]
    for nation in nations:
        key, rgb = nation["key"], _rgb(nation.get("colour"))
        if key in HOUSE:
            out[key] = Paint("", key in LIGHT_TEXT)
            continue
        pattern = f"--pat:var(--pat-{drawing.nations[key].pattern})"
        if rgb and all(_apart(rgb, other) >= ALIKE for other in used):
            used.append(rgb)
            on = max(CREAM, DARK, key=lambda ink, fill=rgb: _contrast(ink, fill))  # type: ignore[misc]
            by_day, by_night = _readable(rgb, PAPER, DARK), _readable(rgb, NIGHT, CREAM)
            name = f"light-dark({_hex(by_day)},{_hex(by_night)})"
            out[key] = Paint(
                f"--fill:{_hex(rgb)};--name:{name};--on:{_hex(on)};{pattern}", on == CREAM
            )
        else:
            token = spare.pop(0) if spare else SPARE[len(out) % len(SPARE)]
            style = (
                f"--fill:var(--n-{token});--name:var(--n-{token}-ink);"
                f"--on:var(--n-{token}-on);{pattern}"
            )
            out[key] = Paint(style, token in LIGHT_TEXT)
    return out


def _rgb(colour: object) -> Rgb | None:
    if not isinstance(colour, str) or not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        return None
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _hex(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _apart(a: Rgb, b: Rgb) -> float:
    return math.dist(a, b)


def _luminance(rgb: Rgb) -> float:
    r, g, b = (v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _contrast(a: Rgb, b: Rgb) -> float:
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def _readable(rgb: Rgb, ground: Rgb, ink: Rgb) -> Rgb:
    """The colour, mixed with ink until text in it can be read on the ground."""
    for step in range(11):
        mixed = tuple(round(c + (i - c) * step / 10) for c, i in zip(rgb, ink, strict=True))
        if _contrast((mixed[0], mixed[1], mixed[2]), ground) >= 4.7:
            break
    return mixed[0], mixed[1], mixed[2]


# what never changes -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Still:
    """The unchanging strings of a drawing under one prefix of ids."""

    under: str
    waters: str
    routes: str


class Lines(NamedTuple):
    """The lines of a drawing: shapes and rivers by the ends of their ids, and where provinces
    touch, in the drawing's order.
    """

    shapes: Mapping[str, str]
    rivers: Mapping[str, str]
    contacts: Sequence[str]


OUTLINES = "o"
"""What the names in a file of outlines begin with."""
THIN, GRID = 2.0, 5
"""So far, in tenths of the drawing's unit, a line of the file may be from the drawing's, before its
points are moved to a grid so wide: two pixels where the map is nearest, and less than half of one
where it is whole.
"""
SHORE, SHORE_GRID, LEAST_SHORE = 20.0, 10, 6000
"""The same of the line that waves lie about, wide and soft; islands smaller than this, in square
tenths, have no waves. A browser took 0.16 of 0.22 seconds to paint the whole map for waves about
the coast itself.
"""
_ZERO = re.compile(r"(?<![\d.])0(?=\.\d)")


def _strait(x: float, y: float) -> str:
    return f"M{x - 3:.1f} {y - 3.4:.1f}l6 2.8M{x - 3:.1f} {y + 0.6:.1f}l6 2.8"


@lru_cache(maxsize=64)
def lines_of(drawing: Drawing, *, thin: bool) -> Lines:
    """The lines that are the same at all times; with fewer points where they come in a file."""

    def fewer(lines: Mapping[str, str]) -> dict[str, str]:
        return (
            dict(zip(lines, parts.thinned([*lines.values()], THIN, GRID), strict=True))
            if thin
            else dict(lines)
        )

    provinces = {f"-{escape(key)}": p.d for key, p in drawing.provinces.items()}
    touching = {f"--f{n}": path for n, path in enumerate(drawing.contacts.values())}
    lines = fewer(
        provinces
        | touching
        | {
            "--land": drawing.land,
            "--waste": drawing.wasteland,
            "--lakes": drawing.lakes,
        }
    )
    contacts = [lines.pop(name) for name in touching]
    wide: dict[str, list[str]] = {}
    for river in drawing.rivers:
        wide.setdefault(("0.8", "1.1", "1.5")[river.width - 1], []).append(river.d)
    rivers = fewer({width: "".join(paths) for width, paths in wide.items()})
    coast = (line for line in parts.path_parts(lines["--land"]) if parts.area(line) >= LEAST_SHORE)
    shore = "".join(parts.path(line, closed=True) for line in coast)
    lines |= {
        "--shore": parts.thinned([shore], SHORE, SHORE_GRID)[0],
        "--routes": fewer({"": "".join(drawing.sea_routes.values())})[""],
        "--straits": "".join(_strait(*at) for at in drawing.straits.values()),
        "--links": "".join(drawing.links.values()),
    }
    if not thin:
        return Lines(lines, rivers, contacts)
    # Once more as one: Brotli takes 0.3 kB for it, and a page has 89 shapes less.
    lines["--borders"] = "".join(lines[name] for name in provinces)
    return Lines(
        {name: _ZERO.sub("", path) for name, path in lines.items()},
        rivers,
        [_ZERO.sub("", one) for one in contacts],
    )


def _shapes(drawing: Drawing, prefix: str, lines: Lines) -> str:
    shapes = "".join(
        f'<path id="{prefix}{name}" d="{path}"/>' for name, path in lines.shapes.items() if path
    )
    rivers = "".join(
        f'<path d="{path}" style="stroke-width:{wide}px"/>' for wide, path in lines.rivers.items()
    )
    if "--borders" not in lines.shapes:
        borders = "".join(f'<use href="#{prefix}-{escape(key)}"/>' for key in drawing.provinces)
        shapes += f'<g id="{prefix}--borders">{borders}</g>'
    return f'{shapes}<g id="{prefix}--rivers">{rivers}</g>'


@lru_cache(maxsize=64)
def outlines(drawing: Drawing) -> tuple[str, str]:
    """The outlines of a drawing as a file of its own, and what the file is known by: the same lines
    have the same name.

    It holds form and no paint: that is the page's, by class and token, in the dark and in print,
    too.
    """
    shapes = _shapes(drawing, OUTLINES, lines_of(drawing, thin=True))
    box = f"0 0 {drawing.width} {drawing.height}"
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><defs>{shapes}</defs></svg>'
    return text, sha256(text.encode()).hexdigest()[:20]


@lru_cache(maxsize=1)
def shipped_outlines() -> Mapping[str, str]:
    """The outlines of the drawings that come with the title, by what they are known by: anybody may
    have them.
    """
    known = {}
    for key in shipped():
        text, name = outlines(for_scenario(load(key).raw))
        known[name] = text
    return known


def outlines_of(campaign: Campaign) -> tuple[str, str]:
    """Those of a campaign's map, and what they are known by."""
    return outlines(drawing_for(campaign))


def outlines_address(drawing: Drawing, campaign: Campaign | None = None) -> str:
    """Where a page finds the outlines, by a name that never means others: of a drawing that we ship
    for all pages together, of one that a campaign brings at the campaign, for who may see it; empty
    where there is neither.
    """
    name = outlines(drawing)[1]
    if name in shipped_outlines():
        return reverse("outlines", args=[name])
    return (
        reverse("campaign_outlines", args=[campaign.address, name]) if campaign is not None else ""
    )


@lru_cache(maxsize=64)
def still_parts(drawing: Drawing, uid: str, of: str) -> Still:
    """`of` is where the outlines are: behind it stand `-` and a name. In a file's groups the page's
    own classes are inherited.
    """
    d = drawing
    waves = "".join(
        f'<use href="{of}--shore" class="m-wave"'
        f' style="stroke-width:{w + 0.9}px;stroke-opacity:{a}"/><use href="{of}--shore"'
        f' class="m-wave m-wave--in" style="stroke-width:{w - 0.9}px"/>'
        for w, a in ((13, 0.25), (9, 0.34), (5, 0.5))
    )
    beside = (
        400 if (d.width, d.height) == (1600, 964) else 1600
    )  # a sheet of another form has more sea beside it
    wide, high = d.width + 2 * beside, d.height + 2 * beside + 36
    sea = f'<rect class="m-sea" x="{-beside}" y="{-beside}" width="{wide}" height="{high}"/>'
    waste = (
        f'<use href="{of}--waste" fill="url(#{uid}--sand)" opacity=".8"/>' if d.wasteland else ""
    )
    lakes = f'<use href="{of}--lakes" class="m-lake"/>' if d.lakes else ""
    marks = f'<use href="{of}--straits" class="m-strait"/>' if d.straits else ""
    links = f'<use href="{of}--links" class="m-link"/>' if d.links else ""
    return Still(
        under=f'{sea}{waves}<use href="{of}--land" class="m-waste"/>{waste}',
        waters=(
            f'{lakes}<g class="m-rivers"><use href="{of}--rivers"/></g><g class="m-borders"><use'
            f' href="{of}--borders"/></g>'
        ),
        routes=f'<g class="m-routes"><use href="{of}--routes"/></g>{marks}{links}'
        + _names(d.sea_names, "m-seaname")
        + _names(d.land_names, "m-landname"),
    )


def _names(names: Iterable[Label], kind: str) -> str:
    return "".join(
        f'<text class="{kind}{" is-big" if n.name.isupper() else ""}" x="{n.x:g}" y="{n.y:g}"'
        f' style="--f:{n.size:g}" transform="rotate({n.rotate:g} {n.x:g}'
        f' {n.y:g})">{escape(n.name)}</text>'
        for n in names
    )


@lru_cache(maxsize=64)
def bounds(drawing: Drawing) -> Mapping[str, Box]:
    """Left, top, right, bottom of each province."""
    out = {}
    for key, p in drawing.provinces.items():
        points = [point for line in parts.path_parts(p.d) for point in line]
        xs, ys = [x / 10 for x, _ in points], [y / 10 for _, y in points]
        out[key] = min(xs), min(ys), max(xs), max(ys)
    return out


def label(key: str, drawing: Drawing, kind: str, attributes: str) -> str:
    """A province's name as it is set."""
    p = drawing.provinces[key]
    x, y = p.label
    if len(p.lines) == 1:
        text = escape(p.lines[0])
    else:
        steps = [-0.51 * (len(p.lines) - 1), *[1.02] * (len(p.lines) - 1)]
        text = "".join(
            f'<tspan x="{x:g}" dy="{dy:g}em">{escape(t)}</tspan>'
            for dy, t in zip(steps, p.lines, strict=True)
        )
    style, plain = f"--f:{p.size:g}", attributes
    if ' style="' in attributes:
        plain, own = attributes[:-1].split(' style="')
        style = f"{own};{style}"
    return f'<text class="m-label {kind}" {plain} x="{x:g}" y="{y:g}" style="{style}">{text}</text>'


# marks --------------------------------------------------------------------------------------------
def star(x: float, y: float, r: float) -> str:
    points = []
    for i in range(10):
        a, q = -math.pi / 2 + i * math.pi / 5, r if i % 2 == 0 else r * 0.43
        points.append(f"{x + q * math.cos(a):.1f},{y + q * math.sin(a):.1f}")
    return f'<polygon class="m-star" points="{" ".join(points)}"/>'


def fort(x: float, y: float, scale: float, level: int, word: str) -> str:
    gap = min(3.4, 10.2 / level)
    bars = "".join(
        f'<path class="m-fort__bar" d="M{gap * (i - (level - 1) / 2):.1f} 0v3.4"/>'
        for i in range(level)
    )
    return (
        f'<g class="m-fort" data-level="{level}" transform="translate({x:.1f} {y:.1f})'
        f' scale({scale:g})"><title>{escape(word)}</title><path d="M-6'
        f' 5V-5h2.6v2h2.1v-2h2.6v2h2.1v-2H6V5z"/>{bars}</g>'
    )


def fleet(x: float, y: float, scale: float, attributes: str) -> str:
    return (
        f'<g class="m-fleet" {attributes} transform="translate({x:.1f} {y:.1f})'
        f' scale({scale:g})"><title>Fleet</title><path d="M-9 1h18l-3.2 5.4H-6z"/><path d="M0'
        ' 1V-9"/><path class="m-sail" d="M1-8.5q7 3 6 7.5H1z"/></g>'
    )


# Arrows of attacks: from seat to seat in the attacker's colour, out of the battle's number, around
# the names.

BENDS = (0.2, -0.2, 0.32, -0.32, 0.08, -0.08, 0.46, -0.46, 0.62, -0.62)
# Starts about the source's seat: how far round from straight behind it, and how much farther than
# need be.
ROUND = (0, 25, -25, 50, -50, 80, -80, 110, -110, 140, -140)
STARTS = tuple((turn, more) for more in (0, 8, 16, 28) for turn in ROUND)
# Ends about the seat, the seat first: it may lie under its own province's name.
ROSE = [(math.cos(a * math.pi / 4), math.sin(a * math.pi / 4)) for a in range(8)]
ENDS = ((0.0, 0.0), *((r * x, r * y) for r in (8.0, 14.0, 21.0) for x, y in ROSE))
# The simplest first: least out of the way, bent as the design bends, ending at the seat.
CHOICES = sorted(
    product(range(len(STARTS)), range(len(BENDS)), range(len(ENDS))),
    key=lambda c: (c[0] // len(ROUND) * 2 + c[0] % len(ROUND) + c[1] + (c[2] + 7) // 8 * 3, c),
)
SHAFT, HEAD, TOKEN = 2.5, 1.5, 7.5
"""How near a name, in units of the drawing, an arrow's line, its head's corners and the middle of
its number may come.
"""


class Way(NamedTuple):
    """Where an arrow starts, the point it bends about, and where its point is."""

    start: Spot
    bend: Spot
    end: Spot

    def at(self, t: float) -> Spot:
        (ax, ay), (mx, my), (zx, zy) = self
        s = 1 - t
        return s * s * ax + 2 * s * t * mx + t * t * zx, s * s * ay + 2 * s * t * my + t * t * zy

    @property
    def head(self) -> tuple[Spot, ...]:
        """The arrowhead's corners, its point first."""
        (mx, my), (zx, zy) = self.bend, self.end
        t = math.atan2(zy - my, zx - mx)
        corners = ((1, 0.0), (15, math.pi - 0.46), (10, math.pi), (15, math.pi + 0.46))
        return tuple((zx + r * math.cos(t + o), zy + r * math.sin(t + o)) for r, o in corners)


@lru_cache(maxsize=64)
def names(drawing: Drawing) -> tuple[Box, ...]:
    """The boxes of the provinces' names as they are set on the whole map."""
    boxes = []
    for p in drawing.provinces.values():
        w, h = max(map(len, p.lines)) * p.size * 0.235, len(p.lines) * p.size * 0.5
        boxes.append((p.label[0] - w, p.label[1] - h, p.label[0] + w, p.label[1] + h))
    return tuple(boxes)


def within(box: Box, at: Spot, about: float = 0) -> bool:
    return box[0] - about < at[0] < box[2] + about and box[1] - about < at[1] < box[3] + about


def _meet(box: Box, other: Box, about: float) -> bool:
    """Do two boxes meet, one of them wider by `about` on each side?"""
    return (
        box[0] - about <= other[2]
        and other[0] <= box[2] + about
        and box[1] - about <= other[3]
        and other[1] <= box[3] + about
    )


def _from(drawing: Drawing, source: str | None, target: str) -> Spot:
    """Whence an attack comes: the source's seat; without one (an insurrection) from just outside
    the target's.
    """
    x, y = drawing.provinces[target].seat.at
    return drawing.provinces[source].seat.at if source else (x + 30.0, y - 34.0)


FARTHEST = 90 + 21
"""So far from the source's seat a number that is set may be in the way: the farthest start, and the
room between two.
"""


@lru_cache(maxsize=4096)
def attack_path(
    drawing: Drawing, source: str | None, target: str, taken: tuple[Spot, ...] = ()
) -> Way:
    """The simplest way of an attack that covers no name; where there is none, the one that covers
    fewest.

    `taken` are the numbers set so far.
    """
    goal = drawing.provinces[target].seat.at
    start = _from(drawing, source, target)
    d = math.dist(start, goal) or 1.0
    reach = d * 0.5 + 90
    middle = ((start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2)
    near = [
        b
        for b in names(drawing)
        if b[0] - reach < middle[0] < b[2] + reach and b[1] - reach < middle[1] < b[3] + reach
    ]
    # The number must not seem to belong to another province's seat, nor hide its own.
    seats = [p.seat.at for p in drawing.provinces.values() if math.dist(p.seat.at, start) < 90]
    best, least = None, math.inf
    begun: dict[Spot, float] = {}
    for one in _attack_paths(drawing, start, goal, target, bool(source)):
        a = one.start
        if a not in begun:
            begun[a] = 3 * sum(within(box, a, TOKEN) for box in near)
            begun[a] += 9 * any(math.dist(a, t) < 21 for t in taken) + 4 * any(
                math.dist(a, s) < 13.5 for s in seats
            )
        cost = begun[a]
        if cost >= least:
            continue
        points: list[Spot] = []
        (ax, ay), (mx, my), (zx, zy) = one
        left, top, right, bottom = (
            min(ax, mx, zx),
            min(ay, my, zy),
            max(ax, mx, zx),
            max(ay, my, zy),
        )
        for box in near:
            # A curve lies between the three points that make it: most names are nowhere near, and
            # are not looked at closely.
            if _meet(box, (zx - 15, zy - 15, zx + 15, zy + 15), HEAD):
                cost += 2.0 * any(within(box, p, HEAD) for p in one.head)
            if _meet(box, (left, top, right, bottom), SHAFT):
                points = points or [one.at(k / 40) for k in range(1, 40)]
                cost += any(within(box, p, SHAFT) for p in points)
            if cost >= least:
                break
        if cost < least:
            best, least = one, cost
            if not cost:
                break
    assert best is not None
    return best


def _attack_paths(
    drawing: Drawing, start: Spot, goal: Spot, target: str, sourced: bool
) -> Iterator[Way]:
    """Every way there is, the simplest first; all end inside the target."""
    d = math.dist(start, goal) or 1.0
    ux, uy = (goal[0] - start[0]) / d, (goal[1] - start[1]) / d
    # Short ways start farther back, long ones beside the seat, which may be a capital's star.
    least = max(26 if drawing.laid_out else 14, int(62 - d)) if sourced else 0
    tip = (goal[0] - ux * 5, goal[1] - uy * 5)
    ends = [(tip[0] + x, tip[1] + y) for x, y in ENDS]
    inside = [k == 0 or _inside(drawing, target, spot) for k, spot in enumerate(ends)]
    starts = []
    for turn, more in STARTS if sourced else STARTS[:1]:
        # Beside the seat a short way needs no run-up.
        back = (least if abs(turn) < 60 else min(least, 22)) + more * sourced
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        starts.append((start[0] - (ux * c - uy * s) * back, start[1] - (uy * c + ux * s) * back))
    for place, bend, end in CHOICES:
        if not inside[end] or place >= len(starts):
            continue
        a = starts[place]
        z = ends[end]
        long, lean = math.dist(a, z), BENDS[bend]
        yield Way(
            a, ((a[0] + z[0]) / 2 - uy * long * lean, (a[1] + z[1]) / 2 + ux * long * lean), z
        )


@lru_cache(maxsize=1024)
def _outline(drawing: Drawing, key: str) -> tuple[tuple[Spot, ...], ...]:
    return tuple(
        tuple((x / 10, y / 10) for x, y in line)
        for line in parts.path_parts(drawing.provinces[key].d)
    )


def _inside(drawing: Drawing, key: str, at: Spot) -> bool:
    """Does the province have this point? By the even-odd rule, as its outline is painted."""
    x, y = at
    odd = False
    for line in _outline(drawing, key):
        for (xa, ya), (xb, yb) in zip(line, (*line[1:], line[0]), strict=True):
            if (ya > y) != (yb > y) and x < (xb - xa) * (y - ya) / (yb - ya) + xa:
                odd = not odd
    return odd


def arrow(attack: Mapping[str, Any], drawing: Drawing, tokens: list[Spot], attributes: str) -> str:
    """One attack as it is drawn. `tokens` are the numbers set so far; this one is added."""
    source, target = attack.get("from"), attack["target"]
    start = _from(drawing, source, target)
    points = attack_path(
        drawing, source, target, tuple(t for t in tokens if math.dist(t, start) < FARTHEST)
    )
    a, m, z = points
    tokens.append(a)
    t = math.atan2(z[1] - m[1], z[0] - m[0])
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in points.head)
    path = (
        f"M{a[0]:.1f} {a[1]:.1f}Q{m[0]:.1f} {m[1]:.1f} {z[0] - 9 * math.cos(t):.1f}"
        f" {z[1] - 9 * math.sin(t):.1f}"
    )
    number = escape(str(attack["number"]))
    return (
        f'<g class="arrow" {attributes} data-kind="{escape(attack["kind"])}"'
        f' data-status="{escape(attack["status"])}"><path class="arrow__halo" d="{path}"/><polygon'
        f' class="arrow__halo" points="{head}"/><path class="arrow__shaft" d="{path}"/><polygon'
        f' class="arrow__head" points="{head}"/><g class="arrow__no"><circle cx="{a[0]:.1f}"'
        f' cy="{a[1]:.1f}" r="9.5"/><text x="{a[0]:.1f}" y="{a[1]:.1f}">{number}</text></g></g>'
    )


# Which drawing a campaign's map is: the one it brings with it, else the one that the title has for
# its scenario.


def drawing_for(campaign: Campaign) -> Drawing:
    raw = positions.scenario(campaign).raw
    text = scenarios.text_of(campaign)
    return brought_drawing(text, raw) if text else for_scenario(raw)
