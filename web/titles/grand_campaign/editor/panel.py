"""The panel beside the map: a province, the list of nations, a nation, or the scenario."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from engine.language import articles_of, sentence
from games.grand_campaign.drawing.drawing import PATTERNS
from games.grand_campaign.drawing.editing import LEVELS, NOBODY
from games.grand_campaign.rules.numbers import CARDS
from games.grand_campaign.rules.scenario import START
from games.grand_campaign.text import words
from web.titles.grand_campaign.editor.acts import keys_of, tracks_of
from web.titles.grand_campaign.editor.checks import Names
from web.titles.grand_campaign.editor.colours import ColourTest, colour_tests
from web.titles.grand_campaign.editor.sheet import fortification_levels
from web.titles.grand_campaign.record import (
    Bundle,
    ProvinceRecord,
    ScenarioRecord,
    StartRecord,
)

PROVINCE, NATIONS, SCENARIO = "province", "nations", "scenario"
TABS = (
    (PROVINCE, pgettext_lazy("editor", "Province")),
    (NATIONS, pgettext_lazy("editor", "Nations")),
    (SCENARIO, pgettext_lazy("editor", "Scenario")),
)
PATTERN_NAMES = {
    "solid": gettext_lazy("plain"),
    "diagonal-left": gettext_lazy("diagonal lines"),
    "zigzag": gettext_lazy("zigzag"),
    "dots": gettext_lazy("dots"),
    "crosshatch": gettext_lazy("crosshatch"),
    "vertical": gettext_lazy("vertical lines"),
    "horizontal": gettext_lazy("horizontal lines"),
}
FLEET = "fleet"
FEWEST_NATIONS, MOST_NATIONS = 2, 12

Choice = tuple[str, str]
"""A key and its name."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the panel; `count` is shown beside its name unless it is None."""

    key: str
    name: str
    query: str
    is_open: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ProvincePanel:
    """The form of the selected province."""

    key: str
    name: str
    owner: str
    """The key of its nation, or its kind without a nation."""
    owner_name: str
    owners: Sequence[Choice]
    army: str
    army_now: str
    """The army of the nation that owns it, in a sentence, or empty if none owns it."""
    seat: str
    other_names: str
    """Its other names, separated by commas."""
    capital: str
    """The nation of which it is the capital, in words, or empty."""
    fortifications: Sequence[Choice]
    fortification: str
    has_fleet: bool
    is_owned: bool
    is_maritime: bool
    land: Sequence[Choice]
    sea: Sequence[Choice]
    possible_borders: Sequence[Choice]
    possible_routes: Sequence[Choice]
    may_found_nation: bool


@dataclass(frozen=True, slots=True)
class NationRow:
    """A nation in the list."""

    key: str
    name: str
    capital: str
    provinces: int


@dataclass(frozen=True, slots=True)
class NationsPanel:
    """The nations, and the provinces in which a new nation can start."""

    rows: Sequence[NationRow]
    homes: Sequence[Choice]
    may_add: bool


