"""Reports and chronicle: a round worked out by hand, complete rounds, any log, both languages."""

from __future__ import annotations

import re

import pytest

from engine.dice import Dice
from engine.language import LANGUAGES, use_language
from games.contract.report import Report, ReportEntry
from games.tetrarchia.text import report as text_report
from games.tetrarchia.text.report import TetrarchiaReports
from tests.forum.rendered import render_bbcode, render_plain_text
from tests.tetrarchia.played import game, lines
from tests.tetrarchia.table import CALM, END, REMOVE, SCENARIO, attack, enter, go, sail

REPORTS = TetrarchiaReports()
FIRST = ("hispania", "gallia", "illyricum", "graecia", "asia_minor", "africa_region")
MOVES = [
    {"move": "begin"},
    {"move": "place_fleets", "zones": ["aegaeum"]},
    enter("bithynia"),
    go("asia"),
    REMOVE,
    sail("aegaeum", "internum"),
    END,
    enter("pannonia_inferior"),
    go("moesia_superior"),
    CALM,
    go("dacia"),
    attack("sarmatia"),
    END,
]
D, G = "round-1/diocletian", "round-1/galerius"
DICE = {
    **{f"setup/revolt/{region}": n for region, n in zip(FIRST, (2, 5, 2, 4, 5, 4), strict=True)},
    "setup/barbarian-1": 3,
    f"{D}/threat-1/region": 4,
    f"{D}/threat-1/number": 4,
    f"{D}/uprising-1/creta": 2,
    f"{D}/echo-1": 6,
    f"{D}/advance/sarmatia": 2,
    f"{G}/attack-1/roman": 6,
    f"{G}/attack-1/barbarian": 2,
    f"{G}/threat-1/region": 4,
    f"{G}/threat-1/number": 5,
    f"{G}/status/moesia_superior/dalmatia": 1,
}


def worked() -> list[ReportEntry]:
    return lines(MOVES, Dice(1000, fixed=DICE), level="4101")


def report(log: list[ReportEntry], key: str, **people: str) -> Report:
    result = REPORTS.report(SCENARIO, None, log, key, "", people)
    assert result is not None
    return result


REPORT_TEXT = """\
Revolt broke out in BAETICA, AQVITANIA, MOESIA SVPERIOR, ACHAIA, ASIA and NVMIDIA. \
Barbarians gathered beyond the border, in SARMATIA. Diocletian put down the unrest in ASIA. \
ACHAIA rose a second time, and MACEDONIA and EPIRVS rose with it. Barbarians gathered in NVBIA. \
The army of NVBIA crossed the border into AEGYPTVS. Galerius calmed MOESIA SVPERIOR. \
Galerius attacked the army in SARMATIA and destroyed it. The unrest in MOESIA SVPERIOR became open revolt.
"""  # noqa: E501
STEPS = """\
- moves to DACIA; Galerius: Imperium Points 3 → 2 (paid for a move, §4.2); Galerius moves to DACIA (§4.2).
- attacks the army in SARMATIA; Galerius: Imperium Points 2 → 0 (paid for an attack, §4.2); \
Galerius with VI + 0 = 6 against the army in SARMATIA with 2 + 0 = 2 (§5.1); Galerius beats the army of SARMATIA (§5.5); \
the reserve: armies 1 → 2 (army beaten by Galerius, §5.5); the army in SARMATIA is removed (§5.5); \
Galerius moves into SARMATIA (§5.5).
- ends the turn; Galerius ends the turn (§4.3); the reserve: Unrest 20 → 21; the reserve: Revolt 14 → 13; \
MOESIA SVPERIOR: Unrest → Revolt; Unrest in MOESIA SVPERIOR becomes Revolt (§4.3); a threat to CRETA (§4.3); \
the reserve: Unrest 21 → 20; CRETA: no token → Unrest; Unrest in CRETA (§4.3); \
the army of AEGYPTVS advances to CYRENAICA (§4.3); the reserve: Revolt 13 → 12; CYRENAICA: no token → Revolt; \
CYRENAICA is laid waste (§4.3); Constantius’s turn, round 1 (§4); \
Constantius: Imperium Points 0 → 6 (Imperium Points of the turn, §4.2).
"""  # noqa: E501
BOARD = """\
region         Emperors’ tokens  Unrest  Revolt  border
I HISPANIA                    0       0       1    open
II GALLIA                     0       0       1    open
III ILLYRICVM                 0       0       1    open
IV GRAECIA                    0       1       3    open
V ASIA MINOR                  0       0       0    open
VI AFRICA                     0       0       3    open
IT ITALIA                     0       0       0       ·
"""
ROLLED = """\
- ends the turn: threat: region: IV; threat 1: province: 4; uprising 1: broken link to CRETA: 2; aftermath of uprising 1: VI; \
advance from SARMATIA: 2.
- attacks the army in SARMATIA: Galerius’s attack 1: Rome: VI; Galerius’s attack 1: barbarians: 2.
"""  # noqa: E501


