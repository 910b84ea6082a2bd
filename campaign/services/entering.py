"""A game master's move that the table itself enters: what both sides of a contest agreed on, or what was judged."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from campaign import positions, projections
from campaign.audience import GAME_MASTER
from campaign.errors import Refused
from campaign.models import Campaign, LogEntry
from campaign.services import log
from engine.errors import IllegalMove
from engine.log import canonical
from engine.moves import Move
from engine.play import play
from engine.strict_json import read


def heard(table: Campaign, raw: Mapping[str, Any]) -> Move:
    """The move as it will be read from the log, if nothing forbids it now. Raises `IllegalMove` with its `sentence`."""
    position = positions.current(table)
    try:
        move = table.game.decode(read(canonical(dict(raw))), position)
        move.admit(position)
        move.check(position)
    except IllegalMove as refusal:
        refusal.sentence = table.game.refusal(positions.scenario(table), refusal)
        raise
    if move.seat != GAME_MASTER:
        raise Refused("no-result", "Only the game master's own moves enter a result.")
    return move


def enter(table: Campaign, actor: Any, move: Move, at: datetime) -> LogEntry:
    """Play it at once. Asks for a transaction that holds the campaign's row, and for who may to be asked before.

    The record knows it as the game master's; the entry's actor is who brought it about, and the act before says how.
    """
    before = positions.current(table)
    if len(table.game.expand(before, move)) > 1:
        raise Refused("two-moves", "Something must be said before: this result makes two entries.")
    try:
        played = play(before, move, positions.dice(table))
    except IllegalMove as refusal:
        refusal.sentence = table.game.refusal(positions.scenario(table), refusal)
        raise
    entry = log.append(
        table,
        move.to_json(),
        played.after,
        kind=LogEntry.Kind.MOVE,
        actor=actor,
        seat=move.seat,
        at=at,
        audience=table.game.audience(before, move),
        effects=positions.effects_text(played),
        rolls=played.rolls,
        before=before,
    )
    projections.project(table, entry, played)
    table.save(update_fields=Campaign.COPIES)
    positions.memory.put((table.pk, table.standing_hash), played.after)
    return entry
