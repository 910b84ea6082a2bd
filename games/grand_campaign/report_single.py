"""Reports of single things: the opening of a turn, a challenge, a result, a trade, the standings, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.report import Line, Report, Span
from games.grand_campaign.position import Position
from games.grand_campaign.report_chapters import ANSWERS, Chronicle
from games.grand_campaign.report_lines import Page, pages, phrase
from games.grand_campaign.scenario import Scenario

People = Mapping[str, str]


def opening_report(scenario: Scenario, lines: Sequence[Line], people: People, title: str) -> Report:
    """What a turn opens with: order of play, cards, random events; whom the table waits for then."""
    found = [page for page in pages(lines[:1]) if page.kind == "opening"]
    told = Chronicle(scenario, found, people)
    told.heading(title, 1)
    for page in found:
        told.opening(page)
    told.next(lines[0].after)
    return told.finish(title)


def challenge_line(lines: Sequence[Line], number: int) -> Line | None:
    """The line that launched an attack."""
    for line in lines:
        if line.move["move"] not in ANSWERS and any(
            effect.facts.get("launched") and effect.subject == str(number) for effect in line.effects
        ):
            return line
    return None


def challenge_report(scenario: Scenario, line: Line, people: People, title: str, number: int) -> Report:
    """An attack as it is launched, and whose answer is awaited."""
    found = _moves(line)
    told = Chronicle(scenario, found, people)
    told.heading(title, 1)
    attack = line.after.attacks[number - 1]
    told.launch(attack)
    told.battle(attack)
    return told.finish(title)


def result_line(lines: Sequence[Line], number: int) -> Line | None:
    """The line that decided an attack: a report, a forfeit, or an answer without battle."""
    for line in lines:
        answered = line.move["move"] in ANSWERS and line.move["attack"] == number
        if answered and line.after.attacks[number - 1].status == "resolved":
            return line
    return None


def result_report(scenario: Scenario, line: Line, people: People, title: str, number: int) -> Report:
    """The result of an attack and all that followed from it."""
    told = Chronicle(scenario, _moves(line), people)
    told.heading(title, 1)
    told.battle(line.after.attacks[number - 1])
    return told.finish(title)


def trade_report(scenario: Scenario, line: Line, people: People, title: str) -> Report:
    """A card taken from a table for another (4.3)."""
    found = _moves(line)
    told = Chronicle(scenario, found, people)
    told.heading(title, 1)
    for page in found:
        told.bullets([(*told.teller.player(page.seat), Span(": "), *told.mover.line(page))])
    return told.finish(title)


def standings_report(
    scenario: Scenario, lines: Sequence[Line], before: Position, after: Position, people: People, title: str
) -> Report:
    """Where the nations stand after these lines."""
    told = Chronicle(scenario, [], people)
    told.heading(title, 1)
    told.standings(before, after)
    told.next(after)
    last = lines[-1].number
    told.say(*phrase("after-entry", n=last), small=True)
    return told.finish(title)._replace(first=last, last=last)


def final_report(
    scenario: Scenario, lines: Sequence[Line], before: Position, after: Position, people: People, title: str
) -> Report:
    """The close of the last turn with its scoring, the final standings, who has won (12)."""
    found = [page for page in pages(lines) if page.kind == "closing" and any(e.subject == "standings" for e in page.effects)]
    told = Chronicle(scenario, found, people)
    told.heading(title, 1)
    told.closing()
    told.standings(before, after)
    told.next(after)
    return told.finish(title)


def trades(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.move["move"] == "take"]


def _moves(line: Line) -> list[Page]:
    return [page for page in pages([line]) if page.kind == "move"]