def test_the_chronicle_of_the_round_worked_by_hand() -> None:
    shown = render_plain_text(report(worked(), "chronicle"))
    assert (
        shown == f"The chronicle of the Tetrarchy\n{'=' * 30}\n\nRound 1\n-------\n\n{REPORT_TEXT}"
    )


def test_the_round_worked_by_hand() -> None:
    created = report(worked(), "round-1")
    shown = render_plain_text(created)
    news, rest = REPORT_TEXT.split(" Barbarians", 1)
    assert shown.startswith(f"Round 1\n=======\n\n{news}\n\nThe board\n---------\n\n{BOARD}")
    for part in (f"\n\nBarbarians{rest}\nAll moves and dice\n", STEPS, ROLLED):
        assert part in shown
    assert (created.untold, created.first, created.last) == ((), 1, 13)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("player", "seed", "terms"),
    [
        ("sensible", "a", ("4200",)),
        ("sensible", "b", ("3122", "the_great", "imperium")),
        ("random", "c", ("5300",)),
        ("random", "d", ("4211", "imperium", "patres_patriae", "the_great", "mare_nostrum")),
    ],
)
def test_reports_of_any_log_are_complete(
    player: str, seed: str, terms: tuple[str, ...], language: str
) -> None:
    log = game(player, seed, *terms)
    with use_language(language):
        contents = REPORTS.contents(SCENARIO, log)
        assert [chapter.key for chapter in contents[:2]] == ["final", "chronicle"]
        assert all(chapter.complete for chapter in contents)
        rounds = [chapter for chapter in contents if chapter.kind == "round"]
        assert [chapter.turn for chapter in rounds] == list(range(len(rounds), 0, -1))
        seen = []
        for chapter in contents:
            created = report(log, chapter.key, tetrarchy="Ann")
            shown = render_plain_text(created)
            assert render_bbcode(created, {})
            assert "{" not in shown
            assert not re.search(
                r"\b(None|barbarians|[a-z]+_[a-z]+)\b", shown.replace("barbarians", "")
            ), chapter.key
            if chapter.kind == "round":
                assert created.untold == ()
                seen += list(range(created.first, created.last + 1))
        assert sorted(seen) == [line.number for line in log]


def test_a_longer_log_only_adds_sentences() -> None:
    log = game("sensible", "a", "4200")
    whole = text_report.sentences(log)
    for n in range(2, len(log), 9):
        # Sentences that are held back to be combined may still grow.
        shown = text_report.sentences(log[:n])[:-1]
        assert whole[: len(shown)] == shown


def test_a_running_game_has_reports_of_its_finished_rounds() -> None:
    log = game("sensible", "a", "4200")
    first = REPORTS.split(log)[0]
    assert (first.number, first.over, first.before.tokens) == (1, True, {})
    part = REPORTS.contents(SCENARIO, log[: len(first.lines) + 1])
    assert [(chapter.key, chapter.complete) for chapter in part] == [
        ("chronicle", False),
        ("round-2", False),
        ("round-1", True),
    ]
    assert REPORTS.contents(SCENARIO, []) == []
    assert REPORTS.report(SCENARIO, None, log[:5], "final", "", {}) is None


@pytest.mark.parametrize("key", ["round-0", "round-99", "round", "year-1", ""])
def test_an_unknown_report_is_refused(key: str) -> None:
    assert REPORTS.report(SCENARIO, None, game("sensible", "a", "4200"), key, "", {}) is None


def test_a_report_names_two_players() -> None:
    log = game("sensible", "a", "4200")
    shown = render_plain_text(report(log, "final", east="Ann", west="Ben"))
    assert "At the table: The East (Ann) and The West (Ben)." in shown
    assert "round  borders  Revolt  Unrest  armies" in shown
