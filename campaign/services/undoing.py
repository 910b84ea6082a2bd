"""Striking moves and restoring them. Struck entries stay, readable; dice come again with the same values."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any, cast

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from campaign import access, concerning, life, positions, projections, undone
from campaign.access import Access
from campaign.audience import GAME_MASTER, visible
from campaign.errors import CannotUndo, NoSuchCampaign, NoSuchEntry, NotAllowed
from campaign.models import Campaign, DiceRoll, LogEntry
from campaign.services import asking, log
from engine.effects import Effect
from engine.errors import IllegalMove

OWN = 20
"""So many of its last moves a seat strikes at once."""


def own_undo(campaign: Campaign, who: Access) -> LogEntry:
    """The move that this user may strike now, as its seat. Raises `CannotUndo`, which says what stands in the way."""
    return own_undos(campaign, who, 1)[0]


def own_undos(campaign: Campaign, who: Access, most: int = OWN) -> list[LogEntry]:
    """The moves that this user may strike one after the other, the last one first: those of one seat, seen by the same.

    Raises `CannotUndo` where there is none.
    """
    if campaign.paused or campaign.abandoned or campaign.archived or campaign.suspended:
        raise CannotUndo("not-played", _("The campaign is not played at present."))
    # What the others did in secret is passed over: an answer that named it would tell of it.
    thrown = Exists(DiceRoll.objects.filter(entry=OuterRef("pk")))
    found = positions.standing(campaign).filter(visible(who.voices)).annotate(thrown=thrown).order_by("-sequence")
    made: list[LogEntry] = []
    for move in found[:most] or [None]:
        if made and move is not None and (move.seat, move.audience) != (made[0].seat, made[0].audience):
            break
        try:
            made.append(_own(move, who))
        except CannotUndo:
            if not made:
                raise
            break
    return made


def _own(last: Any, who: Access) -> LogEntry:
    """This move, if it may be struck by its seat as the last one; `thrown` is annotated."""
    if last is None or last.seat == GAME_MASTER or last.seat not in who.seats:
        raise CannotUndo("not-your-move", _("The last move is not yours."))
    if last.said["by"] != last.seat:
        raise CannotUndo("not-your-move", _("The game master made the last move for you."))
    if last.thrown:
        raise CannotUndo("die-thrown", _("A die has been thrown: only the game master can undo this."))
    if reveals(last.all_effects):
        raise CannotUndo("card-revealed", _("A card has changed hands or been shown: only the game master can undo this."))
    return cast(LogEntry, last)


def reveals(effects: tuple[Effect, ...]) -> bool:
    """Did somebody learn of a card by this? One that comes back from the own table was known before."""
    lost = [(effect.holder, effect.subject) for effect in effects if effect.kind == "card" and effect.change < 0]
    for effect in effects:
        if effect.audience is not None:
            return True
        if effect.kind == "card" and effect.change > 0:
            if (effect.holder, effect.subject) not in lost:
                return True
            lost.remove((effect.holder, effect.subject))
    return False


def until(moves: list[LogEntry], first: int | None) -> list[LogEntry]:
    """Of these moves, the last one first, those from this number on; without it only the last. Raises `CannotUndo`."""
    place = 0 if first is None else next((at for at, one in enumerate(moves) if one.number == first), None)
    if place is None:
        raise CannotUndo("not-so-far", _("You cannot go back so far by yourself."))
    return moves[: place + 1]


@transaction.atomic
def undo_own(campaign: Campaign, user: Any, seen: int, first: int | None = None, *, now: datetime | None = None) -> LogEntry:
    """A seat strikes its own last move, or all from the one of the number `first` on, as far as `own_undos` goes."""
    table = log.lock(campaign)
    who = _member(table, user)
    log.must_be_current(table, who, seen)
    gone = until(own_undos(table, who), first)
    what = {"act": "undo", "own": True} | ({"moves": len(gone)} if len(gone) > 1 else {})
    try:
        return _strike(table, user, [one.pk for one in gone], gone[-1], what, gone[0].seat, gone[0].viewers, log.moment(now))
    except IllegalMove:
        raise CannotUndo("built-upon", _("Something else has come to hang on this move.")) from None


@transaction.atomic
def undo_to(campaign: Campaign, user: Any, number: int, reason: str, seen: int, *, now: datetime | None = None) -> LogEntry:
    """The game master strikes every move after the entry of this number, in public; in a pause, too."""
    table = log.lock(campaign)
    who = access.must_be_game_master(table, user)
    life.must_be_played(table, by_master=True)
    log.must_be_current(table, who, seen)
    target = _numbered(table, number)
    what = {"act": "undo", "after": number, "reason": log.a_reason(reason)}
    gone = positions.standing(table).filter(sequence__gt=target.sequence).values_list("pk", flat=True)
    if not gone:
        raise CannotUndo("nothing-to-undo", _("No move in force comes after this entry."))
    at = log.moment(now)
    entry = _strike(table, user, list(gone), target, what, GAME_MASTER, None, at)
    asking.ask(table, user, entry, partial(concerning.of_struck, list(entry.struck.all())), at)
    return entry


@transaction.atomic
def restore(
    campaign: Campaign, user: Any, number: int, reason: str, seen: int | None = None, *, now: datetime | None = None
) -> LogEntry:
    """The game master puts back in force what the undo of this number struck, if the moves in force are those it left."""
    table = log.lock(campaign)
    who = access.must_be_game_master(table, user)
    life.must_be_played(table, by_master=True)
    if seen is not None:
        log.must_be_current(table, who, seen)
    undo = _numbered(table, number)
    if undo.act != "undo":
        raise CannotUndo("no-undo", _("This entry is no undo."))
    must_be_open(undone.turns(table)[undo.pk], frozenset(positions.standing(table).values_list("sequence", flat=True)))
    what = {"act": "restore", "undo": number, "reason": log.a_reason(reason)}
    back = list(undo.struck.values_list("pk", flat=True))
    table.entries.filter(pk__in=back).update(struck_by=None)
    at = log.moment(now)
    entry = _turn_back(table, user, what, GAME_MASTER, None, undo, at)
    table.entries.filter(pk=undo.pk).update(struck_by=entry)
    asking.ask(table, user, entry, partial(concerning.of_struck, list(table.entries.filter(pk__in=back))), at)
    return entry


def must_be_open(turn: undone.Turn, now: frozenset[int]) -> None:
    """Raises `CannotUndo` unless the moves in force `now` are those that this undo left: only then its branch goes on."""
    if turn.act.struck_by_id is not None:
        raise CannotUndo("restored", _("This has been restored already."))
    if now - turn.stands:
        raise CannotUndo("played-since", _("The campaign has gone on since."))
    if now != turn.stands:
        raise CannotUndo("undone-since", _("A later undo must be restored first."))


def _strike(
    table: Campaign,
    user: Any,
    gone: list[int],
    target: LogEntry,
    what: dict[str, Any],
    seat: str,
    audience: tuple[str, ...] | None,
    at: datetime,
) -> LogEntry:
    """Take these moves out of force."""
    # Struck in two steps, since the undo's digest is of the position that it leaves.
    LogEntry.objects.filter(pk__in=gone).update(struck_by=target)
    entry = _turn_back(table, user, what, seat, audience, target, at)
    LogEntry.objects.filter(pk__in=gone).update(struck_by=entry)
    return entry


def _turn_back(
    table: Campaign,
    user: Any,
    what: dict[str, Any],
    seat: str,
    audience: tuple[str, ...] | None,
    target: LogEntry,
    at: datetime,
) -> LogEntry:
    """Log the act and write all readings anew from the moves now in force."""
    history = positions.history(table)
    entry = log.append(table, what, history.after, actor=user, seat=seat, audience=audience, target=target, at=at)
    table.save(update_fields=Campaign.COPIES)
    positions.memory.put((table.pk, table.standing_hash), history.after)
    projections.rebuild(table, history)
    return entry


def _numbered(table: Campaign, number: object) -> LogEntry:
    entry = table.entries.filter(number=number).first() if type(number) is int else None
    if entry is None:
        raise NoSuchEntry
    return entry


def _member(table: Campaign, user: Any) -> Access:
    who = access.of(table, user)
    if not who.seats:
        if table.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed("not-your-seat", _("You hold no seat here."))
    return who
