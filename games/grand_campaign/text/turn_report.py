"""The report of a turn: headline, standings, what happened, and all details below them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.contract.report import (
    CHRONICLE,
    DRY,
    Bullets,
    Fold,
    Report,
    ReportEntry,
    Span,
    Spans,
)
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.battle_lines import battle_line
from games.grand_campaign.text.headline import headline
from games.grand_campaign.text.nation_lines import nation_line, net_changes
from games.grand_campaign.text.prose import prose
from games.grand_campaign.text.report_chapters import (
    RESUME,
    Chronicle,
    EntryPart,
    heading,
    parts_of,
    phrase,
)
from games.grand_campaign.text.report_texts import REPORT
from games.grand_campaign.text.spans import with_stop
from games.grand_campaign.text.turn_facts import TurnFacts, facts_of_turn
from games.grand_campaign.text.turn_names import TurnNames

People = Mapping[str, str]


def turn_report(
    scenario: Scenario,
    lines: Sequence[ReportEntry],
    before: Position,
    after: Position,
    people: People,
    title: str,
    tone: str = DRY,
) -> Report:
    """Return the report of a turn, with all public effects and rolls in its details.

    `lines` are its entries from the opening on; `before` and `after` are the positions around them.
    """
    details = _turn_details(scenario, lines, after, people).finish(title)
    facts = facts_of_turn(scenario, lines, before, after)
    front = Chronicle(scenario, [], people)
    front.heading(title, 1)
    front.blocks.append(headline(facts))
    front.standings(before, after)
    if tone == CHRONICLE:
        front.heading(turn_heading("chronicle"), 2)
        front.blocks += prose(facts, people)
    else:
        _write_lines(front, facts, people)
    names = TurnNames(scenario, people)
    short = Bullets(tuple(net_changes(names, key, before, after) for key in after.nations))
    front.blocks.append(Fold((Span(turn_heading("details")),), details.blocks, (short,)))
    front.next_moves(after)
    return details._replace(blocks=tuple(front.blocks))


def _write_lines(front: Chronicle, facts: TurnFacts, people: People) -> None:
    """Write the battles, the moves of each nation and the corrections, each in a line."""
    names = TurnNames(facts.scenario, people)
    if facts.battles:
        front.heading(turn_heading("battles"), 2)
        front.bullets([battle_line(names, battle) for battle in facts.battles])
    active = [key for key, moves in facts.moves.items() if moves or key != facts.after.slot]
    if active:
        front.heading(turn_heading("nations"), 2)
        front.bullets([nation_line(names, facts, key) for key in active])
    if facts.corrections:
        front.heading(heading("corrections"), 2)
        front.bullets([correction_line(facts.scenario, line) for line in facts.corrections])


def _turn_details(
    scenario: Scenario, lines: Sequence[ReportEntry], after: Position, people: People
) -> Chronicle:
    """Return the chapters of a turn with each public effect and roll."""
    shown = parts_of(lines)
    chronicle = begin_chronicle(scenario, shown, people)
    for part in shown:
        if part.kind == "opening":
            chronicle.opening(part)
    opened = [part.seat for part in shown if part.kind == "slot"]
    for key in opened:
        chronicle.heading("", 2, *chronicle.writer.player(key))
        chronicle.slot(key)
    chronicle.orders()
    fought = [attack for attack in after.attacks if attack.turn == after.turn]
    if fought:
        chronicle.heading(heading("battles"), 2)
    for attack in fought:
        chronicle.heading(f"#{attack.id} {chronicle.writer.province(attack.target)}", 3)
        chronicle.battle(attack)
    chronicle.closing()
    return chronicle


def begin_chronicle(
    scenario: Scenario, shown: Sequence[EntryPart], people: People, title: str = ""
) -> Chronicle:
    """Return a chronicle with its title, if it has one.

    A takeover is a single sentence, since its effects did not happen in the turn.
    """
    chronicle = Chronicle(
        scenario, [part for part in shown if part.line.move["move"] != RESUME], people
    )
    if title:
        chronicle.heading(title, 1)
    for part in shown:
        if part.line.move["move"] == RESUME:
            if part.kind == "move":
                chronicle.paragraph(
                    *phrase(
                        "taken-over", turn=part.line.move["turn"], reason=part.line.move["reason"]
                    )
                )
            chronicle.writer.take(part, lambda _effect: True)
    return chronicle


def turn_heading(key: str) -> str:
    """Return the heading of a chapter of a turn's report."""
    return str(REPORT.read()["headings"][key])


def correction_line(scenario: Scenario, line: ReportEntry) -> Spans:
    """Return a correction of the game master with its reason."""
    visible = [effect for effect in line.effects if effect.audience is None]
    text = words.move_line(scenario, line.move, visible)
    return with_stop(phrase("master-does", what=text))
