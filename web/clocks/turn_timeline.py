"""The path to the close: what the turn still needs, on whom, when it ends at the latest and when at
best, drawn as bars.

Made of what every title tells: the order of play (or the course of its turn, where that is
another), whom it waits for, its contests; and of the clocks and their terms. Slots follow each
other, battles run beside them. Each is given its full time: nobody is foretold to be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.clocks import selectors as clock_terms
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, SLOT, TURN, Terms
from campaign.log.texts import length_words
from campaign.models import Clock, add
from campaign.sentences import written
from engine.language import joined, sentence
from games.contract.title import Coursed
from web import waiting
from web.battles.page import battle_forms, battle_words
from web.titles.talk import capital
from web.waiting import live_claims, waited_for

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

WIDTH, NAMES, NOTES, TOP, ROW = 900, 225, 705, 30, 26
"""The picture has three columns: names, bars, notes; no word stands on a line."""
APART = 44
"""How far two words above the picture are apart, about."""
LONG = 34, 34
"""Letters of a name and of a note: a longer one is cut in the picture; the list beside it has it in
full.
"""
TICKS = 8
STEPS = (1, 2, 3, 4, 7, 14, 28, 56, 112, 224)


class Step(NamedTuple):
    """Something that the turn still needs. Without an end nothing says when it is over: no clock
    runs for it.
    """

    name: str
    nation: str
    people: str
    start: datetime
    end: datetime | None
    how: str
    note: str

    @property
    def main(self) -> bool:
        """Does it stand among the slots, which wait for each other?"""
        return self.how != "side"


class Slots(NamedTuple):
    """Slots that follow each other, or what the last of them may bring about (`maybe`): their name,
    the seats they need, the kinds of clocks that run one after the other; `open`: the table waits
    for it now.
    """

    name: str
    seats: tuple[str, ...]
    kinds: tuple[str, ...] = (SLOT,)
    open: bool = False
    maybe: bool = False


class Bar(NamedTuple):
    """A step as it is drawn, in the units of the picture."""

    step: Step
    name: str
    y: int
    x: float
    width: float
    note: str

    @property
    def name_y(self) -> int:
        return self.y + 17

    @property
    def bar_y(self) -> int:
        return self.y + (5 if self.step.main else 9)

    @property
    def height(self) -> int:
        return 15 if self.step.main else 9


class Tick(NamedTuple):
    x: float
    text: str


class Path(NamedTuple):
    """The picture and what it comes to. `latest` and `best` are None where something has no
    clock.
    """

    steps: list[Step]
    bars: list[Bar]
    ticks: list[Tick]
    now_x: float
    turn_x: float | None
    height: int
    latest: datetime | None
    best: datetime | None
    turn: datetime | None
    battles: bool = True

    @property
    def width(self) -> int:
        return WIDTH

    @property
    def notes_x(self) -> int:
        return NOTES

    @property
    def unknown(self) -> str:
        """What has no clock, so that nobody can say when the turn closes; empty where everything
        has one.
        """
        return ", ".join(step.name for step in self.steps if step.end is None)

    @property
    def turn_day(self) -> str:
        return day(self.turn) if self.turn is not None else ""

    @property
    def late(self) -> bool:
        """Does it end after the turn's own deadline?"""
        return self.latest is not None and self.turn is not None and self.latest > self.turn


def turn_path(table: TableContext, now: datetime | None = None) -> Path | None:
    """None where no turn runs, and where one plays alone."""
    if (
        not table.campaign.started
        or table.campaign.ended
        or table.solo
        or not table.view.get("turn")
    ):
        return None
    now = now or timezone.now()
    steps = list(needed(table, now))
    if not steps:
        return None
    certain = [step.end for step in steps if step.how != "maybe"]
    ends = [step.end for step in steps]
    best = max(certain, default=None) if None not in certain else None  # type: ignore[type-var]
    latest = max(ends, default=None) if None not in ends else None  # type: ignore[type-var]
    turn = next((_end(clock, now) for clock in waiting.clocks(table) if clock.kind == TURN), None)
    return drawn(steps, now, latest, best, turn)._replace(battles=fights(table))


def needed(table: TableContext, now: datetime) -> Iterable[Step]:
    """The slots in their order, what the last of them may begin, the contests that run."""
    terms, zone = clock_terms.terms_of(table.campaign), table.campaign.time_zone
    yield from _steps(table, list(slots(table)), terms, zone, now)
    for number, facts in table.rows.contests.items():
        if facts.get("status") != "resolved":
            yield _contest(table, number, terms, zone, now)


