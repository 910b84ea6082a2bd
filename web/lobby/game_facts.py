"""The game of a campaign, as users read it before they join: title, rules, dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campaign.log import positions
from campaign.models import Campaign
from campaign.rulebook import house_rules
from games.contract.rules import HouseRule, WithHouseRules
from web.dice.trust import Chance, chance_sheet
from web.frame.table import TableContext

Fact = tuple[str, str]
"""A label and a text."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The title, the rules and the dice of a campaign."""

    title: str
    facts: Sequence[Fact]
    time_zone: str
    house_rules: Sequence[HouseRule]
    chance: Chance


def game_facts(table: TableContext, *more: Fact) -> GameFacts:
    """Return the title, the rules and the dice, with more facts after those of the title."""
    campaign = table.campaign
    return GameFacts(
        title=title_text(table),
        facts=[*founding_facts(campaign, table.scenario), *more],
        time_zone=campaign.time_zone,
        house_rules=house_rules(campaign, table.scenario),
        chance=chance_sheet(campaign),
    )


def title_text(table: TableContext) -> str:
    """Return the title, with the scenario if it has a name of its own."""
    name, scenario = table.title.name, positions.plays(table.campaign)
    return name if scenario == name else f"{name}, {scenario}"


def founding_facts(campaign: Campaign, scenario: object) -> Sequence[Fact]:
    """Return the title's facts about a campaign of this scenario."""
    options, title = positions.options(campaign), campaign.game
    if isinstance(title, WithHouseRules):
        return title.founding_facts(scenario, options)
    founding = title.founding
    return founding.facts(scenario, options) if founding is not None else ()
