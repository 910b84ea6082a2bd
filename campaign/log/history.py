"""Undos, restorations, and the positions of earlier moments of a campaign."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

from django.db.models import Q, QuerySet

from campaign.log import positions
from campaign.log.acts.registry import CHANGES_READINGS
from campaign.log.acts.undo import RESTORE, UNDO
from campaign.log.positions import Memory
from campaign.models import Campaign, LogEntry
from engine.effects import Effect
from engine.play import perform
from engine.strict_json import read

# The moves that each undo struck and each restoration put back, read from the log alone; and which
# of these acts can be reversed now.


ACTS = Q(act__in=(UNDO.name, RESTORE.name), kind=LogEntry.Kind.TABLE)
MOST = 12
"""The maximum number of steps on a way back to a branch."""


class UndoAct(NamedTuple):
    """An undo or restoration.

    `moves` are the sequences of the moves that it struck or restored, in order; `in_force` are
    those of the moves in force right after it.
    """

    act: LogEntry
    moves: tuple[int, ...]
    in_force: frozenset[int]

    @property
    def before(self) -> tuple[int, ...]:
        """The moves in force right before an undo, in order.

        They are its branch, from the first move to its end.
        """
        return tuple(sorted(self.in_force | set(self.moves)))


class StepBack(NamedTuple):
    """One act on the way back to a branch.

    It strikes every move after the entry `number`, or restores what the undo `number` struck.
    """

    restores: bool
    number: int
    moves: int


def acts(campaign: Campaign) -> list[LogEntry]:
    """Return every undo and restoration with its target, in order.

    Those of seats are included. One query.
    """
    rows = campaign.entries.filter(ACTS)
    return list(rows.select_related("target", "actor").order_by("sequence"))


def undo_acts(
    campaign: Campaign, known_acts: Sequence[LogEntry] | None = None
) -> dict[int, UndoAct]:
    """Return every undo and restoration by its primary key. One query.

    `known_acts` are the campaign's `acts`, if they have been read.
    """
    moves = Q(kind=LogEntry.Kind.MOVE)
    if known_acts is not None:
        return fold(
            list(
                campaign.entries.filter(moves).order_by("sequence").values_list("sequence", "seat")
            ),
            known_acts,
        )
    rows = (
        campaign.entries.filter(moves | ACTS)
        .select_related("target", "actor")
        .defer("effects", "target__effects")
    )
    every = list(rows.order_by("sequence"))
    return fold(
        [(entry.sequence, entry.seat) for entry in every if entry.is_move],
        [entry for entry in every if not entry.is_move],
    )


def fold(moves: Sequence[tuple[int, str]], known_acts: Iterable[LogEntry]) -> dict[int, UndoAct]:
    """Return every undo and restoration by its primary key.

    `moves` are the sequences and seats of all moves. An undo by a seat strikes the moves of that
    seat from its target on.
    """
    folded: dict[int, UndoAct] = {}
    gone: set[int] = set()
    for act in known_acts:
        to = act.target
        if to is None:
            continue
        there = [
            (place, seat) for place, seat in moves if place < act.sequence and place not in gone
        ]
        if act.act == RESTORE.name:
            turned = folded[to.pk].moves if to.pk in folded else ()
            gone -= set(turned)
        elif act.content.get("own"):
            turned = tuple(
                place for place, seat in there if place >= to.sequence and seat == act.seat
            )
            gone |= set(turned)
        else:
            turned = tuple(place for place, _seat in there if place > to.sequence)
            gone |= set(turned)
        folded[act.pk] = UndoAct(
            act,
            turned,
            frozenset(place for place, _ in moves if place < act.sequence and place not in gone),
        )
    return folded


def changed_moves(campaign: Campaign, entry: LogEntry, known_acts: Sequence[LogEntry]) -> list[int]:
    """Return the primary keys of the moves that this undo or restoration turned, in order.

    `known_acts` are the campaign's `acts`.
    """
    moves = list(
        campaign.entries.filter(kind=LogEntry.Kind.MOVE)
        .order_by("sequence")
        .values_list("sequence", "seat", "pk")
    )
    turn = fold([move[:2] for move in moves], known_acts).get(entry.pk)
    return [] if turn is None else [pk for sequence, _seat, pk in moves if sequence in turn.moves]


def way_back(
    turns: dict[int, UndoAct], undo: LogEntry, now: frozenset[int]
) -> list[StepBack] | None:
    """Return the acts of a game master after which the branch of this undo is in force again.

    The acts are in order; there is one if nothing was played or struck since. `now` are the
    sequences in force. Returns None if there is no way, because moves on which the branch depends
    were restored or struck separately. An undo can be restored while the moves in force are exactly
    those which it left.
    """
    left = sorted(
        (turn for turn in turns.values() if _can_be_restored(turn, undo)),
        key=lambda turn: -turn.act.sequence,
    )
    steps: list[StepBack] = []
    while left and len(steps) < MOST:
        fits = next((turn for turn in left if turn.in_force == now), None)
        if fits is None:
            cut = _cut_to_a_turn(left, now)
            if cut is None or cut.number is None:
                return None
            steps.append(
                StepBack(False, cut.number, sum(1 for place in now if place > cut.sequence))
            )
            now = _up_to(now, cut)
            continue
        if fits.act.number is None:
            return None
        steps.append(StepBack(True, fits.act.number, len(fits.moves)))
        if fits.act.pk == undo.pk:
            return steps
        now |= set(fits.moves)
        left.remove(fits)
    return None


def _can_be_restored(turn: UndoAct, undo: LogEntry) -> bool:
    """Return whether this is an undo that has not been restored and is not earlier than `undo`."""
    act = turn.act
    return act.act == UNDO.name and act.struck_by_id is None and act.sequence >= undo.sequence


def _cut_to_a_turn(left: Iterable[UndoAct], now: frozenset[int]) -> LogEntry | None:
    """Return an entry to which an undo can go back to leave the same moves as one of these undos.

    Return None if there is no such entry.
    """
    for turn in left:
        for cut in _cuts(turn):
            if _up_to(now, cut) == turn.in_force:
                return cut
    return None


def _up_to(now: frozenset[int], cut: LogEntry) -> frozenset[int]:
    """Return those of the moves in force that are not later than an entry."""
    return frozenset(place for place in now if place <= cut.sequence)


def _cuts(turn: UndoAct) -> list[LogEntry]:
    """Return the entries to which an undo could go back to leave the same moves as this one.

    These are the undo itself and, unless a seat undid its own moves, the entry that it went back
    to.
    """
    to = turn.act.target
    return [turn.act] if to is None or turn.act.content.get("own") else [turn.act, to]


# The entries at which a reader can look at the campaign, and the position there.


# Values that are computed from a whole log, kept in memory, and continued with the new entries.
#
# The cost depends only on the number of new entries. The last values are kept for the life of the
# process, each under the hash of the entry at which it ends: equal hashes prove equal logs up to
# there. Acts that strike or restore entries or remove their texts change earlier entries; after
# such an act the value is computed again from the beginning of the log.

State = TypeVar("State")
BEFORE_ALL = -1


class KnownState(NamedTuple):
    """A value computed from the log up to the entry of a sequence and a hash."""

    sequence: int
    hash: str
    state: Any


class RunningState(Generic[State]):
    """A value that is computed from the log once and then continued with new entries.

    `read(campaign, state, after, *who)` returns the state that includes the entries behind the
    sequence `after`, up to the last one that the campaign's row knows. At first the state is None
    and `after` is BEFORE_ALL. Callers must not change a state.
    """

    def __init__(self, read: Callable[..., State], most: int = 64) -> None:
        self._read, self._most = read, most
        self._kept: OrderedDict[Hashable, tuple[KnownState, ...]] = OrderedDict()
        self._lock = Lock()

    def of_log(self, campaign: Campaign, *who: Hashable) -> State:
        """Return the state at the end of the log, as this row of the campaign knows it."""
        # The primary key could belong to another campaign once a backup is restored.
        key = (campaign.public_id, *who)
        with self._lock:
            kept = self._kept.get(key, ())
            if kept:
                self._kept.move_to_end(key)
        for candidate in kept:
            if candidate.hash == campaign.last_hash:
                state: State = candidate.state
                return state
        earlier = next(
            (candidate for candidate in kept if candidate.sequence < campaign.last_sequence), None
        )
        if earlier is not None and not has_only_grown(campaign, earlier.sequence, earlier.hash):
            earlier = None
        before, after = (None, BEFORE_ALL) if earlier is None else (earlier.state, earlier.sequence)
        state = self._read(campaign, before, after, *who)
        new = KnownState(campaign.last_sequence, campaign.last_hash, state)
        with self._lock:
            if not kept or kept[0].sequence < new.sequence or earlier is None:
                # The state before is kept for requests that read the row a moment earlier.
                self._kept[key] = (new, *kept[:1])
                self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return state

    def cache_clear(self) -> None:
        """Forget all states."""
        with self._lock:
            self._kept.clear()


def has_only_grown(campaign: Campaign, sequence: int, mark: str) -> bool:
    """Return whether the log has only grown since this entry and older entries are unchanged."""
    acts = _acts_since(campaign, sequence, mark)
    return acts is not None and CHANGES_READINGS.isdisjoint(acts)


def _acts_since(campaign: Campaign, sequence: int, mark: str) -> Sequence[str] | None:
    """Return the names of the acts behind this entry, with an empty text for each move.

    None if the log has no entry of this sequence and hash. The result is kept on the campaign
    object.
    """
    known: dict[Any, Sequence[str] | None] = vars(campaign).setdefault("_acts_since", {})
    key = (sequence, mark, campaign.last_hash)
    if key not in known:
        rows = _marks_of_entries(campaign, sequence)
        there = bool(rows) and rows[0][0] == mark
        known[key] = (
            [act if kind == LogEntry.Kind.TABLE else "" for _mark, kind, act in rows[1:]]
            if there
            else None
        )
    return known[key]


def _marks_of_entries(campaign: Campaign, first: int) -> list[tuple[str, str, str]]:
    """Return hash, kind and act of the entries from a sequence on, oldest first."""
    rows = LogEntry.objects.filter(
        campaign=campaign, sequence__gte=first, sequence__lte=campaign.last_sequence
    )
    return list(rows.order_by("sequence").values_list("hash", "kind", "act"))


STRIDE, KEPT = 25, 256
"""A position is kept after every STRIDE moves, and that before the last; KEPT positions in all."""
memory = Memory(KEPT)
"""Positions by campaign and hash of the moves that lead there. No undo or later move makes one
wrong.
"""


class Stop(NamedTuple):
    """A public entry in force at which a reader can look at the campaign.

    `moves` is the number of moves in force up to it, hidden ones included.
    """

    number: int
    turn: int
    sequence: int
    moves: int
    is_move: bool
    changed: bool
    """Whether the entry changed the owner of a place."""
    contest: bool
    """Whether a contest began, continued or ended with the entry."""


class Trail(NamedTuple):
    """The stops of a log in order, and its moves in force.

    Attributes:
        stops: The public entries in force.
        sequences: The sequences of the moves in force.
        keys: `keys[n]` is the key of the position after n moves, so there is one more key than
            moves. Keys of different campaigns or terms differ.
        spans: The first and the last number of the public moves of each turn.
        marked: The places, among the stops, of those where a place changed or a contest went on.
        changed: The places of those where a place changed.
        begins: The place of the first stop of each turn.
        ends: The places of the last stops of each turn, in order; the time before the first turn
            counts as a turn.
        numbers: The numbers of all stops, separated by blanks.
    """

    stops: tuple[Stop, ...]
    sequences: tuple[int, ...]
    keys: tuple[str, ...]
    spans: dict[int, tuple[int, int]] = {}
    marked: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    begins: dict[int, int] = {}
    ends: tuple[int, ...] = ()
    numbers: str = ""

    def at(self, number: int) -> int | None:
        """Return the place of the stop with this number; None if that entry is not in force."""
        place = bisect_right(self.stops, number, key=lambda stop: stop.number) - 1
        return place if place >= 0 and self.stops[place].number == number else None

    def before(self, number: int) -> int:
        """Return the place of the last stop before this number; 0 if there is none."""
        return max(bisect_right(self.stops, number - 1, key=lambda stop: stop.number) - 1, 0)

    def of_stops(self, stops: Sequence[Stop]) -> Trail:
        """Return a trail with the same moves and only these stops."""
        return _joined(
            self._replace(
                stops=(), spans={}, marked=(), changed=(), begins={}, ends=(), numbers=""
            ),
            stops,
        )


def trail(campaign: Campaign) -> Trail:
    """Return the trail of the campaign's log, up to the last entry that this row knows."""
    return trails.of_log(campaign)


