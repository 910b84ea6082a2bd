"""A reign that is over: how it ended, and who held what year by year."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.pages import Told
from games.march_on_rome.board import LOST, PC, PROVINCES
from games.march_on_rome.map import paint
from games.march_on_rome.phrases import who
from games.march_on_rome.position import Position
from games.march_on_rome.telling import Step
from games.march_on_rome.words import province_name
from games.march_on_rome.world import World


def ending(position: Position, log: Sequence[Told], steps: Sequence[Step]) -> dict[str, Any]:
    """Result and cause, numbers of the reign, its mosaic."""
    over = next((e for told in reversed(log) for e in told.effects if e.kind in ("won", "lost")), None)
    outlived = {e.subject for told in log for e in told.effects if e.kind == "general_out" and e.subject != PC}
    last = steps[-1] if steps else None
    worlds = years(steps, World().after(e for told in log for e in told.effects))
    peak = max((len(world.lands(PC)) for world in worlds), default=0)
    return {
        "result": position.result, "why": str(over.facts["why"]) if over is not None else "", "year": position.turn,
        "provinces": len(position.lands(PC)), "legions": position.legions.get(PC, 0), "outlived": len(outlived), "peak": peak,
        "last": last, "by": _by(position, over is not None and position.result == "lost", log),
        "mosaic": mosaic(position, worlds),
    }  # fmt: skip


def _by(position: Position, lost: bool, log: Sequence[Told]) -> str:
    """Who took the last province or absorbed the player; empty where nobody did."""
    if not lost or not log:
        return ""
    for effect in reversed(log[-1].effects):
        if effect.kind == "holding" and effect.facts["from"] == PC:
            return str(who(position.scenario, str(effect.facts["to"]), effect.subject)["name"])
    return ""


def years(steps: Sequence[Step], now: World) -> list[World]:
    """The board at the beginning and at the end of each year."""
    made, year = [], 0
    for step in steps:
        if step.year > year and step.kind != "begin":
            made.append(step.before)
            year = step.year
    return [*made, now]


def mosaic(position: Position, worlds: Sequence[World]) -> dict[str, Any]:
    """A stone a province and year: those that were the player's at the end first, then by when they became his."""

    def order(key: str) -> tuple[bool, int, int]:
        first = next((n for n, world in enumerate(worlds) if world.owner[key] == PC), len(worlds))
        return worlds[-1].owner[key] != PC, first, PROVINCES[key].n

    rows = [
        {"name": province_name(key), "stones": [_stone(position, world.owner[key], key) for world in worlds]}
        for key in sorted(PROVINCES, key=order)
    ]
    seen = {owner for world in worlds for owner in world.owner.values()}
    holders = sorted((one for one in seen if one != LOST), key=lambda one: (one != PC, one))
    return {
        "years": ["", *range(1, len(worlds))], "rows": rows, "legions": [world.legions.get(PC, 0) for world in worlds],
        "key": [who(position.scenario, one) for one in holders],
    }  # fmt: skip


def _stone(position: Position, owner: str, key: str) -> dict[str, Any]:
    return {"holder": paint(owner), "name": who(position.scenario, owner)["name"]}
