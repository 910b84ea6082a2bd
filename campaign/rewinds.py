"""An undo or a restoration before it is said: which moves it would turn, and the position that it would leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from campaign import moments, undone
from campaign.errors import CannotUndo, NoSuchEntry
from campaign.models import Campaign, LogEntry
from campaign.services import undoing
from campaign.words_away import STANDING
from engine.errors import IllegalMove

UNDO, RESTORE, OWN = "undo", "restore", "own"


@dataclass(frozen=True)
class Rewind:
    """`how` is one of the three words above; `number` what the act would name: the last entry that stays, the undo, or the
    first move that its seat takes back (None where only some may see it)."""

    campaign: Campaign
    how: str
    number: int | None
    moves: tuple[LogEntry, ...]
    """Those that would be struck, or be in force again, in their order, whoever may see them; with their rolls."""
    acts: tuple[LogEntry, ...]
    """What was said of these moves: claims of the battles that they launched, that a standing order made one …"""
    stands: tuple[int, ...]
    """The sequences of the moves then in force."""

    @cached_property
    def position(self) -> Any:
        """Nobody may change it. Raises `CannotUndo` where a hidden move of somebody else hangs on what a seat takes back."""
        try:
            return moments.as_if(self.campaign, self.stands)
        except IllegalMove:
            raise CannotUndo("built-upon", _("Something else has come to hang on this move.")) from None

    @property
    def back(self) -> bool:
        return self.how == RESTORE

    @cached_property
    def rows(self) -> list[int]:
        return [one.pk for one in self.moves]

    @cached_property
    def in_force(self) -> frozenset[int]:
        return frozenset(self.stands)


def to(campaign: Campaign, number: int) -> Rewind:
    """What `services.undo_to` would do. Raises `NoSuchEntry` and `CannotUndo` as it does."""
    road = moments.trail(campaign)
    place = road.at(number)
    if place is not None:
        cut = road.stops[place].sequence
    else:
        found = campaign.entries.filter(number=number).values_list("sequence", flat=True).first()
        if found is None:
            raise NoSuchEntry
        cut = found
    gone = [one for one in road.sequences if one > cut]
    if not gone:
        raise CannotUndo("nothing-to-undo", _("No move in force comes after this entry."))
    return Rewind(campaign, UNDO, number, *_moves(campaign, gone), tuple(one for one in road.sequences if one <= cut))


def own(campaign: Campaign, gone: Sequence[LogEntry]) -> Rewind:
    """What `services.undo_own` would do with these moves, the last one first (`services.own_undos`)."""
    struck = {one.sequence for one in gone}
    stands = tuple(one for one in moments.trail(campaign).sequences if one not in struck)
    return Rewind(campaign, OWN, gone[-1].number, *_moves(campaign, sorted(struck)), stands)


def restored(campaign: Campaign, turn: undone.Turn) -> Rewind:
    """What `services.restore` would do with this undo. Raises `CannotUndo` as it does."""
    undoing.must_be_open(turn, frozenset(moments.trail(campaign).sequences))
    return Rewind(campaign, RESTORE, turn.act.number, *_moves(campaign, turn.moves), turn.before)


def of(campaign: Campaign, number: int) -> tuple[undone.Turn, dict[int, undone.Turn]]:
    """The undo of this number, and every undo and restoration. Raises `NoSuchEntry`."""
    told = undone.turns(campaign)
    one = next((turn for turn in told.values() if (turn.act.act, turn.act.number) == ("undo", number)), None)
    if one is None:
        raise NoSuchEntry
    return one, told


def _moves(campaign: Campaign, sequences: Sequence[int]) -> tuple[tuple[LogEntry, ...], tuple[LogEntry, ...]]:
    """The moves with their rolls, and the acts about them; that one was ordered stands right before it. Two queries."""
    places, before = list(sequences), [one - 1 for one in sequences]
    about = Q(sequence__in=before, act=STANDING) | Q(target__sequence__in=places, target__kind=LogEntry.Kind.MOVE)
    found = campaign.entries.filter(Q(sequence__in=places) | (Q(kind=LogEntry.Kind.TABLE) & about)).order_by("sequence")
    entries = list(found.select_related("actor", "struck_by").prefetch_related("rolls"))
    return tuple(one for one in entries if one.is_move), tuple(one for one in entries if not one.is_move)
