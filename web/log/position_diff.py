"""Two positions of a campaign beside each other as one reader may know them: what is otherwise in
the second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.log import history, selectors
from campaign.log.history import Trail
from games.contract.pages import Naming, Page, Remembering
from games.contract.title import Rows
from games.registry import words
from web.frame import page_cache
from web.frame.campaign_page import GAME_MASTER, TableContext, accounts_by_key, amount
from web.ledger import taken_over
from web.log.lines import Change, Happened, Row, changes, notes, row, what_happened
from web.table.standings import Place, plain_standings
from web.titles import extras
from web.titles.talk import capital, plain_name

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

RESOLVED = "resolved"


class Level(NamedTuple):
    """Something of which there is an amount or a name, in the one position and in the other."""

    label: str
    now: str
    then: str


class Holder(NamedTuple):
    """What a seat, or somebody else who holds something, has otherwise: levels, then notes ("+
    Spy", "− Spy").
    """

    key: str
    name: str
    levels: Sequence[Level]
    notes: Sequence[Level]


class Fight(NamedTuple):
    """A contest that is in one position only, or stands otherwise there. `how`: `gone`, `new`,
    `reopened`, `closed`, or `changed` where it runs in both.
    """

    number: int
    how: str
    facts: dict[str, Any]


class Otherwise(NamedTuple):
    """All of it. `state` tells of turn, phase and whose slot it is; `places` of owners and what
    stands there.
    """

    state: Sequence[Level]
    holders: Sequence[Holder]
    places: Sequence[Changed]
    more_places: Sequence[str]
    agreements: Sequence[tuple[str, bool]]
    """What was agreed, and whether it holds in the second position: it does in one of them only."""
    fights: Sequence[Fight]

    def __bool__(self) -> bool:
        return any(self)


def compare(now: TableContext, then: TableContext) -> Otherwise:
    """What is otherwise in `then`, which is the same campaign for the same reader."""
    own = extras(now.campaign.title, "history")
    places = changed(then, now)
    keys = {one.key for one in places}
    old, new = now.rows.holdings, then.rows.holdings
    more = [
        place_name(now, key)
        for key, facts in new.items()
        if key not in keys and dict(facts) != dict(old.get(key, {}))
    ]
    agreements: Sequence[tuple[str, bool]] = own.agreements(now, then) if own else ()
    return Otherwise(
        _state(now, then),
        _holders(now, then),
        places,
        more,
        agreements,
        _fights(now.rows, then.rows),
    )


def _state(now: TableContext, then: TableContext) -> list[Level]:
    words_of, levels = words(now.campaign.title), []
    turns = [str(one.view.get("turn") or "") or _("before the start") for one in (now, then)]
    if turns[0] != turns[1]:
        levels.append(Level(capital(words_of["turn"]), *turns))
    slots = [_slot(one) for one in (now, then)]
    if slots[0] != slots[1]:
        levels.append(Level(_("Waits for"), *slots))
    return levels


def _slot(table: TableContext) -> str:
    """Whom the table waits for, by the rules, in words."""
    if table.title.score(table.position) is not None:
        return _("nobody: it is over")
    seats = dict.fromkeys(one.seat for one in table.title.waiting(table.position))
    return ", ".join(table.name_of(seat) for seat in seats) or _("nobody")


def _holders(now: TableContext, then: TableContext) -> list[Holder]:
    own, holders = extras(now.campaign.title, "history"), []
    old, new = now.rows, then.rows
    keys = [*now.names, *dict.fromkeys(who for who, _account in (*old.accounts, *new.accounts))]
    for key in dict.fromkeys(keys):
        levels = []
        for subject in dict.fromkeys(
            (
                *accounts_by_key(now),
                *(account for who, account in (*old.accounts, *new.accounts) if who == key),
            )
        ):
            was, will = old.accounts.get((key, subject)), new.accounts.get((key, subject))
            if was != will:
                account = accounts_by_key(now).get(subject)
                label = account.label if account else plain_name(subject)
                levels.append(Level(label, amount(account, was or 0), amount(account, will or 0)))
        levels += _facts(now, old, new, key)
        levels += own.levels(now, then, key) if own else []
        notes = [Level(zone, "", text) for zone, text in _cards(now, old, new, key)]
        if levels or notes:
            holders.append(Holder(key, now.name_of(key), levels, notes))
    return holders


def _facts(now: TableContext, old: Rows, new: Rows, key: str) -> list[Level]:
    """Where a holder stands, for titles whose holders stand in a place."""
    was, will = old.holders.get(key, {}), new.holders.get(key, {})
    levels = []
    for fact, value in will.items():
        before = was.get(fact)
        if (
            value != before
            and isinstance(value, str)
            and isinstance(before, str)
            and {value, before} <= new.holdings.keys()
        ):
            levels.append(Level(_("stands in"), place_name(now, before), place_name(now, value)))
    return levels


def _cards(now: TableContext, old: Rows, new: Rows, key: str) -> Iterator[tuple[str, str]]:
    """What comes into a holder's zones and what leaves them; of a hand that the reader does not
    see, how many: that is on the table in every title that hides one.
    """
    own = extras(now.campaign.title, "history")
    named = own.item if own else now.pages.item if isinstance(now.pages, Naming) else plain_name
    for zone in sorted({zone for who, zone, _item in (*old.items, *new.items) if who == key}):
        was, will = (_zone(rows, key, zone) for rows in (old, new))
        if was == will:
            continue
        label = (
            _("Hand")
            if zone == "hand"
            else _("On the table")
            if zone == "table"
            else plain_name(zone)
        )
        may = new.private.get((key, zone))
        if may is not None and not now.access.sees(may):
            if was.total() != will.total():
                n = will.total()
                yield (
                    label,
                    f"{was.total()} → " + ngettext("%(n)s card", "%(n)s cards", n) % {"n": n},
                )
            continue
        for item, n in sorted((will - was).items()):
            yield label, f"+\u00a0{named(item)}" + (f" × {n}" if n > 1 else "")
        for item, n in sorted((was - will).items()):
            yield label, f"−\u00a0{named(item)}" + (f" × {n}" if n > 1 else "")


def _zone(rows: Rows, key: str, zone: str) -> Counter[str]:
    return Counter(
        {item: n for (who, where, item), n in rows.items.items() if (who, where) == (key, zone)}
    )


def _fights(old: Rows, new: Rows) -> list[Fight]:
    fights = []
    for number in sorted({*old.contests, *new.contests}):
        was, will = old.contests.get(number), new.contests.get(number)
        if will is None or was is None:
            fights.append(Fight(number, "gone" if will is None else "new", dict(was or will or {})))
        elif (was["status"] == RESOLVED) != (will["status"] == RESOLVED):
            fights.append(
                Fight(number, "reopened" if was["status"] == RESOLVED else "closed", dict(was))
            )
        elif was["status"] != will["status"]:
            fights.append(Fight(number, "changed", dict(was)))
    return fights


# A moment of a campaign's log as one reader may know it: how it stood, and what had changed since
# the stop before.

TURNS = "turns"
"""Stops are looked at one by one, or turn by turn: then what counts is what had changed since the
turn before.
"""


class Changed(NamedTuple):
    """A place that had become otherwise: its owner (key for the swatch, name) before and then,
    further (before, then).
    """

    key: str
    name: str
    was: tuple[str, str]
    now: tuple[str, str]
    notes: Sequence[tuple[str, str]] = ()

    @property
    def moved(self) -> bool:
        return self.was != self.now


class Slot(NamedTuple):
    """A seat in the order of play as it stood: `done`, `now`, `later`, or `idle` where nobody
    plays; its purse while it plays.
    """

    seat: str
    name: str
    how: str
    left: str = ""


class Told(NamedTuple):
    """What an entry of the turn brought about, in words."""

    number: int
    url: str
    texts: Sequence[str]


def as_of(table: TableContext, moves: int, road: Trail | None = None) -> TableContext:
    """The table as it stood after so many moves, of a struck branch where that is the `road`, for
    the same reader. Who holds a seat is of today and left out.
    """
    then = stood(table, history.after(table.campaign, moves, road))
    then.mark = (history.trail(table.campaign) if road is None else road).keys[moves]
    return then


def stood(table: TableContext, position: Any) -> TableContext:
    """The same at another position of its log, as it stood or would stand."""
    then = TableContext(table.request, table.campaign, table.access, past=True, notes=table.notes)
    then.position = position
    then.places = []
    return then


def changed(then: TableContext, before: TableContext) -> list[Changed]:
    """The places that had become otherwise since: what its title tells, else whose they were."""
    own = extras(then.campaign.title, "history")
    if own is not None:
        return list(own.changed(then, before))
    old, new = before.rows.holdings, then.rows.holdings
    return [
        Changed(key, place_name(then, key), _owner(then, old.get(key, {})), _owner(then, facts))
        for key, facts in new.items()
        if facts.get("owner") != old.get(key, {}).get("owner")
    ]


def place_name(table: TableContext, key: str) -> str:
    return table.pages.place(key) if isinstance(table.pages, Remembering) else plain_name(key)


def _owner(table: TableContext, facts: Any) -> tuple[str, str]:
    owner = facts.get("owner")
    return (owner, table.name_of(owner)) if owner else ("", "")


class Moment:
    """The stop at a place of the trail, seen by itself or as the end of its turn. `branch` is the
    undo whose struck moves the trail is of; None: of what is in force.
    """

    def __init__(
        self, table: TableContext, road: Trail, place: int, by: str = "", branch: int | None = None
    ) -> None:
        self.table, self.road, self.place, self.by, self.branch = table, road, place, by, branch
        self.stop, ends = road.stops[place], road.ends
        self.turn_back = max((end for end in ends if end < place), default=None)
        self.turn_on = min((end for end in ends if end > place), default=None)
        self.turn_end = next(end for end in ends if end >= place)
        self.since = self.turn_back if by == TURNS else place - 1 if place else None

    @property
    def _road(self) -> Trail | None:
        return None if self.branch is None else self.road

    @property
    def home(self) -> str:
        """The page on which one goes from stop to stop."""
        return (
            self.table.url("history")
            if self.branch is None
            else self.table.url("branch", self.branch)
        )

    @cached_property
    def then(self) -> TableContext:
        return as_of(self.table, self.stop.moves, self._road)

    @cached_property
    def before(self) -> TableContext | None:
        """The stop this one is compared with; None at the first."""
        assert self.then  # first: on its way there it comes by this one
        return (
            None
            if self.since is None
            else as_of(self.table, self.road.stops[self.since].moves, self._road)
        )

    @property
    def moved(self) -> bool:
        """Was anything played since?"""
        return self.since is not None and self.road.stops[self.since].moves != self.stop.moves

    def _own(self, part: str) -> Any:
        return extras(self.table.campaign.title, part)

    @cached_property
    def changed(self) -> list[Changed]:
        if self.before is None or not self.moved:
            return []
        return changed(self.then, self.before)

    def own_context(self, own: Any, *, moving: bool) -> dict[str, Any]:
        """What the title's own part shows of it."""
        what = "shown then", self.moved, moving
        kept: dict[str, Any] = self._kept(
            what, lambda: own.context(self.then, self.before, self.changed, moving=moving)
        )
        return kept

    @cached_property
    def past(self) -> Page | None:
        """The board of a title that is played on a page of its own."""
        pages = self.table.pages
        return (
            pages.past(self.then.position, [one.key for one in self.changed])
            if isinstance(pages, Remembering)
            else None
        )

    @cached_property
    def standings(self) -> list[Place]:
        """The lines of the standings as they stood, each number with what it had been."""
        kept: list[Place] = self._kept(
            ("standings then", self.table.own_seats, self.table.campaign.started), self._standings
        )
        return kept

    def _kept(self, what: Hashable, make: Callable[[], Any]) -> Any:
        """What follows from the two positions as their reader may see them, and from
        nothing else.
        """
        before = self.before.mark if self.before is not None else ""
        return page_cache.of_position(self.then, (what, before), make)

    def _standings(self) -> list[Place]:
        own = self._own("table")
        find: Callable[[TableContext], list[Place]] = own.standings if own else plain_standings
        old = {
            (one.seat, cell.label): cell.text
            for one in (find(self.before) if self.before else ())
            for cell in one.cells
        }
        places = []
        for one in find(self.then):
            cells = []
            for cell in one.cells:
                was = old.get((one.seat, cell.label), cell.text)
                cells.append(cell._replace(was=was if was != cell.text else ""))
            places.append(
                one._replace(cells=cells, url="" if not self.table.campaign.started else one.url)
            )
        return places

    @property
    def order(self) -> list[Slot]:
        """The order of play of its turn; empty before the first, where one plays alone, and in a
        turn played elsewhere.
        """
        then = self.then
        keys = [
            key for key in then.view.get("order") or () if key in then.names and key != GAME_MASTER
        ]
        if not then.view["turn"] or len(keys) < 2 or then.view["turn"] <= taken_over(self.table):
            return []
        now, purse = then.view["slot"], accounts_by_key(then).get("actions")
        at = keys.index(now) if now in keys else len(keys)
        slots = []
        for place, key in enumerate(keys):
            how = "now" if place == at else "done" if place < at else "later"
            left = (
                amount(purse, then.rows.accounts.get((key, purse.key), 0))
                if purse and how == "now"
                else ""
            )
            slots.append(Slot(key, then.name_of(key), how, left))
        return slots

    @cached_property
    def entry(self) -> selectors.Line:
        return selectors.entry(self.table.campaign, self.table.access, self.stop.number)

    @property
    def line(self) -> Row:
        return row(self.table, self.entry)

    @property
    def ledger(self) -> list[Change]:
        """The ledger lines of the entry."""
        return changes(self.table, self.entry.effects)

    @property
    def happened(self) -> list[Happened]:
        return what_happened(self.table, self.entry.effects)

    @property
    def events(self) -> list[Told]:
        """What the entries since brought about, each in words; those of which there is nothing to
        tell are left out.
        """
        if self.since is None:
            return []
        named = {
            one.sequence: one.number
            for one in self.road.stops[self.since + 1 : self.place + 1]
            if one.changed or one.contest
        }
        entries = []
        for entry in self.table.campaign.entries.filter(sequence__in=named).order_by("sequence"):
            seen = [
                effect for effect in entry.all_effects if self.table.access.sees(effect.audience)
            ]
            texts = notes(self.table, seen)
            if texts:
                number = named[entry.sequence]
                entries.append(Told(number, self.table.url("entry", number), texts))
        return entries
