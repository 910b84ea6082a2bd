"""The builder of a scenario's files: python -m games.grand_campaign.scenarios.build.

It reads `420ad/source/` and writes `420ad/scenario.json` and `420ad/drawing.json`. The first is a
scenario object as in a record, without further keys; the second is the picture. Each entry has its
own line, so that a diff shows what has changed. Shipped scenarios are immutable: a corrected
scenario gets a new key, while a drawing may be corrected in place.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent / "420ad"
SOURCE = HERE / "source"

# Names of army lists in the game that differ from those of our list, which always count too.
SPELLINGS = {
    "Hunnic Western 376-454 AD": ["Hunnic (Western) 376-454 AD", "Hunnic (Western)"],
    "Hephtalites 350-570 AD": ["Hunnic (Hephthalite) 350-570 AD", "Hunnic (Hephthalite)"],
    "Romano-British 407-599 AD": ["Romano-British 407-476 AD"],
    "Indian 320-545 AD": ["Indian 320-476 AD"],
}
# The places of the nations' names as long as they hold their homes, chosen by eye.
NAMES = {
    "vandals": [138, 424],
    "romans": [500, 352],
    "huns": [640, 250],
    "sassanids": [985, 545],
    "hephtalites": [1240, 400],
    "kushans": [1370, 590],
}
REGIONS = [
    {"key": "west", "name": "West", "centre": [300, 370], "zoom": 2.5},
    {"key": "danube", "name": "Danube", "centre": [620, 320], "zoom": 2.6},
    {"key": "east", "name": "East", "centre": [800, 500], "zoom": 2.5},
    {"key": "persia", "name": "Persia", "centre": [1010, 520], "zoom": 2.5},
    {"key": "india", "name": "India", "centre": [1310, 490], "zoom": 2.5},
]


def source(name: str) -> Any:
    return json.loads((SOURCE / f"{name}.json").read_text(encoding="utf-8"))


def pick(entry: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {k: entry[k] for k in keys}


def scenario() -> dict[str, Any]:
    """Return the scenario object of the record."""
    routes: list[list[str]] = source("sea_routes")
    provinces = []
    for p in source("provinces"):
        row = pick(p, "key", "name", "kind", "owner", "army")
        if p["maritime"] and not any(p["key"] in r for r in routes):
            row["maritime"] = True
        provinces.append(row)
    return {
        "key": "420ad",
        "name": "420 AD Grand Campaign",
        "turns": 6,
        "nations": [
            pick(n, "key", "name", "culture", "army", "capital", "colour", "escort")
            for n in source("nations")
        ],
        "provinces": provinces,
        "borders": source("adjacency"),
        "sea_routes": routes,
    }


def drawing() -> dict[str, Any]:
    """Return everything else, which `games.grand_campaign.drawing.drawing` reads."""
    geometry = source("geometry")
    nations, listed, others = source("nations"), source("provinces"), source("other_names")
    provinces = {}
    for p in listed:
        g = geometry["provinces"][p["key"]]
        row: dict[str, Any] = {
            **pick(g, "label", "lines", "size"),
            "seat": {"name": p["seat"]["name"], "at": g["seat"]},
        }
        if "port" in g:
            row["port"] = {"name": p["ports"][0]["name"], "at": g["port"]}
        row["other_names"] = others["provinces"][p["key"]]
        provinces[p["key"]] = {**row, "d": g["d"]}
    lists = sorted({x["army"] for x in [*nations, *listed]})
    return {
        "scenario": "420ad",
        "viewBox": [0, 0, 1600, 964],
        "nations": {
            n["key"]: {
                **pick(n, "adjective", "spoken", "article", "de", "es", "it", "pattern", "text"),
                "label": NAMES[n["key"]],
                "other_names": others["nations"][n["key"]],
            }
            for n in nations
        },
        "aliases": {a: [a, *SPELLINGS.get(a, [])] for a in lists},
        "regions": REGIONS,
        "provinces": provinces,
        "sea_routes": geometry["sea_routes"],
        "straits": geometry["straits"],
        "sea_names": geometry["sea"],
        "land_names": geometry["land_labels"],
        "rivers": geometry["rivers"],
        "lakes": geometry["lakes"],
        "wasteland": geometry["wasteland"],
        "land": geometry["land"],
    }


def written(document: dict[str, Any]) -> str:
    """Return JSON with a separate line for each entry of a list or table."""
    out = []
    for key, value in document.items():
        name = json.dumps(key)
        if key == "viewBox" or not isinstance(value, dict | list):
            out.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")
            continue
        if isinstance(value, dict):
            rows = [
                f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in value.items()
            ]
        else:
            rows = [json.dumps(v, ensure_ascii=False) for v in value]
        ends = "{}" if isinstance(value, dict) else "[]"
        out.append(f"{name}: {ends[0]}\n" + ",\n".join(rows) + f"\n{ends[1]}")
    return "{\n" + ",\n".join(out) + "\n}\n"


if __name__ == "__main__":
    (HERE / "scenario.json").write_text(written(scenario()), encoding="utf-8")
    (HERE / "drawing.json").write_text(written(drawing()), encoding="utf-8")
