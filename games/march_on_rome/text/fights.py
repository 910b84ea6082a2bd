"""Battles for the page, from their effects and rolls, over as many entries as they took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.effects import Effect, Roll
from games.march_on_rome.drawing.map import paint
from games.march_on_rome.rules.battle import INVASION
from games.march_on_rome.rules.position import (
    LOST,
    OTHER,
    SENATE,
    SIDES,
    Scenario,
    losses,
)
from games.march_on_rome.text.phrases import PhrasePart, holder_with_paint, phrase_text
from games.march_on_rome.text.words import side_name


@dataclass(frozen=True, slots=True)
class Fight:
    """The known facts of a battle so far.

    `left` are the devoted legions that are left at its end.
    """

    no: int
    target: str
    attacker: str
    defender: str
    cause: str
    totals: dict[str, int]
    first: str = ""
    initiative: tuple[tuple[int, int], ...] = ()
    devoted: dict[str, int] = field(default_factory=dict)
    dice: dict[str, int] = field(default_factory=dict)
    planned: int = 0
    segments: tuple[dict[str, Any], ...] = ()
    winner: str = ""
    left: dict[str, int] = field(default_factory=dict)
    walkover: bool = False
    conceded: bool = False

    def holder_of(self, side: str) -> str:
        return self.attacker if side == "attacker" else self.defender

    def fallen(self, side: str) -> int:
        """Return how many of a side's legions died.

        If an invasion wins, all of the defender's die, and beaten invaders die too (6.1).
        """
        if not self.segments:
            return 0
        beaten = self.winner and side != self.winner
        return self.devoted[side] - (0 if beaten and self.cause == INVASION else self.left[side])


def opened_fight(effect: Effect) -> Fight:
    """Return the battle that an effect opens."""
    facts = effect.facts
    return Fight(
        facts["no"],
        facts["target"],
        facts["attacker"],
        facts["defender"],
        facts["cause"],
        dict(facts["totals"]),
    )


def continued_fight(fight: Fight, effect: Effect, rolls: Sequence[Roll]) -> Fight:
    """Return the battle after a further effect; `rolls` are those of the entry."""
    facts = effect.facts
    if effect.kind == "initiative":
        mark = f"/battle-{fight.no}/initiative/"
        thrown = [roll.value for roll in rolls if mark in roll.purpose]
        pairs = tuple(zip(thrown[::2], thrown[1::2], strict=True))
        return replace(fight, first=facts["side"], initiative=pairs)
    if effect.kind == "battle_devoted":
        side = facts["side"]
        dice = fight.dice if facts["roll"] is None else {**fight.dice, side: facts["roll"]}
        return replace(fight, devoted={**fight.devoted, side: facts["legions"]}, dice=dice)
    if effect.kind == "segments":
        return replace(fight, planned=facts["segments"])
    if effect.kind == "segment":
        return replace(fight, segments=(*fight.segments, dict(facts)))
    if effect.kind == "battle_over":
        over = {key: facts[key] for key in ("winner", "walkover", "conceded")}
        return replace(fight, left=dict(facts["left"]), **over)
    return fight


def short_name(scenario: Scenario, holder: str) -> str:
    """Return a short name of a side, for the head of a column."""
    short = {LOST: "people-short", SENATE: "procurator"}.get(holder)
    return phrase_text(short) if short else str(holder_with_paint(scenario, holder).name)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOfSegment:
    """The dice of a side in a segment, and the legions that they leave on the other side."""

    dice: Sequence[int]
    hit: int
    was: int
    now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentRow:
    """A segment: the cells of the side that strikes first, and of the other."""

    no: int
    cells: Sequence[CellOfSegment | None]
    new: bool
    """Whether it is the last row that is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FightingSide:
    """A side of a battle, with the legions that are left and that have fallen."""

    who: PhrasePart
    side: str
    first: bool
    """Whether it strikes first."""
    left: int
    devoted: int
    paint: str
    stand: range
    fallen: range


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTable:
    """A battle by segments."""

    sides: Sequence[FightingSide]
    first: str
    second: str
    rows: Sequence[SegmentRow]
    sealed: Sequence[int]
    """The segments that are not shown yet."""
    planned: int
    kills: int
    """How many legions a one kills."""
    engaged: int
    over: bool
    extra: int
    """How many segments more than planned were fought."""
    winner: PhrasePart | None
    score: tuple[int, int] | None
    dice: int
    count: int


def segments_shown(
    scenario: Scenario, fight: Fight, upto: int | None = None
) -> SegmentTable | None:
    """Return the battle by segments; None if no segment was fought.

    With `upto`, only this many segments are shown.
    """
    if not fight.segments:
        return None
    segments = fight.segments if upto is None else fight.segments[:upto]
    first, second = fight.first, OTHER[fight.first]
    left = dict(fight.devoted)
    rows = [
        SegmentRow(
            no=segment["segment"],
            cells=[cell_of(segment, side, left) for side in (first, second)],
            new=upto is not None and segment is segments[-1],
        )
        for segment in segments
    ]
    engaged = sum(fight.devoted.values())
    winner = fight.winner
    return SegmentTable(
        sides=[fighting_side(scenario, fight, side, left[side]) for side in SIDES],
        first=short_name(scenario, fight.holder_of(first)),
        second=short_name(scenario, fight.holder_of(second)),
        rows=rows,
        sealed=range(len(segments) + 1, fight.planned + 1) if upto is not None else (),
        planned=fight.planned,
        kills=losses(engaged),
        engaged=engaged,
        over=upto is None or upto >= len(fight.segments),
        extra=len(fight.segments) - fight.planned,
        winner=(
            holder_with_paint(scenario, fight.holder_of(winner), fight.target) if winner else None
        ),
        score=(fight.left[winner], fight.left[OTHER[winner]]) if winner else None,
        dice=sum(len(dice) for segment in fight.segments for dice in segment["rolls"].values()),
        count=len(fight.segments),
    )


def cell_of(segment: Mapping[str, Any], side: str, left: dict[str, int]) -> CellOfSegment | None:
    """Return a side's dice in a segment, and subtract the losses from `left` of the other side."""
    rolled = segment["rolls"].get(side)
    if rolled is None:
        return None
    foe, hit = OTHER[side], segment["hits"][side]
    was = left[foe]
    left[foe] = max(0, was - segment["X"] * hit)
    return CellOfSegment(dice=rolled, hit=hit, was=was, now=left[foe])


def fighting_side(scenario: Scenario, fight: Fight, side: str, left: int) -> FightingSide:
    """Return a side of a battle with the number of its legions left."""
    holder = fight.holder_of(side)
    return FightingSide(
        who=holder_with_paint(scenario, holder, fight.target),
        side=side_name(side),
        first=side == fight.first,
        left=left,
        devoted=fight.devoted[side],
        paint=paint(holder),
        stand=range(left),
        fallen=range(fight.devoted[side] - left),
    )
