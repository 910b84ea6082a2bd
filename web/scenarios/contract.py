"""What a title adds to the pages of scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from games.contract.plain import RawScenario


class Preview(Protocol):
    """What a title shows of a scenario before it is played, with the template that shows it."""

    @property
    def template(self) -> str: ...

    @property
    def styles(self) -> Mapping[str, str]:
        """The CSS variables of each nation."""

    @property
    def laid_out(self) -> bool:
        """Whether the map was drawn from borders, for want of a drawing."""


class Previews(Protocol):
    """The part of a title that shows its scenarios."""

    def preview(self, raw: RawScenario, drawing: str) -> Preview: ...
