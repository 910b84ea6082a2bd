"""The path to the end of the turn: the remaining steps, their people and their times, as bars.

It follows from what every title provides: the order of play or the course of the turn, the seats
that the turn waits for, its contests; and from the clocks and their terms. Slots follow each other,
and battles run in parallel. Each is given its full time for the latest end of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.clocks import selectors as clock_terms
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, SLOT, TURN, Terms
from campaign.dates import written
from campaign.log.acts.clocks import length_words
from campaign.models import GAME_MASTER, Clock, add
from engine.language import capitalize, sentence
from games.contract.title import WithTurnCourse
from games.kit.battle_words import battle_words
from web.frame.name_lists import list_names
from web.frame.table import TableContext
from web.titles.contract import pages_of

WIDTH, NAMES, NOTES, TOP, ROW = 900, 225, 705, 30, 26
"""The picture has three columns: names, bars and notes."""
APART = 44
"""The least distance between two words above the picture."""
LONG = 34, 34
"""The largest numbers of letters of a name and of a note in the picture; the list shows all."""
TICKS = 8
STEPS = (1, 2, 3, 4, 7, 14, 28, 56, 112, 224)


class TimelineStep(NamedTuple):
    """A remaining step of the turn; `end` is None if no clock runs for it."""

    name: str
    nation: str
    people: str
    start: datetime
    end: datetime | None
    style: str
    note: str

    @property
    def main(self) -> bool:
        """Return whether it is a slot, which waits for the slots before it."""
        return self.style != "side"


class Slots(NamedTuple):
    """Slots that follow each other, or the steps that the last of them may cause (`maybe`).

    They have a name, the seats that they need, and the kinds of clocks that run one after the
    other. `open` is true if the turn waits for them now.
    """

    name: str
    seats: tuple[str, ...]
    kinds: tuple[str, ...] = (SLOT,)
    open: bool = False
    maybe: bool = False


class Bar(NamedTuple):
    """A step as drawn, in units of the picture."""

    step: TimelineStep
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
    """The picture, and the end of the turn.

    `turn` is the turn's own deadline. `best` is the end of the turn if no uncertain step happens,
    `latest` its end with all uncertain steps. Both are None if a step has no clock.
    """

    steps: list[TimelineStep]
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
        """Return the names of the steps without a clock, which make the end unknown."""
        return ", ".join(step.name for step in self.steps if step.end is None)

    @property
    def turn_day(self) -> str:
        return day(self.turn) if self.turn is not None else ""

    @property
    def late(self) -> bool:
        """Return whether the turn ends after its own deadline."""
        return self.latest is not None and self.turn is not None and self.latest > self.turn


def turn_path(table: TableContext, now: datetime | None = None) -> Path | None:
    """Return the path; None if no turn runs, and if the reader plays alone."""
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
    best = _last_end(step.end for step in steps if step.style != "maybe")
    latest = _last_end(step.end for step in steps)
    turn = next((end_of(clock, now) for clock in table.clocks if clock.kind == TURN), None)
    return drawn(steps, now, latest, best, turn)._replace(battles=fights(table))


def _last_end(ends: Iterable[datetime | None]) -> datetime | None:
    """Return the last of these moments; None if any of them is unknown."""
    last: datetime | None = None
    for end in ends:
        if end is None:
            return None
        last = end if last is None else max(last, end)
    return last


def needed(table: TableContext, now: datetime) -> Iterable[TimelineStep]:
    """Yield the slots in their order, the steps that the last may cause, and running contests."""
    terms, zone = clock_terms.terms_of(table.campaign), table.campaign.time_zone
    yield from slot_steps(table, list(slots(table)), terms, zone, now)
    for number, facts in table.rows.contests.items():
        if facts.get("status") != "resolved":
            yield contest_step(table, number, terms, zone, now)


def slots(table: TableContext) -> Iterable[Slots]:
    """Yield the remaining slots of the turn.

    They are the course of the turn if the title has one, otherwise the slot of each seat in the
    order of play.
    """
    if isinstance(table.title, WithTurnCourse):
        for stage in table.title.course(table.position):
            name = capitalize(table.title.speak(table.scenario, stage.what))
            yield Slots(name, stage.seats, (SLOT,) * stage.slots, stage.open, stage.maybe)
        return
    keys, open_now = order(table)
    for key in keys:
        yield Slots(
            sentence(pgettext("heading", "Turn of {name:the}"), name=table.name_of(key)),
            (key,),
            open=key in open_now,
        )
    if keys and fights(table):
        name = sentence(_("Battle of {name:the}, if any"), name=table.name_of(keys[-1]))
        yield Slots(name, (keys[-1],), (ANSWER, BATTLE, CLAIM), maybe=True)


def slot_steps(
    table: TableContext,
    wanted: Iterable[Slots],
    terms: dict[str, Terms | None],
    zone: str,
    now: datetime,
) -> Iterable[TimelineStep]:
    """Yield slots as steps.

    Each begins at the latest end of the step before it, and has no end if an earlier step has none.
    """
    cursor: datetime | None = now
    for slots_wanted in wanted:
        if slots_wanted.open:
            step = open_slot(table, slots_wanted, zone, now)
        else:
            lengths = [terms[kind] for kind in slots_wanted.kinds]
            step = later_slots(table, slots_wanted, lengths, (cursor or now, cursor), zone)
        cursor = step.end
        yield step


def nation_of(slots_wanted: Slots) -> str:
    """Return the seat whose colour the bar has; empty for several seats."""
    return slots_wanted.seats[0] if len(slots_wanted.seats) == 1 else ""


def open_slot(table: TableContext, slots_wanted: Slots, zone: str, now: datetime) -> TimelineStep:
    """Return the slot that the turn waits for now."""
    nation = nation_of(slots_wanted)
    clocks = (clock for clock in table.clocks if clock.kind == SLOT)
    clock = next((clock for clock in clocks if clock.seat == nation), None)
    start, end = (clock.started_at, end_of(clock, now)) if clock is not None else (now, None)
    return TimelineStep(
        name=slots_wanted.name,
        nation=nation,
        people=slot_people(table, slots_wanted, start, end, zone),
        start=start,
        end=end,
        style="now",
        note=due_text(clock, now) if clock is not None else pgettext("clocks", "no clock"),
    )


def later_slots(
    table: TableContext,
    slots_wanted: Slots,
    lengths: Sequence[Terms | None],
    begins: tuple[datetime, datetime | None],
    zone: str,
) -> TimelineStep:
    """Return slots that are still to come.

    `begins` is the start as drawn and as known; the second is None if it is unknown.
    """
    start, end = begins
    for length in lengths:
        end = None if end is None or length is None else add(end, length.length, zone)
    return TimelineStep(
        name=slots_wanted.name,
        nation=nation_of(slots_wanted),
        people=slot_people(table, slots_wanted, start, end, zone),
        start=start,
        end=end,
        style="maybe" if slots_wanted.maybe else "then",
        note=lengths_text(slots_wanted, lengths, end),
    )


def slot_people(
    table: TableContext, slots_wanted: Slots, start: datetime, end: datetime | None, zone: str
) -> str:
    """Return the holders of the seats, and who of them is away; empty for uncertain steps."""
    if slots_wanted.maybe:
        return ""
    first, last = (at.astimezone(ZoneInfo(zone)).date() for at in (start, end or start))
    names = []
    for seat in slots_wanted.seats:
        away = {
            name
            for name, absence in table.absent.get(seat, ())
            if absence.first <= last and first <= absence.last
        }
        names += [
            _("%(name)s (away)") % {"name": name} if name in away else name
            for name in table.holders(seat)
        ]
    return ", ".join(dict.fromkeys(names))


def lengths_text(slots_wanted: Slots, lengths: Sequence[Terms | None], end: datetime | None) -> str:
    """Return the note beside slots that are still to come."""
    first = lengths[0]
    if first is None or (slots_wanted.maybe and end is None):
        return pgettext("clocks", "no clock")
    if len(set(slots_wanted.kinds)) > 1:
        return _("answer, battle, confirmation")
    time = length_words(first.length)
    return _("%(n)s × %(time)s") % {"n": len(lengths), "time": time} if len(lengths) > 1 else time


def order(table: TableContext) -> tuple[list[str], set[str]]:
    """Return the seats whose slots are open or still to come, and those that are open."""
    open_now = [
        wait.seat
        for wait in table.waited_for
        if wait.contest is None and wait.seat in table.names and wait.seat != GAME_MASTER
    ]
    keys = [key for key in table.view.get("order") or () if key in table.names]
    active = table.campaign.active_seat
    later = keys[keys.index(active) + 1 :] if active in keys else []
    return [*dict.fromkeys([*open_now, *later])], set(open_now)


def fights(table: TableContext) -> bool:
    """Return whether the title has contests."""
    return bool(table.rows.contests) or pages_of(table.title.key).battle_forms is not None


class ContestNote(NamedTuple):
    """The end of a contest, and the note beside its bar."""

    end: datetime | None
    note: str


def contest_step(
    table: TableContext, number: int, terms: dict[str, Terms | None], zone: str, now: datetime
) -> TimelineStep:
    """Return a running contest as a step."""
    facts = table.rows.contests[number]
    clocks = {clock.kind: clock for clock in table.clocks if clock.contest == number}
    where = str(battle_words(table.title).where(table.scenario, facts)).rpartition(" → ")[2]
    seats = dict.fromkeys(wait.seat for wait in table.waited_for if wait.contest == number)
    end, note = contest_note(table, number, clocks, terms, zone, now)
    return TimelineStep(
        name=f"#{number} {where}",
        nation=str(facts.get("attacker") or ""),
        people=people_of(table, seats),
        start=min((clock.started_at for clock in clocks.values()), default=now),
        end=end,
        style="side",
        note=note,
    )


def contest_note(
    table: TableContext,
    number: int,
    clocks: Mapping[str, Clock],
    terms: dict[str, Terms | None],
    zone: str,
    now: datetime,
) -> ContestNote:
    """Return the end of a contest, by the clock that now runs for it."""
    if number in table.live_claims:
        return claim_note(clocks.get(CLAIM), now)
    if ANSWER in clocks:
        rest = {BATTLE: terms[BATTLE], CLAIM: terms[CLAIM]}
        return answer_note(clocks[ANSWER], rest, zone, now)
    if BATTLE in clocks:
        return battle_note(clocks[BATTLE], {CLAIM: terms[CLAIM]}, zone, now)
    return ContestNote(None, pgettext("clocks", "no clock"))


def claim_note(clock: Clock | None, now: datetime) -> ContestNote:
    """Return the deadline of a claim; without a clock the game master has to judge it."""
    if clock is None:
        return ContestNote(now, _("ruling needed"))
    end = end_of(clock, now)
    text = _("confirm by %(day)s") % {"day": day(end)}
    return ContestNote(end, late_text(clock, now) or text)


def answer_note(
    clock: Clock, rest: Mapping[str, Terms | None], zone: str, now: datetime
) -> ContestNote:
    """Return the end of a contest that waits for an answer."""
    by = end_of(clock, now)
    end = end_after(by, rest, zone)
    if end is None:
        text = _("answer by %(day)s, then no clock") % {"day": day(by)}
    else:
        facts = {"day": day(by), "end": day(end)}
        text = _("answer by %(day)s, ends by %(end)s") % facts
    return ContestNote(end, late_text(clock, now) or text)


def battle_note(
    clock: Clock, rest: Mapping[str, Terms | None], zone: str, now: datetime
) -> ContestNote:
    """Return the end of a contest that has to be fought."""
    by = end_of(clock, now)
    end = end_after(by, rest, zone)
    if end is not None and end > by:
        text = _("fight by %(day)s, ends by %(end)s") % {"day": day(by), "end": day(end)}
    else:
        text = _("fight by %(day)s") % {"day": day(by)}
    return ContestNote(end, late_text(clock, now) or text)


def end_after(start: datetime, rest: Mapping[str, Terms | None], zone: str) -> datetime | None:
    """Return the end after further clocks; None if a battle has none.

    A claim without a clock takes no time.
    """
    end: datetime | None = start
    for kind, terms in rest.items():
        if end is None or (terms is None and kind == BATTLE):
            return None
        if terms is not None:
            end = add(end, terms.length, zone)
    return end


def people_of(table: TableContext, seats: Iterable[str]) -> str:
    """Return the holders of seats, and the names of seats without a holder."""
    names = [name for seat in seats for name in table.holders(seat) or [table.name_of(seat)]]
    return list_names(dict.fromkeys(names))


def end_of(clock: Clock, now: datetime) -> datetime:
    """Return when a clock ends at the latest: not in the past.

    The time for which it was held is added.
    """
    stood = now - clock.held_at if clock.held_at is not None else timedelta()
    return max(clock.due_at + stood, now)


def due_text(clock: Clock, now: datetime) -> str:
    """Return when a clock is due, or since when it is overdue."""
    return late_text(clock, now) or _("due %(day)s") % {"day": day(end_of(clock, now))}


def late_text(clock: Clock, now: datetime) -> str:
    """Return since when a clock is overdue; empty if it is not."""
    return _("overdue since %(day)s") % {"day": day(clock.due_at)} if clock.overdue(now) else ""


def day(moment: datetime) -> str:
    """Return the day of a moment as text, in the reader's time zone."""
    return written(timezone.localtime(moment), "j M")


