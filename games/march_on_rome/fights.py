"""A battle as it is told: folded from its effects and rolls, over as many entries as it took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.effects import Effect, Roll
from games.march_on_rome.battle import INVASION
from games.march_on_rome.board import LOST, SENATE, losses
from games.march_on_rome.map import paint
from games.march_on_rome.phrases import text, who
from games.march_on_rome.position import OTHER, SIDES
from games.march_on_rome.scenario import Scenario
from games.march_on_rome.words import side_name


@dataclass(frozen=True, slots=True)
class Fight:
    """What is known of a battle so far. `left` is what is left of the legions devoted when it is over."""

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

    def of(self, side: str) -> str:
        return self.attacker if side == "attacker" else self.defender

    def fallen(self, side: str) -> int:
        """How many of a side's legions died: all who lost against an invasion, and all invaders beaten (6.1)."""
        if not self.segments:
            return 0
        beaten = self.winner and side != self.winner
        return self.devoted[side] - (0 if beaten and self.cause == INVASION else self.left[side])


def begun(effect: Effect) -> Fight:
    """The battle that an effect opens."""
    facts = effect.facts
    return Fight(facts["no"], facts["target"], facts["attacker"], facts["defender"], facts["cause"], dict(facts["totals"]))


def further(fight: Fight, effect: Effect, rolls: Sequence[Roll]) -> Fight:
    """The battle after one more effect of it; `rolls` are those of the entry."""
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


def called(scenario: Scenario, holder: str) -> str:
    """A side in one word, for the head of a column."""
    short = {LOST: "people-short", SENATE: "procurator"}.get(holder)
    return text(short) if short else str(who(scenario, holder)["name"])


def shown(scenario: Scenario, fight: Fight, upto: int | None = None) -> dict[str, Any] | None:
    """The battle by segments for the page; None where no segment was fought. `upto`: so many are told, the rest sealed."""
    if not fight.segments:
        return None
    told = fight.segments if upto is None else fight.segments[:upto]
    first, second = fight.first, OTHER[fight.first]
    left = dict(fight.devoted)
    rows = []
    for segment in told:
        cells: list[dict[str, Any] | None] = []
        for side in (first, second):
            rolled = segment["rolls"].get(side)
            if rolled is None:
                cells.append(None)
                continue
            was = left[OTHER[side]]
            left[OTHER[side]] = max(0, was - segment["X"] * segment["hits"][side])
            cells.append({"dice": rolled, "hit": segment["hits"][side], "was": was, "now": left[OTHER[side]]})
        rows.append({"no": segment["segment"], "cells": cells, "new": upto is not None and segment is told[-1]})
    engaged = sum(fight.devoted.values())
    extra = len(fight.segments) - fight.planned
    return {
        "sides": [
            {
                "who": who(scenario, fight.of(side), fight.target), "side": side_name(side), "first": side == first,
                "left": left[side], "devoted": fight.devoted[side], "paint": paint(fight.of(side)),
                "stand": range(left[side]), "fallen": range(fight.devoted[side] - left[side]),
            }
            for side in SIDES
        ],
        "first": called(scenario, fight.of(first)),
        "second": called(scenario, fight.of(second)),
        "rows": rows,
        "sealed": range(len(told) + 1, fight.planned + 1) if upto is not None else (),
        "planned": fight.planned, "X": losses(engaged), "engaged": engaged,
        "over": upto is None or upto >= len(fight.segments), "extra": extra,
        "winner": who(scenario, fight.of(fight.winner), fight.target) if fight.winner else None,
        "score": (fight.left[fight.winner], fight.left[OTHER[fight.winner]]) if fight.winner else None,
        "dice": sum(len(rolled) for segment in fight.segments for rolled in segment["rolls"].values()),
        "count": len(fight.segments),
    }  # fmt: skip
