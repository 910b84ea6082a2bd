"""The scenario editor of the Grand Campaign: its map, its panels, what is wrong in sentences, and
forms read into acts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from campaign import rulebook
from engine.errors import MalformedRecord, explained
from engine.language import Name, articles_of, sentence
from games.grand_campaign.drawing import editing
from games.grand_campaign.drawing.drawing import PATTERNS, Drawing
from games.grand_campaign.drawing.editing import LEVELS, NOBODY, contrast, plain
from games.grand_campaign.rules.numbers import (
    CARDS,
    NUMBERS,
    TABLES,
    Fault,
    Rules,
    default_rules,
    read_rules,
)
from games.grand_campaign.rules.scenario import START, USUAL, load
from games.grand_campaign.text import words
from games.grand_campaign.text.rulebook import amendment, rule_numbers
from games.grand_campaign.title import GrandCampaign
from web.titles.grand_campaign import atlas
from web.titles.grand_campaign.founding import number

TITLE = GrandCampaign()
MAP = "titles/grand_campaign/_map.html"
TABS = (
    ("province", gettext_lazy("Province")),
    ("nations", gettext_lazy("Nations")),
    ("scenario", gettext_lazy("Scenario")),
)
TOOLS = (
    (
        "select",
        gettext_lazy("Select"),
        "point",
        "v",
        gettext_lazy("Click a province to see and change it."),
    ),
    (
        "owner",
        gettext_lazy("Owner"),
        "brush",
        "o",
        gettext_lazy("Choose an owner; click a province, or hold and draw across several."),
    ),
    (
        "name",
        gettext_lazy("Name"),
        "name",
        "r",
        gettext_lazy("Click a province and type its name."),
    ),
    (
        "army",
        gettext_lazy("Army list"),
        "army",
        "a",
        gettext_lazy(
            "Choose a list; click the provinces that fight with it while nobody owns them."
        ),
    ),
    (
        "capital",
        gettext_lazy("Capital"),
        "star",
        "c",
        gettext_lazy("Click a province: it becomes its owner’s capital."),
    ),
    (
        "border",
        gettext_lazy("Border"),
        "border",
        "b",
        gettext_lazy(
            "Click two provinces: a border is set, or taken away. Dashed red: they touch, and no "
            "border is set."
        ),
    ),
    (
        "route",
        gettext_lazy("Sea route"),
        "route",
        "s",
        gettext_lazy(
            "Click two provinces: a route is set, or taken away. A province with a route is "
            "maritime."
        ),
    ),
    (
        "works",
        gettext_lazy("Walls, fleet"),
        "tower",
        "f",
        gettext_lazy("Choose what stands at the start; click the province."),
    ),
    (
        "merge",
        gettext_lazy("Merge"),
        "merge",
        "m",
        gettext_lazy(
            "Click two neighbours: the second joins the first, with its borders and routes."
        ),
    ),
)
"""Each with its name, icon, key and what one does with it."""
PATTERN_NAMES = {
    "solid": gettext_lazy("plain"),
    "diagonal-left": gettext_lazy("slanting lines"),
    "zigzag": gettext_lazy("zigzag"),
    "dots": gettext_lazy("dots"),
    "crosshatch": gettext_lazy("crossed lines"),
    "vertical": gettext_lazy("upright lines"),
    "horizontal": gettext_lazy("level lines"),
}
SECTIONS = (
    (gettext_noop("Turns, cards and dice"), ("1",)),
    (gettext_noop("Levels and the army"), ("2",)),
    (gettext_noop("What actions buy"), ("3",)),
    (gettext_noop("Cards and events"), ("4", "5")),
    (gettext_noop("Attacks"), ("6", "7")),
    (gettext_noop("Battles and sieges"), ("9",)),
    (gettext_noop("Victory points"), ("12",)),
)
"""Parts of the page of numbers, each with the chapters of the rules that it holds."""
LIST, BANDS = "list", "bands"
SINGLES = frozenset(one.path for one in NUMBERS)


class Fix(NamedTuple):
    """One fault or warning: its sentence, where to look, and the act that mends it with the words
    of its button.
    """

    text: str
    province: str = ""
    nation: str = ""
    mend: str = ""
    act: Mapping[str, Any] = {}

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The act as fields of a form."""
        return [
            (key, " ".join(value) if isinstance(value, list) else str(value))
            for key, value in self.act.items()
        ]


