"""Victory: the final scoring and the standings (12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects import Say

if TYPE_CHECKING:
    from games.grand_campaign.position import Position


def final_points(position: Position, key: str) -> list[tuple[str, int]]:
    """What the final scoring gives a nation, by cause: for the present levels, or while the campaign runs a forecast."""
    nation, points = position.nations[key], position.rules.points
    levels = sum(level for province, level in position.fortification.items() if position.owner[province] == key)
    fleets = sum(1 for province in position.fleets if position.owner[province] == key)
    return [
        ("score-stability", nation.stability * points["stability"]),
        ("score-prestige", nation.prestige * points["prestige"]),
        ("score-fortifications", levels * points["fortification_level"]),
        ("score-barracks", points["barracks"] if nation.barracks else 0),
        ("score-fleets", fleets * points["fleet"]),
    ]


def final_scoring(position: Position) -> None:
    """Post the final scoring for every nation, fallen or not, and name the standings."""
    for key in position.scenario.order:
        for cause, amount in final_points(position, key):
            position.change(key, "victory_points", amount, Say(cause, "12"))
    position.standings = standings(position)
    position.note("turn", None, "standings", Say("standings", "12"), standings=position.standings)


def standings(position: Position) -> list[dict[str, Any]]:
    """Best first: victory points, then income; equals share a rank and stand alphabetically."""
    lines = sorted(position.nations.values(), key=lambda n: (-n.victory_points, -n.income, n.key))
    table: list[dict[str, Any]] = []
    for place, nation in enumerate(lines, 1):
        line = {"nation": nation.key, "victory_points": nation.victory_points, "income": nation.income, "rank": place}
        if table and (table[-1]["victory_points"], table[-1]["income"]) == (nation.victory_points, nation.income):
            line["rank"] = table[-1]["rank"]
        table.append(line)
    return table