@dataclass(frozen=True, slots=True)
class StartLevel:
    """The starting level of a nation's account; `usual` is that of every nation."""

    key: str
    label: str
    value: str
    usual: str


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure of a track; choosing it also builds those before it."""

    key: str
    text: str
    is_built: bool


@dataclass(frozen=True, slots=True)
class Track:
    """A track of structures."""

    key: str
    name: str
    structures: Sequence[Structure]


@dataclass(frozen=True, slots=True)
class ItalianName:
    """The name of a nation in Italian, whose articles cannot be derived."""

    article: str
    name: str
    gender: str
    articles: Sequence[str]


@dataclass(frozen=True, slots=True)
class NationPanel:
    """The form of the selected nation."""

    key: str
    name: str
    adjective: str
    is_state: bool
    has_article: bool
    samples: Sequence[str]
    """Sentences with its name."""
    other_names: str
    """Its other names, separated by commas."""
    italian: ItalianName
    colour: str
    pattern: str
    patterns: Sequence[Choice]
    colour_tests: Sequence[ColourTest]
    culture: str
    cultures: Sequence[Choice]
    capital: str
    homes: Sequence[Choice]
    army: str
    has_escort: bool
    levels: Sequence[StartLevel]
    tracks: Sequence[Track]
    has_barracks: bool
    siege_trains: str
    hand: str
    cards: str
    provinces: int
    may_remove: bool


@dataclass(frozen=True, slots=True)
class ProvinceOwner:
    """A province in the table of the scenario."""

    key: str
    name: str
    owner: str


@dataclass(frozen=True, slots=True)
class ScenarioPanel:
    """The values of the whole scenario."""

    name: str
    key: str
    turns: int
    levels: Sequence[StartLevel]
    totals: Sequence[tuple[str, int]]
    provinces: Sequence[ProvinceOwner]


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel with one of its parts; without any, the reader is asked to select something."""

    tabs: Sequence[Tab]
    armies: Sequence[str]
    province: ProvincePanel | None = None
    nation: NationPanel | None = None
    nations: NationsPanel | None = None
    scenario: ScenarioPanel | None = None


def panel(bundle: Bundle, query: Mapping[str, str]) -> Panel:
    """Return the panel that `province`, `nation` and `tab` of the query open."""
    names, tab = Names(bundle), opened_tab(query)
    province = known_key(query.get("province", ""), names.provinces)
    nation = known_key(query.get("nation", ""), names.nations)
    empty = Panel(
        tabs=tabs(tab, province, len(names.nations)), armies=army_lists(bundle["scenario"])
    )
    if tab == SCENARIO:
        return replace(empty, scenario=scenario_panel(bundle["scenario"], names))
    if tab == NATIONS and nation:
        return replace(empty, nation=nation_panel(bundle, names, nation))
    if tab == NATIONS:
        return replace(empty, nations=nations_panel(names))
    if province:
        return replace(empty, province=province_panel(bundle, names, province))
    return empty


def opened_tab(query: Mapping[str, str]) -> str:
    """Return the tab that a query opens."""
    tab = query.get("tab") or (NATIONS if query.get("nation") else PROVINCE)
    return tab if tab in dict(TABS) else PROVINCE


def known_key(key: str, known: Container[str]) -> str:
    """Return the key if it is known, otherwise an empty text."""
    return key if key in known else ""


def tabs(opened: str, province: str, nations: int) -> list[Tab]:
    """Return the tabs, which keep the selected province."""
    kept = f"&province={province}" if province else ""
    return [
        Tab(
            key=key,
            name=str(name),
            query=f"tab={key}{kept}",
            is_open=key == opened,
            count=nations if key == NATIONS else None,
        )
        for key, name in TABS
    ]


def by_name(provinces: Iterable[ProvinceRecord]) -> list[ProvinceRecord]:
    """Return provinces in the order of their names."""
    return sorted(provinces, key=lambda province: province["name"].casefold())


def name_without_owner(kind: str) -> str:
    """Return the word for a province that no nation owns."""
    return (
        pgettext("editor", "external") if kind == "external" else pgettext("editor", "independent")
    )


def army_lists(scenario: ScenarioRecord) -> list[str]:
    """Return the army lists in the scenario."""
    of_provinces = {province["army"] for province in scenario["provinces"]}
    of_nations = {nation["army"] for nation in scenario["nations"]}
    return sorted(of_provinces | of_nations)


def owners(bundle: Bundle) -> list[Choice]:
    """Return the possible owners of a province."""
    nations = Names(bundle).nations
    return [
        *((key, str(name)) for key, name in nations.items()),
        *((key, name_without_owner(key)) for key in NOBODY),
    ]


def works(bundle: Bundle) -> list[Choice]:
    """Return the fortifications and the fleet that a province can have at the start."""
    return [*fortifications(bundle["scenario"]), (FLEET, pgettext("editor", "Fleet"))]


def fortifications(scenario: ScenarioRecord) -> list[Choice]:
    """Return the fortifications in the rules of the scenario."""
    keys = keys_of(fortification_levels(scenario))
    return [(key, words.structure_name(key)) for key in keys]


