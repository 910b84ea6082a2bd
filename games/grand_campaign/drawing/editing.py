"""Acts that change a scenario and its drawing while an author makes them.

A bundle is `{"scenario": {…}, "drawing": {…}}`, as the shelf reads it. It may have faults while it
is made, but an act never makes the drawing disagree with the scenario.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from json import dumps, loads
from typing import Any

from engine.strict_json import is_printable
from games.grand_campaign.drawing import other_names, own_drawing, parts
from games.grand_campaign.drawing.drawing import (
    BORDER_LENGTH,
    PATTERNS,
    Drawing,
    parse,
    shipped_document,
)
from games.grand_campaign.drawing.layout import broken, lay_out
from games.grand_campaign.rules.faults import faults
from games.grand_campaign.rules.numbers import (
    CULTURES,
    KEY,
    TABLES,
    Fault,
    default_rules,
    read_rules,
    value_at,
)
from games.grand_campaign.rules.numbers import NUMBERS as RULES

Bundle = dict[str, Any]
Row = dict[str, Any]
LEVELS = ("stability", "prestige", "income", "army")
NOBODY = ("independent", "external")
COLOURS = (
    "#3d5a80",
    "#7a4a2b",
    "#4f8a4c",
    "#8a3a5a",
    "#2f7f79",
    "#b5651d",
    "#6b5b95",
    "#a23b3b",
    "#7d8f2a",
    "#3f6fb0",
    "#c08a2b",
    "#555f6b",
)
"""The colours of new nations, in order."""
LONGEST = 60
SMALLEST = 7.5
"""The least size of the letters of a name on the map."""
MOST_NATIONS = 12
COLOUR = re.compile("#[0-9a-fA-F]{6}", re.ASCII)


def begun(bundle: Mapping[str, Any], name: str = "") -> Bundle:
    """Return the bundle with which a draft begins.

    It has no faults, and its drawing is in our own form, laid out if there was none. `name`
    replaces the name of the scenario, and its key follows it. Raises the first `Fault`.
    """
    scenario = _exact(bundle["scenario"])
    for fault in faults(scenario):
        raise fault
    known = parts.facts(scenario)
    document = bundle.get("drawing") or _shipped_drawing(scenario, known) or lay_out(known)
    whole, own_faults = own_drawing.read(plain(document), scenario)
    for fault in own_faults:
        raise fault
    assert whole is not None
    if name.strip():
        scenario = {**scenario, "name": _text({"name": name}, "name"), "key": _key(name, ())}
    return {"scenario": scenario, "drawing": plain(whole)}


def _shipped_drawing(scenario: Mapping[str, object], known: parts.Facts) -> object | None:
    """Return the shipped drawing of a scenario; its own names may differ from the shipped ones."""
    document = shipped_document(scenario)
    if not isinstance(document, Mapping):
        return document
    return other_names.without_twice_used(document, known)


def edited(bundle: Mapping[str, Any], act: Mapping[str, Any]) -> Bundle:
    """Return the bundle after an act, which is an object with `act` and its arguments.

    The given bundle stays unchanged. Raises `Fault` with the field that is wrong.
    """
    change = ACTS.get(str(act.get("act")))
    if change is None:
        raise Fault("act", "not-known", known=sorted(ACTS))
    new = deepcopy(dict(bundle))
    change(_Draft(new), act)
    return new


class _Draft:
    """A bundle with access to its rows."""

    def __init__(self, bundle: Bundle) -> None:
        self.scenario: Row = bundle["scenario"]
        self.drawing: Row = bundle["drawing"]

    def province(self, key: object) -> Row:
        return _row(self.scenario["provinces"], key, "province", "no-province")

    def nation(self, key: object) -> Row:
        return _row(self.scenario["nations"], key, "nation", "no-nation")

    def pairs(self, kind: str) -> list[list[str]]:
        pairs: list[list[str]] = self.scenario[kind]
        return pairs

    def maritime(self, key: str) -> bool:
        return bool(self.province(key).get("maritime")) or any(
            key in pair for pair in self.pairs("sea_routes")
        )

    def ways(self, *keys: str) -> None:
        """Drop drawn ways that the scenario does not have, and ports without a route."""
        borders = {"|".join(sorted(pair)) for pair in self.pairs("borders")}
        routes = {"|".join(sorted(pair)) for pair in self.pairs("sea_routes")}
        for name, wanted in (
            ("sea_routes", routes),
            ("straits", borders),
            ("links", borders),
            ("contacts", borders),
        ):
            drawn = self.drawing.get(name, {})
            self.drawing[name] = {pair: way for pair, way in drawn.items() if pair in wanted}
        for key in keys:
            if not self.maritime(key):
                self.drawing["provinces"][key].pop("port", None)
                self.province(key).pop("fleet", None)

    def facts(self) -> parts.Facts:
        """Return the facts of the scenario, even if a part of it is wrong elsewhere."""
        return parts.facts(_structure(self.scenario))

    def keep_names_apart(self) -> None:
        """Drop other names that are now the name of something else."""
        taken, field = other_names.own_names(self.facts()), other_names.FIELD
        for place, names in other_names.other_names(self.drawing):
            table, key = place
            self.drawing[table][key][field] = other_names.apart(names, place, taken)

    def armies(self) -> None:
        """Drop the spellings of army lists that are no longer used."""
        known = {row["army"] for row in (*self.scenario["provinces"], *self.scenario["nations"])}
        self.drawing["aliases"] = {
            army: ways for army, ways in self.drawing.get("aliases", {}).items() if army in known
        }


def _row(rows: list[Row], key: object, field: str, message: str) -> Row:
    for row in rows:
        if row["key"] == key:
            return row
    raise Fault(field, message)


def _text(act: Mapping[str, Any], field: str) -> str:
    text = act.get(field)
    if type(text) is not str or not text.strip() or len(text) > LONGEST or not is_printable(text):
        raise Fault(field, "printable-name", most=LONGEST)
    return " ".join(text.split())


def _key(name: str, taken: Collection[str]) -> str:
    """Return a key made of a name, different from those that are taken."""
    signs = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in name.lower())
    key = base = re.sub("-+", "-", signs).strip("-")[:30].strip("-") or "new"
    n = 2
    while key in taken:
        key, n = f"{base}-{n}", n + 1
    return key


def _one_of(act: Mapping[str, Any], field: str, known: Collection[Any]) -> Any:
    if act.get(field) not in known:
        raise Fault(field, "one-of", values=[str(value) for value in known])
    return act[field]


def _keys(draft: _Draft, act: Mapping[str, Any]) -> list[Row]:
    keys = act.get("provinces")
    if type(keys) is not list or not keys:
        raise Fault("provinces", "list")
    return [draft.province(key) for key in keys]


def _owner(draft: _Draft, act: Mapping[str, Any]) -> None:
    rows, owner = _keys(draft, act), act.get("owner")
    if owner not in NOBODY:
        owner = draft.nation(owner)["key"]
    for row in rows:
        _give(row, owner)


def _give(row: Row, owner: str) -> None:
    if owner in NOBODY:
        row |= {"owner": None, "kind": owner}
        row.pop("fortification", None)
        row.pop("fleet", None)
    else:
        row |= {"owner": owner, "kind": "nation"}


def _army(draft: _Draft, act: Mapping[str, Any]) -> None:
    army = _text(act, "army")
    for row in _keys(draft, act):
        row["army"] = army
    draft.armies()


def _province(draft: _Draft, act: Mapping[str, Any]) -> None:
    row = draft.province(act.get("province"))
    key, drawn = row["key"], draft.drawing["provinces"].get(row["key"], {})
    if "name" in act:
        name = _text(act, "name")
        if name != row["name"]:
            if drawn.get("seat", {}).get("name") == row["name"]:
                drawn["seat"]["name"] = name
            row["name"] = name
            _replace_name(drawn, name)
            draft.keep_names_apart()
    if "seat" in act and isinstance(drawn.get("seat"), dict):
        drawn["seat"]["name"] = _text(act, "seat")
    if other_names.FIELD in act:
        _other_names(draft, "provinces", key, act)
    if "army" in act:
        _army(draft, {"provinces": [key], "army": act["army"]})
    if "owner" in act:
        _owner(draft, {"provinces": [key], "owner": act["owner"]})
    if "fortification" in act or "fleet" in act:
        if row["owner"] is None and (act.get("fortification") or act.get("fleet")):
            raise Fault("fortification" if act.get("fortification") else "fleet", "no-nations")
        if act.get("fleet") and not draft.maritime(key):
            raise Fault("fleet", "not-maritime")
        for field in ("fortification", "fleet"):
            if field in act:
                row.pop(field, None)
                row |= {field: act[field]} if act[field] else {}


def _other_names(draft: _Draft, table: str, key: str, act: Mapping[str, Any]) -> None:
    """Replace the other names of a province or nation."""
    field = other_names.FIELD
    names = other_names.as_other_names(act[field], field)
    for fault in other_names.clashes((table, key), names, draft.drawing, draft.facts()):
        raise Fault(field, fault.message, **fault.facts)
    draft.drawing.setdefault(table, {}).setdefault(key, {})[field] = names


def _replace_name(drawn: Row, name: str) -> None:
    """Replace a drawn name, with letters of the same size, or smaller for a longer name."""
    before, lines = drawn.get("lines"), broken(name)
    if before and drawn.get("size"):
        room = (max(map(len, before)) + 1.2) / max(map(len, lines))
        drawn["size"] = max(SMALLEST, round(drawn["size"] * min(1.0, room), 1))
    drawn["lines"] = lines


def _capital(draft: _Draft, act: Mapping[str, Any]) -> None:
    row = draft.province(act.get("province"))
    if row["owner"] is None:
        raise Fault("province", "no-nations")
    draft.nation(row["owner"])["capital"] = row["key"]


def _way(kind: str) -> Callable[[_Draft, Mapping[str, Any]], None]:
    def act_on(draft: _Draft, act: Mapping[str, Any]) -> None:
        a, b = (draft.province(act.get(field))["key"] for field in ("a", "b"))
        if a == b:
            raise Fault("b", "joins-two")
        pairs, pair = draft.pairs(kind), sorted((a, b))
        existing_pair = next((existing for existing in pairs if sorted(existing) == pair), None)
        wanted = act.get("there", existing_pair is None)
        if wanted and existing_pair is None:
            pairs.append(pair)
        elif not wanted and existing_pair is not None:
            pairs.remove(existing_pair)
        draft.ways(a, b)

    return act_on


def _works(draft: _Draft, act: Mapping[str, Any]) -> None:
    """Add a fortification or fleet, or remove it if it is there: a click of the tool."""
    row, works = draft.province(act.get("province")), act.get("works")
    if works == "fleet":
        _province(draft, {"province": row["key"], "fleet": not row.get("fleet", False)})
    else:
        is_built = row.get("fortification") == works
        _province(draft, {"province": row["key"], "fortification": None if is_built else works})


def _merge(draft: _Draft, act: Mapping[str, Any]) -> None:
    """Join the second province to the first, with its borders and routes."""
    first, second = (draft.province(act.get(field)) for field in ("a", "b"))
    a, b = first["key"], second["key"]
    if a == b:
        raise Fault("b", "joins-two")
    _merge_shapes(draft.drawing["provinces"], a, b)
    scenario = draft.scenario
    scenario["provinces"] = [row for row in scenario["provinces"] if row["key"] != b]
    for kind in ("borders", "sea_routes"):
        joined = {
            tuple(sorted(a if key == b else key for key in pair)) for pair in draft.pairs(kind)
        }
        scenario[kind] = sorted([first, second] for first, second in joined if first != second)
    for nation in scenario["nations"]:
        if nation["capital"] == b:
            nation["capital"] = a
    if second.get("maritime"):
        first["maritime"] = True
    draft.ways(a)
    draft.armies()


def _merge_shapes(shapes: dict[str, Any], a: str, b: str) -> None:
    """Draw the line around both provinces; a port of the second is kept if the first has none."""
    outlines = {key: parts.path_parts(shapes[key]["d"]) for key in (a, b)}
    if not parts.contacts(outlines):
        raise Fault("b", "not-touching")
    rings = [ring for ring in parts.outer(outlines) if len(set(ring)) > 2]
    shapes[a]["d"] = "".join(
        parts.path(ring[:-1] if ring[0] == ring[-1] else ring, closed=True) for ring in rings
    )
    if "port" in shapes[b] and "port" not in shapes[a]:
        shapes[a]["port"] = shapes[b]["port"]
    del shapes[b]


def _nation(draft: _Draft, act: Mapping[str, Any]) -> None:
    row = draft.nation(act.get("nation"))
    drawn = draft.drawing.setdefault("nations", {}).setdefault(row["key"], {})
    for field, change in NATION_FIELDS.items():
        if field in act:
            change(draft, row, drawn, act)


Fields = dict[str, Any]


def _nation_name(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    name = _text(act, "name")
    if drawn.get("adjective") == row["name"]:
        drawn["adjective"] = name
    row["name"] = name
    draft.keep_names_apart()


def _nation_other_names(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    _other_names(draft, "nations", row["key"], act)


def _nation_adjective(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    drawn["adjective"] = _text(act, "adjective")


def _nation_army(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    row["army"] = _text(act, "army")
    draft.armies()


def _nation_spoken(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    drawn["spoken"] = _one_of(act, "spoken", ("people", "state"))


def _nation_article(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    drawn["article"] = bool(act["article"])


def _nation_italian(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    given = act["italian"] if isinstance(act["italian"], Mapping) else {}
    italian = {
        field: str(given[field]) for field in ("name", "article", "gender") if given.get(field)
    }
    drawn.pop("it", None)
    if italian.get("name"):
        drawn["it"] = italian


def _nation_colour(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    if type(act["colour"]) is not str or not COLOUR.fullmatch(act["colour"]):
        raise Fault("colour", "colour")
    row["colour"] = act["colour"].lower()
    drawn["text"] = ink(row["colour"])


def _nation_pattern(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    drawn["pattern"] = _one_of(act, "pattern", tuple(PATTERNS))


def _nation_culture(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    """Change the culture.

    The nation loses its structures, which the other culture does not have.
    """
    if act["culture"] != row["culture"]:
        row["culture"] = _one_of(act, "culture", CULTURES)
        row.get("start", {}).pop("structures", None)


def _nation_capital(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    row["capital"] = draft.province(act["capital"])["key"]


def _nation_escort(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    row["escort"] = bool(act["escort"])


def _nation_start(draft: _Draft, row: Fields, drawn: Fields, act: Mapping[str, Any]) -> None:
    given = act["start"] if isinstance(act["start"], Mapping) else {}
    row["start"] = {
        field: value for field, value in given.items() if value not in (None, "", [], False)
    }
    if not row["start"]:
        del row["start"]


NATION_FIELDS: Mapping[str, Callable[[_Draft, Fields, Fields, Mapping[str, Any]], None]] = {
    "name": _nation_name,
    "adjective": _nation_adjective,
    other_names.FIELD: _nation_other_names,
    "army": _nation_army,
    "spoken": _nation_spoken,
    "article": _nation_article,
    "italian": _nation_italian,
    "colour": _nation_colour,
    "pattern": _nation_pattern,
    "culture": _nation_culture,
    "capital": _nation_capital,
    "escort": _nation_escort,
    "start": _nation_start,
}
"""Functions that change a field of a nation, in the order in which they are called."""


def _add_nation(draft: _Draft, act: Mapping[str, Any]) -> None:
    """Add a nation in a province, which becomes its capital."""
    rows = draft.scenario["nations"]
    if len(rows) >= MOST_NATIONS:
        raise Fault("nation", "nations")
    home = draft.province(act.get("province"))
    name = _text(act, "name")
    key = _key(name, {row["key"] for row in rows} | {"gm", *NOBODY})
    used = {row["colour"].lower() for row in rows}
    colour = next((unused for unused in COLOURS if unused not in used), COLOURS[0])
    rows.append(
        {
            "key": key,
            "name": name,
            "culture": "civilized",
            "army": home["army"],
            "capital": home["key"],
            "colour": colour,
            "escort": False,
        }
    )
    patterns = {
        nation.get("pattern") for nation in draft.drawing.setdefault("nations", {}).values()
    }
    draft.drawing["nations"][key] = {
        "adjective": name,
        "pattern": next((pattern for pattern in PATTERNS if pattern not in patterns), PATTERNS[0]),
        "text": ink(colour),
        "spoken": "people",
    }
    _give(home, key)
    draft.keep_names_apart()


def _remove_nation(draft: _Draft, act: Mapping[str, Any]) -> None:
    row = draft.nation(act.get("nation"))
    draft.scenario["nations"].remove(row)
    draft.drawing.get("nations", {}).pop(row["key"], None)
    for province in draft.scenario["provinces"]:
        if province["owner"] == row["key"]:
            _give(province, "independent")
    draft.armies()


def _scenario(draft: _Draft, act: Mapping[str, Any]) -> None:
    scenario = draft.scenario
    if "name" in act:
        scenario["name"] = _text(act, "name")
    if "key" in act:
        if type(act["key"]) is not str or not KEY.fullmatch(act["key"]):
            raise Fault("key", "key")
        scenario["key"] = act["key"]
    if "turns" in act:
        scenario["turns"] = _whole(act["turns"], "turns", 1, 100)
    if "start" in act:
        given = act["start"] if isinstance(act["start"], Mapping) else {}
        scenario["start"] = {
            level: _whole(given[level], f"start.{level}", 0, 10**6)
            for level in LEVELS
            if level in given
        }


def _whole(value: object, where: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Fault(where, "number-from-to", least=least, most=most)
    return value


def _rules(draft: _Draft, act: Mapping[str, Any]) -> None:
    """Change a number or table of the rules.

    A usual value, or none, removes it from the scenario.
    """
    path = act.get("path")
    if path not in {number.path for number in RULES} | set(TABLES):
        raise Fault("path", "not-of-the-rules")
    value = act.get("value")
    usual = value_at(default_rules().raw, path)
    rules: Row = draft.scenario.setdefault("rules", {})
    top, _dot, inner = path.partition(".")
    if value is None or loads(dumps(value, default=float)) == loads(dumps(usual, default=float)):
        if inner:
            rules.get(top, {}).pop(inner, None)
        if not inner or not rules.get(top):
            rules.pop(top, None)
    elif inner:
        rules.setdefault(top, {})[inner] = value
    else:
        rules[top] = value
    read_rules(rules)
    if not rules:
        del draft.scenario["rules"]


ACTS: Mapping[str, Callable[[_Draft, Mapping[str, Any]], None]] = {
    "owner": _owner,
    "army": _army,
    "province": _province,
    "capital": _capital,
    "border": _way("borders"),
    "route": _way("sea_routes"),
    "works": _works,
    "merge": _merge,
    "nation": _nation,
    "add-nation": _add_nation,
    "remove-nation": _remove_nation,
    "scenario": _scenario,
    "rules": _rules,
}


def ink(colour: str) -> str:
    """Return the colour of letters on this colour, dark or light, by contrast (WCAG 2)."""
    return max(("#2e2115", "#fffaf0"), key=lambda letters: contrast(letters, colour))


def contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2)."""
    light, dark = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts_ = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts_
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# The view of a draft


