"""What was said, as data for programs: no more of it than the log's own line tells the same reader.

A move may name a card that its line keeps to itself, and an act keeps facts that no page shows: the dice an import brought,
when a standing order was to speak. Of acts, what is told is listed, so that a fact which comes later is kept until somebody
lists it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.models import LogEntry
from engine.effects import Effect
from engine.title import Discreet, Title

TOLD = frozenset({
    "act", "how", "seat", "user", "from", "host", "reason", "text", "entry", "url", "days",
    "undo", "after", "own", "moves", "ruling", "rule", "revises",
    "battle", "contest", "claim", "applied", "unopposed", "to", "yes",
    "purpose", "sides", "value", "move",
    "format", "options", "commitment", "seed", "free", "applications", "order",
    "first", "last", "kind", "was", "zone", "terms", "changed",
})  # fmt: skip
"""The facts of acts that everybody may know who sees the act. People are numbers."""


def told(game: Title, entry: LogEntry, effects: Iterable[Effect]) -> Mapping[str, Any]:
    """What the entry says, for a reader who may see it and these of its effects; fractions are decimals, as in a record."""
    said = entry.said
    if entry.is_move:
        return spoken(game, said, effects)
    kept = {key: value for key, value in said.items() if key in TOLD}
    if isinstance(kept.get("move"), Mapping):  # what a claim means, or what waits for a die: it has no effects yet
        kept["move"] = spoken(game, kept["move"], ())
    return kept


def spoken(game: Title, move: Mapping[str, Any], effects: Iterable[Effect]) -> Mapping[str, Any]:
    """A move in record form, without what only its speaker and some others know."""
    return game.spoken(move, effects) if isinstance(game, Discreet) else move
