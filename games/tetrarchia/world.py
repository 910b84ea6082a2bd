"""What lies and stands on the board, told by effects alone: who tells a game step by step needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.effects import Effect
from games.tetrarchia.board import EMPERORS

COMES = frozenset({"entered", "moved", "moved_in"})


class World(NamedTuple):
    """The board at a moment: tokens, figures, armies and fleets; never changed in place."""

    tokens: dict[str, str] = {}
    figures: dict[str, str | None] = dict.fromkeys(EMPERORS)
    armies: tuple[str, ...] = ()
    fleets: tuple[str, ...] = ()

    def after(self, effects: Iterable[Effect]) -> World:
        """The board after these effects."""
        tokens, figures = dict(self.tokens), dict(self.figures)
        armies, fleets = list(self.armies), list(self.fleets)
        for effect in effects:
            kind, facts = effect.kind, effect.facts
            if kind == "holding":
                if effect.holder is None:
                    del tokens[effect.subject]
                else:
                    tokens[effect.subject] = effect.holder
            elif kind in COMES:
                figures[str(effect.holder)] = effect.subject
            elif kind == "emperor_removed":
                figures[str(effect.holder)] = None
            elif kind == "invaders":
                armies.append(effect.subject)
            elif kind in ("advance", "army_removed"):
                armies.remove(str(facts["space"]))
                armies += [effect.subject] if kind == "advance" else []
            elif kind == "fleets":
                fleets = list(facts["zones"])
            elif kind == "sailed":
                fleets.remove(facts["zone"])
                fleets.append(facts["to_zone"])
        return World(tokens, figures, tuple(armies), tuple(fleets))