# The map ------------------------------------------------------------------------------------------


def state_of(scenario: Mapping[str, Any]) -> atlas.State:
    levels = [row[0] for row in _levels(scenario)]
    known = set(levels)
    provinces = {
        row["key"]: {
            "owner": row["owner"],
            "fortification": (
                row.get("fortification") if row.get("fortification") in known else None
            ),
            "fleet": bool(row.get("fleet")),
        }
        for row in scenario["provinces"]
    }
    return {"provinces": provinces, "attacks": [], "levels": levels}  # type: ignore[typeddict-item]


def _levels(scenario: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
    rows: Sequence[Sequence[Any]] = scenario.get("rules", {}).get(
        "fortifications", default_rules().raw["fortifications"]
    )
    return rows


class Sheet(NamedTuple):
    """What is drawn: the whole map, or only what moves where `shape` is the one that the browser
    has.
    """

    shape: str
    svg: str
    moving: str
    styles: dict[str, str]
    graph: dict[str, Any]


def sheet(bundle: Mapping[str, Any], selected: str = "", shape: str = "") -> Sheet:
    scenario = bundle["scenario"]
    drawing, touching, _faults = editing.drawn(bundle)
    now, state = _shape(drawing, scenario), state_of(scenario)
    options: dict[str, Any] = {
        "links": lambda key: f"?province={key}#panel",
        "uid": "m",
        "selected": selected or None,
    }
    if shape == now:
        return Sheet(
            now,
            "",
            atlas.map_svg(drawing, scenario, state, moving=True, **options),
            _styles(drawing, scenario),
            _graph(bundle, drawing, touching),
        )
    svg = atlas.framed_map(drawing, scenario, state, **options).svg
    return Sheet(now, svg, "", _styles(drawing, scenario), _graph(bundle, drawing, touching))


def map_of(bundle: Mapping[str, Any], selected: str = "") -> atlas.FramedMap:
    """The map as `_map.html` wants it, with its regions."""
    scenario = bundle["scenario"]
    drawing, _touching, _faults = editing.drawn(bundle)
    options: dict[str, Any] = {
        "links": lambda key: f"?province={key}#panel",
        "uid": "m",
        "selected": selected or None,
    }
    return atlas.framed_map(drawing, scenario, state_of(scenario), **options)


def _shape(drawing: Drawing, scenario: Mapping[str, Any]) -> str:
    """Changes with everything on the map that is drawn once."""
    provinces = [(key, row.d, row.lines, row.seat.name) for key, row in drawing.provinces.items()]
    patterns = [(key, row.pattern) for key, row in drawing.nations.items()]
    ways = (
        sorted(drawing.sea_routes.items()),
        sorted(drawing.contacts.items()),
        sorted(drawing.straits.items()),
    )
    names = [row["name"] for row in scenario["provinces"]]
    return hashlib.sha256(
        repr((drawing.land, provinces, patterns, ways, names)).encode()
    ).hexdigest()[:16]


def _styles(drawing: Drawing, scenario: Mapping[str, Any]) -> dict[str, str]:
    return {key: style for key, style in atlas.nation_styles(drawing, scenario).items() if style}


def _graph(
    bundle: Mapping[str, Any], drawing: Drawing, touching: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """Where provinces lie, and which are joined: what the tools for pairs draw."""
    scenario = bundle["scenario"]
    return {
        "at": {key: [*row.seat.at] for key, row in drawing.provinces.items()},
        "names": {row["key"]: row["name"] for row in scenario["provinces"]},
        "owners": {row["key"]: row["owner"] or row["kind"] for row in scenario["provinces"]},
        "borders": scenario["borders"],
        "routes": scenario["sea_routes"],
        "missing": [list(pair) for pair in touching],
    }


# What is wrong ------------------------------------------------------------------------------------


def checks(bundle: Mapping[str, Any]) -> tuple[list[Fix], list[Fix]]:
    """Faults, which stop publishing, and warnings, which do not; in sentences, each with
    its place.
    """
    scenario = bundle["scenario"]
    names = _Names(bundle)
    _drawing, touching, broken = editing.drawn(bundle)
    faults = [names.fix(one, bundle) for one in TITLE.scenario_faults(scenario)]
    for a, b in touching:
        text = sentence(
            _("{a} and {b} touch, and have no border."), a=names.provinces[a], b=names.provinces[b]
        )
        faults.append(
            Fix(text, a, "", _("Set the border"), {"act": "border", "a": a, "b": b, "there": "1"})
        )
    if not faults:
        faults += [names.fix(one.at(f"drawing.{one.where}"), bundle) for one in broken]
    warnings = [names.fix(one, bundle) for one in TITLE.scenario_warnings(scenario)]
    return faults, warnings + names.sizes()


class _Names:
    """Names of a bundle's provinces and nations, faulty or not."""

    def __init__(self, bundle: Mapping[str, Any]) -> None:
        self.scenario = bundle["scenario"]
        drawn = bundle["drawing"].get("nations", {})
        self.provinces = {row["key"]: row["name"] for row in self.scenario["provinces"]}
        self.nations = {
            row["key"]: Name.spoken(row["name"], drawn.get(row["key"], {}))
            for row in self.scenario["nations"]
        }
        self.rows = {
            row["key"]: row for row in (*self.scenario["provinces"], *self.scenario["nations"])
        }

    def fix(self, fault: MalformedRecord, bundle: Mapping[str, Any]) -> Fix:
        province, nation = self._place(fault.where)
        if fault.message == "capital" and nation:
            return self._capital(nation)
        if fault.message in ("not-maritime",) and province:
            text = sentence(
                _("{province} has a fleet and no sea route."), province=self.provinces[province]
            )
            return Fix(
                text,
                province,
                "",
                _("Take the fleet away"),
                {"act": "province", "province": province, "fleet": ""},
            )
        one = explained(fault, bundle)
        place = self.provinces.get(province) or self.nations.get(nation) or _field(fault.where)
        return Fix(sentence("{place}: {why}", place=place, why=one.why), province, nation)

    def _capital(self, key: str) -> Fix:
        row, name = self.rows[key], self.nations[key]
        capital = next(
            (one for one in self.scenario["provinces"] if one["key"] == row["capital"]), None
        )
        if not any(one["owner"] == key for one in self.scenario["provinces"]):
            return Fix(
                sentence(_("{nation:The} {nation:have|has} no province."), nation=name), "", key
            )
        if capital is None:
            return Fix(
                sentence(_("{nation:The} {nation:have|has} no capital."), nation=name), "", key
            )
        if capital["owner"]:
            text = _("{province} is the capital of {nation:the} and belongs to {owner:the}.")
            shown_text = sentence(
                text,
                province=capital["name"],
                nation=name,
                owner=self.nations.get(capital["owner"], capital["owner"]),
            )
        else:
            shown_text = sentence(
                _("{province} is the capital of {nation:the} and belongs to nobody."),
                province=capital["name"],
                nation=name,
            )
        mend = sentence(_("Give it to {nation:the}"), nation=name)
        return Fix(
            shown_text,
            capital["key"],
            key,
            mend,
            {"act": "owner", "provinces": [capital["key"]], "owner": key},
        )

    def _place(self, where: str) -> tuple[str, str]:
        """The province and the nation that a fault is about; rows are named by their key or their
        number.
        """
        steps = where.split(".")
        for part, rows in (
            ("provinces", self.scenario["provinces"]),
            ("nations", self.scenario["nations"]),
        ):
            if part not in steps or steps.index(part) + 1 >= len(steps):
                continue
            key = steps[steps.index(part) + 1]
            if key.isdecimal() and key not in self.rows and int(key) < len(rows):
                key = rows[int(key)]["key"]
            if key in self.rows:
                return (key, "") if part == "provinces" else ("", key)
        return "", ""

    def sizes(self) -> list[Fix]:
        """Nations that begin with far fewer or far more provinces than the others."""
        count = {
            key: sum(row["owner"] == key for row in self.scenario["provinces"])
            for key in self.nations
        }
        mean = sum(count.values()) / (len(count) or 1)
        return [
            Fix(
                sentence(
                    _("{nation:The} {nation:begin|begins} with {n} provinces; the mean is {mean}."),
                    nation=self.nations[key],
                    n=n,
                    mean=f"{mean:.1f}",
                ),
                "",
                key,
            )
            for key, n in count.items()
            if n and not 0.55 * mean <= n <= 1.7 * mean
        ]


def _field(where: str) -> str:
    fields = {
        "scenario.name": _("Name"),
        "scenario.key": _("Key"),
        "scenario.turns": _("Turns"),
        "scenario.nations": _("Nations"),
        "scenario.borders": _("Borders"),
        "scenario.sea_routes": _("Sea routes"),
    }
    return next(
        (text for key, text in fields.items() if where == key or where.startswith(f"{key}.")), where
    )


# Panels -------------------------------------------------------------------------------------------


def panel(bundle: Mapping[str, Any], asked: Mapping[str, str]) -> dict[str, Any]:
    """What stands beside the map: the province, the nations or one of them, or the scenario."""
    scenario, names = bundle["scenario"], _Names(bundle)
    tab = asked.get("tab") or ("nations" if asked.get("nation") else "province")
    province = asked.get("province", "") if asked.get("province", "") in names.provinces else ""
    nation = asked.get("nation", "") if asked.get("nation", "") in names.nations else ""
    count = {
        key: sum(row["owner"] == key for row in scenario["provinces"]) for key in names.nations
    }
    return {
        "tab": tab if tab in dict(TABS) else "province",
        "tabs": TABS,
        "scenario": scenario,
        "names": names,
        "province": _province(bundle, names, province) if province else None,
        "nation": _nation(bundle, names, nation) if nation else None,
        "nations": [
            {
                "key": key,
                "name": name,
                "capital": names.provinces.get(names.rows[key]["capital"], ""),
                "provinces": count[key],
            }
            for key, name in names.nations.items()
        ],
        "free": [
            (row["key"], row["name"])
            for row in _by_name(scenario["provinces"])
            if row["kind"] != "external"
        ],
        "armies": armies(scenario),
        "levels": _accounts(scenario),
        "totals": _totals(scenario),
        "provinces": [
            (row["key"], row["name"], names.nations.get(row["owner"]) or _nobody(row["kind"]))
            for row in _by_name(scenario["provinces"])
        ],
    }


def _by_name(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(rows, key=lambda row: str(row["name"]).casefold())


def _nobody(kind: str) -> str:
    return _("external") if kind == "external" else _("independent")


def armies(scenario: Mapping[str, Any]) -> list[str]:
    return sorted({row["army"] for row in (*scenario["provinces"], *scenario["nations"])})


def _accounts(scenario: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    labels, start = words.book()["accounts"], {**START, **scenario.get("start", {})}
    return [(level, labels[level], start[level]) for level in LEVELS]


def _totals(scenario: Mapping[str, Any]) -> list[tuple[str, int]]:
    kinds = [row["kind"] for row in scenario["provinces"]]
    return [
        (_("Provinces"), len(kinds)),
        (_("of nations"), kinds.count("nation")),
        (_("independent"), kinds.count("independent")),
        (_("external"), kinds.count("external")),
        (_("Borders"), len(scenario["borders"])),
        (_("Sea routes"), len(scenario["sea_routes"])),
    ]


def owners(bundle: Mapping[str, Any]) -> list[tuple[str, str]]:
    names = _Names(bundle)
    return [
        *((key, str(name)) for key, name in names.nations.items()),
        *((key, _nobody(key)) for key in NOBODY),
    ]


def works(bundle: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What can stand in a province at the start."""
    return [
        *((row[0], words.structure_name(row[0])) for row in _levels(bundle["scenario"])),
        ("fleet", _("Fleet")),
    ]


def _province(bundle: Mapping[str, Any], names: _Names, key: str) -> dict[str, Any]:
    scenario, row = bundle["scenario"], names.rows[key]
    owner = names.nations.get(row["owner"])
    near = {
        kind: [(other, names.provinces[other]) for other in _neighbours(scenario[kind], key)]
        for kind in ("borders", "sea_routes")
    }
    capital = next(
        (names.nations[one["key"]] for one in scenario["nations"] if one["capital"] == key), None
    )
    others = [
        (one["key"], one["name"]) for one in _by_name(scenario["provinces"]) if one["key"] != key
    ]
    army_now = ""
    if owner is not None:
        form = _("While {nation:the} {nation:hold|holds} it: {army}")
        army_now = sentence(form, nation=owner, army=names.rows[row["owner"]]["army"])
    return {
        "key": key,
        "name": row["name"],
        "owner": row["owner"] or row["kind"],
        "army": row["army"],
        "owned": owner is not None,
        "group": row["owner"] or row["kind"],
        "owner_name": owner or _nobody(row["kind"]),
        "army_now": army_now,
        "seat": bundle["drawing"]["provinces"].get(key, {}).get("seat", {}).get("name", ""),
        "capital": sentence(_("capital of {nation:the}"), nation=capital) if capital else "",
        "fortification": row.get("fortification") or "",
        "fleet": bool(row.get("fleet")),
        "maritime": bool(near["sea_routes"]) or bool(row.get("maritime")),
        "land": near["borders"],
        "sea": near["sea_routes"],
        "others": {
            kind: [one for one in others if one[0] not in dict(near[kind])] for kind in near
        },
    }


def _neighbours(pairs: Iterable[Sequence[str]], key: str) -> list[str]:
    return sorted(b if a == key else a for a, b in pairs if key in (a, b))


def _nation(bundle: Mapping[str, Any], names: _Names, key: str) -> dict[str, Any]:
    scenario, row, name = bundle["scenario"], names.rows[key], names.nations[key]
    drawn = bundle["drawing"].get("nations", {}).get(key, {})
    start, italian, labels = row.get("start", {}), drawn.get("it", {}), words.book()["tracks"]
    tracks = [
        (
            track,
            labels[track] if track != "architecture" else labels[track][row["culture"]],
            [(one, words.structure_name(one), one in start.get("structures", [])) for one in rows],
        )
        for track, rows in _tracks(scenario, row["culture"]).items()
    ]
    return {
        "key": key,
        "name": row["name"],
        "adjective": drawn.get("adjective", row["name"]),
        "spoken": drawn.get("spoken", "people"),
        "article": drawn.get("article", drawn.get("spoken", "people") == "people"),
        "italian": italian,
        "articles": articles_of("it"),
        "says": [
            sentence(_("{nation:The} {nation:build|builds} Roads."), nation=name),
            sentence(_("The answer of {nation:the} is awaited."), nation=name),
        ],
        "colour": row["colour"],
        "pattern": drawn.get("pattern", "solid"),
        "patterns": [(one, PATTERN_NAMES[one]) for one in PATTERNS],
        "tests": colour_tests(bundle, key),
        "culture": row["culture"],
        "cultures": list(words.book()["cultures"].items()),
        "capital": row["capital"],
        "homes": [
            (one["key"], one["name"])
            for one in _by_name(scenario["provinces"])
            if one["owner"] == key or one["key"] == row["capital"]
        ],
        "army": row["army"],
        "escort": row["escort"],
        "levels": [
            (one, label, start.get(one, ""), usual) for one, label, usual in _accounts(scenario)
        ],
        "tracks": tracks,
        "barracks": bool(start.get("barracks")),
        "siege_trains": start.get("siege_trains", ""),
        "hand": ", ".join(words.card_name(card) for card in start.get("hand", [])),
        "cards": [words.card_name(card) for card in sorted(CARDS)],
        "held": sum(one["owner"] == key for one in scenario["provinces"]),
    }


def _tracks(scenario: Mapping[str, Any], culture: str) -> dict[str, list[str]]:
    rules, usual = scenario.get("rules", {}), default_rules().raw
    merged = {**usual["architecture"], **rules.get("architecture", {})}
    return {
        "architecture": [row[0] for row in merged[culture]],
        "religious": [row[0] for row in rules.get("religious", usual["religious"])],
        "commercial": [row[0] for row in rules.get("commercial", usual["commercial"])],
    }


SEES = (
    ("", None),
    (
        gettext_lazy("with no red"),
        (
            0.152286,
            1.052583,
            -0.204868,
            0.114503,
            0.786281,
            0.099216,
            -0.003882,
            -0.048116,
            1.051998,
        ),
    ),
    (
        gettext_lazy("with no green"),
        (
            0.367322,
            0.860646,
            -0.227968,
            0.280085,
            0.672501,
            0.047413,
            -0.011820,
            0.042940,
            0.968881,
        ),
    ),
)
"""How people see colours: all, and with two kinds of colour blindness (Machado, Oliveira and
Fernandes 2009).
"""
NEAR_NATION, NEAR_LAND = 6.0, 8.0
UNOWNED = "#d8b98c"


def colour_tests(bundle: Mapping[str, Any], key: str) -> list[tuple[bool, str, str]]:
    """Can the nation be told apart? Each test with whether it is passed, its words, and its
    figure.
    """
    names = _Names(bundle)
    colour = names.rows[key]["colour"]
    drawn = bundle["drawing"].get("nations", {})
    if not editing.COLOUR.fullmatch(colour):
        return []
    on = contrast(editing.ink(colour), colour)
    tests = [
        (on >= 4.5, sentence(_("Name on the colour {n} : 1"), n=f"{on:.1f}"), _("at least 4.5"))
    ]
    others = [
        row
        for row in bundle["scenario"]["nations"]
        if row["key"] != key and editing.COLOUR.fullmatch(row["colour"])
    ]
    if others:
        far, other, eyes = min(
            (
                (apart(colour, row["colour"], sees), row["key"], who)
                for row in others
                for who, sees in SEES
            ),
            key=lambda one: one[0],
        )
        text = _("Nearest: {nation}, distance {n} {eyes}")
        tests.append(
            (
                far >= NEAR_NATION,
                sentence(text, nation=names.nations[other], n=f"{far:.0f}", eyes=eyes).rstrip(),
                _("at least 6"),
            )
        )
    land = apart(colour, UNOWNED)
    tests.append(
        (
            land >= NEAR_LAND,
            sentence(_("Apart from land that nobody owns {n}"), n=f"{land:.0f}"),
            _("at least 8"),
        )
    )
    twins = [
        names.nations[row["key"]]
        for row in others
        if drawn.get(row["key"], {}).get("pattern") == drawn.get(key, {}).get("pattern")
    ]
    if twins:
        tests.append((False, sentence(_("The same pattern as {nation:the}"), nation=twins[0]), ""))
    else:
        tests.append((True, _("No other nation has this pattern"), ""))
    return tests


def apart(one: str, other: str, sees: Sequence[float] | None = None) -> float:
    """How far two colours are from each other in OKLab, as parts of a hundred; `sees` is the matrix
    of an eye.
    """
    a, b = _oklab(one, sees), _oklab(other, sees)
    return 100 * sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5


@lru_cache(maxsize=512)
def _oklab(colour: str, sees: Sequence[float] | None) -> tuple[float, float, float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    rgb = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    if sees is not None:
        rgb = [
            min(1.0, max(0.0, sum(sees[3 * row + n] * rgb[n] for n in range(3))))
            for row in range(3)
        ]
    red, green, blue = rgb
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


# Forms into acts ----------------------------------------------------------------------------------


def act_of(bundle: Mapping[str, Any], posted: Mapping[str, str]) -> dict[str, Any]:
    """The act that a form means. Raises `MalformedRecord` with the field that is wrong."""
    act = posted.get("act", "")
    if act in ("owner", "army"):
        return {
            "act": act,
            "provinces": posted.get("provinces", "").split(),
            act: posted.get(act, ""),
        }
    if act == "province":
        given: dict[str, Any] = {
            field: posted[field]
            for field in ("province", "name", "seat", "army", "owner")
            if field in posted
        }
        if "stands" in posted or "fortification" in posted:
            given["fortification"] = posted.get("fortification") or None
        if "stands" in posted or "fleet" in posted:
            given["fleet"] = bool(posted.get("fleet"))
        return {"act": act, **given}
    if act in ("border", "route", "merge"):
        there = {"there": posted["there"] == "1"} if "there" in posted else {}
        return {"act": act, "a": posted.get("a", ""), "b": posted.get("b", ""), **there}
    if act == "nation":
        return _nation_act(bundle, posted)
    if act == "scenario":
        given = dict[str, Any](
            {field: posted[field] for field in ("name", "key") if field in posted}
        )
        if "turns" in posted:
            given["turns"] = _whole("turns", posted["turns"])
        if "begins" in posted:
            given["start"] = {
                level: _whole(level, posted.get(f"start_{level}") or str(START[level]))
                for level in LEVELS
            }
        return {"act": act, **given}
    fields = ("province", "works", "nation", "name")
    return {"act": act, **{field: posted[field] for field in fields if field in posted}}


def _nation_act(bundle: Mapping[str, Any], posted: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {
        field: posted[field]
        for field in (
            "nation",
            "name",
            "adjective",
            "spoken",
            "colour",
            "pattern",
            "culture",
            "capital",
            "army",
        )
        if field in posted
    }
    if "words" in posted:
        given |= {
            "article": bool(posted.get("article")),
            "italian": {
                field: posted.get(f"it_{field}", "") for field in ("name", "article", "gender")
            },
        }
    if "begins" in posted:
        row = next(
            (one for one in bundle["scenario"]["nations"] if one["key"] == given.get("nation")),
            {"culture": "civilized"},
        )
        given |= {
            "escort": bool(posted.get("escort")),
            "start": _start(bundle["scenario"], row["culture"], posted),
        }
    return {"act": "nation", **given}


def _start(scenario: Mapping[str, Any], culture: str, posted: Mapping[str, str]) -> dict[str, Any]:
    """What a nation begins with: a level that is empty is everybody's; of a track stands what leads
    to the last one chosen.
    """
    start: dict[str, Any] = {
        level: _whole(level, posted[f"start_{level}"])
        for level in LEVELS
        if posted.get(f"start_{level}", "").strip()
    }
    start["structures"] = [
        one
        for track, rows in _tracks(scenario, culture).items()
        if posted.get(track) in rows
        for one in rows[: rows.index(posted[track]) + 1]
    ]
    start["barracks"] = bool(posted.get("barracks"))
    if posted.get("siege_trains", "").strip():
        start["siege_trains"] = _whole("siege_trains", posted["siege_trains"])
    cards = {words.card_name(card).casefold(): card for card in CARDS}
    hand = [one.strip() for one in posted.get("hand", "").split(",") if one.strip()]
    for one in hand:
        if one.casefold() not in cards:
            raise Fault("hand", "not-known", known=sorted(words.card_name(card) for card in CARDS))
    start["hand"] = [cards[one.casefold()] for one in hand]
    return start


def _whole(where: str, text: str) -> int:
    try:
        return int(text.strip())
    except ValueError:
        raise Fault(where, "a-number") from None


# The numbers of the rules -------------------------------------------------------------------------


class Cell(NamedTuple):
    """One number, list or row of bands of the rules: what it is called, what stands here and what
    stands usually.
    """

    path: str
    rule: str
    meaning: str
    unit: str
    here: str
    usual: str
    bands: tuple[tuple[str, str], ...] = ()

    @property
    def own(self) -> bool:
        return self.here != self.usual

    @property
    def single(self) -> bool:
        """Is it a number by itself, not one of a table?"""
        return self.path in SINGLES


def rules_of(bundle: Mapping[str, Any]) -> Rules:
    return read_rules(bundle["scenario"].get("rules", {}))


def numbers(bundle: Mapping[str, Any]) -> list[tuple[str, list[Cell]]]:
    """Every number of the rules in parts, each with what it is here and what it is usually."""
    here, usual = rules_of(bundle), default_rules()
    known = {one.path: one for one in rule_numbers(usual)}
    meaning = words_of_numbers()
    cells = [
        Cell(
            one.path,
            one.rule,
            one.meaning,
            one.unit,
            shown(one.value),
            shown(known[one.path].value) if one.path in known else "",
        )
        for one in rule_numbers(here)
    ]
    turns, usual_turns = (", ".join(map(str, rules.raw["event_turns"])) for rules in (here, usual))
    cells.append(
        Cell("event_turns", TABLES["event_turns"], meaning["event_turns"], LIST, turns, usual_turns)
    )
    for path, name in (("cards", words.card_name), ("events", words.event_name)):
        lasts, usual_lasts = (
            " ".join(str(row[1]) for row in rules.raw[path]) for rules in (here, usual)
        )
        bands = tuple((name(row[2]), str(row[1])) for row in here.raw[path])
        cells.append(Cell(path, TABLES[path], meaning[path], BANDS, lasts, usual_lasts, bands))
    parts = []
    for heading, chapters in SECTIONS:
        inside = [one for one in cells if one.rule.partition(".")[0] in chapters]
        parts.append(
            (
                _(heading),
                sorted(inside, key=lambda one: [int(part) for part in one.rule.split(".")]),
            )
        )
    return parts


def words_of_numbers() -> Mapping[str, str]:
    from games.grand_campaign.text.rulebook import NUMBERS as TEXTS

    texts: Mapping[str, str] = TEXTS.read()["meaning"]
    return texts


def shown(value: Any) -> str:
    """The number as people write it: halves as ½."""
    if isinstance(value, (Decimal, float)) and value * 2 % 1 == 0 and value % 1:
        whole = int(value)
        return f"{whole or ''}½"
    return str(plain(value)).replace("-", "\N{MINUS SIGN}")


def rules_acts(
    bundle: Mapping[str, Any], posted: Mapping[str, Sequence[str]]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The acts that the typed numbers mean, and what is wrong with the others, by their paths.
    Fields are `n.PATH`.
    """
    rules = rules_of(bundle)
    acts: list[dict[str, Any]] = []
    wrong: dict[str, str] = {}
    known = {one.path: one for one in rule_numbers(rules)}
    typed: dict[str, Any] = {}
    for field in posted:
        path = field.removeprefix("n.")
        if path == field:
            continue
        try:
            if path in known:
                value = number(posted[field][-1])
                if value != known[path].value:
                    typed[path] = value
            elif path == "event_turns":
                acts.append(
                    {
                        "act": "rules",
                        "path": path,
                        "value": [
                            _whole(path, one) for one in posted[field][-1].replace(",", " ").split()
                        ],
                    }
                )
            elif path in ("cards", "events"):
                acts.append(
                    {"act": "rules", "path": path, "value": _bands(rules.raw[path], posted[field])}
                )
        except MalformedRecord as fault:
            wrong[path] = f"{fault.why}."
        except ValueError as refused:
            wrong[path] = str(refused)
    for top, value in amendment(rules, typed).items():
        inner = (
            {f"{top}.{key}": one for key, one in value.items()}
            if isinstance(value, dict)
            else {top: value}
        )
        acts += [{"act": "rules", "path": path, "value": one} for path, one in inner.items()]
    return acts, wrong


def _bands(rows: Sequence[Sequence[Any]], lasts: Sequence[str]) -> list[list[Any]]:
    """The bands of a die from the last roll of each."""
    if len(lasts) != len(rows):
        raise Fault("bands", "a-number")
    bands, first = [], 1
    for row, text in zip(rows, lasts, strict=True):
        last = _whole("bands", text)
        bands.append([first, last, row[2]])
        first = last + 1
    return bands


def reads(bundle: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The paragraphs of the rulebook that read otherwise than usually, with their numbers."""
    usual = load(USUAL)
    raw = {**usual.raw, "rules": bundle["scenario"].get("rules", {})}
    if not raw["rules"]:
        return []
    _name, then = rulebook.chapters(TITLE.key, TITLE.scenario(raw))
    _name, now = rulebook.chapters(TITLE.key, usual)
    was = {paragraph for chapter in now for paragraph in chapter.paragraphs}
    return [
        (paragraph.number or chapter.number, paragraph.html)
        for chapter in then
        for paragraph in chapter.paragraphs
        if paragraph not in was
    ]
