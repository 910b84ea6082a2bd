"""The languages that tests require to be complete: those with rules of at least one title."""

from __future__ import annotations

from pathlib import Path

from engine.language import FIRST, LANGUAGES

GAMES = Path(__file__).parent.parent / "games"
TRANSLATED = tuple(
    language
    for language in LANGUAGES
    if language != FIRST and any(GAMES.glob(f"*/RULES_{language}.md"))
)
