"""A campaign of nine nations in 240 BC with its own names, numbers, tables and map."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

from campaign.imports import check_record, import_record
from campaign.models import Campaign
from engine.dice import Dice
from engine.play import perform
from engine.strict_json import read
from games.registry import TITLES
from tests.grand_campaign.campaigns import next_move

TITLE = TITLES["grand_campaign"]
COLUMNS, ROWS, SIDE = 6, 5, 100
NATIONS = (
    "roma",
    "carthago",
    "macedonia",
    "aegyptus",
    "seleucia",
    "galli",
    "numidae",
    "iberi",
    "pontus",
)
NAMES = {
    "roma": "Senatus Populusque Rōmānus",
    "carthago": "Qart-ḥadašt <em>",
    "macedonia": "Μακεδονία",
    "aegyptus": "Ptolemies & Sons",
    "seleucia": "Seleucid Empire",
    "galli": "Galli",
    "numidae": "Numidæ",
    "iberi": "Ibêri “del Ebro”",
    "pontus": "Pontus",
}
COLOURS = (
    "#a02c2c",
    "#6a3d9a",
    "#b8860b",
    "#1f78b4",
    "#33722c",
    "#d9d0c0",
    "#a02c2e",
    "#8c510a",
    "#01665e",
)
CIVILIZED = ("roma", "carthago", "macedonia", "aegyptus", "seleucia")
CELLS = [(x, y) for y in range(ROWS) for x in range(COLUMNS) if (x, y) not in ((2, 2), (3, 2))]
"""The fields of the map; two in the middle are sea."""
OWNERS = {
    cell: nation for n, nation in enumerate(NATIONS) for cell in (CELLS[3 * n], CELLS[3 * n + 1])
}
RULES = {
    "die": 20,
    "cards": [[1, 5, "spy"], [6, 10, "mercenaries"], [11, 20, "scouts"]],
    "events": [[1, 10, "riots"], [11, 20, "philosophers"]],
    "event_turns": [1, 3],
    "religious": [["groves", 0.5, 1, 0], ["oracles", 1, 2, 1]],
    "fortifications": [["palisades", 0.5, 6], ["citadels", 1, 12]],
    "costs": {"fleet": 1.5},
    "escort_from": 3,
}


def province_key(cell: tuple[int, int]) -> str:
    return f"p{cell[0]}-{cell[1]}"


def make_scenario() -> dict[str, Any]:
    joined = [
        ((x, y), (x + dx, y + dy))
        for x, y in CELLS
        for dx, dy in ((1, 0), (0, 1))
        if (x + dx, y + dy) in CELLS
    ]
    homes = {
        nation: next(cell for cell in CELLS if OWNERS.get(cell) == nation) for nation in NATIONS
    }
    return {
        "key": "240bc",
        "name": "240 BC: nine crowns",
        "turns": 3,
        "nations": [
            {
                "key": nation,
                "name": NAMES[nation],
                "culture": "civilized" if nation in CIVILIZED else "barbarian",
                "army": f"{nation.title()} 240 BC",
                "capital": province_key(homes[nation]),
                "colour": colour,
                "escort": nation == "galli",
            }
            for nation, colour in zip(NATIONS, COLOURS, strict=True)
        ],
        "provinces": [
            {
                "key": province_key(cell),
                "name": f"Terra {x}·{y}" if (x + y) % 3 else f"Provincia Ulterior {x}·{y}",
                "kind": (
                    "nation"
                    if cell in OWNERS
                    else "external"
                    if cell == CELLS[-1]
                    else "independent"
                ),
                "owner": OWNERS.get(cell),
                "army": "Hill tribes",
                **({"maritime": True} if cell == (1, 2) else {}),
            }
            for cell in CELLS
            for x, y in [cell]
        ],
        "borders": [[province_key(a), province_key(b)] for a, b in joined],
        "sea_routes": [[province_key((1, 2)), province_key((4, 2))]],
        "start": {"income": 300, "prestige": 5},
        "rules": RULES,
    }


def corner(x: int, y: int) -> str:
    """Return a corner of the grid, a little displaced, equal for all fields that meet there."""
    rng = random.Random(f"{x}/{y}")
    return f"{10 + x * SIDE + rng.randint(-14, 14)},{10 + y * SIDE + rng.randint(-14, 14)}"


def make_drawing() -> dict[str, Any]:
    """Return outlines as a drawing program writes them.

    They have their own units, absolute commands, and curves at the northern edge.
    """
    rows = {}
    for x, y in CELLS:
        a, b, c, d = corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)
        top = f"Q {10 + (x + 0.5) * SIDE} 12 {b}" if y == 0 else f"L {b}"
        rows[province_key((x, y))] = {"d": f"M {a} {top} L {c} L {d} Z"}
    rows[province_key((0, 0))]["seat"] = {"name": "Caput <b>Mundi</b>", "at": [60, 60]}
    return {
        "viewBox": f"-10 -10 {COLUMNS * SIDE + 40} {ROWS * SIDE + 40}",
        "provinces": rows,
        "sea_names": [{"name": "MARE & CO.", "x": 310, "y": 260}],
        "aliases": {"Roma 240 BC": ["Roma 240 BC", "Roman (Mid-Republic) 280-220 BC"]},
        "nations": {"pontus": {"pattern": "dots"}},
    }


def scenario_with_drawing() -> str:
    """Return scenario and drawing in one file."""
    return json.dumps({"scenario": make_scenario(), "drawing": make_drawing()}, ensure_ascii=False)


def import_played_campaign(
    master: Any,
    moves: int,
    name: str = "Nine crowns",
    seed: int = 3,
    raw: dict[str, Any] | None = None,
    first: Sequence[dict[str, Any]] = (),
    **options: Any,
) -> Campaign:
    """Return a campaign taken over from the record of a program's moves.

    The record begins with `first` and has up to this number of moves.
    """
    raw, rng, content = raw or make_scenario(), random.Random(seed), list(first)
    dice = Dice(raw["turns"], seed="9" * 64)
    position = TITLE.setup(TITLE.scenario(read(json.dumps(raw))), TITLE.options(options))
    for move in first:
        perform(position, TITLE.decode(move, position), dice)
    while len(content) < moves and (move := next_move(rng, position)) is not None:
        perform(position, TITLE.decode(move, position), dice)
        content.append(move)
    record = {
        "format": TITLE.format,
        "scenario": raw,
        "options": options,
        "dice": {"seed": "9" * 64},
        "moves": content,
    }
    judged = check_record(json.dumps({"record": record, "drawing": make_drawing()}))
    assert judged.faults == []
    return import_record(master, judged, name, "Europe/Rome", "listed")