def slots(table: TableContext) -> Iterable[Slots]:
    """What the turn still needs, as its title tells its course; else a slot of each in the order of
    play.
    """
    if isinstance(table.title, Coursed):
        for one in table.title.course(table.position):
            name = capital(table.title.speak(table.scenario, one.what))
            yield Slots(name, one.seats, (SLOT,) * one.slots, one.open, one.maybe)
        return
    keys, open_now = order(table)
    for key in keys:
        yield Slots(
            sentence(_("Slot of {name:the}"), name=table.name_of(key)), (key,), open=key in open_now
        )
    if keys and fights(table):
        name = sentence(_("Battle of {name:the}, if any"), name=table.name_of(keys[-1]))
        yield Slots(name, (keys[-1],), (ANSWER, BATTLE, CLAIM), maybe=True)


def _steps(
    table: TableContext,
    wanted: Iterable[Slots],
    terms: dict[str, Terms | None],
    zone: str,
    now: datetime,
) -> Iterable[Step]:
    """Each begins when the one before it is over at the latest; without an end where one before it
    has none.
    """
    cursor: datetime | None = now
    for one in wanted:
        nation = one.seats[0] if len(one.seats) == 1 else ""
        if one.open:
            clock = next(
                (
                    clock
                    for clock in waiting.clocks(table)
                    if clock.kind == SLOT and clock.seat == nation
                ),
                None,
            )
            start, cursor = (
                clock.started_at if clock else now,
                None if clock is None else _end(clock, now),
            )
            note = _note(clock, now) if clock else _("no clock")
            yield Step(
                one.name, nation, _who(table, one, start, cursor, zone), start, cursor, "now", note
            )
            continue
        start, lengths = cursor or now, [terms[kind] for kind in one.kinds]
        for length in lengths:
            cursor = None if cursor is None or length is None else add(cursor, length.length, zone)
        people = _who(table, one, start, cursor, zone)
        yield Step(
            one.name,
            nation,
            people,
            start,
            cursor,
            "maybe" if one.maybe else "then",
            _length(one, lengths, cursor),
        )


def _who(table: TableContext, one: Slots, start: datetime, end: datetime | None, zone: str) -> str:
    """Who holds these seats, and whether they are away meanwhile; nobody of what may not come to
    it.
    """
    first, last = (at.astimezone(ZoneInfo(zone)).date() for at in (start, end or start))
    names = []
    for seat in () if one.maybe else one.seats:
        away = {
            name
            for name, gone in waiting.absent(table).get(seat, ())
            if gone.first <= last and first <= gone.last
        }
        names += [
            _("%(name)s (away)") % {"name": name} if name in away else name
            for name in table.holders(seat)
        ]
    return ", ".join(dict.fromkeys(names))


def _length(one: Slots, lengths: Sequence[Terms | None], end: datetime | None) -> str:
    """What stands beside a part that is still to come."""
    first = lengths[0]
    if first is None or (one.maybe and end is None):
        return _("no clock")
    if len(set(one.kinds)) > 1:
        return _("answered, fought, confirmed")
    time = length_words(first.length)
    return _("%(n)s × %(time)s") % {"n": len(lengths), "time": time} if len(lengths) > 1 else time


def order(table: TableContext) -> tuple[list[str], set[str]]:
    """Whose slots are open and still to come, in their order; and those that are open."""
    open_now = [
        one.seat
        for one in waited_for(table)
        if one.contest is None and one.seat in table.names and one.seat != "gm"
    ]
    keys, now = (
        [key for key in table.view.get("order") or () if key in table.names],
        table.campaign.active_seat,
    )
    later = keys[keys.index(now) + 1 :] if now in keys else []
    return [*dict.fromkeys([*open_now, *later])], set(open_now)


def fights(table: TableContext) -> bool:
    """Does this title know contests?"""
    return bool(table.rows.contests) or battle_forms(table) is not None


def _contest(
    table: TableContext, number: int, terms: dict[str, Terms | None], zone: str, now: datetime
) -> Step:
    facts = table.rows.contests[number]
    mine = {clock.kind: clock for clock in waiting.clocks(table) if clock.contest == number}
    words = battle_words(table)
    where = str(words.where(table.scenario, facts)).rpartition(" → ")[2]
    name = f"#{number} {where}"
    nation = str(facts.get("attacker") or "")
    people = _people(
        table, list(dict.fromkeys(one.seat for one in waited_for(table) if one.contest == number))
    )
    claimed = live_claims(table).get(number)
    start = min((clock.started_at for clock in mine.values()), default=now)
    if claimed is not None:
        clock = mine.get(CLAIM)
        if clock is None:
            return Step(name, nation, people, start, now, "side", _("to be judged"))
        over = _end(clock, now)
        return Step(
            name,
            nation,
            people,
            start,
            over,
            "side",
            _late(clock, now) or _("confirm by %(day)s") % {"day": day(over)},
        )
    for kind, rest in ((ANSWER, (BATTLE, CLAIM)), (BATTLE, (CLAIM,))):
        clock = mine.get(kind)
        if clock is None:
            continue
        by = _end(clock, now)
        end: datetime | None = by
        for one in rest:
            length = terms[one]
            end = (
                None
                if end is None or (length is None and one == BATTLE)
                else add(end, length.length, zone)
                if length
                else end
            )
        days = {"day": day(by), "end": day(end) if end else ""}
        if kind == ANSWER:
            text = (
                _("answer by %(day)s, over by %(end)s")
                if end
                else _("answer by %(day)s, then no clock")
            )
        else:
            text = (
                _("fight by %(day)s, over by %(end)s")
                if end and end > by
                else _("fight by %(day)s")
            )
        return Step(name, nation, people, start, end, "side", _late(clock, now) or text % days)
    return Step(name, nation, people, now, None, "side", _("no clock"))


