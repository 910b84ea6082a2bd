"""The table as it stood: what each undo struck and each restoration put back, where one can stop,
and the position there.
"""

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

# What each undo struck and each restoration put back, by the log alone; and which of them can be
# taken back now.


ACTS = Q(act__in=(UNDO.name, RESTORE.name), kind=LogEntry.Kind.TABLE)
MOST = 12
"""Steps of a way back to a branch."""


class Turn(NamedTuple):
    """An undo or restoration: the sequences of the moves it turned, in their order, and of those in
    force right after it.
    """

    act: LogEntry
    moves: tuple[int, ...]
    stands: frozenset[int]

    @property
    def before(self) -> tuple[int, ...]:
        """The moves in force right before an undo, in their order: its branch from the first move
        to its end.
        """
        return tuple(sorted(self.stands | set(self.moves)))


class Step(NamedTuple):
    """One of the acts that lead back to a branch: strike every move after `number`, or restore what
    `number` struck.
    """

    restores: bool
    number: int
    moves: int


def acts(campaign: Campaign) -> list[LogEntry]:
    """Every undo and restoration with its target, a seat's own too, in order. One query."""
    rows = campaign.entries.filter(ACTS)
    return list(rows.select_related("target", "actor").order_by("sequence"))


def turns(campaign: Campaign, known_acts: Sequence[LogEntry] | None = None) -> dict[int, Turn]:
    """What every undo and restoration did, by its row; `known_acts` are the campaign's `acts`. One
    query.
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
        [(one.sequence, one.seat) for one in every if one.is_move],
        [one for one in every if not one.is_move],
    )


def fold(moves: Sequence[tuple[int, str]], known_acts: Iterable[LogEntry]) -> dict[int, Turn]:
    """The same of the sequences and seats of all moves. A seat's own undo strikes that seat's moves
    from its target on.
    """
    folded: dict[int, Turn] = {}
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
        folded[act.pk] = Turn(
            act,
            turned,
            frozenset(place for place, _ in moves if place < act.sequence and place not in gone),
        )
    return folded


def moves_turned(campaign: Campaign, entry: LogEntry, known_acts: Sequence[LogEntry]) -> list[int]:
    """The rows of the moves that this undo or restoration turned, in their order; `known_acts` are
    the campaign's `acts`.
    """
    moves = list(
        campaign.entries.filter(kind=LogEntry.Kind.MOVE)
        .order_by("sequence")
        .values_list("sequence", "seat", "pk")
    )
    one = fold([move[:2] for move in moves], known_acts).get(entry.pk)
    return [] if one is None else [pk for sequence, _seat, pk in moves if sequence in one.moves]


def way_back(turns: dict[int, Turn], undo: LogEntry, now: frozenset[int]) -> list[Step] | None:
    """Return the acts of a game master after which the branch of this undo is in force again.

    The acts are in their order; there is one if nothing was played or struck since. `now` are the
    sequences in force. Returns None if there is no way: what hangs together with the undo was
    restored or struck apart. An undo can be restored while the moves in force are exactly those
    which it left.
    """
    left = sorted(
        (turn for turn in turns.values() if _can_be_restored(turn, undo)),
        key=lambda turn: -turn.act.sequence,
    )
    steps: list[Step] = []
    while left and len(steps) < MOST:
        fits = next((turn for turn in left if turn.stands == now), None)
        if fits is None:
            cut = _cut_to_a_turn(left, now)
            if cut is None or cut.number is None:
                return None
            steps.append(Step(False, cut.number, sum(1 for place in now if place > cut.sequence)))
            now = _up_to(now, cut)
            continue
        if fits.act.number is None:
            return None
        steps.append(Step(True, fits.act.number, len(fits.moves)))
        if fits.act.pk == undo.pk:
            return steps
        now |= set(fits.moves)
        left.remove(fits)
    return None


def _can_be_restored(turn: Turn, undo: LogEntry) -> bool:
    """Return whether this is an undo that is not restored yet, and not earlier than `undo`."""
    act = turn.act
    return act.act == UNDO.name and act.struck_by_id is None and act.sequence >= undo.sequence


def _cut_to_a_turn(left: Iterable[Turn], now: frozenset[int]) -> LogEntry | None:
    """Return the entry after which an undo would leave what one of these undos left."""
    for turn in left:
        for cut in _cuts(turn):
            if _up_to(now, cut) == turn.stands:
                return cut
    return None


def _up_to(now: frozenset[int], cut: LogEntry) -> frozenset[int]:
    return frozenset(place for place in now if place <= cut.sequence)


def _cuts(one: Turn) -> list[LogEntry]:
    """The entries after which an undo would leave what this one left, if anything does: itself, or
    where it went back to.
    """
    to = one.act.target
    return [one.act] if to is None or one.act.content.get("own") else [one.act, to]


# Where one can stop, and the position there.


# What is read of a log from its first entry on, kept, and carried on by the entries that have come
# since.
#
# So it costs what is new, whatever lies before it. Of each reading the last states are kept as long
# as the process lives, each by the hash of the entry it ends with: the chain says that nothing
# before it is otherwise. What strikes entries, puts them back or removes their texts changes what
# was read; after it the log is read from its beginning.

State = TypeVar("State")
BEFORE_ALL = -1


class Kept(NamedTuple):
    """What was read up to the entry of a sequence and a hash."""

    sequence: int
    hash: str
    state: Any


class Running(Generic[State]):
    """`read(campaign, state, after, *who)` gives the state with the entries behind `after` in it,
    none later than the campaign's row as it was read; the state is None and `after` BEFORE_ALL
    where there is none yet. Nobody may change a state.
    """

    def __init__(self, read: Callable[..., State], most: int = 64) -> None:
        self._read, self._most = read, most
        self._kept: OrderedDict[Hashable, tuple[Kept, ...]] = OrderedDict()
        self._lock = Lock()

    def of_log(self, campaign: Campaign, *who: Hashable) -> State:
        """The state at the end of the log, as this row of it was read."""
        key = (
            campaign.public_id,
            *who,
        )  # a row's number may be another campaign's once a backup is restored
        with self._lock:
            kept = self._kept.get(key, ())
            if kept:
                self._kept.move_to_end(key)
        for one in kept:
            if one.hash == campaign.last_hash:
                state: State = one.state
                return state
        earlier = next((one for one in kept if one.sequence < campaign.last_sequence), None)
        if earlier is not None and not only_added(campaign, earlier.sequence, earlier.hash):
            earlier = None
        before, after = (None, BEFORE_ALL) if earlier is None else (earlier.state, earlier.sequence)
        state = self._read(campaign, before, after, *who)
        new = Kept(campaign.last_sequence, campaign.last_hash, state)
        with self._lock:
            if not kept or kept[0].sequence < new.sequence or earlier is None:
                self._kept[key] = (
                    new,
                    *kept[:1],
                )  # one before it: for whoever has read the row a moment earlier
                self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return state

    def cache_clear(self) -> None:
        with self._lock:
            self._kept.clear()


def only_added(campaign: Campaign, sequence: int, mark: str) -> bool:
    """Is what was read up to this entry still as it was, and has the log only grown?"""
    acts = _acts_since(campaign, sequence, mark)
    return acts is not None and CHANGES_READINGS.isdisjoint(acts)


def _acts_since(campaign: Campaign, sequence: int, mark: str) -> Sequence[str] | None:
    """The acts of the table behind the entry of this sequence and hash, an empty text for each
    move; None where it is not there. Asked once for a row of the campaign.
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
"""Of every so many moves a position is kept, and that before the one asked for; so many positions
of all campaigns together.
"""
memory = Memory(KEPT)
"""By campaign and by what was said up to a move and stands: an undo or a later move makes none of
them wrong.
"""


