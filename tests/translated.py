"""The languages that tests hold to be complete: a language is so from the day on which the first
title has its rules in it.
"""

from __future__ import annotations

from pathlib import Path

from engine.language import FIRST, LANGUAGES

GAMES = Path(__file__).parent.parent / "games"
TRANSLATED = tuple(
    one for one in LANGUAGES if one != FIRST and any(GAMES.glob(f"*/RULES_{one}.md"))
)