def _carried_on(campaign: Campaign, road: Trail | None, after: int) -> Trail:
    """Return the trail with the entries behind the sequence `after`."""
    rows = LogEntry.objects.filter(
        campaign=campaign,
        struck_by=None,
        sequence__gt=after,
        sequence__lte=campaign.last_sequence,
    )
    in_order = rows.order_by("sequence").values_list(*ASKED, "effects")
    return _trail_of(list(in_order), road)


ASKED = ("sequence", "number", "kind", "turn", "hash")
trails = RunningState(_carried_on)


class MoveInForce(NamedTuple):
    """A move in force as the log has it.

    `number` is None if not everyone sees it. The position after it is that after `moves` moves.
    """

    number: int | None
    moves: int
    mark: str
    """The hash of the move's entry."""
    content: dict[str, Any]
    effects: tuple[Effect, ...]


def moves_in_force_since(campaign: Campaign, after: int) -> list[MoveInForce]:
    """Return the moves in force behind a sequence, oldest first.

    Moves that are newer than this row of the campaign are not included.
    """
    rows = _moves_since(campaign, after)
    first = len(trail(campaign).sequences) - len(rows) + 1
    return [
        MoveInForce(
            number, moves, mark, read(what), tuple(Effect.from_json(raw) for raw in read(effects))
        )
        for moves, (number, mark, what, effects) in enumerate(rows, first)
    ]


