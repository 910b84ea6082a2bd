"""What each undo struck and each restoration put back, by the log alone; and which of them can be taken back now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Q

from campaign.models import Campaign, LogEntry

UNDO_TEXT, RESTORE_TEXT = "undo", "restore"
ACTS = Q(act__in=(UNDO_TEXT, RESTORE_TEXT), kind=LogEntry.Kind.TABLE)
MOST = 12
"""Steps of a way back to a branch."""


class Turn(NamedTuple):
    """An undo or restoration: the sequences of the moves it turned, in their order, and of those in force right after it."""

    act: LogEntry
    moves: tuple[int, ...]
    stands: frozenset[int]

    @property
    def before(self) -> tuple[int, ...]:
        """The moves in force right before an undo, in their order: its branch from the first move to its end."""
        return tuple(sorted(self.stands | set(self.moves)))


class Step(NamedTuple):
    """One of the acts that lead back to a branch: strike every move after `number`, or restore what `number` struck."""

    restores: bool
    number: int
    moves: int


def acts(campaign: Campaign) -> list[LogEntry]:
    """Every undo and restoration with its target, a seat's own too, in order. One query."""
    rows = campaign.entries.filter(ACTS)
    return list(rows.select_related("target", "actor").order_by("sequence"))


def turns(campaign: Campaign, known_acts: Sequence[LogEntry] | None = None) -> dict[int, Turn]:
    """What every undo and restoration did, by its row; `said` are the campaign's `acts`. One query."""
    moves = Q(kind=LogEntry.Kind.MOVE)
    if known_acts is not None:
        return fold(list(campaign.entries.filter(moves).order_by("sequence").values_list("sequence", "seat")), known_acts)
    rows = campaign.entries.filter(moves | ACTS).select_related("target", "actor").defer("effects", "target__effects")
    every = list(rows.order_by("sequence"))
    return fold([(one.sequence, one.seat) for one in every if one.is_move], [one for one in every if not one.is_move])


def fold(moves: Sequence[tuple[int, str]], known_acts: Iterable[LogEntry]) -> dict[int, Turn]:
    """The same of the sequences and seats of all moves. A seat's own undo strikes that seat's moves from its target on."""
    folded: dict[int, Turn] = {}
    gone: set[int] = set()
    for act in known_acts:
        to = act.target
        if to is None:
            continue
        there = [(place, seat) for place, seat in moves if place < act.sequence and place not in gone]
        if act.act == "restore":
            turned = folded[to.pk].moves if to.pk in folded else ()
            gone -= set(turned)
        elif act.content.get("own"):
            turned = tuple(place for place, seat in there if place >= to.sequence and seat == act.seat)
            gone |= set(turned)
        else:
            turned = tuple(place for place, _seat in there if place > to.sequence)
            gone |= set(turned)
        folded[act.pk] = Turn(act, turned, frozenset(place for place, _ in moves if place < act.sequence and place not in gone))
    return folded


def moves_turned(campaign: Campaign, entry: LogEntry, known_acts: Sequence[LogEntry]) -> list[int]:
    """The rows of the moves that this undo or restoration turned, in their order; `said` are the campaign's `acts`."""
    moves = list(campaign.entries.filter(kind=LogEntry.Kind.MOVE).order_by("sequence").values_list("sequence", "seat", "pk"))
    one = fold([move[:2] for move in moves], known_acts).get(entry.pk)
    return [] if one is None else [pk for sequence, _seat, pk in moves if sequence in one.moves]


def way_back(turns: dict[int, Turn], undo: LogEntry, now: frozenset[int]) -> list[Step] | None:
    """The acts of a game master, in their order, after which this undo's branch is in force again: one where nothing was
    played or struck since, as `now`, the sequences in force, says. None where there are none: what hangs together with it
    was restored or struck apart.

    An undo can be restored while the moves in force are exactly those which it left.
    """
    open_ones = [one for one in turns.values() if one.act.act == "undo" and one.act.struck_by_id is None]
    left = sorted((one for one in open_ones if one.act.sequence >= undo.sequence), key=lambda one: -one.act.sequence)
    steps: list[Step] = []
    while left and len(steps) < MOST:
        fits = next((one for one in left if one.stands == now), None)
        if fits is not None:
            if fits.act.number is None:
                return None
            steps.append(Step(True, fits.act.number, len(fits.moves)))
            if fits.act.pk == undo.pk:
                return steps
            now |= set(fits.moves)
            left.remove(fits)
            continue
        short = next(
            (cut for one in left for cut in _cuts(one) if frozenset(s for s in now if s <= cut.sequence) == one.stands), None
        )
        if short is None or short.number is None:
            return None
        steps.append(Step(False, short.number, sum(1 for s in now if s > short.sequence)))
        now = frozenset(s for s in now if s <= short.sequence)
    return None


def _cuts(one: Turn) -> list[LogEntry]:
    """The entries after which an undo would leave what this one left, if anything does: itself, or where it went back to."""
    to = one.act.target
    return [one.act] if to is None or one.act.content.get("own") else [one.act, to]
