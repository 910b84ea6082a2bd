"""The part that a title adds to the form that founds a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from games.contract.plain import RawOptions, RawScenario

Values = Mapping[str, str]
"""The fields of the form as they were posted."""


class OwnPart(Protocol):
    """The context of the template of the title's own part."""

    @property
    def changed(self) -> int:
        """How many numbers and tables of the rules differ from the usual values."""
        ...


class OwnTerms(Protocol):
    """The terms that the title's own part sets."""

    @property
    def scenario(self) -> RawScenario: ...

    @property
    def options(self) -> RawOptions: ...

    @property
    def errors(self) -> Mapping[str, str]:
        """The errors by field."""
        ...


class FoundingForm(Protocol):
    """The title's own part of the form."""

    TEMPLATE: str

    def form(
        self,
        scenario: RawScenario,
        options: RawOptions,
        form_values: Values | None,
        errors: Mapping[str, str],
    ) -> OwnPart:
        """Return the context of the template of this part."""
        ...

    def read(self, scenario: RawScenario, form_values: Values, *, keep: bool = False) -> OwnTerms:
        """Return the terms that this part sets.

        Args:
            scenario: The chosen scenario.
            form_values: The fields of the form.
            keep: Whether the scenario keeps its own rules where the form has the usual rules.
        """
        ...

    def field_of(self, where: str) -> tuple[str, str]:
        """Return the field of a wrong key of the record, and its name."""
        ...
