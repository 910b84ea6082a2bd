"""Effects of moves in the words of a title."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from engine.effects import Effect


@runtime_checkable
class Detailed(Protocol):
    """A title with words of its own for effects that change no account; others show their cause."""

    def effect_text(self, scenario: Any, effect: Effect) -> str:
        """Return an effect as a phrase without full stop, in the current language."""
        ...
