"""Where the telling of a year stands: its steps up to a cursor, what is still sealed, the ribbon of the year's phases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.march_on_rome.board import PC
from games.march_on_rome.fights import shown
from games.march_on_rome.map import paint
from games.march_on_rome.phrases import text, who
from games.march_on_rome.scenario import Scenario
from games.march_on_rome.telling import Step
from games.march_on_rome.world import World

PHASES = ("pc", "npc", "recruit", "events")


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


def end(steps: Sequence[Step]) -> Cursor | None:
    """The cursor of somebody to whom all is told."""
    return Cursor(len(steps) - 1, steps[-1].segments) if steps else None


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


def ribbon(
    scenario: Scenario, world: World, steps: Sequence[Step], year: int, phase: str, acting: str = "", *, sealed: bool = False
) -> list[dict[str, Any]]:
    """The year's phases, each with what was done or is to be done.

    `steps` are those told, `world` the board then, `phase` where the year is, `acting` the rival who acts; `sealed` is
    whether the end of the last step's battle is not yet told.
    """
    told = [step for step in steps if step.year == year]
    does: dict[str, str] = {}
    for step in told:
        if step.short:
            does[step.actor] = step.short
        if not (sealed and step is told[-1]):
            does |= step.ends
    at = PHASES.index(phase) if phase in PHASES else len(PHASES)
    queue = next((step.queue for step in told if step.kind == "order"), ())
    slots = [_slot(PC, str(who(scenario, PC)["name"]), does.get(PC, text("ribbon-action")), _is(0, at))]
    for rival in queue if at else ():
        state = "now" if at == 1 and rival == acting else "done" if at > 1 or rival in does else "next"
        slots.append(_slot(paint(rival), str(who(scenario, rival)["name"]), does.get(rival, ""), state))
    if not at or not queue:
        names = ", ".join(str(who(scenario, rival)["name"]) for rival in world.generals() if rival != PC)
        slots.append(_slot("npc-1", text("ribbon-rivals"), names or text("ribbon-none"), _is(1, at)))
    slots.append(_slot("gm", text("ribbon-recruit"), text("ribbon-gain", n=len(world.lands(PC))), _is(2, at)))
    number = next((step.rolls[0]["dice"][0] for step in told if step.kind == "events"), 0)
    happened = sum(step.kind == "event" for step in told)
    events = text("ribbon-events-told", n=happened, of=number) if number else text("ribbon-events-unknown")
    slots.append(_slot("gm", text("ribbon-events"), events, _is(3, at)))
    return slots


def _is(place: int, at: int) -> str:
    return "done" if place < at else "now" if place == at else "next" if place == at + 1 else "later"


def _slot(key: str, name: str, state: str, now: str) -> dict[str, Any]:
    short = name if len(name) <= 7 else name[:3]
    return {"key": key, "name": name, "short": short, "state": state, "is": now}
