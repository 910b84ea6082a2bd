"""The Grand Campaign as it stood after an entry: its map, what changed on it, hands, cards on the
table, truces.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.grand_campaign.text import words
from web.frame import page_cache
from web.frame.parts import part_of_page
from web.log.position_diff import Changed, Level
from web.titles.grand_campaign import atlas
from web.titles.grand_campaign.table import Truce, state_of, truces

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext


KNOWN = ("owner", "fortification", "fleet")
SHOWN = ("key", "name", "group", "owner_name", "fortification", "fleet", "attacks")
"""What a province's row shows."""


def provinces(then: TableContext) -> list[atlas.ProvinceRow]:
    """Every province as it stood, by name."""
    scenario = then.scenario.raw
    return atlas.provinces_table(atlas.drawing_for(then.campaign), scenario, state_of(then))


def province_rows(rows: Sequence[atlas.ProvinceRow]) -> SafeString:
    """The rows of the table of provinces: most stand alike after most entries."""

    def line(cells: tuple[Any, ...]) -> str:
        return part_of_page(
            "titles/grand_campaign/_then_province.html", {"p": dict(zip(SHOWN, cells, strict=True))}
        )

    return page_cache.pieces(
        "province then", (tuple(_plain(getattr(row, key)) for key in SHOWN) for row in rows), line
    )


def _plain(value: Any) -> Hashable:
    known: Hashable = tuple(value) if isinstance(value, list) else value
    return known


def changed(then: TableContext, before: TableContext) -> list[Changed]:
    """The provinces whose owner, fortification or fleet had become another since."""
    was_all, now_all = before.view["provinces"], then.view["provinces"]
    if all(was_all[key][what] == known[what] for key, known in now_all.items() for what in KNOWN):
        return []  # as after most entries
    old = {row.key: row for row in provinces(before)}
    rows = []
    for row in provinces(then):
        was, notes = old[row.key], []
        if row.level != was.level:
            notes.append((was.fortification, row.fortification))
        if row.fleet != was.fleet:
            fleet = _("Fleet")
            notes.append((fleet if was.fleet else "", fleet if row.fleet else ""))
        owners = [(one.group, one.owner_name) for one in (was, row)]
        if notes or owners[0] != owners[1]:
            rows.append(Changed(row.key, row.name, owners[0], owners[1], tuple(notes)))
    return rows


def seen_on_map(then: TableContext, before: TableContext | None, state: atlas.State) -> atlas.State:
    """The map's `state` then, with the attacks that ended since: what follows from them is on it,
    too.
    """
    if before is None:
        return state
    over = {attack["id"] for attack in before.view["attacks"] if attack["status"] == "resolved"}
    ended = [a for a in then.view["attacks"] if a["status"] == "resolved" and a["id"] not in over]
    if not ended:
        return state
    shown = atlas.from_record(
        {"provinces": {}, "attacks": [{**attack, "status": "fighting"} for attack in ended]}
    )
    return {**state, "attacks": [*state["attacks"], *shown["attacks"]]}


def context(
    then: TableContext, before: TableContext | None, marked: list[Changed], *, moving: bool
) -> dict[str, Any]:
    """What the page shows beyond every title's; `moving` for a page that has the rest of
    the map.
    """
    scenario = then.scenario.raw
    drawing, standing = atlas.drawing_for(then.campaign), state_of(then)
    state = seen_on_map(then, before, standing)
    changed_keys = [one.key for one in marked]
    options: dict[str, Any] = {
        "links": False,
        "changed": changed_keys,
        "file": atlas.outlines_address(drawing, then.campaign),
    }
    known = page_cache.content(standing)
    rows: list[atlas.ProvinceRow] = page_cache.shared(
        then, "provinces", known, lambda: atlas.provinces_table(drawing, scenario, standing)
    )

    def draw_map() -> atlas.FramedMap:
        if moving:
            return atlas.FramedMap(atlas.map_svg(drawing, scenario, state, moving=True, **options))
        return atlas.framed_map(drawing, scenario, state, **options)

    shown = known if state is standing else page_cache.content(state)
    return {
        "provinces": rows,
        "province_rows": page_cache.shared(
            then, "provinces then", known, lambda: province_rows(rows)
        ),
        "hands": hands(then),
        "truces": truces(then),
        "own_map": "titles/grand_campaign/_map.html",
        "own_then": "titles/grand_campaign/_then.html",
        "own_places": "titles/grand_campaign/_then_provinces.html",
        "own_scripts": ["js/map.js"],
        "map": page_cache.shared(then, ("map then", moving, tuple(changed_keys)), shown, draw_map),
    }


def hands(then: TableContext) -> list[dict[str, Any]]:
    """Every nation's cards: by name where the reader may know them (4.2), else how many; those it
    had on the table.
    """
    rows = []
    for key, nation in then.view["nations"].items():
        held, shown = nation["hand"], [words.card_name(card) for card in nation["table"]]
        names = None if held is None else [words.card_name(card) for card in held]
        rows.append(
            {
                "seat": key,
                "name": then.name_of(key),
                "cards": names,
                "count": nation["cards"],
                "table": shown,
            }
        )
    return rows


# What of two positions differs beyond every title's rows: structures, the army's, truces, cards'
# names.


def item(key: str) -> str:
    """The name of a card."""
    return words.card_name(key)


def levels(now: TableContext, then: TableContext, key: str) -> list[Level]:
    """Structures, barracks, siege trains, the fall: of a nation."""
    if key not in now.view["nations"]:
        return []
    was, will = now.view["nations"][key], then.view["nations"][key]
    differing = []
    for label, texts in (
        (_("structures"), [_listed(one["structures"]) for one in (was, will)]),
        (words.structure_name("barracks"), [_yes(one["barracks"]) for one in (was, will)]),
        (_("siege trains"), [str(one["siege_trains"]) for one in (was, will)]),
        (_("fallen"), [_yes(one["fallen"]) for one in (was, will)]),
    ):
        if texts[0] != texts[1]:
            differing.append(Level(label, *texts))
    return differing


def agreements(now: TableContext, then: TableContext) -> list[tuple[str, bool]]:
    """Truces of which only one of the positions knows, or not to the same turn; whether they hold
    in the second.
    """
    was, will = ([_truce(one) for one in truces(table)] for table in (now, then))
    return [
        *((one, False) for one in was if one not in will),
        *((one, True) for one in will if one not in was),
    ]


def _truce(truce: Truce) -> str:
    names = " – ".join(name for _seat, name in truce.pair)
    return _("Truce %(names)s, to the end of turn %(until)s") % {
        "names": names,
        "until": truce.until,
    }


def _listed(keys: Any) -> str:
    return ", ".join(words.structure_name(key) for key in keys) or "–"


def _yes(value: Any) -> str:
    return _("yes") if value else _("no")
