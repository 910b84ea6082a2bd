"""The names of the numbers and tables of the rules, in the order of the founding page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from engine.language import gettext_noop as noop
from engine.language import pgettext, pgettext_noop
from games.grand_campaign.rules import numbers
from games.grand_campaign.text import words

RULES = {number.path: number.rule for number in numbers.NUMBERS} | numbers.TABLES
"""The paragraph of each number and table."""


class NamedNumber(NamedTuple):
    """A number of the rules, or a list of numbers: the path to it and its name."""

    path: str
    label: str

    @property
    def rule(self) -> str:
        """Return the paragraph of the number."""
        return RULES[self.path]


class NumberGroup(NamedTuple):
    """A group of numbers with a heading."""

    title: str
    numbers: tuple[NamedNumber, ...]

    @property
    def heading(self) -> str:
        """Return the title in the reader's language."""
        return pgettext("heading of rules", self.title)


class NamedTable(NamedTuple):
    """A table of the rules: the path to it, its name, its paragraph, and its columns."""

    path: str
    title: str
    rule: str
    columns: tuple[str, ...]

    @property
    def text_column(self) -> int | None:
        """Return the index of the column with keys, or None if all columns are numbers."""
        return TEXT_COLUMNS.get(self.path, 0)


GROUPS: tuple[NumberGroup, ...] = (
    NumberGroup(
        pgettext_noop("heading of rules", "Dice and events"),
        (
            NamedNumber("die", noop("Sides of the die")),
            NamedNumber("cards_per_turn", noop("Cards drawn per turn")),
            NamedNumber("event_turns", noop("Turns with random events")),
        ),
    ),
    NumberGroup(
        pgettext_noop("heading of rules", "Actions"),
        (
            NamedNumber("tax_increase_actions", noop("Actions from a tax increase")),
            NamedNumber("tax_increases_per_slot", noop("Tax increases per turn")),
            NamedNumber("chancellor_actions", noop("Actions from a Chancellor")),
        ),
    ),
    NumberGroup(
        pgettext_noop("heading of rules", "Costs, in actions"),
        (
            NamedNumber("costs.tax-exemption", noop("Tax exemption")),
            NamedNumber("costs.barracks", noop("Barracks")),
            NamedNumber("costs.siege-train", noop("Siege train")),
            NamedNumber("costs.fleet", noop("Fleet")),
            NamedNumber("costs.provincial-levy", noop("Provincial levy")),
            NamedNumber("costs.land", noop("Land attack")),
            NamedNumber("costs.amphibious", noop("Amphibious attack")),
            NamedNumber("costs.independent", noop("Covert attack")),
            NamedNumber(
                "costs.independent-prestigious", noop("Covert attack on a prestigious nation")
            ),
            NamedNumber("prestigious", noop("Prestigious from prestige")),
        ),
    ),
    NumberGroup(
        pgettext_noop("heading of rules", "Army"),
        (
            NamedNumber("army.full", noop("Full strength")),
            NamedNumber("army.maximum", noop("Maximum")),
            NamedNumber("army.minimum", noop("Minimum")),
            NamedNumber("army.victory", noop("Change after a victory")),
            NamedNumber("army.defeat", noop("Change after a defeat")),
            NamedNumber("army.independent", noop("Independents and insurgents")),
            NamedNumber("army.levy", noop("Provincial levy")),
            NamedNumber("army.mercenaries", noop("Mercenaries")),
            NamedNumber("army.mercenaries_talents", noop("Price of Mercenaries, talents")),
            NamedNumber("army.reinforcements", noop("Reinforcements")),
        ),
    ),
    NumberGroup(
        pgettext_noop("heading of rules", "Battles"),
        (
            NamedNumber("attacks_per_turn.overt", noop("Land and amphibious attacks per turn")),
            NamedNumber("attacks_per_turn.covert", noop("Covert attacks per turn")),
            NamedNumber("rout.decisive", noop("Routed share that ends a battle, %")),
            NamedNumber("rout.early", noop("Enemy share for an early victory, %")),
            NamedNumber("rout.early_own_losses", noop("… with own losses of at most, %")),
            NamedNumber("siege_train", noop("A siege train lowers the roll by")),
            NamedNumber("naval_technology", noop("Naval Technology")),
            NamedNumber("escort_from", noop("Escort is forced on a roll of at least")),
            NamedNumber("truce_turns", noop("Truce, in turns")),
            NamedNumber("capital_protected_before_turn", noop("Capitals safe before turn")),
        ),
    ),
    NumberGroup(
        pgettext_noop("heading of rules", "Talents"),
        (
            NamedNumber("talents.conquest", noop("Conquest")),
            NamedNumber("talents.loss", noop("Loss of a province")),
            NamedNumber("talents.ravage", noop("Won or lost after a draw")),
            NamedNumber("talents.card_conquest", noop("Province won by a card")),
            NamedNumber("talents.plague", noop("Plague")),
            NamedNumber("talents.agrarian-improvements", noop("Agrarian Improvements")),
        ),
    ),
    NumberGroup(
        pgettext_noop("heading of rules", "Victory points"),
        (
            NamedNumber("victory_points.battle", noop("Battle won")),
            NamedNumber("victory_points.conquest", noop("Conquest")),
            NamedNumber("victory_points.independent_defence", noop("Defence of independents")),
            NamedNumber("victory_points.barracks", noop("Barracks")),
            NamedNumber("victory_points.fleet", noop("Fleet")),
            NamedNumber("victory_points.fortification_level", noop("Each level of fortification")),
            NamedNumber("victory_points.stability", noop("Each point of stability")),
            NamedNumber("victory_points.prestige", noop("Each point of prestige")),
        ),
    ),
)

BUILT = (noop("Key"), noop("Cost, actions"), noop("Gain"), noop("Points"))
TABLES: tuple[NamedTable, ...] = (
    NamedTable(
        "income_actions", noop("Income and actions"), "3.1", (noop("Income from"), noop("Actions"))
    ),
    NamedTable("cards", noop("Cards by roll"), "4", (noop("From"), noop("To"), noop("Card"))),
    NamedTable(
        "events", noop("Random events by roll"), "5", (noop("From"), noop("To"), noop("Event"))
    ),
    NamedTable("architecture.civilized", noop("Architectures"), "3.3", BUILT),
    NamedTable("architecture.barbarian", noop("Urban Infrastructures"), "3.3", BUILT),
    NamedTable("religious", noop("Religious Buildings"), "3.4", BUILT),
    NamedTable("commercial", noop("Commercial Structures"), "3.5", BUILT),
    NamedTable(
        "fortifications",
        noop("Fortifications"),
        "3.7",
        (noop("Key"), noop("Cost, actions"), noop("Siege fails on a roll up to")),
    ),
)

TEXT_COLUMNS: Mapping[str, int | None] = {"cards": 2, "events": 2, "income_actions": None}
"""The columns with keys, for tables in which it is not the first column."""
RESULTS: Mapping[str, Callable[[str], str]] = {
    "cards": words.card_name,
    "events": words.event_name,
}
"""The tables that a die decides, with the functions that name their results."""
KEYS_OF_RESULTS = {"cards": numbers.CARDS, "events": numbers.EVENTS}
"""The possible results in these tables."""


def all_numbers() -> Iterator[NamedNumber]:
    """Yield the numbers of all groups."""
    for group in GROUPS:
        yield from group.numbers