class Stop(NamedTuple):
    """An entry in force that everybody sees, and what had been said when it stood: so many `moves`,
    hidden ones too.
    """

    number: int
    turn: int
    sequence: int
    moves: int
    is_move: bool
    changed: bool
    """Did a place change, by what the entry did?"""
    contest: bool
    """Did a contest begin, go on or end?"""


class Trail(NamedTuple):
    """The stops of a log in their order, and its moves in force: `sequences` of them, `keys` of the
    positions after them.

    `keys[n]` is of the position after n moves; there is one more than moves. They tell campaigns
    and their terms apart. `spans` has of each turn the first and the last number of its public
    moves; `marked` are the places of the stops where something changed or was contested, `changed`
    those where something changed; `begins` has the place of the first stop of each turn, `ends` are
    those of the last ones, in order: what came before the first turn counts as one.
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
    """Of all stops, with a blank between each two."""

    def at(self, number: int) -> int | None:
        """The place of the stop of this number among the stops; None where no such entry is in
        force.
        """
        place = bisect_right(self.stops, number, key=lambda stop: stop.number) - 1
        return place if place >= 0 and self.stops[place].number == number else None

    def before(self, number: int) -> int:
        """The place of the last stop before this number, of the first where there is none."""
        return max(bisect_right(self.stops, number - 1, key=lambda stop: stop.number) - 1, 0)

    def of_stops(self, stops: Sequence[Stop]) -> Trail:
        """The same moves with these stops alone."""
        return _joined(
            self._replace(
                stops=(), spans={}, marked=(), changed=(), begins={}, ends=(), numbers=""
            ),
            stops,
        )


def trail(campaign: Campaign) -> Trail:
    """The stops of the campaign's log, none later than the row as it was read."""
    return trails.of_log(campaign)


def _carried_on(campaign: Campaign, road: Trail | None, after: int) -> Trail:
    rows = LogEntry.objects.filter(
        campaign=campaign,
        struck_by=None,
        sequence__gt=after,
        sequence__lte=campaign.last_sequence,
    )
    in_order = rows.order_by("sequence").values_list(*ASKED, "effects")
    return _trail_of(list(in_order), road)


ASKED = ("sequence", "number", "kind", "turn", "hash")
trails = Running(_carried_on)


