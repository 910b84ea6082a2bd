"""An announcement whose die is thrown elsewhere: kept, with nothing of it applied, until the die is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from campaign import hand, positions
from campaign.errors import NotNow
from campaign.models import Campaign, LogEntry
from campaign.services import acts, moving
from engine.dice import Dice
from engine.errors import Awaits, IllegalMove
from engine.moves import Move
from engine.play import Played


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
    what = {"act": hand.ACT, "how": "parked", "move": raw, "purpose": awaits.purposes[0], "sides": awaits.sides}
    audience = table.game.audience(positions.current(table), moving.decoded(table, positions.current(table), raw))
    return acts.append(table, actor, what, seat=seat, audience=audience, now=at)


def say_or_park(table: Campaign, actor: Any, position: Any, raw: Any, dice: Dice, at: datetime) -> tuple[LogEntry, Any]:
    """`moving.put`, or the act that parks it; then the receipt is None."""
    try:
        return moving.put(table, actor, position, raw, dice, at)
    except Awaits as awaits:
        return park(table, actor, moving.decoded(table, position, raw).to_json(), awaits, at), None


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
    said = Said(position)
    whole = move.to_json()
    for part in list(table.game.expand(position, move)) or [whole]:
        try:
            entry, played = moving.put(table, actor, said.position, part, dice, at)
        except Awaits as awaits:
            said.entries.append(park(table, actor, part if said.entries else whole, awaits, at))
            break
        except IllegalMove as refusal:
            said.refused = refusal
            break
        said.entries.append(entry)
        said.receipts.append(played)
        said.position = played.after
    return said
