"""The map, the holders below it, and the two sides of a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.contract.pages import Picture
from games.march_on_rome.drawing.map import (
    Arrow,
    LegendEntry,
    Standard,
    draw,
    legend,
    paint,
)
from games.march_on_rome.rules.position import LOST, PC, SENATE, Position, World
from games.march_on_rome.text.fights import Fight
from games.march_on_rome.text.phrases import PhrasePart, holder_with_paint, phrase_text, unit_of
from games.march_on_rome.text.words import general_name, holder_name, province_name, side_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A holder of provinces: a general, the Senate, or the lost provinces together."""

    who: PhrasePart
    legions: int | None
    """None for lost provinces, whose armies are unknown."""
    lands: int
    gain: int | None
    """The legions that it recruits in a year."""
    names: Sequence[str]
    mine: bool = False
    rules: str = ""
    """The side that would rule in an alliance: `they`, `you`, or empty."""
    senate: bool = False
    lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The map with its legend and the holders of provinces."""

    map: Picture
    legend: Sequence[LegendEntry]
    holders: Sequence[Holder]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideOfBattle:
    """A side of the battle that waits for the player."""

    side: str
    who: PhrasePart
    paint: str
    lands: int | None
    """Its provinces, if it is a general."""
    total: int
    army: bool
    """Whether it fights with armies."""
    stand: range
    dice: Sequence[int]
    first: bool
    """Whether it strikes first."""


def scene(
    position: Position,
    world: World,
    *,
    lit: Sequence[str] = (),
    selected: str | None = None,
    arrow: Arrow | None = None,
    links: bool = False,
) -> Scene:
    """Return map, legend and holders."""
    scenario = position.scenario
    standards = [
        Standard(general, general_name(scenario, general), world.legions[general])
        for general in world.generals()
    ]
    picture = draw(
        world.owner,
        world.garrison,
        standards,
        lambda owner, key: holder_name(scenario, owner, key),
        lit=lit,
        selected=selected,
        arrow=arrow,
        links=(lambda key: f"?target={key}#t-{key}") if links else None,
        title=phrase_text("map"),
    )
    return Scene(
        map=Picture(picture, lit=bool(lit)),
        legend=legend(standards),
        holders=holders(position, world),
    )


def sides(position: Position, fight: Fight) -> list[SideOfBattle]:
    """Return attacker and defender of the battle that waits for the player."""
    rows = []
    for place, side in enumerate(("attacker", "defender")):
        holder = fight.holder_of(side)
        rows.append(
            SideOfBattle(
                side=side_name(side),
                who=holder_with_paint(position.scenario, holder, fight.target),
                paint=paint(holder),
                lands=len(position.lands(holder)) if holder in position.legions else None,
                total=fight.totals[side],
                army=unit_of(holder) == "army",
                stand=range(min(fight.totals[side], 60)),
                dice=[pair[place] for pair in fight.initiative],
                first=fight.first == side,
            )
        )
    return rows


def holders(position: Position, world: World) -> list[Holder]:
    """Return the holders: generals by strength, then the Senate, then the lost provinces."""
    generals = sorted(world.generals(), key=lambda general: -world.legions[general])
    senate, lost = world.lands(SENATE), world.lands(LOST)
    return [
        *(general_holder(position, world, general) for general in generals),
        Holder(
            who=holder_with_paint(position.scenario, SENATE),
            legions=world.strength(SENATE),
            lands=len(senate),
            gain=0,
            names=[province_name(key) for key in senate],
            senate=True,
        ),
        Holder(
            who=holder_with_paint(position.scenario, LOST),
            legions=None,
            lands=len(lost),
            gain=None,
            names=[province_name(key) for key in lost],
            lost=True,
        ),
    ]


def general_holder(position: Position, world: World, general: str) -> Holder:
    """Return a general as a holder of provinces."""
    lands = world.lands(general)
    mine = world.legions.get(PC, 0), len(world.lands(PC))
    # If both are equal, the general who receives the offer rules (R10).
    rules = "they" if (world.legions[general], len(lands)) >= mine else "you"
    return Holder(
        who=holder_with_paint(position.scenario, general),
        legions=world.legions[general],
        lands=len(lands),
        gain=len(lands),
        names=[province_name(key) for key in lands],
        mine=general == PC,
        rules="" if general == PC else rules,
    )
