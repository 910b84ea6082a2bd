"""Undo and restoration: the moves that they would turn, permissions, and services that log them."""

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


def rewind_to(campaign: Campaign, number: int, known: Sequence[LogEntry] = ()) -> Rewind:
    """Return the effect that `undo_to` would have for this number.

    `known` are moves that have been read already. Raises `NoSuchEntry` and `CannotUndo` as it does.
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
    gone = [sequence for sequence in road.sequences if sequence > cut]
    if not gone:
        raise CannotUndo("nothing-to-undo", _("There is no move in force after this entry."))
    return Rewind(
        campaign,
        UNDO.name,
        number,
        *_moves(campaign, gone, known),
        tuple(sequence for sequence in road.sequences if sequence <= cut),
    )


def own_rewind(campaign: Campaign, gone: Sequence[LogEntry]) -> Rewind:
    """Return the effect that `undo_own` would have on these moves, which begin with the last."""
    struck = {move.sequence for move in gone}
    left = tuple(
        sequence for sequence in history.trail(campaign).sequences if sequence not in struck
    )
    return Rewind(campaign, OWN, gone[-1].number, *_moves(campaign, sorted(struck), gone), left)


def restoration(campaign: Campaign, number: int) -> tuple[log_history.UndoAct, Rewind]:
    """Return the undo of this number, and the effect that `restore` would have.

    Raises `NoSuchEntry` and `CannotUndo` as it does. One query.
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
    must_be_restorable(turn, frozenset(history.trail(campaign).sequences))
    about = tuple(act for act in acts if _is_about(act, frozenset(turn.moves)))
    turned = tuple(moves[place] for place in turn.moves)
    return turn, Rewind(campaign, RESTORE.name, number, turned, about, turn.before)


def _is_about(act: LogEntry, moves: frozenset[int]) -> bool:
    """Return whether an act is about one of these moves, as `_moves` finds it."""
    target = act.target
    ordered = act.act == STANDING.name and act.sequence + 1 in moves
    return ordered or (target is not None and target.is_move and target.sequence in moves)


def undo_act_of(
    campaign: Campaign, number: int
) -> tuple[log_history.UndoAct, dict[int, log_history.UndoAct]]:
    """Return the undo of this number, and every undo and restoration. Raises `NoSuchEntry`."""
    turns = log_history.undo_acts(campaign)
    return _undo_of(turns, number), turns


def _undo_of(turns: Mapping[int, log_history.UndoAct], number: int) -> log_history.UndoAct:
    """Return the undo of this number. Raises `NoSuchEntry`."""
    for turn in turns.values():
        if (turn.act.act, turn.act.number) == (UNDO.name, number):
            return turn
    raise NoSuchEntry


def _moves(
    campaign: Campaign, sequences: Sequence[int], known: Sequence[LogEntry] = ()
) -> tuple[tuple[LogEntry, ...], tuple[LogEntry, ...]]:
    """Return the moves of these sequences and the acts about them.

    The act that ordered a move is the entry right before it. `known` are moves that have been read
    already. One query.
    """
    places, before = list(sequences), [sequence - 1 for sequence in sequences]
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


def is_alone(campaign: Campaign, who: Access, user: Any) -> bool:
    """Return whether this user runs the campaign and is its only member.

    Then no one else is concerned by an undo, and the user may strike any move, even if hands are
    hidden. One query.
    """
    return who.host and not access.places(campaign).exclude(user=user).exists()


def must_strike_all(campaign: Campaign, user: Any) -> Access:
    """Return the rights of a user who may strike every move; raise `NotAllowed` for other users.

    They are a game master who sees everything, or the only member.
    """
    who = access.access_of(campaign, user)
    return who if is_alone(campaign, who, user) else access.must_be_game_master(campaign, user)


# Services. Struck entries stay readable; when a struck move is made again, its dice have the same
# values.

OWN_UNDO = 20
"""The maximum number of its last moves that a seat can strike at once."""


def own_undo(campaign: Campaign, who: Access) -> LogEntry:
    """Return the move that this user may strike now as its seat.

    Raises `CannotUndo` with the reason.
    """
    return own_undos(campaign, who, 1)[0]


