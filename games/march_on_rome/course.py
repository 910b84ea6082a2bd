"""Where the telling of a year stands: its steps up to a cursor, what is still sealed, the ribbon of the year's phases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.march_on_rome.board import PC
from games.march_on_rome.fights import shown
from games.march_on_rome.map import paint
from games.march_on_rome.phrases import text, who
from games.march_on_rome.position import Position
from games.march_on_rome.scenario import Scenario
from games.march_on_rome.telling import Step

PHASES = ("pc", "npc", "recruit", "events")
PHASE_OF = {"order": "npc", "nobody": "npc", "npc": "npc", "recruit": "recruit", "events": "events", "event": "events"}


class Cursor(NamedTuple):
    """A place in the telling: the step's place in the list, and how many segments of its battle are told."""

    at: int
    segment: int


def read_cursor(steps: Sequence[Step], asked: str) -> Cursor | None:
    """The cursor of an address ("14" or "14.3"); None where there is no such entry, or nothing to be told of it."""
    entry, _, segment = asked.partition(".")
    if not (entry.isascii() and entry.isdigit() and len(entry) < 10):
        return None
    at = next((n for n, step in enumerate(steps) if step.entry == int(entry)), None)
    if at is None or steps[at].kind == "begin":
        return None
    told = int(segment) if segment.isascii() and segment.isdigit() and len(segment) < 10 else 0
    return Cursor(at, min(told, steps[at].segments))


def onward(steps: Sequence[Step], cursor: Cursor) -> str:
    """The address of what is told next; empty at the end of the log."""
    step = steps[cursor.at]
    if cursor.segment < step.segments:
        return f"?told={step.entry}.{cursor.segment + 1}"
    return f"?told={steps[cursor.at + 1].entry}" if cursor.at + 1 < len(steps) else ""


def lines(
    scenario: Scenario, steps: Sequence[Step], year: int, cursor: Cursor | None = None, running: bool = False
) -> list[dict[str, Any]]:
    """The steps of a year for the page, up to the cursor; the step at it (or the last one, if the year is `running`) is open."""
    told = [step for n, step in enumerate(steps) if step.year == year and (cursor is None or n <= cursor.at)]
    now = steps[cursor.at] if cursor else told[-1] if told and running else None
    made = []
    for number, step in enumerate((step for step in told if step.kind != "begin"), 1):
        upto = cursor.segment if cursor and step is now and cursor.segment < step.segments else None
        fight = shown(scenario, step.fight, upto) if step.fight is not None and step.clashed else None
        made.append(
            {
                "no": number, "entry": step.entry, "line": step.line, "rolls": step.rolls, "now": step is now, "fight": fight,
                "sums": step.sums if upto is None else [], "changes": step.changes, "kind": step.kind,
            }
        )  # fmt: skip
    return made


def dice_of(steps: Sequence[Step], year: int) -> int:
    """How many dice a year took."""
    rolled = sum(len(roll["dice"]) for step in steps if step.year == year for roll in step.rolls)
    fought = [step.fight for step in steps if step.year == year and step.clashed and step.fight is not None]
    return rolled + sum(len(dice) for fight in fought for one in fight.segments for dice in one["rolls"].values()) + len(fought)


def ribbon(position: Position, steps: Sequence[Step], year: int, current: Step | None, phase: str) -> list[dict[str, Any]]:
    """The year's phases, each with what was done or is to be done. `current` is the step being told, `phase` where we are."""
    scenario = position.scenario
    shorts: dict[str, str] = {}
    queue: Sequence[str] = ()
    for step in steps:
        if step.year != year or (current is not None and step.entry > current.entry):
            continue
        if step.actor and step.short:
            shorts[step.actor] = step.short
        if step.kind == "order":
            queue = step.queue
    at = PHASES.index(phase) if phase in PHASES else len(PHASES)
    acting = current.actor if current is not None and current.kind == "npc" else (position.queue or [""])[0]
    slots = [_slot(PC, str(who(scenario, PC)["name"]), shorts.get(PC, text("ribbon-action")), _is(0, at))]
    if at and queue:
        for place, rival in enumerate(queue):
            state = "done" if at > 1 or (acting in queue and place < queue.index(acting)) else "next"
            if at == 1 and rival == acting:
                state = "now"
            slots.append(_slot(paint(rival), str(who(scenario, rival)["name"]), shorts.get(rival, ""), state))
    else:
        names = ", ".join(str(who(scenario, rival)["name"]) for rival in position.npcs())
        slots.append(_slot("npc-1", text("ribbon-rivals"), names or text("ribbon-none"), _is(1, at)))
    slots.append(_slot("gm", text("ribbon-recruit"), text("ribbon-gain", n=len(position.lands(PC))), _is(2, at)))
    events = text("ribbon-events-unknown")
    if at >= 3 and position.events_left is not None and current is None:
        events = text("ribbon-events-left", n=position.events_left)
    slots.append(_slot("gm", text("ribbon-events"), events, _is(3, at)))
    return slots


def _is(place: int, at: int) -> str:
    return "done" if place < at else "now" if place == at else "next" if place == at + 1 else "later"


def _slot(key: str, name: str, state: str, now: str) -> dict[str, Any]:
    short = name if len(name) <= 7 else name[:3]
    return {"key": key, "name": name, "short": short, "state": state, "is": now}


def phase_of(step: Step) -> str:
    """The phase a step belongs to, as the year goes on: what the player answers in between is his still."""
    return PHASE_OF.get(step.kind, "pc")