def _people(table: TableContext, seats: Iterable[str]) -> str:
    names = [name for seat in seats for name in table.holders(seat) or [table.name_of(seat)]]
    return joined(_(" and "), dict.fromkeys(names))


def _end(clock: Clock, now: datetime) -> datetime:
    """When a clock is over at the latest if all keep to it: not in the past, and later by what it
    has stood still.
    """
    return max(
        clock.due_at + (now - clock.held_at if clock.held_at is not None else timedelta()), now
    )


def _note(clock: Clock, now: datetime) -> str:
    return _late(clock, now) or _("due %(day)s") % {"day": day(_end(clock, now))}


def _late(clock: Clock, now: datetime) -> str:
    return _("overdue since %(day)s") % {"day": day(clock.due_at)} if clock.overdue(now) else ""


def day(moment: datetime) -> str:
    """A moment's day in the reader's zone."""
    return written(timezone.localtime(moment), "j M")


# The picture --------------------------------------------------------------------------------------


def drawn(
    steps: list[Step],
    now: datetime,
    latest: datetime | None,
    best: datetime | None,
    turn: datetime | None,
) -> Path:
    """Bars over time, from a little before now to a little after the last end."""
    ends = [step.end for step in steps if step.end is not None]
    last = max([now + timedelta(days=2), *ends, *([turn] if turn else [])])
    first = max(
        min([now - timedelta(hours=6), *(step.start for step in steps)]), now - (last - now) * 0.4
    )
    last += (last - first) * 0.03
    whole = (last - first).total_seconds()

    def x(moment: datetime) -> float:
        return round(
            NAMES
            + (NOTES - 12 - NAMES) * min(1.0, max(0.0, (moment - first).total_seconds() / whole)),
            1,
        )

    bars = [_bar(step, TOP + ROW * place, x) for place, step in enumerate(steps)]
    now_x, turn_x = x(now), x(turn) if turn is not None else None
    marks = [
        now_x,
        *([turn_x - APART / 2, turn_x + APART / 2] if turn_x is not None else []),
    ]  # its words are as wide as two
    shown = [one for one in ticks(first, last, x) if all(abs(one.x - at) > APART for at in marks)]
    if turn_x is not None and abs(turn_x - now_x) < APART * 1.5:
        turn_x = None
    return Path(steps, bars, shown, now_x, turn_x, TOP + ROW * len(steps) + 6, latest, best, turn)


def _bar(step: Step, y: int, x: Callable[[datetime], float]) -> Bar:
    """A bar with its name and its note, each in its column; the note names people where there is
    room.
    """
    left = x(step.start)
    right = max(left + 3, x(step.end) if step.end is not None else NOTES - 12.0)
    name, note = (
        _short(text, most) for text, most in zip((step.name, step.note), LONG, strict=True)
    )
    both = f"{step.note}, {step.people}"
    return Bar(
        step,
        name,
        y,
        left,
        round(right - left, 1),
        both if step.people and len(both) <= LONG[1] else note,
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def ticks(first: datetime, last: datetime, x: Callable[[datetime], float]) -> Iterable[Tick]:
    """Midnights of the reader's zone, so far from each other that there are few; hours where it is
    a matter of hours.
    """
    days, zone = (last - first) / timedelta(days=1), timezone.get_current_timezone()
    at = timezone.localtime(first).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    step = next(
        (timedelta(days=n) for n in STEPS if days / n <= TICKS), timedelta(days=days / TICKS)
    )
    if days < 4:
        step = timedelta(hours=6 if days < 1.5 else 12)
    while (moment := at.replace(tzinfo=zone)) <= last:
        if moment > first:
            yield Tick(x(moment), written(moment, "j M") if not at.hour else f"{moment:%H:%M}")
        at += step