def own_undos(campaign: Campaign, who: Access, most: int = OWN_UNDO) -> list[LogEntry]:
    """Return the moves that this user may strike one after the other, the last one first.

    All are of one seat and have the same audience. Raises `CannotUndo` if there is none.
    """
    if campaign.paused or campaign.abandoned or campaign.archived or campaign.suspended:
        raise CannotUndo("not-played", _("This campaign is not being played at present."))
    # Hidden moves of others are skipped, because an answer that mentions them would reveal them.
    undone: list[LogEntry] = []
    moves: Sequence[LogEntry | None] = list(_last_moves(campaign, who)[:most]) or [None]
    for move in moves:
        if (
            undone
            and move is not None
            and (move.seat, move.audience_id) != (undone[0].seat, undone[0].audience_id)
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
    """Return the moves in force that this user sees, with their actors, the last one first.

    `thrown` is annotated: whether dice were thrown for the move.
    """
    thrown = Exists(DiceRoll.objects.filter(entry=OuterRef("pk")))
    moves = positions.moves_in_force(campaign).filter(visible(who.voices))
    return moves.annotate(thrown=thrown).select_related("actor").order_by("-sequence")


def _own_last_move(last: Any, who: Access) -> LogEntry:
    """Return this move if its seat may strike it as the last one; raise `CannotUndo` otherwise."""
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
    """Return whether these effects revealed a card to someone.

    A card that returns to the hand of the seat that lost it was known before.
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


def moves_from(moves: list[LogEntry], first: int | None) -> list[LogEntry]:
    """Return the moves from the number `first` on; only the last without it.

    Raises `CannotUndo`. `moves` are ordered with the last one first.
    """
    place = (
        0
        if first is None
        else next((at for at, move in enumerate(moves) if move.number == first), None)
    )
    if place is None:
        raise CannotUndo("not-so-far", _("You cannot undo moves that far back yourself."))
    return moves[: place + 1]


Ahead = positions.History | None
"""The replayed log as the act will leave it, computed before the row is locked."""


def _replayed(campaign: Campaign, moves_then: Callable[[], Iterable[LogEntry]]) -> Ahead:
    """Replay the moves that will be in force; None if this fails.

    Then the act is refused, or the replay follows under the lock.
    """
    with suppress(IllegalMove, TableError):
        return positions.history(campaign, list(moves_then()))
    return None


def undo_own(
    campaign: Campaign,
    user: Any,
    seen: int,
    first: int | None = None,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Strike a seat's last move, or all its moves from the number `first` on.

    `own_undos` limits how far back this goes.
    """

    def staying() -> Iterable[LogEntry]:
        gone = moves_from(own_undos(campaign, _member(campaign, user)), first)
        return positions.moves_in_force(campaign).exclude(pk__in=[move.pk for move in gone])

    ahead = _replayed(campaign, staying)
    with transaction.atomic():
        table = entries.lock(campaign)
        who = _member(table, user)
        entries.must_be_current(table, who, seen)
        gone = moves_from(own_undos(table, who), first)
        what = {"act": UNDO.name, "own": True} | ({"moves": len(gone)} if len(gone) > 1 else {})
        last, at = gone[0], entries.moment(now)
        try:
            return _strike(
                table,
                user,
                [move.pk for move in gone],
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
    """Strike every move after the entry of this number, in public, as the game master.

    Possible in a pause, too.
    """

    def staying() -> Iterable[LogEntry]:
        must_strike_all(campaign, user)
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
    who = must_strike_all(table, user)
    status.must_be_played(table, by_master=True)
    entries.must_be_current(table, who, seen)
    target = _numbered(table, number)
    what = {"act": UNDO.name, "after": number, "reason": entries.checked_reason(reason)}
    gone = (
        positions.moves_in_force(table)
        .filter(sequence__gt=target.sequence)
        .values_list("pk", flat=True)
    )
    if not gone:
        raise CannotUndo("nothing-to-undo", _("There is no move in force after this entry."))
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
    """Put the moves back in force that the undo of this number struck, as the game master.

    Possible while the moves in force are those which the undo left.
    """

    def standing() -> Iterable[LogEntry]:
        must_strike_all(campaign, user)
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
    who = must_strike_all(table, user)
    status.must_be_played(table, by_master=True)
    if seen is not None:
        entries.must_be_current(table, who, seen)
    undo = _numbered(table, number)
    if undo.act != UNDO.name:
        raise CannotUndo("no-undo", _("This entry is not an undo."))
    must_be_restorable(
        log_history.undo_acts(table)[undo.pk],
        frozenset(positions.moves_in_force(table).values_list("sequence", flat=True)),
    )
    what = {"act": RESTORE.name, "undo": number, "reason": entries.checked_reason(reason)}
    back = list(undo.struck.values_list("pk", flat=True))
    table.entries.filter(pk__in=back).update(struck_by=None)
    entry = _undo_or_restore(table, user, what, GAME_MASTER, None, undo, at, ahead)
    table.entries.filter(pk=undo.pk).update(struck_by=entry)
    review.ask(
        table, user, entry, partial(review.of_struck, list(table.entries.filter(pk__in=back))), at
    )
    return entry


def must_be_restorable(turn: log_history.UndoAct, now: frozenset[int]) -> None:
    """Raise `CannotUndo` unless the moves in force are exactly those which this undo left.

    Only then can its branch continue.
    """
    if turn.act.struck_by_id is not None:
        raise CannotUndo("restored", _("This has already been restored."))
    if now - turn.in_force:
        raise CannotUndo("played-since", _("The campaign has moved on since then."))
    if now != turn.in_force:
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
    """Take these moves out of force and log the undo."""
    published = table.game.links_due(positions.current(table))
    # The moves are struck in two steps, because the undo has a digest of the position that
    # remains after it.
    LogEntry.objects.filter(pk__in=gone).update(struck_by=target)
    entry = _undo_or_restore(table, user, what, seat, audience, target, at, ahead, published)
    LogEntry.objects.filter(pk__in=gone).update(struck_by=entry)
    return entry


def _undo_or_restore(
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
    """Log the act and rebuild all projections from the moves now in force.

    `published` is the number of links published before the act. If fewer are due now, dice that
    have not been thrown yet could be foreseen; they are renewed in the same entry.
    """
    in_force = list(positions.moves_in_force(table).values_list("pk", flat=True))
    if ahead is None or [step.entry.pk for step in ahead.steps] != in_force:
        ahead = positions.history(table)
    history = ahead
    behind = table.game.links_due(history.after) < published
    new_chain = dice_services.new_chain(table) if behind else None
    if new_chain is not None and audience is None:
        what = {**what, "commitment": new_chain.commitment}
    entry = entries.append(
        table, what, history.after, actor=user, seat=seat, audience=audience, target=target, at=at
    )
    if new_chain is not None:
        promise = (
            entry
            if audience is None
            else dice_services.publish_commitment(table, new_chain, None, "", history.after, at)
        )
        dice_services.use_chain(table, new_chain, promise, published, history.after)
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
        raise NotAllowed("not-your-seat", _("You do not hold a seat here."))
    return who
