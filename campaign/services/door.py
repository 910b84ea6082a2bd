"""One move, from the form to the log (HOUSE)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from campaign import access, life, positions
from campaign.access import Access
from campaign.audience import GAME_MASTER
from campaign.errors import NoSuchCampaign, NotAllowed
from campaign.models import Campaign, LogEntry
from campaign.services import asking, log, moving, ordering, parking, seating
from engine.effects import Effect, Roll
from engine.errors import IllegalMove
from engine.moves import Move
from engine.title import Branch


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a move: its entries (a report on an unanswered challenge makes two), unfiltered. The last is an act
    where the announcement is parked until its die is there (`campaign.hand`)."""

    campaign: Campaign
    entries: tuple[LogEntry, ...]
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What would come of a move: its ways to turn out, effects filtered for who asks; nothing thrown or written."""

    move: dict[str, Any]
    branches: tuple[Branch, ...]


def play(
    campaign: Campaign, user: Any, raw_move: object, seen: int, *, now: datetime | None = None, program: bool = False
) -> Result:
    """Play a user's move: locked, checked, logged, projected, in one transaction. `program`: our own program has chosen it,
    which a game master who plays may let it do for a seat that nobody holds.

    Raises `TableMovedOn` if `seen` is not his last entry, `NotAllowed` if the voice is not his, and the title's
    `IllegalMove` with its `sentence`; then nothing is written. One exception: where an earlier part of a move that
    makes two entries threw a die, that part stands, and the `IllegalMove` of the later part is raised after commit.
    """
    at = log.moment(now)
    with transaction.atomic():
        table = log.lock(campaign)
        who = _speaker(table, user)
        _must_be_played(table, who, raw_move)
        parking.must_not_wait(table)
        log.must_be_current(table, who, seen)
        position = positions.current(table)
        move = _heard(table, position, who, raw_move, program)
        said = parking.announce(table, user, position, move, positions.dice(table, new=True), at)
        if said.refused is not None and not any(receipt.rolls for receipt in said.receipts):
            raise said.refused
        moving.keep(table, said.position)
        if said.entries[-1].is_move:
            ordering.at_once(table, said.entries[-1], position, at)
        asking.of_moves(table, user, said.entries, position, said.position, at)
    if said.refused is not None:
        raise said.refused
    effects = tuple(effect for receipt in said.receipts for effect in receipt.effects)
    return Result(table, tuple(said.entries), effects, tuple(roll for receipt in said.receipts for roll in receipt.rolls))


def preview(campaign: Campaign, user: Any, raw_move: object) -> Preview:
    """How the move may turn out now. Raises as `play` does, and writes nothing."""
    who = _speaker(campaign, user)
    _must_be_played(campaign, who, raw_move)
    position = positions.current(campaign)
    move = _heard(campaign, position, who, raw_move)
    try:
        found = campaign.game.branches(position, move)
    except IllegalMove as refusal:
        moving.render(campaign, refusal)
        raise
    seen = [branch._replace(effects=tuple(e for e in branch.effects if who.sees(e.audience))) for branch in found]
    return Preview(move.to_json(), tuple(seen))


def _speaker(campaign: Campaign, user: Any) -> Access:
    who = access.of(campaign, user)
    if who.voices:
        return who
    if campaign.visibility == Campaign.Visibility.MEMBERS and not who.member:
        raise NoSuchCampaign
    raise NotAllowed("not-at-the-table", _("Only who holds a seat at this table, and the game master, may play."))


def _must_be_played(campaign: Campaign, who: Access, raw: object) -> None:
    """In a pause the game master goes on in his own name: corrections and results, no seat's moves."""
    own = isinstance(raw, dict) and raw.get("by", who.voices[0]) == GAME_MASTER and "for" not in raw
    life.must_be_played(campaign, own and who.game_master)


def _heard(campaign: Campaign, position: Any, who: Access, raw: object, program: bool = False) -> Move:
    """The move, if its form is right, its voice this user's, and nothing forbids it before a die is thrown; with
    `settings.AT_THE_DOOR` what other rooms have to say."""
    if isinstance(raw, dict) and "by" not in raw:
        raw = {"by": who.voices[0], **raw}
    if isinstance(raw, dict) and raw.get("by") not in who.voices and not (program and _of_nobody(campaign, who, raw)):
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    move = moving.allowed(campaign, position, raw)
    for path in settings.AT_THE_DOOR:
        import_string(path)(campaign, move.to_json())
    return move


def _of_nobody(campaign: Campaign, who: Access, raw: dict[str, Any]) -> bool:
    """Is it a game master's word for a seat that nobody holds?"""
    return who.host and raw.get("by") == GAME_MASTER and raw.get("for") in seating.free_seats(campaign)