def _moves_since(campaign: Campaign, after: int) -> list[tuple[int | None, str, str, str]]:
    """Return number, hash, content and effects of the moves in force behind a sequence."""
    rows = LogEntry.objects.filter(campaign=campaign, kind=LogEntry.Kind.MOVE, struck_by=None)
    rows = rows.filter(sequence__gt=after, sequence__lte=campaign.last_sequence)
    return list(rows.order_by("sequence").values_list("number", "hash", "content_json", "effects"))


def branch(campaign: Campaign, turn: UndoAct) -> Trail:
    """Return the trail of the moves that an undo struck.

    Its stops are the last public entry before them that stayed, and the struck entries.
    """
    return _branch(campaign.pk, turn.act.hash, turn.before, turn.moves)


@lru_cache(32)
def _branch(pk: int, mark: str, before: tuple[int, ...], moves: tuple[int, ...]) -> Trail:
    """Return the trail of `branch`.

    Entries never change, so the result can be kept under the hash of the undo.
    """
    whole = trail_of_entries(
        LogEntry.objects.filter(
            Q(sequence__in=before) | ~Q(kind=LogEntry.Kind.MOVE), campaign_id=pk
        )
    )
    struck, first = set(moves), min(moves, default=0)
    forks = [stop for stop in whole.stops if stop.sequence < first]
    stops = (*forks[-1:], *(stop for stop in whole.stops if stop.sequence in struck))
    return whole.of_stops(stops)


