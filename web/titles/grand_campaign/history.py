"""What the history of a Grand Campaign shows beyond that of any title: map, hands, truces."""

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
    """None if the reader may not know them (4.2)."""
    count: int
    on_table: list[str]

    @property
    def cards_text(self) -> str:
        return ", ".join(self.cards or ())

    @property
    def table_text(self) -> str:
        return ", ".join(self.on_table)


@dataclass(frozen=True, slots=True)
class Then:
    """What the templates of this title show of a moment."""

    provinces: Sequence[atlas.ProvinceRow]
    hands: list[Hand]
    truces: Sequence[Truce]


def parts(
    then: TableContext,
    before: TableContext | None,
    changed: Sequence[ChangedPlace],
    *,
    moving: bool,
) -> TitleParts:
    """Return map, provinces, hands and truces as they stood."""
    return TitleParts(
        facts=Then(provinces_then(then), hands(then), truces(then)),
        map=map_then(then, before, [place.key for place in changed], moving=moving),
        map_template="titles/grand_campaign/_map.html",
        rail_template="titles/grand_campaign/_then.html",
        places_template="titles/grand_campaign/_then_provinces.html",
        scripts=("js/map.js",),
    )


def map_then(
    then: TableContext, before: TableContext | None, changed: list[str], *, moving: bool
) -> atlas.FramedMap:
    """Return the map; if `moving`, only the marks for a page that has the rest."""
    drawing, scenario = maps.drawing_for(then.campaign), then.scenario.raw
    state = seen_on_map(then, before, state_of(then))
    file = maps.outlines_address(drawing, then.campaign)
    if moving:
        svg = atlas.map_svg(
            drawing, scenario, state, links=False, changed=changed, file=file, moving=True
        )
        return atlas.FramedMap(svg)
    return atlas.framed_map(drawing, scenario, state, links=False, changed=changed, file=file)


def seen_on_map(then: TableContext, before: TableContext | None, state: atlas.State) -> atlas.State:
    """Return the state of the map with the attacks that ended since, whose results it shows."""
    if before is None:
        return state
    over = {attack["id"] for attack in resolved(before)}
    ended = [attack for attack in resolved(then) if attack["id"] not in over]
    if not ended:
        return state
    shown = atlas.from_record(
        {"provinces": {}, "attacks": [{**attack, "status": "fighting"} for attack in ended]}
    )
    return {**state, "attacks": [*state["attacks"], *shown["attacks"]]}


class AttackView(TypedDict):
    """An attack in the view of a position, as far as the map needs it."""

    id: int
    status: str


def resolved(table: TableContext) -> Iterable[AttackView]:
    """Return the attacks that are over."""
    return (attack for attack in table.view["attacks"] if attack["status"] == "resolved")


def provinces_then(then: TableContext) -> Sequence[atlas.ProvinceRow]:
    """Return every province by name."""
    drawing = maps.drawing_for(then.campaign)
    return atlas.provinces_table(drawing, then.scenario.raw, state_of(then))


def hands(then: TableContext) -> list[Hand]:
    """Return every nation's cards: names if the reader may know them (4.2), else their number."""
    return [
        Hand(
            seat=key,
            name=then.name_of(key),
            cards=None if nation["hand"] is None else list(map(words.card_name, nation["hand"])),
            count=nation["cards"],
            on_table=list(map(words.card_name, nation["table"])),
        )
        for key, nation in then.view["nations"].items()
    ]
