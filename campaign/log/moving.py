"""One move on its way into the log, whoever brings it: read, checked, played, written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from campaign.dice import selectors
from campaign.errors import NotNow
from campaign.log import entries, positions
from campaign.log import entries as log_entries
from campaign.models import Campaign, LogEntry
from engine.dice import Dice
from engine.errors import Awaits, IllegalMove
from engine.play import Move, Played, play
from engine.strict_json import canonical, read
from games.contract.title import Title, Unhoused


def decoded(table: Campaign, position: Any, raw: object) -> Move:
    """The move as it will be read from the log: what is played is what will be replayed. Raises `Refused` where a text of it
    holds a mark that nobody sees: the table is stricter than the record (decision 9)."""
    for key, value in raw.items() if isinstance(raw, dict) else ():
        for text in _texts(value):
            entries.must_be_seen(text, str(key)[:40])
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
    entry = entries.append(
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
    entries.project(table, entry, played)
    return entry, played


def save_campaign(table: Campaign, position: Any) -> None:
    """Save the campaign's row, and remember the position that its moves have come to."""
    table.save(update_fields=Campaign.COPIES)
    # An entry's hash is never had again: a transaction that is taken back leaves a position nobody asks for.
    positions.memory.put((table.pk, table.standing_hash), position)


def render(table: Campaign, refusal: IllegalMove) -> None:
    refusal.sentence = table.game.refusal(positions.scenario(table), refusal)


# An announcement whose die is thrown elsewhere: kept, with nothing of it applied, until the die is there.


def must_not_wait(table: Campaign) -> None:
    """Raises `NotNow` while an announcement waits for a die: what follows it must not come before it."""
    if table.parked:
        raise NotNow(
            "awaits-die",
            _("An announcement waits for a die that is thrown elsewhere. The game master enters it; then play goes on."),
        )


def park(table: Campaign, actor: Any, raw: dict[str, Any], awaits: Awaits, at: datetime) -> LogEntry:
    """Keep the announcement, of which nothing is applied, until its die is there. Asks for the campaign's row to be held."""
    seat = str(raw.get("for", raw["by"]))
    what = {"act": selectors.ACT, "how": "parked", "move": raw, "purpose": awaits.purposes[0], "sides": awaits.sides}
    audience = table.game.audience(positions.current(table), decoded(table, positions.current(table), raw))
    return log_entries.append_act(table, actor, what, seat=seat, audience=audience, now=at)


def say_or_park(table: Campaign, actor: Any, position: Any, raw: Any, dice: Dice, at: datetime) -> tuple[LogEntry, Any]:
    """`moving.put`, or the act that parks it; then the receipt is None."""
    try:
        return put(table, actor, position, raw, dice, at)
    except Awaits as awaits:
        return park(table, actor, decoded(table, position, raw).to_json(), awaits, at), None


@dataclass
class Said:
    """What came of a move that may make several entries: those that stand, the last an act where it waits for its die;
    the receipts of those played, the position after them, and the refusal at which it stopped."""

    position: Any
    entries: list[LogEntry] = field(default_factory=list)
    receipts: list[Played[Any]] = field(default_factory=list)
    refused: IllegalMove | None = None


def announce(table: Campaign, actor: Any, position: Any, move: Move, dice: Dice, at: datetime) -> Said:
    """Say a move, part by part, until one is refused or waits for a die. Where the first part waits, all of it does.

    Asks for what `moving.put` does, and for `moving.keep` after it.
    """
    announced = Said(position)
    whole = move.to_json()
    for part in list(table.game.expand(position, move)) or [whole]:
        try:
            entry, played = put(table, actor, announced.position, part, dice, at)
        except Awaits as awaits:
            announced.entries.append(park(table, actor, part if announced.entries else whole, awaits, at))
            break
        except IllegalMove as refusal:
            announced.refused = refusal
            break
        announced.entries.append(entry)
        announced.receipts.append(played)
        announced.position = played.after
    return announced
