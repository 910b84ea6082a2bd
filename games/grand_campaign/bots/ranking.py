"""The ranking of nations for a program: hostile acts aim at the leading nations."""

from __future__ import annotations

from games.grand_campaign.rules.position import Nation, Position

LEADING = 2
"""How many of the other nations are leading; covert attacks and hostile cards aim at them."""


def leaders(position: Position, seat: str) -> list[str]:
    """Return the other nations that have not fallen, the one with the highest score first."""
    in_play = [
        nation for nation in position.nations.values() if nation.key != seat and not nation.fallen
    ]
    return [
        nation.key for nation in sorted(in_play, key=lambda nation: (-score(nation), nation.key))
    ]


def leading(position: Position, seat: str) -> list[str]:
    """Return the leading nations among the others, the first of them first."""
    return leaders(position, seat)[:LEADING]


def covert_victim(position: Position, seat: str) -> str | None:
    """Return the leading nation that a covert attack aims at, or None.

    It is the first that shares no land border and no truce with the attacker, and has a province
    beside an independent one (7.1).
    """
    scenario, owner = position.scenario, position.owner
    for victim in leading(position, seat):
        reached = any(
            owner[source] is None
            for province in position.provinces_of(victim)
            for source in scenario.land[province]
        )
        if (
            reached
            and not position.borders_nation(seat, victim)
            and not position.truce_between(seat, victim)
        ):
            return victim
    return None


def score(nation: Nation) -> float:
    """Return what a nation has achieved so far, from public facts."""
    return nation.victory_points + nation.stability + nation.prestige + nation.income / 100
