"""Describe what is played in a campaign, for the pages that a user reads before they join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from campaign.log import positions
from campaign.models import Campaign
from web.dice.trust import Chance, chance_sheet
from web.frame.table import TableContext
from web.titles import HouseRule, extras, house_rules

Fact = tuple[str, str]
"""A label and a text."""


class FoundingOfTitle(Protocol):
    """How a title describes a campaign."""

    def facts(self, scenario: object, options: object) -> Sequence[Fact]:
        """Return what a user should know before they join."""
        ...


@dataclass(frozen=True, slots=True)
class Played:
    """What is played in a campaign, by which rules, and with which dice."""

    title: str
    facts: Sequence[Fact]
    time_zone: str
    house_rules: Sequence[HouseRule]
    chance: Chance


def played(table: TableContext, *more: Fact) -> Played:
    """Return what is played, with more facts after those of the title."""
    campaign = table.campaign
    options = positions.options(campaign)
    return Played(
        title=title_text(table),
        facts=[*founding_facts(campaign, table.scenario), *more],
        time_zone=campaign.time_zone,
        house_rules=house_rules(campaign.title, table.scenario, options),
        chance=chance_sheet(campaign),
    )


def title_text(table: TableContext) -> str:
    """Return the title, and the scenario if it has a name of its own."""
    name, scenario = table.title.name, positions.plays(table.campaign)
    return name if scenario == name else f"{name}, {scenario}"


def founding_facts(campaign: Campaign, scenario: object) -> Sequence[Fact]:
    """Return what the title says about a campaign of this scenario."""
    own = cast(
        "FoundingOfTitle | None",
        extras(campaign.title, "founding") or campaign.game.founding,
    )
    return own.facts(scenario, positions.options(campaign)) if own is not None else ()