def province_panel(bundle: Bundle, names: Names, key: str) -> ProvincePanel:
    """Return the form of a province."""
    scenario, row = bundle["scenario"], names.province_records[key]
    drawn = bundle["drawing"]["provinces"].get(key, {})
    land = neighbours(scenario["borders"], key, names)
    sea = neighbours(scenario["sea_routes"], key, names)
    return ProvincePanel(
        key=key,
        name=row["name"],
        owner=row["owner"] or row["kind"],
        owner_name=owner_name(row, names),
        owners=owners(bundle),
        army=row["army"],
        army_now=army_of_owner(row, names),
        seat=drawn.get("seat", {}).get("name", ""),
        other_names=", ".join(drawn.get("other_names", ())),
        capital=capital_text(key, names),
        fortifications=fortifications(scenario),
        fortification=row.get("fortification") or "",
        has_fleet=bool(row.get("fleet")),
        is_owned=row["owner"] in names.nations,
        is_maritime=bool(sea) or bool(row.get("maritime")),
        land=land,
        sea=sea,
        possible_borders=other_provinces(scenario, [(key, row["name"]), *land]),
        possible_routes=other_provinces(scenario, [(key, row["name"]), *sea]),
        may_found_nation=len(names.nations) < MOST_NATIONS,
    )


def owner_name(province: ProvinceRecord, names: Names) -> str:
    """Return the name of a province's nation, or the word for a province without a nation."""
    owner = names.nations.get(province["owner"] or "")
    return str(owner or name_without_owner(province["kind"]))


def other_provinces(scenario: ScenarioRecord, known: Container[Choice]) -> list[Choice]:
    """Return the provinces except the known ones, in the order of their names."""
    choices = ((province["key"], province["name"]) for province in by_name(scenario["provinces"]))
    return [choice for choice in choices if choice not in known]


def neighbours(pairs: Iterable[Sequence[str]], key: str, names: Names) -> list[Choice]:
    """Return the provinces that form a pair with this province."""
    others = sorted(b if a == key else a for a, b in pairs if key in (a, b))
    return [(other, names.provinces[other]) for other in others]


def army_of_owner(province: ProvinceRecord, names: Names) -> str:
    """Return the army with which a province fights as long as its nation holds it."""
    owner = province["owner"] or ""
    if owner not in names.nations:
        return ""
    text = _("While {nation:the} {nation:hold|holds} it: {army}")
    return sentence(text, nation=names.nations[owner], army=names.nation_records[owner]["army"])


def capital_text(key: str, names: Names) -> str:
    """Return the nation of which a province is the capital, in words."""
    for nation in names.scenario["nations"]:
        if nation["capital"] == key:
            return sentence(_("capital of {nation:the}"), nation=names.nations[nation["key"]])
    return ""


def nations_panel(names: Names) -> NationsPanel:
    """Return the list of the nations."""
    return NationsPanel(
        rows=[
            NationRow(
                key=key,
                name=str(name),
                capital=names.provinces.get(names.nation_records[key]["capital"], "") or "–",
                provinces=names.count_provinces(key),
            )
            for key, name in names.nations.items()
        ],
        homes=[
            (row["key"], row["name"])
            for row in by_name(names.scenario["provinces"])
            if row["kind"] != "external"
        ],
        may_add=len(names.nations) < MOST_NATIONS,
    )