# Picture


def drawn(
    steps: list[TimelineStep],
    now: datetime,
    latest: datetime | None,
    best: datetime | None,
    turn: datetime | None,
) -> Path:
    """Return bars over time, from shortly before now until shortly after the last end."""
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

    bars = [bar_of(step, TOP + ROW * place, x) for place, step in enumerate(steps)]
    now_x, turn_x = x(now), x(turn) if turn is not None else None
    marks = [
        now_x,
        *([turn_x - APART / 2, turn_x + APART / 2] if turn_x is not None else []),
    ]  # its label is twice as wide
    shown = [
        tick for tick in ticks(first, last, x) if all(abs(tick.x - at) > APART for at in marks)
    ]
    if turn_x is not None and abs(turn_x - now_x) < APART * 1.5:
        turn_x = None
    return Path(steps, bars, shown, now_x, turn_x, TOP + ROW * len(steps) + 6, latest, best, turn)


def bar_of(step: TimelineStep, y: int, x: Callable[[datetime], float]) -> Bar:
    """Return a bar with its name and its note. The note names people if there is room."""
    left = x(step.start)
    right = max(left + 3, x(step.end) if step.end is not None else NOTES - 12.0)
    name, note = (
        shortened(text, most) for text, most in zip((step.name, step.note), LONG, strict=True)
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


def shortened(text: str, most: int) -> str:
    """Return a text with at most this many letters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def ticks(first: datetime, last: datetime, x: Callable[[datetime], float]) -> Iterable[Tick]:
    """Yield some midnights of the reader's time zone; for a short time, hours."""
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