def position_after_moves(
    campaign: Campaign, sequences: Sequence[int], texts: Mapping[int, str] | None = None
) -> Any:
    """Return the position after these moves in order, whether or not they are in force.

    `texts` are moves that have been read already, by sequence. Callers must not change the
    position.
    """
    road, moves = trail(campaign), list(sequences)
    if list(road.sequences[: len(moves)]) == moves:
        known = positions.known_replay(campaign)
        return known.after(len(moves) - 1) if known else after(campaign, len(moves), texts=texts)
    if moves[: len(road.sequences)] == list(road.sequences):
        after(campaign, len(road.sequences))  # Restored moves continue from here.
    branch = trail_of_moves(campaign.pk, campaign.last_hash, tuple(moves))
    return after(campaign, len(moves), branch, texts)


@lru_cache(32)
def trail_of_moves(pk: int, last_hash: str, moves: tuple[int, ...]) -> Trail:
    """Return the trail of these moves, without stops."""
    terms = Q(kind=LogEntry.Kind.TABLE, sequence__lt=moves[0])
    return trail_of_entries(
        LogEntry.objects.filter(Q(sequence__in=moves) | terms, campaign_id=pk), effects=False
    ).of_stops(())


def trail_of_entries(rows: QuerySet[LogEntry], *, effects: bool = True) -> Trail:
    """Return the trail of these entries."""
    return _trail_of(
        rows.order_by("sequence").values_list(*ASKED, "effects" if effects else "kind"), None
    )


