"""The end of a reign: its result, and the holders of provinces year by year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.contract.pages import Fame, LoggedMove
from games.march_on_rome.drawing.map import paint
from games.march_on_rome.rules.position import LOST, PC, PROVINCES, Position, Scenario, World
from games.march_on_rome.text.digest import decision, score_text
from games.march_on_rome.text.fights import SegmentTable, segments_shown
from games.march_on_rome.text.phrases import PhrasePart, holder_with_paint
from games.march_on_rome.text.steps import Step
from games.march_on_rome.text.words import province_name


@dataclass(frozen=True, slots=True, kw_only=True)
class FamousReign:
    """A line of the hall of fame."""

    player: str
    url: str
    ended: str
    result: str
    year: int
    provinces: int
    legions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stone:
    """A province at the end of a year, coloured by its holder."""

    holder: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MosaicRow:
    """A province, year by year."""

    name: str
    stones: Sequence[Stone]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mosaic:
    """The holders of all provinces at the end of each year; the year of the start is empty."""

    years: Sequence[int | None]
    rows: Sequence[MosaicRow]
    legions: Sequence[int]
    key: Sequence[PhrasePart]
    """The holders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastBattle:
    """The player's last battle with dice."""

    year: int
    land: str
    line: Sequence[PhrasePart]
    sums: Sequence[Sequence[PhrasePart]]
    fight: SegmentTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The end of a reign: result and cause, its numbers, its mosaic."""

    result: str
    why: str
    year: int
    provinces: int
    legions: int
    outlived: int
    """How many rivals the player has outlived."""
    peak: int
    by: str
    """The holder that took the last province or absorbed the player."""
    decided: str
    """The event that decided the reign, as a sentence."""
    score: str
    """How the reign counts in the hall of fame."""
    battle: LastBattle | None
    mosaic: Mosaic


def famous_reign(reign: Fame) -> FamousReign:
    """Return a line of the hall of fame."""
    return FamousReign(
        player=reign.player,
        url=reign.url,
        ended=reign.ended,
        result=reign.facts["result"],
        year=reign.facts["year"],
        provinces=reign.facts["provinces"],
        legions=reign.facts["legions"],
    )


def ending(position: Position, log: Sequence[LoggedMove], steps: Sequence[Step]) -> Ending:
    """Return the end of a reign."""
    over = next(
        (e for move in reversed(log) for e in move.effects if e.kind in ("won", "lost")), None
    )
    outlived = {
        e.subject
        for move in log
        for e in move.effects
        if e.kind == "general_out" and e.subject != PC
    }
    worlds = years(steps, World().after(e for move in log for e in move.effects))
    peak = max((len(world.lands(PC)) for world in worlds), default=0)
    return Ending(
        result=position.result or "",
        why=str(over.facts["why"]) if over is not None else "",
        year=position.turn,
        provinces=len(position.lands(PC)),
        legions=position.legions.get(PC, 0),
        outlived=len(outlived),
        peak=peak,
        by=_by(position, over is not None and position.result == "lost", log),
        decided=decision(position.scenario, log) if log else "",
        score=score_text(position.result, position.turn) if position.result else "",
        battle=last_battle(position.scenario, steps),
        mosaic=mosaic(position, worlds),
    )


def last_battle(scenario: Scenario, steps: Sequence[Step]) -> LastBattle | None:
    """Return the player's last battle with dice; None if there was none."""
    for step in reversed(steps):
        fight = step.fight
        if fight is None or not step.clashed or PC not in (fight.attacker, fight.defender):
            continue
        table = segments_shown(scenario, fight)
        assert table is not None
        return LastBattle(
            year=step.year,
            land=province_name(fight.target),
            line=step.line,
            sums=step.sums,
            fight=table,
        )
    return None


def _by(position: Position, lost: bool, log: Sequence[LoggedMove]) -> str:
    """Return the holder that took the last province or absorbed the player; empty if none did."""
    if not lost or not log:
        return ""
    for effect in reversed(log[-1].effects):
        if effect.kind == "holding" and effect.facts["from"] == PC:
            taker = str(effect.facts["to"])
            return holder_with_paint(position.scenario, taker, effect.subject).name
    return ""


def years(steps: Sequence[Step], now: World) -> list[World]:
    """Return the board at the beginning and at the end of each year."""
    worlds, year = [], 0
    for step in steps:
        if step.year > year and step.kind != "begin":
            worlds.append(step.before)
            year = step.year
    return [*worlds, now]


def mosaic(position: Position, worlds: Sequence[World]) -> Mosaic:
    """Return a stone for each province and year.

    Provinces that the player had at the end come first, in the order in which they got them.
    """

    def order(key: str) -> tuple[bool, int, int]:
        first = next((n for n, world in enumerate(worlds) if world.owner[key] == PC), len(worlds))
        return worlds[-1].owner[key] != PC, first, PROVINCES[key].n

    rows = [
        MosaicRow(
            name=province_name(key),
            stones=[_stone(position, world.owner[key]) for world in worlds],
        )
        for key in sorted(PROVINCES, key=order)
    ]
    seen = {owner for world in worlds for owner in world.owner.values()}
    holders = sorted(
        (holder for holder in seen if holder != LOST), key=lambda holder: (holder != PC, holder)
    )
    return Mosaic(
        years=[None, *range(1, len(worlds))],
        rows=rows,
        legions=[world.legions.get(PC, 0) for world in worlds],
        key=[holder_with_paint(position.scenario, holder) for holder in holders],
    )


def _stone(position: Position, owner: str) -> Stone:
    name = holder_with_paint(position.scenario, owner).name
    return Stone(holder=paint(owner), name=name)
