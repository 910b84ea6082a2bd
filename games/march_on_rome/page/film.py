"""The years as a film: for each step the attempt, its dice, and the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.contract.pages import Die, Frame, LoggedMove
from games.march_on_rome.drawing.map import paint
from games.march_on_rome.page.composing import ROUNDS, world
from games.march_on_rome.rules.position import PC, Position, World, is_general
from games.march_on_rome.text.digest import decision, score_text
from games.march_on_rome.text.fights import Fight, SegmentRow, SegmentTable, segments_shown
from games.march_on_rome.text.phrases import PhrasePart, holder_with_paint, phrase_text
from games.march_on_rome.text.steps import Step, StepReader
from games.march_on_rome.text.words import province_name


def text(parts: Iterable[PhrasePart]) -> str:
    """Return a sentence of parts as plain text."""
    words = "".join(part.words for part in parts)
    return words if not words or words[-1] in ".!?:" else f"{words}."


def film(before: Position, log: Sequence[LoggedMove]) -> list[Frame]:
    """Return the frames of these entries, which begin at a position."""
    reader = StepReader(before.scenario)
    reader.world = World(before.owner.copy(), before.garrison.copy(), before.legions.copy())
    reader.year, reader.phase = (
        before.turn,
        before.phase if before.phase in ("pc", "npc", "recruit", "events") else "pc",
    )
    if before.battle is not None:
        reader.fight = running_fight(before)
    frames: list[Frame] = []
    for at, entry in enumerate(log, 1):
        step = reader.read_entry(entry)
        frames += shots(before, step, reader.world)
        frames += end_frames(before, log[:at])
    return frames


def end_frames(before: Position, log: Sequence[LoggedMove]) -> list[Frame]:
    """Return what decided the reign and how it counts, if these entries end it."""
    over = next((e for e in log[-1].effects if e.kind in ("won", "lost")), None)
    if over is None:
        return []
    sentences = decision(before.scenario, log), score_text(over.kind, over.facts["turn"])
    good = "good" if over.kind == "won" else "bad"
    return [Frame("", (), text, (), (), good, 3, log[-1].number) for text in sentences]


def running_fight(position: Position) -> Fight:
    """Return the battle that waits for the player's number, as far as it is known."""
    battle = position.battle
    assert battle is not None
    totals = {side: position.total(side, battle) for side in ("attacker", "defender")}
    defender = battle["defender"] if "defender" in battle else position.owner[battle["target"]]
    devoted = {side: n for side, n in battle["devoted"].items() if n is not None}
    return Fight(
        battle["no"],
        battle["target"],
        battle["attacker"],
        str(defender),
        battle["cause"],
        totals,
        first=str(battle["initiative"] or ""),
        devoted=devoted,
    )


def shots(position: Position, step: Step, after: World) -> list[Frame]:
    """Return an entry's frames: its dice, the rounds of its battle, and the result."""
    line, sums = text(step.line), [text(part) for part in step.sums]
    dice = dice_of_step(step)
    moves = marches(step)
    settled = {"kind": "world", **world(position, after)}
    place = (step.place,) if step.place else ()
    intro = line if step.kind in SHOWN_AT_ONCE else intro_text(position, step)
    fought = step.fight if step.clashed else None
    fight = segments_shown(position.scenario, fought) if fought is not None else None
    if fight is None:
        phrase = " ".join([line, *(part for part in sums if part)])
        weight = 1 if phrase else 0
        shown = (*moves, settled)
        return [Frame(intro, dice, phrase, shown, place, tone(step), weight, step.entry)]
    return [
        Frame(intro, dice, line, moves, place, "", 1, step.entry),
        *(round_frame(step, row, fight) for row in rounds(fight.rows)),
        Frame("", (), " ".join(sums), (settled,), place, tone(step), 2, step.entry),
    ]


SHOWN_AT_ONCE = ("attack", "ally", "pass", "devote", "answer")
"""The kinds of steps whose line is shown before the dice."""


def dice_of_step(step: Step) -> tuple[Die, ...]:
    """Return the dice that an entry threw, without those of its battle."""
    return tuple(
        Die(value, "", roll.label, 6 if value <= 6 else 20)
        for roll in step.rolls
        for value in roll.dice
    )


def marches(step: Step) -> tuple[dict[str, Any], ...]:
    """Return the march of an entry, if it has one."""
    if step.arrow is None:
        return ()
    source, goal, who = step.arrow
    march = {
        "kind": "march",
        "from": source,
        "to": goal,
        "paint": paint(who),
        "legions": str(after_legions(step, who)),
    }
    return (march,)


def round_frame(step: Step, row: SegmentRow, fight: SegmentTable) -> Frame:
    """Return one round of a battle: the dice of both sides, and what is left of them."""
    cells, names = row.cells, (fight.first, fight.second)
    thrown = tuple(
        Die(value, "hit" if value == 1 else "", name, 6)
        for cell, name in zip(cells, names, strict=True)
        if cell
        for value in cell.dice[:5]
    )
    losers = zip(cells, reversed(names), strict=True)
    left = {name: cell.now for cell, name in losers if cell}
    listed = ", ".join(f"{name} {number}" for name, number in left.items())
    phrase = phrase_text("film-round", n=row.no, left=listed)
    clash = phrase_text("film-clash", land=province_name(step.place))
    return Frame(clash, thrown, phrase, (), (), "", 0, step.entry)


def after_legions(step: Step, who: str) -> int:
    if step.fight is not None and step.fight.devoted.get("attacker") and step.fight.attacker == who:
        return step.fight.devoted["attacker"]
    return step.before.legions.get(who, 0)


def rounds(rows: Sequence[SegmentRow]) -> list[SegmentRow]:
    return list(rows) if len(rows) <= ROUNDS else [*rows[: ROUNDS - 1], rows[-1]]


def intro_text(position: Position, step: Step) -> str:
    """Return a text about the attempt, before its dice have fallen."""
    if step.kind == "npc" and is_general(step.actor):
        return phrase_text("film-acts", name=holder_with_paint(position.scenario, step.actor).name)
    return (
        phrase_text(f"film-{step.kind}")
        if step.kind in ("order", "recruit", "events", "event", "begin")
        else ""
    )


def tone(step: Step) -> str:
    """Return `good` or `bad` for the end of a player's battle, otherwise an empty text."""
    fight = step.fight
    if fight is None or not fight.winner or PC not in (fight.attacker, fight.defender):
        return ""
    return "good" if fight.holder_of(fight.winner) == PC else "bad"
