"""The possible targets of a year: each neighbour with its chances (3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.language import localize_number
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.position import (
    LOST,
    PC,
    PROVINCES,
    RING,
    SENATE,
    Position,
    devotes,
    is_general,
)
from games.march_on_rome.text.phrases import PhrasePart, holder_with_paint, phrase_text
from games.march_on_rome.text.words import province_name

FIRST_HOLDERS = {SENATE: 1, LOST: 2}
"""The sorting key of holders: generals come first, then procurators, then peoples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownChance:
    """A chance for the page: a word, the length of its bar, and whether it is certain."""

    text: str
    share: str
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A neighbour: its holder, and the chances of an attack and an offer.

    `kind` is `general`, `senate` or `lost`.
    """

    key: str
    name: str
    owner: str
    who: PhrasePart
    open: bool
    kind: str
    odds: odds.Battle
    legions: int | None
    """None for a lost province whose armies are not counted yet."""
    mine: int
    do_attack: str
    do_ally: str
    can_attack: bool
    attack: ShownChance
    first: ShownChance
    """The chance if the player has the initiative."""
    second: ShownChance
    walkover: bool
    kept_won: str
    kept_lost: str
    yearly: int
    absorbed: bool
    """Whether an alliance ends the reign."""
    ally: ShownChance
    yes: ShownChance
    new: Sequence[str]
    """The new neighbours that the province would bring."""
    least: int = 0
    """The fewest legions that the general devotes."""
    most: int = 0
    also: Sequence[str] = ()
    """The other provinces of the general."""
    lands: int = 0


def chance(value: Fraction) -> ShownChance:
    """Return a chance for the page."""
    sure = "sure" if value == 1 else "none" if value == 0 else ""
    return ShownChance(
        text=phrase_text(sure) if sure else odds.percent(value),
        share=f"{float(value * 100):.1f}",
        sure=value == 1,
    )


def won_and_lost(win: Fraction) -> list[ShownChance]:
    """Return the chances of victory and defeat.

    If neither is certain, the shown numbers add up to 100.
    """
    both = [win, 1 - win]
    if win in (0, 1):
        return [chance(value) for value in both]
    return [
        replace(chance(value), text=text)
        for value, text in zip(both, odds.percents(both), strict=True)
    ]


def targets(position: Position, open_one: str = "") -> list[Target]:
    """Return the neighbours: generals first, the likeliest attack of each kind on top."""
    rows = [target(position, key, key == open_one) for key in position.targets()]
    rows.sort(
        key=lambda neighbour: (
            FIRST_HOLDERS.get(neighbour.owner, 0),
            -neighbour.odds.win,
            PROVINCES[neighbour.key].n,
        )
    )
    return rows


def target(position: Position, key: str, opened: bool) -> Target:
    """Return a neighbour."""
    owner, mine = position.owner[key], position.legions[PC]
    battle, offer = odds.attack(position, key), odds.alliance(position, key)
    neighbour = Target(
        key=key,
        name=province_name(key),
        owner=owner,
        who=holder_with_paint(position.scenario, owner),
        open=opened,
        kind="general" if is_general(owner) else owner,
        odds=battle,
        legions=legions_of(position, key),
        mine=mine,
        do_attack=phrase_text("do-attack", land=province_name(key)),
        do_ally=phrase_text("do-ally", land=province_name(key)),
        can_attack=mine > 0,
        attack=chance(battle.win),
        first=chance(battle.first),
        second=chance(battle.second),
        walkover=battle.walkover,
        kept_won=rounded(battle.kept_won),
        kept_lost=rounded(battle.kept_lost),
        yearly=len(position.lands(PC)) + 1,
        absorbed=offer.absorbed,
        ally=chance(offer.win),
        yes=chance(offer.yes),
        new=[
            province_name(other)
            for other in RING[key]
            if position.owner[other] != PC and not position.neighbours_pc(other)
        ],
    )
    return of_general(position, neighbour) if is_general(owner) else neighbour


def legions_of(position: Position, key: str) -> int | None:
    """Return how many legions or armies defend a province; None if they are not counted yet."""
    owner = position.owner[key]
    if owner == SENATE:
        return position.garrison[key]
    return position.barbarians.get(key) if owner == LOST else position.legions[owner]


def of_general(position: Position, neighbour: Target) -> Target:
    """Return a neighbour with the possible commitments and the other provinces of its general."""
    legions, owned = position.legions[neighbour.owner], position.lands(neighbour.owner)
    brings = sorted(
        {
            devotes(die, legions, neighbour.mine, first)
            for die in range(1, 7)
            for first in (False, True)
        }
    )
    return replace(
        neighbour,
        least=brings[0],
        most=brings[-1],
        also=[province_name(key) for key in owned if key != neighbour.key],
        lands=len(owned),
    )


def rounded(value: Fraction | None) -> str:
    """Return a mean number of legions as a whole number; empty for None."""
    return "" if value is None else str(int(value + Fraction(1, 2)))


def tenths(value: Fraction | None) -> str:
    """Return a mean number of legions with a decimal place; a dash for None."""
    return "–" if value is None else localize_number(f"{float(value):.1f}")
