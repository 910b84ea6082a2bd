"""The content of the page at each stage of a reign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.contract.pages import Fame, LoggedMove, Reader
from games.march_on_rome.drawing.map import Arrow
from games.march_on_rome.page.ending import Ending, FamousReign, ending, famous_reign
from games.march_on_rome.page.questions import (
    CommitmentQuestion,
    RivalsOffer,
    commitment,
    offer,
)
from games.march_on_rome.page.scene import Scene, SideOfBattle, scene, sides
from games.march_on_rome.page.targets import Target, targets
from games.march_on_rome.page.year import (
    PHASES,
    Cursor,
    RibbonSlot,
    StepLine,
    acting_general,
    dice_of,
    next_address,
    ribbon,
    step_lines,
    world_shown,
)
from games.march_on_rome.rules.position import Position, World
from games.march_on_rome.text.fights import Fight
from games.march_on_rome.text.steps import Step
from games.march_on_rome.text.words import province_name


class Reign(NamedTuple):
    """The data of a reign for its page: its position, its steps, its log, and the board now."""

    position: Position
    steps: Sequence[Step]
    log: Sequence[LoggedMove]
    now: World


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The content of the page at a stage. Parts that do not apply then are empty."""

    scene: Scene
    year: int
    ribbon: Sequence[RibbonSlot] = ()

    # The steps of a year that are shown.
    steps: Sequence[StepLine] = ()
    steps_year: int = 0
    dice: int = 0
    """How many dice were thrown in these steps."""

    # The action of a year.
    targets: Sequence[Target] = ()

    # A battle or an offer that waits for the player.
    commitment: CommitmentQuestion | None = None
    sides: Sequence[SideOfBattle] = ()
    source: str = ""
    offer: RivalsOffer | None = None

    # A year up to a step.
    step: Step | None = None
    segment: int = 0
    next_url: str = ""
    goes_on: bool = False
    all_shown: bool = False
    ahead: Sequence[str] = ()
    """The phases that follow."""
    where: Fight | None = None
    """The battle in progress."""
    left: tuple[int, int] | None = None

    # The end of a reign.
    ending: Ending | None = None
    hall: Sequence[FamousReign] = ()


def choice_moment(reign: Reign, reader: Reader) -> Moment:
    """Return the year's choice: the neighbours, and the events of the year before."""
    position, last = reign.position, reign.position.turn - 1
    opened = reader.form_values.get("target") or reader.query.get("target", "")
    rows = targets(position, opened)
    chosen = opened if any(row.key == opened for row in rows) else None
    return Moment(
        scene=scene(
            position, reign.now, lit=[row.key for row in rows], selected=chosen, links=True
        ),
        year=position.turn,
        targets=rows,
        steps=step_lines(position.scenario, reign.steps, last) if last else [],
        steps_year=last,
        dice=dice_of(reign.steps, last),
        ribbon=ribbon(position.scenario, reign.now, reign.steps, position.turn, "pc"),
    )


def battle_moment(reign: Reign, reader: Reader) -> Moment:
    """Return the battle that waits for the player's number."""
    position, year = reign.position, reign.position.turn
    fight = next(step.fight for step in reversed(reign.steps) if step.fight is not None)
    arrow = arrow_to(reign, fight)
    return Moment(
        scene=scene(position, reign.now, selected=fight.target, arrow=arrow),
        year=year,
        commitment=commitment(position, fight, reader.form_values.get("legions", "")),
        sides=sides(position, fight),
        source=province_name(arrow.source) if arrow else "",
        steps=step_lines(position.scenario, reign.steps, year, running=True),
        steps_year=year,
        ribbon=ribbon(
            position.scenario, reign.now, reign.steps, year, position.phase, fight.attacker
        ),
    )


def arrow_to(reign: Reign, fight: Fight) -> Arrow | None:
    """Return the march to a battle, if the last march of the year leads there."""
    arrows = (
        step.arrow
        for step in reversed(reign.steps)
        if step.arrow is not None and step.year == reign.position.turn
    )
    march = next(arrows, None)
    if march is None or march[1] != fight.target or march[2] != fight.attacker:
        return None
    return Arrow(*march)


def offer_moment(reign: Reign) -> Moment:
    """Return a stronger rival's offer that waits for an answer."""
    position, year = reign.position, reign.position.turn
    asked = offer(position)
    arrow = Arrow(asked.source, asked.target, asked.rival) if asked.source else None
    return Moment(
        scene=scene(position, reign.now, selected=asked.target, arrow=arrow),
        year=year,
        offer=asked,
        steps=step_lines(position.scenario, reign.steps, year, running=True),
        steps_year=year,
        ribbon=ribbon(position.scenario, reign.now, reign.steps, year, "npc", asked.rival),
    )


def year_moment(reign: Reign, cursor: Cursor | None) -> Moment:
    """Return the year up to the cursor, or up to the end of the log."""
    position, steps = reign.position, reign.steps
    at = cursor.at if cursor else len(steps) - 1
    here, following = steps[at], at + 1
    fights_on = cursor is not None and cursor.segment < here.segments
    year = here.year if cursor else position.turn
    world = world_shown(steps, following, reign.now, here if fights_on else None)
    arrow = Arrow(*here.arrow) if here.arrow is not None and fights_on else None
    phase = here.phase if cursor else position.phase
    return Moment(
        scene=scene(position, world, selected=here.place or None, arrow=arrow),
        year=year,
        steps=step_lines(position.scenario, steps, year, cursor, running=True),
        steps_year=year,
        step=here,
        segment=cursor.segment if cursor else 0,
        next_url=next_address(steps, cursor) if cursor else "",
        goes_on=position.phase in ("npc", "recruit", "events") and not position.pending,
        all_shown=following >= len(steps) and not fights_on,
        ahead=phases_after(phase),
        where=here.fight if fights_on else None,
        left=legions_left(here, cursor),
        ribbon=ribbon(
            position.scenario,
            world,
            steps[:following],
            year,
            phase,
            acting_general(position, here, cursor),
            sealed=fights_on,
        ),
    )


def phases_after(phase: str) -> list[str]:
    """Return the phases of a year that follow a phase."""
    at = PHASES.index(phase)
    return [later for later in PHASES[1:] if PHASES.index(later) > at]


def legions_left(step: Step, cursor: Cursor | None) -> tuple[int, int] | None:
    """Return the attacker's and the defender's legions after the segments that are shown."""
    if cursor is None or step.fight is None or not step.segments:
        return None
    left = step.fight.segments[cursor.segment - 1]["left"] if cursor.segment else step.fight.devoted
    return left["attacker"], left["defender"]


def end_moment(reign: Reign, hall: Sequence[Fame]) -> Moment:
    """Return the end of a reign."""
    position, year = reign.position, reign.position.turn
    return Moment(
        scene=scene(position, reign.now),
        year=year,
        steps=step_lines(position.scenario, reign.steps, year),
        steps_year=year,
        dice=sum(dice_of(reign.steps, past) for past in range(1, year + 1)),
        ending=ending(position, reign.log, reign.steps),
        hall=[famous_reign(entry) for entry in hall],
    )
