"""What a title adds to the form that founds a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from games.contract.plain import RawOptions, RawScenario

Values = Mapping[str, str]
"""The fields of the form as they were posted."""


class OwnPart(Protocol):
    """What the template of the title's own part shows."""

    @property
    def changed(self) -> int:
        """Return how many numbers and tables of the rules differ from the usual ones."""
        ...


class OwnTerms(Protocol):
    """The terms that the title's own part means."""

    @property
    def scenario(self) -> RawScenario: ...

    @property
    def options(self) -> RawOptions: ...

    @property
    def errors(self) -> Mapping[str, str]:
        """Return what is wrong, by field."""
        ...


class FoundingForm(Protocol):
    """The title's own part of the form."""

    TEMPLATE: str

    def form(
        self,
        scenario: RawScenario,
        options: RawOptions,
        typed: Values | None,
        errors: Mapping[str, str],
    ) -> OwnPart:
        """Return what the template of this part shows."""
        ...

    def read(self, scenario: RawScenario, typed: Values, *, keep: bool = False) -> OwnTerms:
        """Return what this part means.

        Args:
            scenario: The scenario that was chosen.
            typed: The fields of the form.
            keep: Whether the scenario keeps its own rules where the form has the usual ones.
        """
        ...

    def field_of(self, where: str) -> tuple[str, str]:
        """Return the field of a wrong key of the record, and its name."""
        ...
