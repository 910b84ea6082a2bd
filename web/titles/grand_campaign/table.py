"""The table of a Grand Campaign: map, provinces, cards on the table, truces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import pgettext

from games.grand_campaign.drawing import atlas
from games.grand_campaign.text import words
from web.frame.table import TableContext
from web.table.contract import PagePart
from web.titles.grand_campaign import maps
from web.titles.grand_campaign.province import ProvinceSheet, province_sheet


def state_of(table: TableContext) -> atlas.State:
    """Return the map's part of the position."""
    return atlas.from_record(
        table.view, [level.name for level in table.scenario.rules.fortifications]
    )


@dataclass(frozen=True, slots=True)
class CardOnTable:
    """A card that a nation offers."""

    name: str
    seat: str
    owner: str


@dataclass(frozen=True, slots=True)
class Truce:
    """A truce between two nations: their keys and names, and its last turn."""

    pair: Sequence[tuple[str, str]]
    until: int


@dataclass(frozen=True, slots=True)
class CampaignMap:
    """The Grand Campaign's part of the table: a `web.table.page.OwnPage`."""

    seat_word: str
    map: atlas.FramedMap
    map_picture: str
    provinces: Sequence[atlas.ProvinceRow]
    province: ProvinceSheet | None
    cards: Sequence[CardOnTable]
    truces: Sequence[Truce]
    scripts: Sequence[str] = ("js/map.js",)
    map_template: str = "titles/grand_campaign/_map.html"
    rail_template: str = "titles/grand_campaign/table_rail.html"
    below_template: str = "titles/grand_campaign/provinces.html"


def own_page(table: TableContext, query: QueryDict) -> CampaignMap:
    """Return the part of the table that only this title has."""
    state = state_of(table)
    rows = provinces(table, state)
    chosen = chosen_province(rows, query)
    return CampaignMap(
        seat_word=pgettext("table", "Nation"),
        map=map_of(table, state, chosen.key if chosen else None),
        map_picture=table.url("map_picture"),
        provinces=rows,
        province=province_sheet(table, chosen) if chosen else None,
        cards=cards_on_table(table),
        truces=truces(table),
    )


def part(table: TableContext, name: str, query: QueryDict) -> PagePart | None:
    """Return the part of the page with this id, or None if it is not sent separately."""
    if name != "province":
        return None
    rows = provinces(table, state_of(table))
    chosen = chosen_province(rows, query)
    if chosen is None:
        return PagePart("titles/grand_campaign/province_chooser.html", rows)
    return PagePart("titles/grand_campaign/province.html", province_sheet(table, chosen))


def provinces(table: TableContext, state: atlas.State) -> list[atlas.ProvinceRow]:
    """Return the present provinces."""
    return atlas.provinces_table(maps.drawing_for(table.campaign), table.scenario.raw, state)


def chosen_province(
    rows: Sequence[atlas.ProvinceRow], query: QueryDict
) -> atlas.ProvinceRow | None:
    key = query.get("province", "")
    return next((row for row in rows if row.key == key), None)


def map_of(table: TableContext, state: atlas.State, selected: str | None) -> atlas.FramedMap:
    """Return the map, whose provinces link to their sheets."""
    drawing = maps.drawing_for(table.campaign)
    return atlas.framed_map(
        drawing,
        table.scenario.raw,
        state,
        selected=selected,
        links="?province={}#province".format,
        fought=True,
        file=maps.outlines_address(drawing, table.campaign),
    )


def cards_on_table(table: TableContext) -> list[CardOnTable]:
    return [
        CardOnTable(name=words.card_name(card), seat=seat, owner=table.name_of(seat))
        for seat, nation in table.view["nations"].items()
        for card in nation["table"]
    ]


def truces(table: TableContext) -> list[Truce]:
    """Return the truces in force."""
    return [
        Truce(
            pair=[(seat, table.name_of(seat)) for seat in truce["nations"]],
            until=truce["until"],
        )
        for truce in table.view["truces"]
    ]
