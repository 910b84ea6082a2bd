"""The table of a Grand Campaign: map, standings with thresholds, provinces, cards on the table,
truces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from engine.effects import Effect
from engine.language import sentence
from games.grand_campaign.drawing import atlas
from games.grand_campaign.text import battles, words
from web.frame.table import TableContext
from web.table.contract import BattleText, PagePart
from web.table.standings import Cell, Place, places
from web.titles.grand_campaign import maps
from web.titles.grand_campaign.corrections import corrections, opening
from web.titles.grand_campaign.province import ProvinceSheet, province_sheet

__all__ = [
    "contest",
    "corrections",
    "happened",
    "opening",
    "own_page",
    "part",
    "standings",
    "state_of",
    "styles",
    "truces",
]

NEAR = {
    4: noop("One loss more costs prestige and forbids covert attacks (2.1)"),
    3: noop("No covert attacks (2.1)"),
    2: noop("No attacks at all (2.2)"),
}
"""What stability that is low costs next."""


def styles(table: TableContext) -> dict[str, str]:
    """Return the colours of nations that the style sheet does not know."""
    return atlas.nation_styles(maps.drawing_for(table.campaign), table.scenario.raw)


def state_of(table: TableContext) -> atlas.State:
    """Return the map's part of the position."""
    return atlas.from_record(
        table.view, [level.name for level in table.scenario.rules.fortifications]
    )


def standings(table: TableContext) -> list[Place]:
    """Return the nations, most victory points first."""
    nations = table.view["nations"]
    order = sorted(nations, key=lambda k: (-nations[k]["victory_points"], -nations[k]["income"], k))
    return [
        place._replace(note=words.fall_text(table.position.nations[place.seat]))
        for place in places(table, order, {key: cells(nations[key]) for key in order})
    ]


def cells(nation: Mapping[str, Any]) -> list[Cell]:
    """Return the numbers of a nation in the standings."""
    level = max(2, nation["stability"])
    warning = "" if nation["fallen"] or level not in NEAR else _(NEAR[level])
    return [
        Cell(_("VP"), str(nation["victory_points"]).replace("-", "−")),
        Cell(_("Stability"), str(nation["stability"]), warning),
        Cell(_("Prestige"), str(nation["prestige"])),
        Cell(_("Income"), f"{nation['income']}t"),
        Cell(_("Army"), str(nation["army"])),
        Cell(_("Provinces"), str(nation["provinces_owned"])),
        Cell(_("Cards"), str(nation["cards"] + len(nation["table"]))),
    ]


def contest(table: TableContext, facts: Mapping[str, Any]) -> BattleText:
    """Return the words of a running battle."""
    scenario = table.scenario
    target = words.province_name(scenario, facts["target"])
    where = str(target)
    if facts["source"]:
        where = f"{words.province_name(scenario, facts['source'])} → {where}"
    state, tone = battles.state_word(scenario, facts)
    kind = words.book()["kinds"][facts["kind"]]
    if facts["leader"]:
        leader = words.listed(table.holders(facts["leader"])) or table.name_of(facts["leader"])
        kind = sentence(_("{kind}, defence led by {who}"), kind=kind, who=leader)
    words_of_battle = BattleText(where=where, kind=kind, state=state, tone=tone)
    if facts["defender"]:
        return words_of_battle
    return replace(words_of_battle, defender="independent", defender_name=target)


def happened(table: TableContext, effect: Effect) -> str:
    """Return an effect on no account in words: cards by name, the rest by its cause."""
    cause = table.sentence(effect.cause)
    if effect.kind == "card":
        return f"{'+' if effect.change > 0 else '−'} {words.card_name(effect.subject)}, {cause}"
    return cause


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
    """What the Grand Campaign adds to the table: a `web.table.page.OwnPage`."""

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


def own_page(table: TableContext, asked: QueryDict) -> CampaignMap:
    """Return what the table shows beyond every title's."""
    state = state_of(table)
    rows = provinces(table, state)
    chosen = chosen_province(rows, asked)
    return CampaignMap(
        seat_word=_("Nation"),
        map=map_of(table, state, chosen.key if chosen else None),
        map_picture=table.url("map_picture"),
        provinces=rows,
        province=province_sheet(table, chosen) if chosen else None,
        cards=cards_on_table(table),
        truces=truces(table),
    )


def part(table: TableContext, name: str, asked: QueryDict) -> PagePart | None:
    """Return the part of the page with this id; None if no part is sent by itself."""
    if name != "province":
        return None
    rows = provinces(table, state_of(table))
    chosen = chosen_province(rows, asked)
    if chosen is None:
        return PagePart("titles/grand_campaign/province_chooser.html", rows)
    return PagePart("titles/grand_campaign/province.html", province_sheet(table, chosen))


def provinces(table: TableContext, state: atlas.State) -> list[atlas.ProvinceRow]:
    """Return the provinces as they are now."""
    return atlas.provinces_table(maps.drawing_for(table.campaign), table.scenario.raw, state)


def chosen_province(
    rows: Sequence[atlas.ProvinceRow], asked: QueryDict
) -> atlas.ProvinceRow | None:
    key = asked.get("province", "")
    return next((row for row in rows if row.key == key), None)


def map_of(table: TableContext, state: atlas.State, selected: str | None) -> atlas.FramedMap:
    """Return the map, whose provinces lead to their sheets."""
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
    """Return the truces that hold."""
    return [
        Truce(
            pair=[(seat, table.name_of(seat)) for seat in truce["nations"]],
            until=truce["until"],
        )
        for truce in table.view["truces"]
    ]
