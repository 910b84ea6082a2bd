"""A reign that is over: how it ended, and who held what year by year."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.contract.pages import Fame, Told
from games.march_on_rome.drawing.map import paint
from games.march_on_rome.rules.position import LOST, PC, PROVINCES, Position, World
from games.march_on_rome.text.telling import Step, holder_with_paint
from games.march_on_rome.text.words import province_name


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {"player": one.player, "url": one.url, "ended": one.ended, **one.facts}


def ending(position: Position, log: Sequence[Told], steps: Sequence[Step]) -> dict[str, Any]:
    """Result and cause, numbers of the reign, its mosaic."""
    over = next(
        (e for move in reversed(log) for e in move.effects if e.kind in ("won", "lost")), None
    )
    outlived = {
        e.subject
        for move in log
        for e in move.effects
        if e.kind == "general_out" and e.subject != PC
    }
    last = steps[-1] if steps else None
    worlds = years(steps, World().after(e for move in log for e in move.effects))
    peak = max((len(world.lands(PC)) for world in worlds), default=0)
    return {
        "result": position.result,
        "why": str(over.facts["why"]) if over is not None else "",
        "year": position.turn,
        "provinces": len(position.lands(PC)),
        "legions": position.legions.get(PC, 0),
        "outlived": len(outlived),
        "peak": peak,
        "last": last,
        "by": _by(position, over is not None and position.result == "lost", log),
        "mosaic": mosaic(position, worlds),
    }


def _by(position: Position, lost: bool, log: Sequence[Told]) -> str:
    """Who took the last province or absorbed the player; empty where nobody did."""
    if not lost or not log:
        return ""
    for effect in reversed(log[-1].effects):
        if effect.kind == "holding" and effect.facts["from"] == PC:
            return str(
                holder_with_paint(position.scenario, str(effect.facts["to"]), effect.subject)[
                    "name"
                ]
            )
    return ""


def years(steps: Sequence[Step], now: World) -> list[World]:
    """The board at the beginning and at the end of each year."""
    worlds, year = [], 0
    for step in steps:
        if step.year > year and step.kind != "begin":
            worlds.append(step.before)
            year = step.year
    return [*worlds, now]


def mosaic(position: Position, worlds: Sequence[World]) -> dict[str, Any]:
    """A stone a province and year: those that were the player's at the end first, then by when they
    became the player's.
    """

    def order(key: str) -> tuple[bool, int, int]:
        first = next((n for n, world in enumerate(worlds) if world.owner[key] == PC), len(worlds))
        return worlds[-1].owner[key] != PC, first, PROVINCES[key].n

    rows = [
        {
            "name": province_name(key),
            "stones": [_stone(position, world.owner[key], key) for world in worlds],
        }
        for key in sorted(PROVINCES, key=order)
    ]
    seen = {owner for world in worlds for owner in world.owner.values()}
    holders = sorted((one for one in seen if one != LOST), key=lambda one: (one != PC, one))
    return {
        "years": ["", *range(1, len(worlds))],
        "rows": rows,
        "legions": [world.legions.get(PC, 0) for world in worlds],
        "key": [holder_with_paint(position.scenario, one) for one in holders],
    }


def _stone(position: Position, owner: str, key: str) -> dict[str, Any]:
    return {"holder": paint(owner), "name": holder_with_paint(position.scenario, owner)["name"]}
