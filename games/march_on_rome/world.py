"""The board at any moment of the log, folded from the effects alone: what telling, mosaic and reports look back at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.effects import Effect
from games.march_on_rome.board import LOST, PC, PROVINCES, SENATE, number


@dataclass(slots=True)
class World:
    """Owners by province, garrisons of procurators, legions of the living generals."""

    owner: dict[str, str] = field(default_factory=lambda: dict.fromkeys(PROVINCES, LOST))
    garrison: dict[str, int] = field(default_factory=dict)
    legions: dict[str, int] = field(default_factory=dict)

    def copy(self) -> World:
        return World(self.owner.copy(), self.garrison.copy(), self.legions.copy())

    def add(self, effect: Effect) -> None:
        """What one effect changes."""
        if effect.kind == "holding":
            self.owner[effect.subject] = str(effect.facts["to"])
            if effect.facts["to"] == SENATE:
                self.garrison[effect.subject] = 0
            else:
                self.garrison.pop(effect.subject, None)
        elif effect.kind == "account" and effect.subject == "legions" and effect.holder is not None:
            self.legions[effect.holder] = effect.balance
        elif effect.kind == "account" and effect.subject == "garrison":
            self.garrison[str(effect.facts["province"])] = int(effect.facts["now"])
        elif effect.kind == "general_out":
            self.legions.pop(effect.subject, None)

    def after(self, effects: Iterable[Effect]) -> World:
        """The board when these effects have happened too."""
        new = self.copy()
        for effect in effects:
            new.add(effect)
        return new

    def lands(self, holder: str) -> list[str]:
        """The provinces of a holder, in number order."""
        return [key for key, owner in self.owner.items() if owner == holder]

    def strength(self, holder: str) -> int:
        """The legions of a general, or the garrisons of all procurators."""
        return sum(self.garrison.values()) if holder == SENATE else self.legions.get(holder, 0)

    def generals(self) -> list[str]:
        """The living generals, the player's first, then the rivals by number."""
        return sorted(self.legions, key=lambda one: -1 if one == PC else number(one))
