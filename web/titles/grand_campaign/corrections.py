"""The game master's tools in a Grand Campaign: the next turn (1.2, 1.3), corrections (13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from campaign.models import GAME_MASTER
from engine.language import sentence
from games.contract.title import Field, Offer
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.rules.view import by_name
from games.grand_campaign.text import words
from web.frame.table import TableContext

SentenceOfRule = tuple[str, str]
"""A sentence and the number of its rule, which may be empty."""


def opening(table: TableContext) -> list[SentenceOfRule]:
    """Return what the start or the next turn rolls and opens."""
    position, scenario = table.position, table.scenario
    if position.phase == "setup":
        return start_sentences(position, scenario)
    standing = [key for key in scenario.order if not position.nations[key].fallen]
    turn = position.turn + 1
    sentences = [cards_drawn(position, len(standing))]
    if turn in position.rules.event_turns:
        sentences.append((sentence(_("{n} random events are rolled."), n=len(standing)), "1.3"))
    nation = words.nation_name(scenario, opener(position, scenario, turn))
    sentences.append((sentence(_("The slot of {nation:the} opens."), nation=nation), "1.2"))
    if not position.options.hidden:
        sentences.append((sentence(_("Link {n} of the dice is published."), n=position.turn), ""))
    return sentences


def start_sentences(position: Position, scenario: Scenario) -> list[SentenceOfRule]:
    """Return what the start of the campaign rolls and fixes."""
    count = len(scenario.order)
    return [
        (sentence(_("A d{n} picks who opens turn 1."), n=count), "1.2"),
        cards_drawn(position, count),
        (_("From then on scenario, options and seed cannot change."), ""),
    ]


def cards_drawn(position: Position, count: int) -> SentenceOfRule:
    text = sentence(_("{n} cards are drawn, d{die} each."), n=count, die=position.rules.die)
    return text, "1.3"


def opener(position: Position, scenario: Scenario, turn: int) -> str:
    """Return the nation that opens a turn: by the rotation, without fallen nations (1.2)."""
    keys = list(scenario.order)
    place = (position.opener + turn - 2) % len(keys)
    return next(key for key in keys[place:] + keys[:place] if not position.nations[key].fallen)


# The tools of the game master for a sheet's parts other than its accounts (13).

Given = Mapping[str, object]
"""The values of the fields before a field."""
Values = Callable[[Given], Sequence[object] | None]
"""The values of a field, given those of the fields before it; None: any."""


def corrections(table: TableContext, typed: Mapping[str, str]) -> list[Offer]:
    """Return the tools for structures, assets, fortification and fleet.

    They show the present values of the nation that was typed.
    """
    position, scenario = table.position, table.scenario
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
    refusal = next((offer.refusal for offer in table.master_offers if offer.move == "adjust"), None)
    return [replace(offer, refusal=refusal) for offer in tools]


def standing_nations(position: Position) -> list[str]:
    """Return the nations that have not fallen."""
    return [key for key, nation in position.nations.items() if not nation.fallen]


def held_provinces(position: Position) -> list[str]:
    """Return the provinces of nations that no one attacks now."""
    return [
        key for key, owner in position.owner.items() if owner and not position.under_attack(key)
    ]


def tool(move: str, fields: Sequence[Field], values: Mapping[str, Values]) -> Offer:
    """Return a correction with a reason as its last field."""
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
    """Return a rule that allows these values, whatever else is chosen."""
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
