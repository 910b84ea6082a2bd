"""The interface of a title to the pages of scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from games.contract.plain import RawScenario


class Preview(Protocol):
    """The preview of a scenario, with the title's template that shows it."""

    @property
    def template(self) -> str: ...

    @property
    def styles(self) -> Mapping[str, str]:
        """The CSS variables of each nation."""

    @property
    def laid_out(self) -> bool:
        """Whether the map was laid out from borders because there is no drawing."""


class Previews(Protocol):
    """The part of a title that shows its scenarios."""

    def preview(self, raw: RawScenario, drawing: str) -> Preview: ...