def drawn(bundle: Mapping[str, Any]) -> tuple[Drawing, list[tuple[str, str]], list[Fault]]:
    """Return the drawing for the map, even if the scenario has faults.

    Return also the pairs that touch without a border, and the faults of the drawing itself, because
    of which it is laid out instead.
    """
    text, touching, faults = _drawn(
        dumps(_structure(bundle["scenario"])), dumps(bundle["drawing"], default=float)
    )
    return text, list(touching), list(faults)


def _structure(scenario: Mapping[str, Any]) -> Row:
    """Return the parts of a scenario that decide its drawing, without owners and numbers."""
    provinces = [
        {
            "key": row["key"],
            "name": row["name"],
            "kind": "independent",
            "owner": None,
            "army": row["army"],
            **({"maritime": True} if row.get("maritime") else {}),
        }
        for row in scenario["provinces"]
    ]
    known = {row["key"] for row in provinces}
    first = provinces[0]["key"] if provinces else ""
    nations = [
        {
            "key": row["key"],
            "name": row["name"],
            "army": row["army"],
            "capital": row["capital"] if row["capital"] in known else first,
        }
        for row in scenario["nations"]
    ]
    return {
        "key": scenario["key"],
        "nations": nations,
        "provinces": provinces,
        "borders": scenario["borders"],
        "sea_routes": scenario["sea_routes"],
    }


