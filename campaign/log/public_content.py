"""Moves and acts as data for programs, with only the facts that the reader's log line shows.

A move may name a card that its line does not show, and an act contains facts that no page shows:
the dice of an imported record, the condition of a standing order. Each act declares which of its
facts are public (`Act.public`), so that a new fact stays private until someone declares it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.log.acts.registry import public_facts
from campaign.models import LogEntry
from engine.effects import Effect
from games.contract.title import Title, WithHiddenMoves


def entry_json(game: Title, entry: LogEntry, effects: Iterable[Effect]) -> Mapping[str, Any]:
    """Return the content of an entry for a reader who may see it and these effects of it.

    Fractions are decimals, as in a record.
    """
    content = entry.content
    if entry.is_move:
        return public_move(game, content, effects)
    facts = public_facts(content)
    if isinstance(facts.get("move"), Mapping):
        # The move that a claim names, or that waits for a die, has no effects yet.
        facts["move"] = public_move(game, facts["move"], ())
    return facts


def public_move(
    game: Title, move: Mapping[str, Any], effects: Iterable[Effect]
) -> Mapping[str, Any]:
    """Return a move in record form, without the facts that only some readers know."""
    return game.public_move(move, effects) if isinstance(game, WithHiddenMoves) else move
