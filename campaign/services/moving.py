"""One move on its way into the log, whoever brings it: read, checked, played, written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from campaign import positions, projections
from campaign.models import Campaign, LogEntry
from campaign.services import log
from engine.dice import Dice
from engine.errors import IllegalMove
from engine.log import canonical
from engine.moves import Move
from engine.play import Played, play
from engine.strict_json import read
from engine.title import Title, Unhoused


def decoded(table: Campaign, position: Any, raw: object) -> Move:
    """The move as it will be read from the log: what is played is what will be replayed. Raises `Refused` where a text of it
    holds a mark that nobody sees: the table is stricter than the record (decision 9)."""
    for key, value in raw.items() if isinstance(raw, dict) else ():
        for text in _texts(value):
            log.must_be_seen(text, str(key)[:40])
    return as_logged(table.game, position, raw)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and value:
        try:
            yield canonical(value)
        except (TypeError, ValueError, RecursionError):
            return  # no move has such a value: refused when it is read


def as_logged(game: Title, position: Any, raw: object) -> Move:
    """A move of a title as a log would give it back. Raises `IllegalMove`, too, where the table has no place for it."""
    try:
        text = canonical(raw)
        text.encode()
    except (TypeError, ValueError, RecursionError):
        raise IllegalMove("bad-argument", "") from None
    move = game.decode(read(text), position)
    if isinstance(game, Unhoused) and game.only_in_records(position, move):
        raise IllegalMove("not-allowed", "", "only-in-records")
    return game.decode(read(canonical(move.to_json())), position)


def allowed(table: Campaign, position: Any, raw: object) -> Move:
    """The move, if its form is right and nothing forbids it before a die is thrown. Raises `IllegalMove` with its
    `sentence`."""
    try:
        move = decoded(table, position, raw)
        move.admit(position)
        move.check(position)
    except IllegalMove as refusal:
        render(table, refusal)
        raise
    return move


def put(table: Campaign, actor: Any, position: Any, raw: object, dice: Dice, at: datetime) -> tuple[LogEntry, Played[Any]]:
    """Play it on the position, log it with its rolls, and write the readings. Raises `IllegalMove` with its `sentence`.

    Asks for a transaction that holds the campaign's row, and for who may to be asked before. `keep` follows, once.
    """
    try:
        move = decoded(table, position, raw)
        audience = table.game.audience(position, move)
        played = play(position, move, dice)
    except IllegalMove as refusal:
        render(table, refusal)
        raise
    entry = log.append(
        table,
        move.to_json(),
        played.after,
        kind=LogEntry.Kind.MOVE,
        actor=actor,
        seat=move.seat,
        at=at,
        audience=audience,
        effects=positions.effects_text(played),
        rolls=played.rolls,
        before=position,
    )
    projections.project(table, entry, played)
    return entry, played


def keep(table: Campaign, position: Any) -> None:
    """Save the campaign's row, and remember the position that its moves have come to."""
    table.save(update_fields=Campaign.COPIES)
    # An entry's hash is never had again: a transaction that is taken back leaves a position nobody asks for.
    positions.memory.put((table.pk, table.standing_hash), position)


def render(table: Campaign, refusal: IllegalMove) -> None:
    refusal.sentence = table.game.refusal(positions.scenario(table), refusal)
