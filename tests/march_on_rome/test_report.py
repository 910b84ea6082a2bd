"""Reports of a reign: complete for a year, exact for the reign worked out by hand, for any log."""

from random import Random
from typing import Any

import pytest

from engine.dice import Dice
from engine.play import perform
from games.contract.report import Report, ReportedEvent, ReportEntry
from games.march_on_rome.bots.players import MarchPlayers
from games.march_on_rome.rules.moves import decode
from games.march_on_rome.rules.position import Options, Position, Scenario
from games.march_on_rome.text.report import MarchReports
from games.registry import TITLES
from tests.forum.rendered import render_bbcode, render_plain_text
from tests.march_on_rome.test_chronicle import DICE, MOVES, REIGN

REPORTS = MarchReports()


def lines(moves: list[dict[str, Any]], dice: Dice) -> list[ReportEntry]:
    position, created = Position(Scenario(), Options()), list[ReportEntry]()
    for number, move in enumerate(moves, 1):
        perform(position, decode(move), dice)
        created.append(ReportEntry(number, move, tuple(position.effects), dice.take_rolls()))
    return created


def game(player: str, seed: str) -> list[ReportEntry]:
    position, dice, rng, created = (
        Position(Scenario(), Options()),
        Dice(1000, seed=seed),
        Random(seed),
        list[ReportEntry](),
    )
    while (raw := MarchPlayers.by_name[player](position, rng)) is not None:
        perform(position, decode(dict(raw)), dice)
        created.append(
            ReportEntry(len(created) + 1, raw, tuple(position.effects), dice.take_rolls())
        )
    return created


def report(log: list[ReportEntry], key: str) -> Report:
    result = REPORTS.report(Scenario(), None, log, key, "", {"pc": "Ann"})
    assert result is not None
    return result


STEPS = """\
All moves and dice
------------------

Step by step

- Albinus begins the struggle; Albinus: legions 0 → 6; Italy: lost → Albinus (legions in Italy declare for Albinus, §2.2); \
Galba: legions 0 → 5; Spain: lost → Galba (legions in Spain declare for Galba, §2.4); \
Gaul: lost → procurators (a procurator holds the province, §2.5); procurators: garrison 0 → 1 (garrison of Gaul, §2.5); \
Illyrica: lost → procurators; Achaia: lost → procurators; Asia: lost → procurators; Syria: lost → procurators; \
Africa: lost → procurators (a procurator holds the province, §2.5); procurators: garrison 1 → 2 (garrison of Africa, §2.5); \
the struggle begins (§2).
- Albinus attacks Gaul; battle 1 for Gaul: Albinus against the procurator of Gaul (§4.1); \
the attacker has the initiative (§4.4); the defender devotes 1 of 1 (§4.5).
- Albinus devotes 3 legions; the attacker devotes 3 of 6 (§4.5); segments: 1; each hit costs 1 (§4.7); \
segment 1: 3 against 0 (§4.7); Albinus wins Gaul from the procurator of Gaul (§4.8); \
procurators: garrison 2 → 1 (losses in the battle for Gaul, §4.8); \
Gaul: procurators → Albinus (Albinus takes Gaul, §4.8).
- order of the rivals: Galba (§3.2).
"""  # noqa: E501


HOLDERS = """\
holder              legions  provinces
Albinus              0 → 14      0 → 3
procurators               0      0 → 4
lost to the Empire        ·    18 → 11
"""


def test_the_year_of_the_reign_worked_by_hand() -> None:
    log = lines(MOVES, Dice(1000, fixed=DICE))
    shown = render_plain_text(report(log, "year-1"))
    head, *_details = shown.partition(STEPS)
    news = "Six legions in Italy declared for Albinus; five in Spain for Galba. Beyond the core"
    assert head.startswith(f"Year 1\n======\n\n{news} nothing was left of the Empire.\n\nHolders\n")
    first, _holders, rest = head.partition(f"\n\nHolders\n-------\n\n{HOLDERS}\n")
    reign = f"{first.removeprefix('Year 1').lstrip('=' + chr(10))} {rest.strip()}"
    assert reign == REIGN.removeprefix("Year 1\n")
    assert STEPS in shown
    assert (
        "- Albinus devotes 3 legions: battle 1: segments, d6: 1; battle 1, segment 1: the attacker"
        " strikes, d6: 1, 2, 3." in shown
    )