class Done(NamedTuple):
    """A move in force that everybody sees, or not (`number` is None then), as the log has it: the
    position after it is that after `moves` moves.
    """

    number: int | None
    moves: int
    mark: str
    """Its entry's hash."""
    content: dict[str, Any]
    effects: tuple[Effect, ...]


def done_since(campaign: Campaign, after: int) -> list[Done]:
    """The moves in force behind the entry of a sequence, oldest first, none later than the
    campaign's row as it was read.
    """
    rows = _moves_since(campaign, after)
    first = len(trail(campaign).sequences) - len(rows) + 1
    return [
        Done(number, moves, mark, read(what), tuple(Effect.from_json(raw) for raw in read(effects)))
        for moves, (number, mark, what, effects) in enumerate(rows, first)
    ]


def _moves_since(campaign: Campaign, after: int) -> list[tuple[int | None, str, str, str]]:
    """Return number, hash, content and effects of the moves in force behind a sequence."""
    rows = LogEntry.objects.filter(campaign=campaign, kind=LogEntry.Kind.MOVE, struck_by=None)
    rows = rows.filter(sequence__gt=after, sequence__lte=campaign.last_sequence)
    return list(rows.order_by("sequence").values_list("number", "hash", "content_json", "effects"))


def branch(campaign: Campaign, turn: Turn) -> Trail:
    """The trail of what an undo struck: its stops are the last public entry that stayed before it,
    and the struck ones.
    """
    return _branch(campaign.pk, turn.act.hash, turn.before, turn.moves)


@lru_cache(32)
def _branch(pk: int, mark: str, before: tuple[int, ...], moves: tuple[int, ...]) -> Trail:
    """What was said once is never changed; which of it an undo struck follows from the log before
    it, as its hash does.
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


def as_if(
    campaign: Campaign, sequences: Sequence[int], texts: Mapping[int, str] | None = None
) -> Any:
    """Return the position after these moves in their order, whatever is in force. Nobody may change
    it. `texts` are moves that were read already, by their sequence.
    """
    road, moves = trail(campaign), list(sequences)
    if list(road.sequences[: len(moves)]) == moves:
        known = positions.known_retold(campaign)
        return known.after(len(moves) - 1) if known else after(campaign, len(moves), texts=texts)
    if moves[: len(road.sequences)] == list(road.sequences):
        after(campaign, len(road.sequences))  # what is restored goes on from here
    branch = trail_of_moves(campaign.pk, campaign.last_hash, tuple(moves))
    return after(campaign, len(moves), branch, texts)


@lru_cache(32)
def trail_of_moves(pk: int, last_hash: str, moves: tuple[int, ...]) -> Trail:
    """The trail of these moves, without its stops."""
    terms = Q(kind=LogEntry.Kind.TABLE, sequence__lt=moves[0])
    return trail_of_entries(
        LogEntry.objects.filter(Q(sequence__in=moves) | terms, campaign_id=pk), effects=False
    ).of_stops(())


def trail_of_entries(rows: QuerySet[LogEntry], *, effects: bool = True) -> Trail:
    """The trail of these entries."""
    return _trail_of(
        rows.order_by("sequence").values_list(*ASKED, "effects" if effects else "kind"), None
    )


def _trail_of(rows: Iterable[tuple[Any, ...]], before: Trail | None) -> Trail:
    """A trail with these entries behind it: sequence, number, kind, turn, hash and effects."""
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
    """The trail with these stops behind its own."""
    if not stops:
        return road
    first = len(road.stops)
    last = {road.stops[place].turn: place for place in road.ends} | {
        one.turn: n for n, one in enumerate(stops, first)
    }
    begins = dict(road.begins)
    for place, one in enumerate(stops, first):
        begins.setdefault(one.turn, place)
    return road._replace(
        begins=begins,
        stops=(*road.stops, *stops),
        marked=(
            *road.marked,
            *(n for n, one in enumerate(stops, first) if one.changed or one.contest),
        ),
        changed=(*road.changed, *(n for n, one in enumerate(stops, first) if one.changed)),
        ends=tuple(sorted(last.values())),
        numbers=" ".join(
            [*([road.numbers] if road.numbers else []), *(str(one.number) for one in stops)]
        ),
    )


def after(
    campaign: Campaign,
    moves: int,
    road: Trail | None = None,
    texts: Mapping[int, str] | None = None,
) -> Any:
    """The position after so many moves of the trail, or of another `road`. Nobody may change it.

    `texts` are moves that were read already, by their sequence; the others are asked for.
    Asks one thing, and only where no position near is kept; at the end of the log it is that of the
    table, if that is kept. It is not asked for otherwise: a move that comes while the row is held
    would be in it.
    """
    own = road is None
    road = trail(campaign) if road is None else road
    if (
        own
        and moves == len(road.sequences)
        and (last := positions.memory.get((campaign.pk, campaign.standing_hash))) is not None
    ):
        memory.put((campaign.pk, road.keys[moves]), last)  # the one before the next move
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
        thrown.take()
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
