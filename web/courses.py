"""Accounts over the log as their reader may know them: what charts and their tables say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign import selectors
from games.registry import word
from nations import selectors as nations
from web import chart
from web.chart import Course, Turn
from web.titles.talk import capital, talk

if TYPE_CHECKING:
    from web.views.common import TableContext

NAMED = 12
"""So many lines have their name and their column in the table; seats always have."""
WIDE, LARGE, NARROW = (560, 190), (1160, 340), (340, 210)
"""Width and height of a chart among others, of one alone, on a phone."""
Step = tuple[int, int, int]
"""Turn, entry, balance."""


@dataclass(frozen=True)
class Cell:
    """What an account came to within a turn, in order; `steps` is empty where it stayed what it `was`."""

    steps: Sequence[str]
    was: str

    @property
    def before(self) -> Sequence[str]:
        return self.steps[:-1]

    @property
    def last(self) -> str:
        return self.steps[-1] if self.steps else ""


@dataclass(frozen=True)
class Drawn:
    """An account's chart: `wide` and `narrow` SVG, and as a table `heads` (holder, name) with rows of turns."""

    key: str
    label: str
    wide: SafeString
    narrow: SafeString
    heads: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    ended: Sequence[Course]
    """Lines that have their column and no name in the drawing: they have nothing left."""
    others: int
    """Lines that have no name at all."""


class Courses:
    """All accounts of a campaign, or one, in two queries."""

    def __init__(self, table: TableContext, account: str = "", focus: str = "") -> None:
        self.table, self.focus = table, focus
        self.talk = talk(table.title, table.scenario, table.position)
        found = selectors.turns(table.campaign)
        self.turns = [(turn, first) for turn, first, _ in found if turn]
        entries = [number for _, first, last in found for number in (first, last)]
        self.first, self.last = (min(entries) - 1, max(entries)) if entries else (0, 0)
        self.steps: dict[tuple[str, str], list[Step]] = {}
        rows = nations.ledgers(table.campaign, table.access, account=account)
        at = self.first
        for holder, of, number, turn, balance in rows.values_list("holder", "account", "entry__number", "turn", "balance"):
            at = at if number is None else max(number, self.first)
            steps = self.steps.setdefault((holder, of), [])
            if steps and steps[-1][1] == at:
                steps.pop()
            steps.append((turn, at, balance))

    @property
    def empty(self) -> bool:
        return not self.turns

    def has(self, account: str) -> bool:
        """Has anybody a course in it? An account that only a variant knows may have none."""
        return bool(self._courses(account))

    def drawn(self, account: str, *, large: bool = False, at: int | None = None) -> Drawn:
        """One account's chart and table; `at` an entry to be marked."""
        known = self.table.accounts[account]
        found = self._courses(account)
        named = [course for course in found if course.named]

        def text(value: int) -> str:
            return self.talk.amount(account, value)

        label = capital(known.label)
        courses = ", ".join(f"{one.name} {text(one.steps[0][1])} → {text(one.last)}" for one in named)
        told = _("%(account)s over the log: %(courses)s") % {"account": label, "courses": courses}
        turns = [Turn(first, self.turn_name(turn).lower()) for turn, first in self.turns]

        def svg(size: tuple[int, int]) -> SafeString:
            sizes = dict(zip(("width", "height"), size, strict=True))
            return chart.draw(found, turns, self.first, self.last, label=told, text=text, scale=known.scale, at=at, **sizes)

        return Drawn(
            account, label, svg(LARGE if large else WIDE), svg(NARROW), [(one.holder, one.name) for one in named],
            self._rows(account, [one.holder for one in named]), [one for one in named if one.ended], len(found) - len(named),
        )  # fmt: skip

    def _courses(self, account: str) -> list[Course]:
        seats = {seat.key for seat in self.table.seats}
        made = []
        for place, holder in enumerate(self.table.account_holders):  # the place is the dash, in every chart
            steps = self.steps.get((holder, account), [])
            if not steps and (holder not in seats or (holder, account) not in self.table.rows.accounts):
                continue
            line = [(at, balance) for _, at, balance in steps]
            if holder in seats and (not steps or steps[0][0]):
                line.insert(0, (self.first, 0))
            ended = holder not in seats and not line[-1][1]
            name = capital(self.table.name_of(holder))
            made.append(Course(holder, name, place % chart.DASHES, line, True, ended, holder == self.focus))
        first = sorted(made, key=lambda one: (one.holder not in seats, one.ended, -max(value for _, value in one.steps)))
        kept = {one.holder for one in first[: max(NAMED, len(seats))]}
        return [one._replace(named=one.holder in kept) for one in made]

    def turn_name(self, turn: int) -> str:
        return f"{capital(word(self.table.campaign.title, 'turn'))} {turn}"

    def _rows(self, account: str, holders: Sequence[str]) -> list[tuple[str, Sequence[Cell]]]:
        """A row a turn, the first what the campaign began with."""
        by_turn: dict[str, Mapping[int, Sequence[int]]] = {}
        for holder in holders:
            found: dict[int, list[int]] = {}
            for turn, _at, balance in self.steps.get((holder, account), ()):
                found.setdefault(turn, []).append(balance)
            by_turn[holder] = found
        now: dict[str, str] = {seat.key: self.talk.amount(account, 0) for seat in self.table.seats}
        made: list[tuple[str, Sequence[Cell]]] = []
        for turn in [0, *(first[0] for first in self.turns)]:
            cells = []
            for holder in holders:
                steps = [self.talk.amount(account, value) for value in by_turn[holder].get(turn, ())]
                cells.append(Cell(steps, now.get(holder, "")))
                now[holder] = steps[-1] if steps else now.get(holder, "")
            made.append((_("At the start") if not turn else self.turn_name(turn), cells))
        return made
