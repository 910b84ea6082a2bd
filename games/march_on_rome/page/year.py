"""The steps of a year up to a cursor, and the ribbon of its phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.march_on_rome.drawing.map import paint
from games.march_on_rome.rules.position import PC, Position, Scenario, World
from games.march_on_rome.text.fights import SegmentTable, segments_shown
from games.march_on_rome.text.phrases import PhrasePart, holder_with_paint, phrase_text
from games.march_on_rome.text.steps import LegionChange, Step, StepRoll

PHASES = ("pc", "npc", "recruit", "events")


class Cursor(NamedTuple):
    """A place in the replay of a reign.

    `at` is the index of the step, `segment` how many segments of its battle are shown.
    """

    at: int
    segment: int


def read_cursor(steps: Sequence[Step], asked: str) -> Cursor | None:
    """Return the cursor of an address ("14" or "14.3"); None if it has no step to show."""
    entry, _, segment = asked.partition(".")
    if not (entry.isascii() and entry.isdigit() and len(entry) < 10):
        return None
    at = next((n for n, step in enumerate(steps) if step.entry == int(entry)), None)
    if at is None or steps[at].kind == "begin":
        return None
    shown = int(segment) if segment.isascii() and segment.isdigit() and len(segment) < 10 else 0
    return Cursor(at, min(shown, steps[at].segments))


def end(steps: Sequence[Step]) -> Cursor | None:
    """Return the cursor at the end of the log, where everything is shown."""
    return Cursor(len(steps) - 1, steps[-1].segments) if steps else None


def next_address(steps: Sequence[Step], cursor: Cursor) -> str:
    """Return the address of the next step or segment; empty at the end of the log."""
    step = steps[cursor.at]
    if cursor.segment < step.segments:
        return f"?told={step.entry}.{cursor.segment + 1}"
    return f"?told={steps[cursor.at + 1].entry}" if cursor.at + 1 < len(steps) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """A step of a year for the page."""

    no: int
    entry: int
    line: Sequence[PhrasePart]
    rolls: Sequence[StepRoll]
    now: bool
    """Whether it is the step that is shown now."""
    fight: SegmentTable | None
    """Its battle by segments (`segments_shown`)."""
    sums: Sequence[Sequence[PhrasePart]]
    changes: Sequence[LegionChange]


def step_lines(
    scenario: Scenario,
    steps: Sequence[Step],
    year: int,
    cursor: Cursor | None = None,
    running: bool = False,
) -> list[StepLine]:
    """Return the steps of a year for the page, up to the cursor.

    The step at the cursor is open; if the year is `running`, the last step is.
    """
    shown = [
        step
        for n, step in enumerate(steps)
        if step.year == year and (cursor is None or n <= cursor.at)
    ]
    now = steps[cursor.at] if cursor else shown[-1] if shown and running else None
    rows = []
    for number, step in enumerate((step for step in shown if step.kind != "begin"), 1):
        upto = cursor.segment if cursor and step is now and cursor.segment < step.segments else None
        fight = (
            segments_shown(scenario, step.fight, upto)
            if step.fight is not None and step.clashed
            else None
        )
        rows.append(
            StepLine(
                no=number,
                entry=step.entry,
                line=step.line,
                rolls=step.rolls,
                now=step is now,
                fight=fight,
                sums=step.sums if upto is None else [],
                changes=step.changes,
            )
        )
    return rows


def world_shown(steps: Sequence[Step], following: int, now: World, fighting: Step | None) -> World:
    """Return the board after the steps that are shown.

    `following` is the index of the next step; `fighting` is the last step if its battle goes on.
    """
    if fighting is not None:
        return fighting.before
    return steps[following].before if following < len(steps) else now


def acting_general(position: Position, here: Step, cursor: Cursor | None) -> str:
    """Return the general who acts at the step that is shown, or now at the end of the log."""
    if cursor is None:
        return next(iter(position.queue or ()), "")
    if here.fight is not None and here.clashed:
        return here.fight.attacker
    return here.actor


def dice_of(steps: Sequence[Step], year: int) -> int:
    """Return how many dice were thrown in a year."""
    rolled = sum(len(roll.dice) for step in steps if step.year == year for roll in step.rolls)
    fought = [
        step.fight
        for step in steps
        if step.year == year and step.clashed and step.fight is not None
    ]
    return (
        rolled
        + sum(
            len(dice)
            for fight in fought
            for segment in fight.segments
            for dice in segment["rolls"].values()
        )
        + len(fought)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RibbonSlot:
    """A part of the year on the ribbon. `when` is `done`, `now`, `next` or `later`."""

    key: str
    name: str
    short: str
    state: str
    when: str


def ribbon(
    scenario: Scenario,
    world: World,
    steps: Sequence[Step],
    year: int,
    phase: str,
    acting: str = "",
    *,
    sealed: bool = False,
) -> list[RibbonSlot]:
    """Return the phases of the year, each with its acts, past or to come.

    `steps` are those that are shown, `world` is the board after them, `phase` the phase of the
    year, and `acting` the rival who acts. With `sealed` the end of the last step's battle is not
    shown yet.
    """
    shown = [step for step in steps if step.year == year]
    does = acts_of_year(shown, sealed=sealed)
    at = PHASES.index(phase) if phase in PHASES else len(PHASES)
    queue = next((step.queue for step in shown if step.kind == "order"), ())
    action = does.get(PC, phrase_text("ribbon-action"))
    slots = [_slot(PC, holder_title(scenario, PC), action, _is(0, at))]
    for rival in queue if at else ():
        state = _rival_is(rival, at, acting=acting, has_acted=rival in does)
        name = holder_title(scenario, rival)
        slots.append(_slot(paint(rival), name, does.get(rival, ""), state))
    if not at or not queue:
        slots.append(_slot_of_rivals(scenario, world, at))
    gain = phrase_text("ribbon-gain", n=len(world.lands(PC)))
    slots.append(_slot("gm", phrase_text("ribbon-recruit"), gain, _is(2, at)))
    slots.append(_slot("gm", phrase_text("ribbon-events"), events_text(shown), _is(3, at)))
    return slots


def acts_of_year(shown: Sequence[Step], *, sealed: bool) -> dict[str, str]:
    """Return a short text about the acts of each general in the steps of a year.

    With `sealed` the end of the last step is left out.
    """
    deeds: dict[str, str] = {}
    for step in shown:
        if step.short:
            deeds[step.actor] = step.short
        if not (sealed and step is shown[-1]):
            deeds |= step.ends
    return deeds


def holder_title(scenario: Scenario, holder: str) -> str:
    """Return the name of a holder on the ribbon."""
    return str(holder_with_paint(scenario, holder).name)


def events_text(shown: Sequence[Step]) -> str:
    """Return how many of the year's events have happened."""
    number = next((step.rolls[0].dice[0] for step in shown if step.kind == "events"), 0)
    if not number:
        return phrase_text("ribbon-events-unknown")
    happened = sum(step.kind == "event" for step in shown)
    return phrase_text("ribbon-events-told", n=happened, of=number)


def _slot_of_rivals(scenario: Scenario, world: World, at: int) -> RibbonSlot:
    """Return the slot of all rivals, before their order is known."""
    rivals = [rival for rival in world.generals() if rival != PC]
    names = ", ".join(holder_title(scenario, rival) for rival in rivals)
    text = names or phrase_text("ribbon-none")
    return _slot("npc-1", phrase_text("ribbon-rivals"), text, _is(1, at))


def _rival_is(rival: str, at: int, *, acting: str, has_acted: bool) -> str:
    """Return the state of a rival's slot: `done`, `now` or `next`."""
    if at == 1 and rival == acting:
        return "now"
    return "done" if at > 1 or has_acted else "next"


def _is(place: int, at: int) -> str:
    return (
        "done" if place < at else "now" if place == at else "next" if place == at + 1 else "later"
    )


def _slot(key: str, name: str, state: str, when: str) -> RibbonSlot:
    short = name if len(name) <= 7 else name[:3]
    return RibbonSlot(key=key, name=name, short=short, state=state, when=when)
