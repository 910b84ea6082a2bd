"""The parts of a history that only the Grand Campaign has: map, hands, truces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from games.contract.history import ChangedPlace
from games.grand_campaign.drawing import atlas
from games.grand_campaign.text import words
from web.frame.table import TableContext
from web.history.contract import TitleParts
from web.titles.grand_campaign import maps
from web.titles.grand_campaign.table import Truce, state_of, truces


@dataclass(frozen=True, slots=True)
class Hand:
    """A nation's cards."""

    seat: str
    name: str
    cards: list[str] | None
    """The cards, or None if the reader may not know them (4.2)."""
    count: int
    on_table: list[str]

    @property
    def cards_text(self) -> str:
        return ", ".join(self.cards or ())

    @property
    def table_text(self) -> str:
        return ", ".join(self.on_table)


@dataclass(frozen=True, slots=True)
class EarlierPosition:
    """The facts of an earlier position for the templates of this title."""

    provinces: Sequence[atlas.ProvinceRow]
    hands: list[Hand]
    truces: Sequence[Truce]


def parts(
    past_table: TableContext,
    before: TableContext | None,
    changed: Sequence[ChangedPlace],
    *,
    moving: bool,
) -> TitleParts:
    """Return map, provinces, hands and truces of an earlier position."""
    return TitleParts(
        facts=EarlierPosition(earlier_provinces(past_table), hands(past_table), truces(past_table)),
        map=earlier_map(past_table, before, [place.key for place in changed], moving=moving),
        map_template="titles/grand_campaign/_map.html",
        rail_template="titles/grand_campaign/_then.html",
        places_template="titles/grand_campaign/_then_provinces.html",
        scripts=("js/map.js",),
    )


def earlier_map(
    past_table: TableContext, before: TableContext | None, changed: list[str], *, moving: bool
) -> atlas.FramedMap:
    """Return the map; if `moving`, only the marks for a page that has the rest."""
    drawing, scenario = maps.drawing_for(past_table.campaign), past_table.scenario.raw
    state = seen_on_map(past_table, before, state_of(past_table))
    file = maps.outlines_address(drawing, past_table.campaign)
    if moving:
        svg = atlas.map_svg(
            drawing, scenario, state, links=False, changed=changed, file=file, moving=True
        )
        return atlas.FramedMap(svg)
    return atlas.framed_map(drawing, scenario, state, links=False, changed=changed, file=file)


def seen_on_map(
    past_table: TableContext, before: TableContext | None, state: atlas.State
) -> atlas.State:
    """Return the state of the map, with the attacks that have ended since `before`.

    The map shows their results.
    """
    if before is None:
        return state
    over = {attack["id"] for attack in resolved(before)}
    ended = [attack for attack in resolved(past_table) if attack["id"] not in over]
    if not ended:
        return state
    shown = atlas.from_record(
        {"provinces": {}, "attacks": [{**attack, "status": "fighting"} for attack in ended]}
    )
    return {**state, "attacks": [*state["attacks"], *shown["attacks"]]}


class AttackView(TypedDict):
    """The facts of an attack in the view of a position that the map needs."""

    id: int
    status: str


def resolved(table: TableContext) -> Iterable[AttackView]:
    """Return the resolved attacks."""
    return (attack for attack in table.view["attacks"] if attack["status"] == "resolved")


def earlier_provinces(past_table: TableContext) -> Sequence[atlas.ProvinceRow]:
    """Return every province by name."""
    drawing = maps.drawing_for(past_table.campaign)
    return atlas.provinces_table(drawing, past_table.scenario.raw, state_of(past_table))


def hands(past_table: TableContext) -> list[Hand]:
    """Return every nation's cards: their names if the reader may know them (4.2), or the number."""
    return [
        Hand(
            seat=key,
            name=past_table.name_of(key),
            cards=None if nation["hand"] is None else list(map(words.card_name, nation["hand"])),
            count=nation["cards"],
            on_table=list(map(words.card_name, nation["table"])),
        )
        for key, nation in past_table.view["nations"].items()
    ]
