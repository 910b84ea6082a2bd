"""The map of a page as inline SVG: a function of plain data.

All colours come from classes and tokens (`map.css`); an owner is a single attribute, and frontiers
are a single path. The order of layers is sea, land, provinces (which are the links), waters,
borders, frontiers, routes, names, marks, arrows. Each shape from a file costs a browser a tenth of
a millisecond, so shapes are combined into a single path where possible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from html import escape
from typing import Literal

from engine.language import gettext as _
from engine.language import gettext_noop as noop
from games.grand_campaign.drawing.atlas.arrows import Spot, arrow
from games.grand_campaign.drawing.atlas.marks import label, marks, nation_names
from games.grand_campaign.drawing.atlas.outlines import (
    OUTLINES,
    Lines,
    bounds,
    lines_of,
    shapes,
    still_parts,
)
from games.grand_campaign.drawing.atlas.paint import PATTERNS, Paint, paints
from games.grand_campaign.drawing.atlas.provinces import owner_name
from games.grand_campaign.drawing.atlas.state import Attack, Scenario, State, kind_of
from games.grand_campaign.drawing.drawing import Drawing
from games.grand_campaign.text.words import localized_name

TITLE = noop("Map of the provinces and their owners. The table below shows the same.")
USUAL_SIZE = (1600, 964)
USUAL_RATIO = 1600 / 964

Window = tuple[float, float, float]
"""The centre (x, y) and the zoom of a part of the map."""
Links = Callable[[str], str] | Literal[False] | None
"""A function that returns the address of a province; None means `#p-KEY`, False no links."""


def window_on(drawing: Drawing, keys: Collection[str], *, ratio: float = 2.5) -> Window:
    """Return the window that shows these provinces on a sheet of this ratio."""
    boxes = [bounds(drawing)[key] for key in keys]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    zoom = 0.88 * min(drawing.width / (right - left), drawing.width / ratio / (bottom - top))
    return (
        round((left + right) / 2, 1),
        round((top + bottom) / 2, 1),
        round(max(1.0, min(4.0, zoom)), 2),
    )


@dataclass(frozen=True, slots=True)
class Sheet:
    """A map that is being drawn: its owners and colours.

    `ids` is the address of the outlines before `-` and a name. `groups` has the owner of each
    province, or the kind of land that no nation owns. `attributes` has the attributes of each
    group.
    """

    drawing: Drawing
    scenario: Scenario
    state: State
    uid: str
    ids: str
    owners: Mapping[str, str | None]
    groups: Mapping[str, str]
    colours: Mapping[str, Paint]
    attributes: Mapping[str, str]


def sheet_of(drawing: Drawing, scenario: Scenario, state: State, uid: str, file: str) -> Sheet:
    """Return the facts from which all layers of a map are drawn."""
    owners = {key: state["provinces"][key]["owner"] for key in drawing.provinces}
    kinds = {province["key"]: kind_of(province) for province in scenario["provinces"]}
    colours = paints(drawing, scenario["nations"])
    unowned = {kind: Paint("", False) for kind in ("independent", "external")}
    return Sheet(
        drawing=drawing,
        scenario=scenario,
        state=state,
        uid=uid,
        ids=f"{file}#{OUTLINES}" if file else f"#{uid}",
        owners=owners,
        groups={key: owners[key] or kinds[key] for key in drawing.provinces},
        colours=colours,
        attributes={key: paint.attributes(key) for key, paint in (colours | unowned).items()},
    )


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
    links: Links = None,
    fills: Mapping[str, str] | None = None,
    changed: Collection[str] = (),
    title: str | None = None,
    uid: str = "m",
    moving: bool = False,
    fought: bool = False,
    file: str = "",
) -> str:
    """Return the map of a state.

    Args:
        drawing: the shapes of the map.
        scenario: the names, owners at the start, and nations.
        state: the changing facts of the map.
        highlight: provinces that are lit.
        starts: provinces that are marked less strongly.
        selected: the province with a frame.
        target: the lit province that is chosen.
        window: the part that is shown.
        links: the addresses of provinces; a province with an empty address has no link.
        fills: the ids of the fields of a form that the links of provinces fill.
        changed: provinces that are marked as just changed.
        title: the description for screen readers.
        uid: keeps ids apart if a page has several maps.
        moving: leave out what is the same at all times, for a page that has the rest by the same
            `uid`. The rest is in three groups, each named by its `data-now`.
        fought: draw the most recently resolved attacks, in a group that is hidden at first.
        file: the address of the outlines; without it they are part of the page.
    """
    sheet = sheet_of(drawing, scenario, state, uid, file)
    lines = lines_of(drawing, thin=bool(file))
    beginnings = {} if links is False else link_beginnings(sheet, links, fills or {})
    lit = (
        lights(sheet, starts, "m-start")
        + lit_provinces(sheet, highlight or (), target)
        + lights(sheet, changed, "m-changed")
        + lights(sheet, [selected] if selected else [], "m-selected")
    )
    owners = moving_group("owners", provinces(sheet, beginnings), hits=bool(beginnings))
    coast = f'<use href="{sheet.ids}--land" class="m-coast"/>'
    borders = moving_group("borders", f"{frontier(sheet, lines)}{coast}{lit}")
    over = moving_group("over", top_layers(sheet, with_fought=fought))
    if moving:
        return f"<svg>{owners}{borders}{over}</svg>"
    text = _(TITLE) if title is None else title
    still = still_parts(drawing, uid, sheet.ids)
    linked = " is-linked" if beginnings else ""
    return "".join(
        (
            opening_tag(drawing, uid, text, is_group=links is not False, is_whole=window is None),
            f"<defs>{patterns(drawing, uid)}{'' if file else shapes(drawing, uid, lines)}</defs>",
            f'<g class="map__world{linked}"{window_style(drawing, window)}>',
            f"{still.under}{owners}{still.waters}{borders}{still.routes}{over}",
            "</g></svg>",
        )
    )


def moving_group(name: str, inside: str, *, hits: bool = False) -> str:
    """Return a group of markup that may differ between two moments."""
    kind = ' class="m-hits"' if hits else ""
    return f'<g data-now="{name}"{kind}>{inside}</g>'


def lights(sheet: Sheet, keys: Collection[str], kind: str) -> str:
    """Return the shapes of these provinces again, to mark them."""
    return "".join(f'<use href="{sheet.ids}-{escape(key)}" class="{kind}"/>' for key in keys)


def lit_provinces(sheet: Sheet, keys: Collection[str], target: str | None) -> str:
    return "".join(
        lights(sheet, [key], "m-lit is-target" if key == target else "m-lit") for key in keys
    )


def top_layers(sheet: Sheet, *, with_fought: bool) -> str:
    """Return marks, names and arrows, which lie over everything else."""
    labels = "".join(
        label(key, sheet.drawing, label_kind(group, sheet.colours), sheet.attributes[group])
        for key, group in sheet.groups.items()
    )
    over = marks(sheet.drawing, sheet.scenario, sheet.state, sheet.owners, sheet.attributes)
    over += labels
    over += nation_names(sheet.drawing, sheet.scenario, sheet.owners, sheet.colours)
    running = [attack for attack in sheet.state["attacks"] if attack["status"] != "resolved"]
    over += arrows(sheet, running, "m-arrows")
    if with_fought:  # The newest attacks are on top.
        over += arrows(sheet, sheet.state.get("fought", ()), "m-fought")
    return over


def arrows(sheet: Sheet, attacks: Collection[Attack], kind: str) -> str:
    tokens: list[Spot] = []
    drawn = [
        arrow(attack, sheet.drawing, tokens, sheet.attributes[attack["attacker"]])
        for attack in attacks
    ]
    return f'<g class="{kind}">{"".join(drawn)}</g>'


def opening_tag(drawing: Drawing, uid: str, title: str, *, is_group: bool, is_whole: bool) -> str:
    role = "group" if is_group else "img"
    laid = " map__svg--laid" if drawing.laid_out else ""
    ratio = drawing.width / drawing.height
    # Our own sheets may lose an edge to the frame; a sheet of another shape is shown whole, with
    # sea beside it.
    may_lose_edge = not is_whole or abs(ratio - USUAL_RATIO) < 0.03
    fit = "slice" if may_lose_edge else "meet"
    frame = "" if may_lose_edge else f' style="aspect-ratio:{min(max(ratio, 1.35), 2.2):.3f}"'
    return (
        f'<svg class="map__svg{laid}" viewBox="0 0 {drawing.width} {drawing.height}"'
        f' role="{role}"{frame} aria-labelledby="{uid}--title" preserveAspectRatio="xMidYMid'
        f' {fit}"><title id="{uid}--title">{escape(title)}</title>'
    )


def window_style(drawing: Drawing, window: Window | None) -> str:
    style = ""
    if (drawing.width, drawing.height) != USUAL_SIZE:
        style = f"transform-origin:{drawing.width / 2:g}px {drawing.height / 2:g}px;"
    if window:
        x, y, zoom = window
        # Names and arrows keep their size on paper at any zoom; map.css has 0.5 at its zoom of 3.5.
        style += f"--kc:{min(1.0, 1.75 / zoom):.2f};"
        style += (
            f"transform:scale({zoom:g})"
            f" translate({drawing.width / 2 - x:g}px,{drawing.height / 2 - y:g}px)"
        )
    return f' style="{style}"' if style else ""


def patterns(drawing: Drawing, uid: str) -> str:
    """Return the definitions of the nations' patterns, of sand, and of external land."""
    box = 'patternUnits="userSpaceOnUse"'
    own = "".join(
        f'<pattern id="{uid}--p-{escape(key)}" width="8" height="8" {box}'
        f' class="pat">{PATTERNS[nation.pattern]}</pattern>'
        for key, nation in drawing.nations.items()
    )
    return (
        f'{own}<pattern id="{uid}--sand" width="11" height="9" {box}><circle class="sand"'
        ' cx="2" cy="2" r=".55"/><circle class="sand" cx="7.5" cy="6" r=".45"/></pattern><pattern'
        f' id="{uid}--ext" width="7" height="7" {box}><path class="ext-line" d="M0 7L7'
        ' 0"/></pattern>'
    )


