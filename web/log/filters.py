"""Filters of the log: by nation, and by the kind of the entry.

A filter never matches what the reader may not read, so that no list or count shows hidden facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q
from django.utils.functional import Promise
from django.utils.translation import pgettext, pgettext_lazy

from battles.models import Battle
from campaign.log.acts import dice, undo
from campaign.models import ContestEntry, DiceRoll, LogEntry, visible
from games.contract.log import BATTLES, BUILDING, CARDS, CORRECTIONS, WithMoveKinds
from nations.models import LedgerEntry
from web.frame.table import TableContext

MOVES, DICE, ACTS = "moves", "dice", "table"
KINDS: Mapping[str, Promise] = {
    MOVES: pgettext_lazy("kind of log entry", "Moves"),
    BATTLES: pgettext_lazy("kind of log entry", "Attacks and battles"),
    CARDS: pgettext_lazy("kind of log entry", "Cards and events"),
    BUILDING: pgettext_lazy("kind of log entry", "Building"),
    DICE: pgettext_lazy("kind of log entry", "Dice"),
    ACTS: pgettext_lazy("kind of log entry", "Table and rulings"),
    CORRECTIONS: pgettext_lazy("kind of log entry", "Corrections"),
}
"""The kinds of entries in the order of the form."""
DICE_ACTS = (dice.DIE.name, dice.RENEW.name, dice.MIX.name)
UNDO_ACTS = (undo.UNDO.name, undo.RESTORE.name)


@dataclass(frozen=True, slots=True)
class LogFilter:
    """The nations and kinds that a reader has chosen; empty shows everything."""

    nations: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    has_unknown: bool = False
    """Whether the address also names a nation or a kind that this log does not have."""

    def __bool__(self) -> bool:
        return bool(self.nations or self.kinds)

    @property
    def query(self) -> str:
        """Return the filter as the beginning of an address's query."""
        pairs = [("nation", nation) for nation in self.nations]
        return urlencode(pairs + [("kind", kind) for kind in self.kinds])

    def address(self, place: str = "") -> str:
        """Return the address of a page of the filtered log; `place` is such as "before=17"."""
        return "?" + "&".join(part for part in (self.query, place) if part)


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """A box of the form."""

    value: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class FilterSet:
    """The boxes for one field of the address."""

    name: str
    legend: str
    choices: list[FilterChoice]
    has_swatches: bool


@dataclass(frozen=True, slots=True)
class FilterForm:
    """The form of the filters."""

    sets: list[FilterSet]
    chosen: str
    """The current choice in words."""
    is_open: bool
    has_unknown: bool


def kinds_of(table: TableContext) -> list[str]:
    """Return the kinds of entries that the log of this title can have."""
    named = move_kinds(table)
    always = (MOVES, DICE, ACTS, CORRECTIONS)
    return [kind for kind in KINDS if kind in always or named.get(kind)]


def move_kinds(table: TableContext) -> Mapping[str, frozenset[str]]:
    """Return the names of the title's moves of each kind."""
    return table.title.move_kinds if isinstance(table.title, WithMoveKinds) else {}


def known_filter(table: TableContext, nations: list[str], kinds: list[str]) -> LogFilter:
    """Return the filter of an address, without the nations and kinds that the log does not have."""
    seats = [seat.key for seat in table.seats]
    allowed = kinds_of(table)
    return LogFilter(
        nations=tuple(seat for seat in seats if seat in nations),
        kinds=tuple(kind for kind in allowed if kind in kinds),
        has_unknown=bool({*nations} - {*seats} or {*kinds} - {*allowed}),
    )


def filter_form(table: TableContext, chosen: LogFilter) -> FilterForm:
    """Return the form with the current choice. With one seat, it has no nations."""
    nations = [
        FilterChoice(seat.key, seat.name, seat.key in chosen.nations) for seat in table.seats
    ]
    kinds = [FilterChoice(kind, str(KINDS[kind]), kind in chosen.kinds) for kind in kinds_of(table)]
    names = [choice.name for choice in (*nations, *kinds) if choice.chosen]
    whose = FilterSet("nation", pgettext("log filter", "Nation"), nations, has_swatches=True)
    what = FilterSet("kind", pgettext("log filter", "Kind of entry"), kinds, has_swatches=False)
    return FilterForm(
        sets=[what] if table.solo else [whose, what],
        chosen=", ".join(names) or pgettext("log filter", "everything is shown"),
        is_open=bool(names) or chosen.has_unknown,
        has_unknown=chosen.has_unknown,
    )


def condition(table: TableContext, chosen: LogFilter) -> Q:
    """Return the condition for the entries of this filter that the reader may read."""
    matches = Q()
    if chosen.nations:
        matches &= concerns(table, chosen.nations)
    if chosen.kinds:
        named = move_kinds(table)
        alternatives = [kind_condition(table, kind, named.get(kind, ())) for kind in chosen.kinds]
        # A hidden move that a game master has not opened has no kind.
        matches &= visible(table.access.sight) & reduce(or_, alternatives)
    return matches


def concerns(table: TableContext, nations: tuple[str, ...]) -> Q:
    """Return the condition for entries of these nations.

    These are their own moves, changes of their accounts, and the attacks and results of their
    battles. After an undo, a number may name another battle, so struck entries count only by their
    seat and accounts.
    """
    ledger = LedgerEntry.objects.filter(
        visible(table.access.sight), entry=OuterRef("pk"), holder__in=nations
    )
    battles = Battle.objects.filter(
        Q(attacker__in=nations) | Q(defender__in=nations), campaign=table.campaign
    )
    contests = ContestEntry.objects.filter(
        entry=OuterRef("pk"), contest__in=battles.values("number")
    )
    # The first entry has the amounts at the start, which concern every nation.
    is_move, in_force = Q(kind=LogEntry.Kind.MOVE), Q(struck_by__isnull=True)
    return Q(seat__in=nations) | (is_move & Q(Exists(ledger))) | (in_force & Q(Exists(contests)))


def kind_condition(table: TableContext, kind: str, moves: frozenset[str] | tuple[()]) -> Q:
    """Return the condition for entries of a kind; `moves` are the title's moves of this kind."""
    is_move, is_act = Q(kind=LogEntry.Kind.MOVE), Q(kind=LogEntry.Kind.TABLE)
    if kind == MOVES:
        return is_move
    if kind == ACTS:
        return is_act
    if kind == DICE:
        rolls = DiceRoll.objects.filter(visible(table.access.sight), entry=OuterRef("pk"))
        return Q(Exists(rolls)) | (is_act & Q(act__in=DICE_ACTS))
    named = is_move & Q(act__in=moves)
    if kind == BATTLES:
        return named | Q(Exists(ContestEntry.objects.filter(entry=OuterRef("pk"))))
    if kind == CORRECTIONS:
        return named | (is_act & Q(act__in=UNDO_ACTS))
    return named


def nothing_text() -> str:
    """Return the sentence for a filter that no entry matches."""
    return pgettext("log", "No entry matches this filter.")
