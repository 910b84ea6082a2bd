"""The page with the sheet of a campaign that runs elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.grand_campaign.drawing import atlas
from games.grand_campaign.drawing.atlas.state import Holding
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.turn import order_of_play
from games.grand_campaign.text import resume_sheet, words
from games.grand_campaign.text.english import SHEET
from games.grand_campaign.text.resume_sheet import COLUMNS, LINES
from web.frame.table import TableContext
from web.titles.grand_campaign import maps
from web.titles.grand_campaign.resume_form import cell_field
from web.titles.grand_campaign.resume_reading import GivenProvince, JudgedSheet, ReadSheet

NARROW = ("stability", "prestige", "income", "army", "victory_points", "siege_trains")
"""The columns with short numbers."""
HEAD = ("turn", "first", "appointed", "reason")
"""The fields above the nations."""
INDEPENDENT = "independent"

Choice = tuple[str, str]
"""A key and its name."""


@dataclass(frozen=True, slots=True)
class CellInput:
    """A cell of a nation's row."""

    name: str
    column: str
    value: str
    is_wrong: bool
    is_narrow: bool


@dataclass(frozen=True, slots=True)
class NationRow:
    """A nation with its cells."""

    key: str
    name: str
    cells: Sequence[CellInput]


class PaintedRecord(TypedDict):
    """The facts for the script that writes lines for painted provinces.

    `begins` has name, owner, walls and fleet of each province at the start.
    """

    begins: Mapping[str, tuple[str, str, str, bool]]
    names: Mapping[str, str]
    walls: Sequence[str]
    fleet: str


@dataclass(frozen=True, slots=True)
class PaintSheet:
    """The map on which owners, walls and fleets are painted."""

    svg: SafeString
    owners: Sequence[Choice]
    walls: Sequence[str]
    fleet: str
    record: PaintedRecord


@dataclass(frozen=True, slots=True)
class FaultShown:
    """A fault; `place` is where it is, empty for the whole sheet."""

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A nation in the standings."""

    key: str
    name: str
    victory_points: int
    provinces: int
    stability: int
    prestige: int
    income: int
    is_fallen: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The campaign after it is taken over."""

    map: atlas.FramedMap
    standings: Sequence[Standing]
    next_turn: int
    next_order: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class ResumePage:
    """The typed sheet, its faults, and its outcome if it has none.

    `is_new` means that nothing was sent yet, so that no faults are shown.
    """

    url: str
    seen: int
    is_new: bool
    turns: Sequence[str]
    turn: str
    first: str
    appointed: str
    reason: str
    nation_names: Sequence[str]
    nobody: str
    columns: Sequence[str]
    nations: Sequence[NationRow]
    paint: PaintSheet
    provinces: str
    truces: str
    targets: str
    has_wrong_province: bool
    faults: Sequence[FaultShown]
    outcome: Outcome | None


def resume_page(table: TableContext, judged: JudgedSheet, *, is_new: bool) -> ResumePage:
    """Return the page of a sheet."""
    sheet, typed = judged.sheet, judged.sheet.typed_sheet
    faults = [] if is_new else sheet.faults
    wrong_places = {fault.place for fault in faults}
    return ResumePage(
        url=table.url("resume"),
        seen=table.seen,
        is_new=is_new,
        turns=[str(turn) for turn in range(1, table.scenario.turns)],
        turn=typed.turn,
        first=typed.first,
        appointed=typed.appointed,
        reason=typed.reason,
        nation_names=[sheet_name(table, key) for key in table.position.nations],
        nobody=sheet_word("nobody"),
        columns=[column_name(column) for column in COLUMNS],
        nations=[nation_row(table, sheet, key, wrong_places) for key in table.position.nations],
        paint=paint_sheet(table, sheet.provinces),
        provinces="\n".join(typed.provinces),
        truces="\n".join(typed.truces),
        targets="\n".join(typed.targets),
        has_wrong_province=any(place.startswith("provinces.") for place in wrong_places),
        faults=[FaultShown(place_text(table, fault.place), fault.sentence) for fault in faults],
        outcome=outcome(table, judged.after) if judged.after is not None else None,
    )


def nation_row(
    table: TableContext, sheet: ReadSheet, nation: str, wrong_places: set[str]
) -> NationRow:
    """Return a nation with its cells."""
    cells = sheet.typed_sheet.nations.get(nation, {})
    return NationRow(
        key=nation,
        name=table.name_of(nation),
        cells=[
            CellInput(
                name=cell_field(nation, column),
                column=column_name(column),
                value=cells.get(column, ""),
                is_wrong=f"nations.{nation}.{column}" in wrong_places,
                is_narrow=column in NARROW,
            )
            for column in COLUMNS
        ],
    )


# The words of the sheet


