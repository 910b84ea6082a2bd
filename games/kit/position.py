"""The position of a title with one board: what all of them do alike."""

from __future__ import annotations

from typing import Any, Self

from engine.effects import Effect, Say

TABLES = (dict, list, set)


class BoardPosition:
    """Ordinary attributes: lists, tables and sets are changed in place, everything else is replaced."""

    effects: list[Effect]

    def copy(self) -> Self:
        """An independent position. A title whose tables hold lists or tables copies these itself."""
        new = object.__new__(type(self))
        new.__dict__.update({k: v.copy() if type(v) in TABLES else v for k, v in self.__dict__.items()})
        new.effects = []
        return new

    def rest(self) -> None:
        """Nothing is left half done: each move ends its own step, and what waits for somebody is part of the position."""

    def note(
        self, kind: str, holder: str | None, subject: str, rule: str, /, audience: tuple[str, ...] | None = None, **facts: Any
    ) -> None:
        """Write an effect that is of no account and no owner; its cause is its kind."""
        self.effects.append(Effect(kind, holder, subject, Say(kind, rule, facts), 0, 0, facts, audience))
