"""The game master's corrections of everything on a sheet except its accounts (13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from games.contract.title import Field, Offer
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.rules.view import by_name, master_offers

GAME_MASTER = "gm"
Given = Mapping[str, object]
"""The values of the fields before a certain field."""
Values = Callable[[Given], Sequence[object] | None]
"""A function that returns the values of a field from those of the fields before it; None means any.
"""


def corrections(position: Position, typed: Mapping[str, str]) -> list[Offer]:
    """Return the offers to correct structures, assets, fortification and fleet.

    They show the present values of the nation that the game master has chosen.
    """
    scenario = position.scenario.amended(position.amendments)
    standing, held = standing_nations(position), held_provinces(position)
    if not standing or not held:
        return []
    nation = typed.get("nation", "")
    chosen = nation if nation in standing else standing[0]
    tools = [
        structures_tool(position, scenario, chosen, standing),
        assets_tool(position, chosen, standing),
        fortification_tool(position, scenario, held),
        fleet_tool(position, scenario, held),
    ]
    refusal = next(
        (offer.refusal for offer in master_offers(position) if offer.move == "adjust"), None
    )
    return [replace(offer, refusal=refusal) for offer in tools]


def standing_nations(position: Position) -> list[str]:
    """Return the nations that have not fallen."""
    return [key for key, nation in position.nations.items() if not nation.fallen]


def held_provinces(position: Position) -> list[str]:
    """Return the provinces that a nation owns and that are not under attack."""
    return [
        key for key, owner in position.owner.items() if owner and not position.under_attack(key)
    ]


def tool(move: str, fields: Sequence[Field], values: Mapping[str, Values]) -> Offer:
    """Return the offer of a correction, with a reason as its last field."""
    known: dict[str, Values] = {**values, "reason": anything}
    return Offer(
        key=move,
        move=move,
        group="correction",
        by=GAME_MASTER,
        seat=GAME_MASTER,
        fields=(*fields, Field("reason", "text")),
        allowed=lambda key, given: known[key](given),
    )


def anything(_given: Given) -> None:
    """Allow any value."""


def always(values: Sequence[object]) -> Values:
    """Return a function that allows these values, whatever else is chosen."""
    return lambda _given: values


def structures_tool(
    position: Position, scenario: Scenario, chosen: str, standing: Sequence[str]
) -> Offer:
    every = list(scenario.rules.structures[scenario.nations[chosen].culture])
    built = tuple(position.nations[chosen].structures)
    return tool(
        "set-structures",
        [Field("nation", "nation"), Field("structures", "cards", True, built, ("nation",))],
        {"nation": always(standing), "structures": always([every])},
    )


def assets_tool(position: Position, chosen: str, standing: Sequence[str]) -> Offer:
    nation = position.nations[chosen]
    return tool(
        "set-assets",
        [
            Field("nation", "nation"),
            Field("barracks", "choice", True, nation.barracks, ("nation",)),
            Field("siege_trains", "number", True, nation.siege_trains, ("nation",)),
        ],
        {
            "nation": always(standing),
            "barracks": always([True, False]),
            "siege_trains": anything,
        },
    )


def fortification_tool(position: Position, scenario: Scenario, held: Sequence[str]) -> Offer:
    levels = [level.name for level in scenario.rules.fortifications]

    def other_levels(given: Given) -> list[str | None]:
        level = position.fortification.get(str(given.get("province", "")), 0)
        built = levels[level - 1] if level else None
        return [name for name in (*levels, None) if name != built]

    return tool(
        "set-fortification",
        [Field("province", "province"), Field("fortification")],
        {"province": always(by_name(position, held)), "fortification": other_levels},
    )


def fleet_tool(position: Position, scenario: Scenario, held: Sequence[str]) -> Offer:
    coast = [key for key in held if scenario.provinces[key].maritime]
    return tool(
        "set-fleet",
        [Field("province", "province"), Field("fleet")],
        {
            "province": always(by_name(position, coast)),
            "fleet": lambda given: [given.get("province") not in position.fleets],
        },
    )
