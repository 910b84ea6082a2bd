"""Effects of moves in the words of a title."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from engine.effects import Effect


@runtime_checkable
class WithEffectTexts(Protocol):
    """A title with its own words for effects that change no account.

    Other titles show the cause of such an effect.
    """

    def effect_text(self, scenario: Any, effect: Effect) -> str:
        """Return an effect as a phrase without a full stop, in the current language."""
        ...