@lru_cache(maxsize=16)
def _drawn(
    structure: str, document: str
) -> tuple[Drawing, tuple[tuple[str, str], ...], tuple[Fault, ...]]:
    scenario, raw = loads(structure), loads(document)
    rings = {
        key: parts.path_parts(row["d"])
        for key, row in raw["provinces"].items()
        if parts.is_path(row.get("d", ""))
    }
    borders = {tuple(sorted(pair)) for pair in scenario["borders"]}
    touching = tuple(
        pair
        for pair, lines in parts.contacts(rings).items()
        if pair not in borders and sum(map(parts.length, lines)) >= BORDER_LENGTH
    )
    lenient = {**scenario, "borders": [*scenario["borders"], *map(list, touching)]}
    whole, faults = own_drawing.read(raw, lenient)
    if whole is None:
        laid = parse(lay_out(parts.facts(lenient)), lenient, laid_out=True)
        return replace(laid, laid_out=True), touching, tuple(faults)
    return parse(whole, lenient), touching, ()


def _exact(value: Any) -> Any:
    """Return JSON values with fractions as decimals, as the rules read them."""
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, Mapping):
        return {key: _exact(item) for key, item in value.items()}
    return [_exact(item) for item in value] if isinstance(value, (list, tuple)) else value


def plain(value: Any) -> Any:
    """Return JSON values with plain numbers, as integers if they are whole."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
