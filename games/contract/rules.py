"""Rules of a campaign that differ from the usual ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable


class HouseRule(NamedTuple):
    """A rule that a campaign plays differently.

    `here` and `usual` are the values of the campaign and of the rules, `rule` is the paragraph.
    """

    name: str
    here: str
    usual: str
    rule: str


@runtime_checkable
class WithHouseRules(Protocol):
    """A title whose campaigns may choose between readings of the rules and change their numbers.

    `scenario` and `options` are those that the title has parsed (`Title.scenario`,
    `Title.options`).
    """

    def house_rules(self, scenario: Any, options: Any) -> Sequence[HouseRule]:
        """Return the rules that the campaign plays differently."""
        ...

    def chosen_readings(self, scenario: Any, options: Any) -> Sequence[tuple[str, str]]:
        """Return how each unclear paragraph of the rules is read: label and text."""
        ...

    def founding_facts(self, scenario: Any, options: Any) -> Sequence[tuple[str, str]]:
        """Return what a user should know before they join: labels and texts."""
        ...