def test_the_end_of_the_reign_worked_by_hand() -> None:
    log = lines(MOVES, Dice(1000, fixed=DICE))
    shown = render_plain_text(report(log, "final"))
    assert shown.startswith(
        "The end of the reign\n====================\n\nAlbinus (Ann) is emperor after one year.\n"
    )
    assert "year  provinces  legions  rivals\n1             3       14       0" in shown
    assert [report.key for report in REPORTS.contents(Scenario(), log)] == [
        "final",
        "chronicle",
        "year-1",
    ]
    assert [report.key for report in REPORTS.contents(Scenario(), log[:-1])] == [
        "chronicle",
        "year-1",
    ]
    assert not any(report.complete for report in REPORTS.contents(Scenario(), log[:-1]))


def test_the_chronicle_of_the_reign_worked_by_hand() -> None:
    shown = report(lines(MOVES, Dice(1000, fixed=DICE)), "chronicle")
    assert render_plain_text(shown).split("\n\n", 1)[1].rstrip() == REIGN.replace(
        "Year 1\n", "Year 1\n------\n\n"
    )
    (post,) = render_bbcode(shown, {"pc": "#9c2f24"})
    assert post.startswith("[size=120][b]Year 1[/b][/size]\nSix legions in Italy")


def test_the_player_has_their_colour() -> None:
    (post,) = render_bbcode(
        report(lines(MOVES, Dice(1000, fixed=DICE)), "year-1"), {"pc": "#9c2f24"}
    )
    assert "[*][color=#9c2f24][b]Albinus[/b][/color] begins the struggle; " in post
    assert "[*]Albinus attacks Gaul; " in post


@pytest.mark.long
@pytest.mark.parametrize("player", ["sensible", "random"])
def test_nothing_of_a_year_is_left_out(player: str) -> None:
    for n in range(12):
        log = game(player, f"reports/{n}")
        shown: list[ReportedEvent] = []
        for item in reversed(REPORTS.contents(Scenario(), log)):
            created = report(log, item.key)
            assert render_bbcode(created, {}, 4_000)
            assert render_plain_text(created)
            assert item.complete
            if item.kind != "chronicle":
                assert created.untold == (), item.key
            if item.kind == "year":
                shown += created.told
        everything = [
            ReportedEvent(line.number, what)
            for line in log
            for what in [*line.effects, *line.rolls]
        ]
        assert sorted(map(repr, shown)) == sorted(map(repr, everything))


def test_a_running_reign_has_reports_of_its_finished_years() -> None:
    log = game("random", "reports/goes on")
    for upto in range(len(log)):
        items = REPORTS.contents(Scenario(), log[:upto])
        assert bool(items) == bool(upto)
        for item in items[:2]:
            assert report(log[:upto], item.key).last == upto


@pytest.mark.parametrize(
    "key", ["year-0", "year-99", "year-1x", "final", "chronicles", "", "year-٣"]
)
def test_an_unknown_report_is_refused(key: str) -> None:
    log = lines(MOVES[:4], Dice(1000, fixed=DICE))
    assert REPORTS.report(Scenario(), None, log, key, "", {}) is None
    assert REPORTS.report(Scenario(), None, [], key, "", {}) is None


def test_the_campaigns_name_comes_first() -> None:
    log = lines(MOVES[:1], Dice(1000, fixed=DICE))
    result = TITLES["march_on_rome"].reporter.report(
        Scenario(), None, log, "year-1", "Ann's reign", {}
    )
    assert result is not None
    assert result.title == "Ann's reign: year 1"