def frontier(sheet: Sheet, lines: Lines) -> str:
    """Return the lines between lands of different owners as a single path."""
    contacts = zip(sheet.drawing.contacts, lines.contacts, strict=True)
    apart = [line for (a, b), line in contacts if sheet.groups[a] != sheet.groups[b]]
    return f'<path class="m-frontier" d="{"".join(apart)}"/>'


def provinces(sheet: Sheet, beginnings: Mapping[str, str]) -> str:
    """Return the provinces, each in its link if it has one."""
    clips = "".join(
        f'<clipPath id="{sheet.uid}--c-{escape(key)}"><use href="{sheet.ids}-{escape(key)}"/>'
        "</clipPath>"
        for key, owner in sheet.owners.items()
        if owner
    )
    return clips + "".join(
        province_shape(sheet, province["key"], beginnings.get(province["key"], ""))
        for province in sheet.scenario["provinces"]
    )


def province_shape(sheet: Sheet, key: str, beginning: str) -> str:
    """Return a province.

    Its link is around the shape that is painted first, and takes the pointer for everything above.
    """
    owner, group = sheet.owners[key], sheet.groups[key]
    shape = f'<use href="{sheet.ids}-{escape(key)}"'
    out = f'{shape} class="m-prov" {sheet.attributes[group]}/>'
    if beginning:
        out = f"{beginning}{out}</a>"
    if owner:
        rim = f'{shape} class="m-rim" {sheet.attributes[owner]}/>'
        out += f'{shape} fill="url(#{sheet.uid}--p-{escape(owner)})" class="m-pat"/>'
        out += f'<g clip-path="url(#{sheet.uid}--c-{escape(key)})">{rim}</g>'
    elif group == "external":
        out += f'{shape} fill="url(#{sheet.uid}--ext)" opacity=".5"/>'
    return out


