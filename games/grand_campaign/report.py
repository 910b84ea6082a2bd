"""Reports of turns, slots and battles, as a game master would post them: what everybody may see, complete."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.report import Contents, Line, Report
from games.grand_campaign.position import Attack, Position
from games.grand_campaign.report_chapters import ANSWERS, Chronicle
from games.grand_campaign.report_lines import OPENINGS, Page, pages
from games.grand_campaign.scenario import Scenario

KEY = re.compile(r"(turn|battle)-([1-9][0-9]{0,8})|slot-([1-9][0-9]{0,8})-([a-z0-9-]{1,40})", re.ASCII)
People = Mapping[str, str]


def turn_report(
    scenario: Scenario, lines: Sequence[Line], before: Position, after: Position, people: People, name: str = ""
) -> Report:
    """The report of a turn: `lines` are its entries from the opening on, `before` and `after` the positions around
    them. It tells every effect and roll that everybody may see."""
    found = pages(lines)
    told = Chronicle(scenario, found, people)
    title = _titled(name, f"turn {after.turn} of {scenario.turns}")
    told.heading(title, 1)
    for page in found:
        if page.kind == "opening":
            told.opening(page)
    opened = [page.seat for page in found if page.kind == "slot"]
    for key in opened:
        told.heading("", 2, *told.teller.player(key))
        told.slot(key)
    told.orders()
    fought = [attack for attack in after.attacks if attack.turn == after.turn]
    if fought:
        told.heading("Challenges and battles", 2)
    for attack in fought:
        told.heading(f"#{attack.id} {told.teller.province(attack.target)}", 3)
        told.battle(attack)
    told.closing()
    told.standings(before, after)
    told.next(after)
    return told.finish(title)


def slot_report(
    scenario: Scenario,
    lines: Sequence[Line],
    before: Position,
    after: Position,
    people: People,
    nation: str,
    name: str = "",
) -> Report:
    """The report of a nation's slot: `lines` are those of its turn, `before` the position in which the slot opened,
    `after` the one in which it ended, or the last there is."""
    found = [page for page in pages(lines) if page.seat == nation and (page.kind == "slot" or Chronicle.of_slot(page))]
    told = Chronicle(scenario, found, people)
    title = _titled(name, f"turn {after.turn}: slot of the {scenario.nations[nation].name}")
    told.heading(title, 1)
    told.say(*told.teller.player(nation))
    told.slot(nation)
    told.before_after(nation, before, after)
    told.next(after)
    return told.finish(title)


def battle_report(
    scenario: Scenario,
    lines: Sequence[Line],
    before: Position,
    after: Position,
    people: People,
    number: int,
    name: str = "",
) -> Report:
    """The report of attack `number`: launch, answer, result and all that followed; `lines` are those of its turn."""
    attack = after.attacks[number - 1]
    found = [page for page in pages(lines) if page.kind == "move" and _concerns(page, number)]
    told = Chronicle(scenario, found, people)
    title = _titled(name, f"#{number}: {told.teller.province(attack.target)}")
    told.heading(title, 1)
    told.launch(attack)
    told.battle(attack)
    return told.finish(title)


def _concerns(page: Page, number: int) -> bool:
    """Is this the attack's launch, its answer or its result?"""
    move = page.line.move
    if move["move"] in ANSWERS:
        return bool(move["attack"] == number)
    return any(effect.facts.get("launched") and effect.subject == str(number) for effect in page.effects)


def _titled(name: str, rest: str) -> str:
    return f"{name}, {rest}" if name else rest[:1].upper() + rest[1:]


# What the table asks for ---------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """The lines of a turn, and the position before them."""

    number: int
    before: Position
    lines: Sequence[Line]

    @property
    def after(self) -> Position:
        position: Position = self.lines[-1].after
        return position


def turns(start: Position, lines: Sequence[Line]) -> list[Turn]:
    """The lines turn by turn; what is said before the start belongs to turn 1, what after the end to the last."""
    openings = [at for at, line in enumerate(lines) if line.move["move"] in OPENINGS]
    bounds = [0, *openings[1:], len(lines)] if openings else []
    found = []
    for number, (first, end) in enumerate(pairwise(bounds), 1):
        before = lines[first - 1].after if first else start
        found.append(Turn(number, before, lines[first:end]))
    return found


class Reports:
    """See `engine.report.Reporter`."""

    def contents(self, scenario: Scenario, lines: Sequence[Line]) -> list[Contents]:
        found: list[Contents] = []
        for turn in reversed(turns(lines[0].after, lines) if lines else []):
            number, after = turn.number, turn.after
            found.append(Contents(f"turn-{number}", "turn", f"Turn {number}", number, after.phase in ("closed", "finished")))
            for attack in reversed(after.attacks):
                if attack.turn == number:
                    found.append(_battle_contents(scenario, attack))
            for key in reversed([page.seat for page in pages(turn.lines) if page.kind == "slot"]):
                ended = after.slot != key
                found.append(Contents(f"slot-{number}-{key}", "slot", f"Slot of the {scenario.nations[key].name}", number, ended))
        return found

    def report(
        self,
        scenario: Scenario,
        start: Position,
        lines: Sequence[Line],
        key: str,
        name: str,
        people: People,
    ) -> Report | None:
        asked = KEY.fullmatch(key)
        found = turns(start, lines)
        if asked is None:
            return None
        kind, number, slot_turn, seat = asked.groups()
        if kind == "battle":
            attacks = lines[-1].after.attacks if lines else []
            if int(number) > len(attacks):
                return None
            turn = found[attacks[int(number) - 1].turn - 1]
            return battle_report(scenario, turn.lines, turn.before, turn.after, people, int(number), name)
        at = int(number or slot_turn) - 1
        if at >= len(found):
            return None
        turn = found[at]
        if kind == "turn":
            return turn_report(scenario, turn.lines, turn.before, turn.after, people, name)
        return self._slot(scenario, turn, people, seat, name)

    def _slot(self, scenario: Scenario, turn: Turn, people: People, seat: str, name: str) -> Report | None:
        opened = ended = None
        for line in turn.lines:
            if opened is None and any((e.kind, e.subject, e.holder) == ("slot", "opened", seat) for e in line.effects):
                opened = line.after
            if opened is not None and ended is None and (line.after.slot != seat or line is turn.lines[-1]):
                ended = line.after
        if opened is None or ended is None:
            return None
        return slot_report(scenario, turn.lines, opened, ended, people, seat, name)


def _battle_contents(scenario: Scenario, attack: Attack) -> Contents:
    name = f"#{attack.id} {scenario.provinces[attack.target].name}"
    return Contents(f"battle-{attack.id}", "battle", name, attack.turn, attack.status == "resolved")