def sheet_word(key: str) -> str:
    """Return a word of the sheet."""
    return str(SHEET.read()[key])


def column_name(column: str) -> str:
    """Return the heading of a column, empty for an unknown column."""
    return str(SHEET.read()["columns"].get(column, ""))


def part_name(part: str) -> str:
    """Return the name of a part that has lines."""
    return str(SHEET.read()["parts"][part].split("|")[0])


def sheet_name(table: TableContext, nation: str) -> str:
    """Return the name of a nation as the sheet writes it."""
    return str(resume_sheet.name_of(table.scenario, nation))


def place_text(table: TableContext, place: str) -> str:
    """Return the place of a fault in words."""
    part, _dot, rest = place.partition(".")
    if part == "nations":
        nation, _dot, column = rest.partition(".")
        names = (table.name_of(nation), column_name(column))
        return ", ".join(name for name in names if name)
    if part == "provinces" and rest in table.scenario.provinces:
        return words.province_name(table.scenario, rest)
    if part == "targets" and rest in table.names:
        return f"{part_name(part)} {table.name_of(rest)}"
    if part in LINES:
        return _("%(part)s, line %(n)s") % {"part": part_name(part), "n": rest}
    return sheet_word(part) if part in HEAD else ""


# The map on which provinces are painted


def paint_sheet(table: TableContext, given: Mapping[str, GivenProvince]) -> PaintSheet:
    """Return the map according to the readable lines of the sheet."""
    names = {key: sheet_name(table, key) for key in table.position.nations}
    walls, fleet = walls_of(table.position), sheet_word("fleet")
    owners = {**names, INDEPENDENT: sheet_word("nobody")}
    return PaintSheet(
        svg=painted_map(table, given),
        owners=list(owners.items()),
        walls=walls,
        fleet=fleet,
        record=PaintedRecord(
            begins={key: beginning(table, key) for key in table.scenario.provinces},
            names=owners,
            walls=walls,
            fleet=fleet,
        ),
    )


def walls_of(position: Position) -> list[str]:
    """Return the names of the fortifications, the weakest first."""
    return [words.structure_name(level.name) for level in position.rules.fortifications]


def painted_map(table: TableContext, given: Mapping[str, GivenProvince]) -> SafeString:
    """Return the map of the start, with these provinces as in the sheet."""
    state = state_of(table, table.position)
    provinces = dict(state["provinces"])
    for key, province in given.items():
        if key in provinces:
            provinces[key] = typed_holding(province)
    svg = atlas.map_svg(
        maps.drawing_for(table.campaign),
        table.scenario.raw,
        {**state, "provinces": provinces},
        links=lambda key: f"?province={key}",
        uid="paint",
    )
    return SafeString(svg)  # The atlas has escaped it.


def state_of(table: TableContext, position: Position) -> atlas.State:
    """Return the map's part of a position."""
    levels = [level.name for level in position.rules.fortifications]
    return atlas.from_record(table.title.view(position, None), levels)


def typed_holding(given: GivenProvince) -> Holding:
    """Return a province by its line, which gives everything about it."""
    return Holding(
        owner=given["owner"],
        fortification=given.get("fortification"),
        fleet=bool(given.get("fleet")),
    )


def beginning(table: TableContext, province: str) -> tuple[str, str, str, bool]:
    """Return the name, owner, walls and fleet of a province at the start, as a line writes them."""
    position, scenario = table.position, table.scenario
    owner, level = scenario.provinces[province].owner, position.fortification.get(province)
    return (
        words.province_name(scenario, province),
        sheet_name(table, owner) if owner else sheet_word("nobody"),
        walls_of(position)[level - 1] if level else "",
        province in position.fleets,
    )


# The campaign after it is taken over


def outcome(table: TableContext, after: Position) -> Outcome:
    """Return the map, the standings, and the order of the next turn."""
    drawing = maps.drawing_for(table.campaign)
    framed = atlas.framed_map(
        drawing,
        table.scenario.raw,
        state_of(table, after),
        file=maps.outlines_address(drawing, table.campaign),
    )
    return Outcome(
        map=replace(framed, regions=()),
        standings=standings(table, after),
        next_turn=after.turn + 1,
        next_order=[(key, table.name_of(key)) for key in order_of_play(after, after.turn + 1)],
    )


def standings(table: TableContext, after: Position) -> list[Standing]:
    """Return the nations, the leading nation first."""
    owners = list(after.owner.values())
    rows = [
        Standing(
            key=key,
            name=table.name_of(key),
            victory_points=nation.victory_points,
            provinces=owners.count(key),
            stability=nation.stability,
            prestige=nation.prestige,
            income=nation.income,
            is_fallen=nation.fallen,
        )
        for key, nation in after.nations.items()
    ]
    return sorted(rows, key=lambda row: (-row.victory_points, -row.income, row.key))
