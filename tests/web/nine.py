"""A campaign of nine nations in 240 BC: names of its own, other numbers and tables, and a map drawn
for it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

from campaign import scenarios, services
from campaign.imports import import_record, judge
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
"""Two fields amidst are sea."""
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


def key(cell: tuple[int, int]) -> str:
    return f"p{cell[0]}-{cell[1]}"


def scenario() -> dict[str, Any]:
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
                "capital": key(homes[nation]),
                "colour": colour,
                "escort": nation == "galli",
            }
            for nation, colour in zip(NATIONS, COLOURS, strict=True)
        ],
        "provinces": [
            {
                "key": key(cell),
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
        "borders": [[key(a), key(b)] for a, b in joined],
        "sea_routes": [[key((1, 2)), key((4, 2))]],
        "start": {"income": 300, "prestige": 5},
        "rules": RULES,
    }


def corner(x: int, y: int) -> str:
    """A corner of the fields, a little out of place, the same for all that meet there."""
    rng = random.Random(f"{x}/{y}")
    return f"{10 + x * SIDE + rng.randint(-14, 14)},{10 + y * SIDE + rng.randint(-14, 14)}"


def drawing() -> dict[str, Any]:
    """Outlines as a drawing program writes them: their own units, absolute commands, curves at the
    northern edge.
    """
    rows = {}
    for x, y in CELLS:
        a, b, c, d = corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)
        top = f"Q {10 + (x + 0.5) * SIDE} 12 {b}" if y == 0 else f"L {b}"
        rows[key((x, y))] = {"d": f"M {a} {top} L {c} L {d} Z"}
    rows[key((0, 0))]["seat"] = {"name": "Caput <b>Mundi</b>", "at": [60, 60]}
    return {
        "viewBox": f"-10 -10 {COLUMNS * SIDE + 40} {ROWS * SIDE + 40}",
        "provinces": rows,
        "sea_names": [{"name": "MARE & CO.", "x": 310, "y": 260}],
        "aliases": {"Roma 240 BC": ["Roma 240 BC", "Roman (Mid-Republic) 280-220 BC"]},
        "nations": {"pontus": {"pattern": "dots"}},
    }


def sent() -> str:
    """Both in one file."""
    return json.dumps({"scenario": scenario(), "drawing": drawing()}, ensure_ascii=False)


def founded(master: Any, name: str = "Nine crowns", **options: Any) -> Campaign:
    judged = scenarios.judge(TITLE, sent())
    assert judged.faults == []
    return services.found_campaign(
        master,
        "grand_campaign",
        name,
        judged.scenario,
        options,
        "Europe/Rome",
        "listed",
        seed="9" * 64,
        drawing=judged.drawing,
    )


def played(
    master: Any,
    moves: int,
    name: str = "Nine crowns",
    seed: int = 3,
    raw: dict[str, Any] | None = None,
    first: Sequence[dict[str, Any]] = (),
    **options: Any,
) -> Campaign:
    """A campaign in which `first` was said, then by a program moves up to so many, taken over from
    its record.
    """
    raw, rng, content = raw or scenario(), random.Random(seed), list(first)
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
    judged = judge(json.dumps({"record": record, "drawing": drawing()}))
    assert judged.faults == []
    return import_record(master, judged, name, "Europe/Rome", "listed")
