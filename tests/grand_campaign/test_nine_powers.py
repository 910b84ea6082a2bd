"""240 BC, played by program for seven turns: its standings, and texts without 420 AD."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from engine.dice import Dice
from engine.language import use_language
from engine.play import play
from games.contract.report import ReportEntry
from games.grand_campaign.bots.styles import bold
from games.grand_campaign.drawing.drawing import for_scenario
from games.grand_campaign.text.report import Reports
from tests.grand_campaign.campaigns import TITLE

OTHERS = re.compile(
    r"\b(Huns?|Hunnic|Vandals?|Hephtalites?|Sassanids?|Kushans?|420 AD|420"
    r" d|Unni|Vandali|Eftaliti|Sasanidi|Kushana)\b"
)


@pytest.fixture(scope="module")
def played() -> tuple[Any, Any, list[ReportEntry]]:
    scenario = TITLE.scenario(TITLE.scenarios()["240bc"])
    start = TITLE.setup(scenario, TITLE.options({}))
    position, dice, rng = start, Dice(scenario.turns, seed="nine"), Random("nine")
    lines: list[ReportEntry] = []
    while (raw := bold(position, rng)) is not None:
        step = play(position, TITLE.decode(raw, position), dice)
        lines.append(ReportEntry(len(lines) + 1, raw, step.effects, step.rolls, step.after))
        position = step.after
    return scenario, start, lines


def test_it_is_played_to_its_end(played: Any) -> None:
    _scenario, _start, lines = played
    end = lines[-1].after
    assert (end.turn, end.phase) == (7, "finished")
    assert [(standing["nation"], standing["victory_points"]) for standing in end.standings] == [
        ("epirus", 78),
        ("rome", 75),
        ("galatians", 70),
        ("seleucids", 68),
        ("macedon", 56),
        ("bactria", 55),
        ("mauryas", 54),
        ("carthage", 54),
        ("egypt", 54),
    ]


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_report_and_no_rule_mentions_420_ad(played: Any, language: str) -> None:
    scenario, start, lines = played
    reports = Reports()
    with use_language(language):
        for contents in reports.contents(scenario, lines):
            report = reports.report(scenario, start, lines, contents.key, "Nine", {})
            assert report is not None
            assert OTHERS.findall(str(report)) == [], contents.key
        assert OTHERS.findall(TITLE.rules_of(scenario).partition("\n## 1 ")[2]) == []


def test_its_drawing_is_its_own() -> None:
    drawing = for_scenario(TITLE.scenarios()["240bc"])
    assert (drawing.scenario, drawing.laid_out, len(drawing.provinces)) == ("240bc", False, 90)
    assert drawing.nations["carthage"].adjective == "Carthaginian"