def _trail_of(rows: Iterable[tuple[Any, ...]], before: Trail | None) -> Trail:
    """Return the trail with these entries behind it.

    Each row has sequence, number, kind, turn, hash and effects.
    """
    road = Trail((), (), ()) if before is None else before
    stops, sequences, keys, spans = (
        list[Stop](),
        list(road.sequences),
        list(road.keys),
        dict(road.spans),
    )
    for sequence, number, kind, turn, mark, effects in rows:
        is_move = kind == LogEntry.Kind.MOVE
        if not is_move and not sequences:
            keys = [mark]
        elif is_move:
            sequences.append(sequence)
            keys.append(sha256((keys[-1] + mark).encode()).hexdigest())
            if number is not None:
                spans[turn] = (spans.get(turn, (number, number))[0], number)
        if number is not None:
            changed, contest = (f'"kind":"{what}"' in effects for what in ("holding", "attack"))
            stops.append(Stop(number, turn, sequence, len(sequences), is_move, changed, contest))
    return _joined(road._replace(sequences=tuple(sequences), keys=tuple(keys), spans=spans), stops)


def _joined(road: Trail, stops: Sequence[Stop]) -> Trail:
    """Return the trail with these stops behind its own."""
    if not stops:
        return road
    first = len(road.stops)
    last = {road.stops[place].turn: place for place in road.ends} | {
        stop.turn: n for n, stop in enumerate(stops, first)
    }
    begins = dict(road.begins)
    for place, stop in enumerate(stops, first):
        begins.setdefault(stop.turn, place)
    return road._replace(
        begins=begins,
        stops=(*road.stops, *stops),
        marked=(
            *road.marked,
            *(n for n, stop in enumerate(stops, first) if stop.changed or stop.contest),
        ),
        changed=(*road.changed, *(n for n, stop in enumerate(stops, first) if stop.changed)),
        ends=tuple(sorted(last.values())),
        numbers=" ".join(
            [*([road.numbers] if road.numbers else []), *(str(stop.number) for stop in stops)]
        ),
    )


def after(
    campaign: Campaign,
    moves: int,
    road: Trail | None = None,
    texts: Mapping[int, str] | None = None,
) -> Any:
    """Return the position after a number of moves of the campaign's trail, or of another `road`.

    Callers must not change it. `texts` are moves that have been read already, by sequence. This
    takes at most one query, and none if a nearby position is cached. At the end of the log it is
    the current position, if that is in memory. It is not replayed here otherwise, because it could
    include a move that was logged since the row was read.
    """
    own = road is None
    road = trail(campaign) if road is None else road
    if (
        own
        and moves == len(road.sequences)
        and (last := positions.memory.get((campaign.pk, campaign.standing_hash))) is not None
    ):
        # Kept because it becomes the position before the next move.
        memory.put((campaign.pk, road.keys[moves]), last)
        return last
    near, position = moves, memory.get((campaign.pk, road.keys[moves]))
    if position is not None:
        return position
    while near and position is None:
        near -= 1
        position = memory.get((campaign.pk, road.keys[near]))
    position = positions.setup(campaign) if position is None else position.copy()
    thrown, decode = positions.dice(campaign), campaign.game.decode
    wanted = road.sequences[near:moves]
    texts = _texts_of(campaign, wanted, texts or {})
    for count, sequence in enumerate(wanted, start=near + 1):
        perform(position, decode(read(texts[sequence]), position), thrown)
        thrown.take_rolls()
        if count == moves - 1 or (count % STRIDE == 0 and count < moves):
            memory.put((campaign.pk, road.keys[count]), position.copy())
    memory.put((campaign.pk, road.keys[moves]), position)
    return position


def _texts_of(
    campaign: Campaign, wanted: Sequence[int], known: Mapping[int, str]
) -> Mapping[int, str]:
    """Return the moves of these sequences. One query unless all are known."""
    missing = [sequence for sequence in wanted if sequence not in known]
    if not missing:
        return known
    rows = campaign.entries.filter(sequence__gte=missing[0], sequence__lte=missing[-1])
    return {**known, **dict(rows.values_list("sequence", "content_json"))}
