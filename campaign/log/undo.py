"""Undo and restoration: which moves they would turn, who may do them, and the services that log
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, cast

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from campaign import access, review, status
from campaign.access import Access
from campaign.dice import services as dice_services
from campaign.errors import CannotUndo, NoSuchCampaign, NoSuchEntry, NotAllowed, TableError
from campaign.log import entries, history, positions
from campaign.log import history as log_history
from campaign.log.acts.programs import STANDING
from campaign.log.acts.undo import RESTORE, UNDO
from campaign.log.rewind import OWN, Rewind
from campaign.models import GAME_MASTER, Campaign, DiceRoll, LogEntry, visible
from engine.effects import Effect
from engine.errors import IllegalMove


def to(campaign: Campaign, number: int, known: Sequence[LogEntry] = ()) -> Rewind:
    """What `services.undo_to` would do. `known` are moves that were read already. Raises
    `NoSuchEntry` and `CannotUndo` as it does.
    """
    road = history.trail(campaign)
    place = road.at(number)
    if place is not None:
        cut = road.stops[place].sequence
    else:
        sequence = campaign.entries.filter(number=number).values_list("sequence", flat=True).first()
        if sequence is None:
            raise NoSuchEntry
        cut = sequence
    gone = [one for one in road.sequences if one > cut]
    if not gone:
        raise CannotUndo("nothing-to-undo", _("No move in force comes after this entry."))
    return Rewind(
        campaign,
        UNDO.name,
        number,
        *_moves(campaign, gone, known),
        tuple(one for one in road.sequences if one <= cut),
    )


def own_rewind(campaign: Campaign, gone: Sequence[LogEntry]) -> Rewind:
    """What `services.undo_own` would do with these moves, the last one first
    (`services.own_undos`).
    """
    struck = {one.sequence for one in gone}
    stands = tuple(one for one in history.trail(campaign).sequences if one not in struck)
    return Rewind(campaign, OWN, gone[-1].number, *_moves(campaign, sorted(struck), gone), stands)


def restored(campaign: Campaign, number: int) -> tuple[log_history.Turn, Rewind]:
    """Return the undo of this number, and what `services.restore` would do with it. Raises
    `NoSuchEntry` and `CannotUndo` as it does. One query.
    """
    table_acts = Q(act=STANDING.name) | Q(target__kind=LogEntry.Kind.MOVE)
    moves_and_acts = Q(kind=LogEntry.Kind.MOVE) | (Q(kind=LogEntry.Kind.TABLE) & table_acts)
    rows = campaign.entries.filter(moves_and_acts | log_history.ACTS).order_by("sequence")
    entries = list(rows.select_related("actor", "struck_by", "target").defer("target__effects"))
    moves = {entry.sequence: entry for entry in entries if entry.is_move}
    acts = [entry for entry in entries if not entry.is_move]
    turning = [act for act in acts if act.act in (UNDO.name, RESTORE.name)]
    turns = log_history.fold([(place, move.seat) for place, move in moves.items()], turning)
    turn = _undo_of(turns, number)
    must_be_open(turn, frozenset(history.trail(campaign).sequences))
    about = tuple(act for act in acts if _is_about(act, frozenset(turn.moves)))
    turned = tuple(moves[place] for place in turn.moves)
    return turn, Rewind(campaign, RESTORE.name, number, turned, about, turn.before)


def _is_about(act: LogEntry, moves: frozenset[int]) -> bool:
    """Return whether an act is about one of these moves, as `_moves` finds it."""
    target = act.target
    ordered = act.act == STANDING.name and act.sequence + 1 in moves
    return ordered or (target is not None and target.is_move and target.sequence in moves)


def rewind_of(
    campaign: Campaign, number: int
) -> tuple[log_history.Turn, dict[int, log_history.Turn]]:
    """The undo of this number, and every undo and restoration. Raises `NoSuchEntry`."""
    turns = log_history.turns(campaign)
    return _undo_of(turns, number), turns


def _undo_of(turns: Mapping[int, log_history.Turn], number: int) -> log_history.Turn:
    """Return the undo of this number. Raises `NoSuchEntry`."""
    for turn in turns.values():
        if (turn.act.act, turn.act.number) == (UNDO.name, number):
            return turn
    raise NoSuchEntry


def _moves(
    campaign: Campaign, sequences: Sequence[int], known: Sequence[LogEntry] = ()
) -> tuple[tuple[LogEntry, ...], tuple[LogEntry, ...]]:
    """Return the moves, and the acts about them: the act that ordered a move is the entry right
    before it. `known` are moves that were read already. One query.
    """
    places, before = list(sequences), [one - 1 for one in sequences]
    moves = {entry.sequence: entry for entry in known if entry.sequence in places}
    unread = [place for place in places if place not in moves]
    about = Q(sequence__in=before, act=STANDING.name) | Q(
        target__sequence__in=places, target__kind=LogEntry.Kind.MOVE
    )
    rows = campaign.entries.filter(
        Q(sequence__in=unread) | (Q(kind=LogEntry.Kind.TABLE) & about)
    ).order_by("sequence")
    entries = list(rows.select_related("actor", "struck_by"))
    moves |= {entry.sequence: entry for entry in entries if entry.is_move}
    acts = tuple(entry for entry in entries if not entry.is_move)
    return tuple(moves[place] for place in sorted(moves)), acts


# Striking moves and restoring them. Struck entries stay, readable; dice come again with the same
# values.

OWN_UNDO = 20
"""So many of its last moves a seat strikes at once."""


def own_undo(campaign: Campaign, who: Access) -> LogEntry:
    """The move that this user may strike now, as its seat. Raises `CannotUndo`, which says what
    stands in the way.
    """
    return own_undos(campaign, who, 1)[0]


def own_undos(campaign: Campaign, who: Access, most: int = OWN_UNDO) -> list[LogEntry]:
    """The moves that this user may strike one after the other, the last one first: those of one
    seat, seen by the same.

    Raises `CannotUndo` where there is none.
    """
    if campaign.paused or campaign.abandoned or campaign.archived or campaign.suspended:
        raise CannotUndo("not-played", _("The campaign is not played at present."))
    # What the others did in secret is passed over: an answer that named it would tell of it.
    undone: list[LogEntry] = []
    moves: Sequence[LogEntry | None] = list(_last_moves(campaign, who)[:most]) or [None]
    for move in moves:
        if (
            undone
            and move is not None
            and (move.seat, move.audience) != (undone[0].seat, undone[0].audience)
        ):
            break
        try:
            undone.append(_own_last_move(move, who))
        except CannotUndo:
            if not undone:
                raise
            break
    return undone


def _last_moves(campaign: Campaign, who: Access) -> QuerySet[LogEntry]:
    """Return the moves in force that this user sees with their people, the last one first;
    `thrown` says whether dice were thrown for one.
    """
    thrown = Exists(DiceRoll.objects.filter(entry=OuterRef("pk")))
    moves = positions.moves_in_force(campaign).filter(visible(who.voices))
    return moves.annotate(thrown=thrown).select_related("actor").order_by("-sequence")


def _own_last_move(last: Any, who: Access) -> LogEntry:
    """This move, if it may be struck by its seat as the last one; `thrown` is annotated."""
    if last is None or last.seat == GAME_MASTER or last.seat not in who.seats:
        raise CannotUndo("not-your-move", _("The last move is not yours."))
    if last.content["by"] != last.seat:
        raise CannotUndo("not-your-move", _("The game master made the last move for you."))
    if last.thrown:
        raise CannotUndo(
            "die-thrown", _("A die has been thrown: only the game master can undo this.")
        )
    if reveals(last.all_effects):
        raise CannotUndo(
            "card-revealed",
            _("A card has changed hands or was shown: only the game master can undo this."),
        )
    return cast(LogEntry, last)


def reveals(effects: tuple[Effect, ...]) -> bool:
    """Did somebody learn of a card by this? One that comes back from the own table was known
    before.
    """
    lost = [
        (effect.holder, effect.subject)
        for effect in effects
        if effect.kind == "card" and effect.change < 0
    ]
    for effect in effects:
        if effect.audience is not None:
            return True
        if effect.kind == "card" and effect.change > 0:
            if (effect.holder, effect.subject) not in lost:
                return True
            lost.remove((effect.holder, effect.subject))
    return False


def until(moves: list[LogEntry], first: int | None) -> list[LogEntry]:
    """Of these moves, the last one first, those from this number on; without it only the last.
    Raises `CannotUndo`.
    """
    place = (
        0
        if first is None
        else next((at for at, one in enumerate(moves) if one.number == first), None)
    )
    if place is None:
        raise CannotUndo("not-so-far", _("You cannot go back so far yourself."))
    return moves[: place + 1]


Ahead = positions.History | None
"""What a log will give without the struck moves, or with the restored ones, replayed before the row
is held.
"""


def _replayed(campaign: Campaign, stands: Callable[[], Iterable[LogEntry]]) -> Ahead:
    """None where it cannot be foreseen: what is asked is refused then, or the replay follows under
    the lock.
    """
    with suppress(IllegalMove, TableError):
        return positions.history(campaign, list(stands()))
    return None


def undo_own(
    campaign: Campaign,
    user: Any,
    seen: int,
    first: int | None = None,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """A seat strikes its own last move, or all from the one of the number `first` on, as far as
    `own_undos` goes.
    """

    def staying() -> Iterable[LogEntry]:
        gone = until(own_undos(campaign, _member(campaign, user)), first)
        return positions.moves_in_force(campaign).exclude(pk__in=[one.pk for one in gone])

    ahead = _replayed(campaign, staying)
    with transaction.atomic():
        table = entries.lock(campaign)
        who = _member(table, user)
        entries.must_be_current(table, who, seen)
        gone = until(own_undos(table, who), first)
        what = {"act": UNDO.name, "own": True} | ({"moves": len(gone)} if len(gone) > 1 else {})
        last, at = gone[0], entries.moment(now)
        try:
            return _strike(
                table,
                user,
                [one.pk for one in gone],
                gone[-1],
                what,
                last.seat,
                last.viewers,
                at,
                ahead,
            )
        except IllegalMove:
            raise CannotUndo("built-upon", _("Something else now depends on this move.")) from None


def undo_to(
    campaign: Campaign,
    user: Any,
    number: int,
    reason: str,
    seen: int,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """The game master strikes every move after the entry of this number, in public; in a pause,
    too.
    """

    def staying() -> Iterable[LogEntry]:
        access.must_be_game_master(campaign, user)
        return positions.moves_in_force(campaign).filter(
            sequence__lte=_numbered(campaign, number).sequence
        )

    ahead = _replayed(campaign, staying)
    with transaction.atomic():
        return _undo_to(campaign, user, number, reason, seen, entries.moment(now), ahead)


def _undo_to(
    campaign: Campaign, user: Any, number: int, reason: str, seen: int, at: datetime, ahead: Ahead
) -> LogEntry:
    table = entries.lock(campaign)
    who = access.must_be_game_master(table, user)
    status.must_be_played(table, by_master=True)
    entries.must_be_current(table, who, seen)
    target = _numbered(table, number)
    what = {"act": UNDO.name, "after": number, "reason": entries.a_reason(reason)}
    gone = (
        positions.moves_in_force(table)
        .filter(sequence__gt=target.sequence)
        .values_list("pk", flat=True)
    )
    if not gone:
        raise CannotUndo("nothing-to-undo", _("No move in force comes after this entry."))
    entry = _strike(table, user, list(gone), target, what, GAME_MASTER, None, at, ahead)
    review.ask(table, user, entry, partial(review.of_struck, list(entry.struck.all())), at)
    return entry


def restore(
    campaign: Campaign,
    user: Any,
    number: int,
    reason: str,
    seen: int | None = None,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """The game master puts back in force what the undo of this number struck, if the moves in force
    are those it left.
    """

    def standing() -> Iterable[LogEntry]:
        access.must_be_game_master(campaign, user)
        in_force = Q(struck_by=None) | Q(struck_by=_numbered(campaign, number))
        return campaign.entries.filter(in_force, kind=LogEntry.Kind.MOVE).order_by("sequence")

    ahead = _replayed(campaign, standing)
    with transaction.atomic():
        return _restore(campaign, user, number, reason, seen, entries.moment(now), ahead)


def _restore(
    campaign: Campaign,
    user: Any,
    number: int,
    reason: str,
    seen: int | None,
    at: datetime,
    ahead: Ahead,
) -> LogEntry:
    table = entries.lock(campaign)
    who = access.must_be_game_master(table, user)
    status.must_be_played(table, by_master=True)
    if seen is not None:
        entries.must_be_current(table, who, seen)
    undo = _numbered(table, number)
    if undo.act != UNDO.name:
        raise CannotUndo("no-undo", _("This entry is not an undo."))
    must_be_open(
        log_history.turns(table)[undo.pk],
        frozenset(positions.moves_in_force(table).values_list("sequence", flat=True)),
    )
    what = {"act": RESTORE.name, "undo": number, "reason": entries.a_reason(reason)}
    back = list(undo.struck.values_list("pk", flat=True))
    table.entries.filter(pk__in=back).update(struck_by=None)
    entry = _turn_back(table, user, what, GAME_MASTER, None, undo, at, ahead)
    table.entries.filter(pk=undo.pk).update(struck_by=entry)
    review.ask(
        table, user, entry, partial(review.of_struck, list(table.entries.filter(pk__in=back))), at
    )
    return entry


def must_be_open(turn: log_history.Turn, now: frozenset[int]) -> None:
    """Raises `CannotUndo` unless the moves in force `now` are those that this undo left: only then
    its branch goes on.
    """
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
    ahead: Ahead,
) -> LogEntry:
    """Take these moves out of force."""
    published = table.game.links_due(positions.current(table))
    # Struck in two steps, since the undo's digest is of the position that it leaves.
    LogEntry.objects.filter(pk__in=gone).update(struck_by=target)
    entry = _turn_back(table, user, what, seat, audience, target, at, ahead, published)
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
    ahead: Ahead,
    published: int = 0,
) -> LogEntry:
    """Log the act and write all readings anew from the moves now in force. `published` links were
    published before it: where fewer would be now, dice that nobody has thrown yet could be
    foreseen, so they are renewed in the same entry.
    """
    stands = list(positions.moves_in_force(table).values_list("pk", flat=True))
    if ahead is None or [step.entry.pk for step in ahead.steps] != stands:
        ahead = positions.history(table)
    history = ahead
    behind = table.game.links_due(history.after) < published
    fresh = dice_services.fresh(table) if behind else None
    if fresh is not None and audience is None:
        what = {**what, "commitment": fresh.commitment}
    entry = entries.append(
        table, what, history.after, actor=user, seat=seat, audience=audience, target=target, at=at
    )
    if fresh is not None:
        promise = (
            entry
            if audience is None
            else dice_services.promise(table, fresh, None, "", history.after, at)
        )
        dice_services.begin(table, fresh, promise, published, history.after)
    table.save(update_fields=Campaign.COPIES)
    positions.memory.put((table.pk, table.standing_hash), history.after)
    entries.rebuild(table, history)
    return entry


def _numbered(table: Campaign, number: object) -> LogEntry:
    entry = table.entries.filter(number=number).first() if type(number) is int else None
    if entry is None:
        raise NoSuchEntry
    return entry


def _member(table: Campaign, user: Any) -> Access:
    who = access.access_of(table, user)
    if not who.seats:
        if table.visibility == Campaign.Visibility.MEMBERS and not who.member:
            raise NoSuchCampaign
        raise NotAllowed("not-your-seat", _("You hold no seat here."))
    return who