def label_kind(group: str, colours: Mapping[str, Paint]) -> str:
    """Return the class of a province's name."""
    if group in colours:
        return "is-light" if colours[group].light_text else "is-dark"
    return "is-ext" if group == "external" else "is-ind"


def link_beginnings(
    sheet: Sheet, links: Callable[[str], str] | None, fills: Mapping[str, str]
) -> dict[str, str]:
    """Return the opening tag of each province's link, for provinces with an address."""
    nations = sheet.drawing.nations
    names = {
        nation["key"]: localized_name(nation["key"], nation["name"], nations[nation["key"]].spoken)
        for nation in sheet.scenario["nations"]
    }
    beginnings = {}
    for province in sheet.scenario["provinces"]:
        key = province["key"]
        owner = owner_name(sheet.owners[key], province["kind"], names)
        text = escape(f"{province['name']}, {owner}")
        href = escape(links(key) if links else f"#p-{key}")
        field = field_attributes(key, fills[key]) if key in fills else ""
        if href:
            beginnings[key] = f'<a href="{href}"{field} aria-label="{text}">'
    return beginnings


def field_attributes(province: str, field: str) -> str:
    """Return the attribute that names the field of a form that the link fills."""
    return f' data-field="{escape(field)}" data-value="{escape(province)}"'