def nation_panel(bundle: Bundle, names: Names, key: str) -> NationPanel:
    """Return the form of a nation."""
    scenario, row, name = bundle["scenario"], names.nation_records[key], names.nations[key]
    drawn = bundle["drawing"].get("nations", {}).get(key, {})
    start: StartRecord = row.get("start", {})
    spoken = drawn.get("spoken", "people")
    return NationPanel(
        key=key,
        name=row["name"],
        adjective=drawn.get("adjective", row["name"]),
        is_state=spoken == "state",
        has_article=drawn.get("article", spoken == "people"),
        samples=[
            sentence(_("{nation:The} {nation:build|builds} Roads."), nation=name),
            sentence(_("The answer of {nation:the} is awaited."), nation=name),
        ],
        other_names=", ".join(drawn.get("other_names", ())),
        italian=italian_name(drawn.get("it", {})),
        colour=row["colour"],
        pattern=drawn.get("pattern", "solid"),
        patterns=[(pattern, str(PATTERN_NAMES[pattern])) for pattern in PATTERNS],
        colour_tests=colour_tests(bundle, key),
        culture=row["culture"],
        cultures=list(words.book()["cultures"].items()),
        capital=row["capital"],
        homes=[
            (province["key"], province["name"])
            for province in by_name(scenario["provinces"])
            if province["owner"] == key or province["key"] == row["capital"]
        ],
        army=row["army"],
        has_escort=row["escort"],
        levels=start_levels(scenario, start),
        tracks=tracks(scenario, row["culture"], start.get("structures", [])),
        has_barracks=bool(start.get("barracks")),
        siege_trains=str(start.get("siege_trains", "")),
        hand=", ".join(words.card_name(card) for card in start.get("hand", [])),
        cards=", ".join(words.card_name(card) for card in sorted(CARDS)),
        provinces=names.count_provinces(key),
        may_remove=len(names.nations) > FEWEST_NATIONS,
    )


def italian_name(drawn: Mapping[str, str]) -> ItalianName:
    """Return the Italian name of a nation from its drawing."""
    return ItalianName(
        article=drawn.get("article", ""),
        name=drawn.get("name") or "",
        gender=drawn.get("gender", ""),
        articles=articles_of("it"),
    )


def start_levels(scenario: ScenarioRecord, own: StartRecord) -> list[StartLevel]:
    """Return the starting levels of a nation; `own` has those that differ from other nations."""
    labels, start = words.book()["accounts"], {**START, **scenario.get("start", {})}
    return [
        StartLevel(
            key=level,
            label=labels[level],
            value=str(own.get(level, "")),
            usual=str(start[level]),
        )
        for level in LEVELS
    ]


def tracks(scenario: ScenarioRecord, culture: str, built: Sequence[str]) -> list[Track]:
    """Return the tracks of a culture with the structures that are built at the start."""
    labels = words.book()["tracks"]
    return [
        Track(
            key=track,
            name=labels[track][culture] if track == "architecture" else labels[track],
            structures=structures(keys, built),
        )
        for track, keys in tracks_of(scenario, culture).items()
    ]


def structures(keys: Sequence[str], built: Sequence[str]) -> list[Structure]:
    """Return the structures of a track in order."""
    names = [words.structure_name(key) for key in keys]
    return [
        Structure(
            key=key,
            text=name if number == 0 else _("up to %(text)s") % {"text": name},
            is_built=key in built,
        )
        for number, (key, name) in enumerate(zip(keys, names, strict=True))
    ]


def scenario_panel(scenario: ScenarioRecord, names: Names) -> ScenarioPanel:
    """Return the form of the scenario."""
    return ScenarioPanel(
        name=scenario["name"],
        key=scenario["key"],
        turns=scenario["turns"],
        levels=start_levels(scenario, {}),
        totals=totals(scenario),
        provinces=[
            ProvinceOwner(
                key=row["key"],
                name=row["name"],
                owner=owner_name(row, names),
            )
            for row in by_name(scenario["provinces"])
        ],
    )


def totals(scenario: ScenarioRecord) -> list[tuple[str, int]]:
    """Return the numbers of provinces, borders and routes in the scenario."""
    kinds = [row["kind"] for row in scenario["provinces"]]
    return [
        (pgettext("editor", "Provinces"), len(kinds)),
        (_("of nations"), kinds.count("nation")),
        (pgettext("editor", "independent"), kinds.count("independent")),
        (pgettext("editor", "external"), kinds.count("external")),
        (pgettext("editor", "Borders"), len(scenario["borders"])),
        (pgettext("editor", "Sea routes"), len(scenario["sea_routes"])),
    ]
