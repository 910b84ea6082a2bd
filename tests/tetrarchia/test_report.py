"""Reports and chronicle: a round worked by hand to the letter, nothing of a round left out, any
log, both languages.
"""

from __future__ import annotations

import re

import pytest

from engine.dice import Dice
from engine.language import LANGUAGES, reading_in
from games.contract.report import Line, Report
from games.tetrarchia.text import report as text_report
from games.tetrarchia.text.report import TetrarchiaReports
from tests.forum.rendered import bbcode, plain
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


def worked() -> list[Line]:
    return lines(MOVES, Dice(1000, fixed=DICE), level="4101")


def report(log: list[Line], key: str, **people: str) -> Report:
    result = REPORTS.report(SCENARIO, None, log, key, "", people)
    assert result is not None
    return result


TOLD = """\
Revolt broke out in BAETICA, AQVITANIA, MOESIA SVPERIOR, ACHAIA, ASIA and NVMIDIA. \
Barbarians gathered beyond the border, in SARMATIA. Diocletian put down what stirred in ASIA. \
ACHAIA rose a second time, and MACEDONIA and EPIRVS rose with it. Barbarians gathered in NVBIA. \
The army of NVBIA crossed the border into AEGYPTVS. Galerius calmed MOESIA SVPERIOR. \
Galerius attacked the army in SARMATIA and destroyed it. The unrest in MOESIA SVPERIOR became open revolt.
"""  # noqa: E501
STEPS = """\
- moves to DACIA; Galerius: Imperium Points 3 → 2 (paid for a move, §4.2); Galerius moves to DACIA (§4.2).
- attacks the army in SARMATIA; Galerius: Imperium Points 2 → 0 (paid for an attack, §4.2); \
Galerius VI + 0 = 6 against the army in SARMATIA 2 + 0 = 2 (§5.1); Galerius beats the army of SARMATIA (§5.5); \
the reserve: armies 1 → 2 (army beaten by Galerius, §5.5); the army of SARMATIA is gone (§5.5); \
Galerius moves into SARMATIA (§5.5).
- ends the turn; Galerius ends the turn (§4.3); the reserve: Unrest 20 → 21; the reserve: Revolt 14 → 13; \
MOESIA SVPERIOR: Unrest → Revolt; Unrest in MOESIA SVPERIOR becomes Revolt (§4.3); a threat to CRETA (§4.3); \
the reserve: Unrest 21 → 20; CRETA: nothing → Unrest; Unrest in CRETA (§4.3); \
the army of AEGYPTVS advances to CYRENAICA (§4.3); the reserve: Revolt 13 → 12; CYRENAICA: nothing → Revolt; \
CYRENAICA laid waste (§4.3); Constantius’s turn, round 1 (§4); \
Constantius: Imperium Points 0 → 6 (Imperium Points of the turn, §4.2).
"""  # noqa: E501
BOARD = """\
               Emperor’s tokens  Unrest  Revolt  border
I HISPANIA                    0       0       1    open
II GALLIA                     0       0       1    open
III ILLYRICVM                 0       0       1    open
IV GRAECIA                    0       1       3    open
V ASIA MINOR                  0       0       0    open
VI AFRICA                     0       0       3    open
IT ITALIA                     0       0       0       ·
"""
ROLLED = """\
- Entry 7: threat: region: IV; threat 1: province: 4; uprising 1: as far as CRETA: 2; echo of uprising 1: VI; \
advance from SARMATIA: 2.
- Entry 12: Galerius’s attack 1: Rome: VI; Galerius’s attack 1: barbarians: 2.
"""  # noqa: E501


def test_the_chronicle_of_the_round_worked_by_hand() -> None:
    shown = plain(report(worked(), "chronicle"))
    assert shown == f"The chronicle of the Tetrarchy\n{'=' * 30}\n\nRound 1\n-------\n\n{TOLD}"


def test_the_round_worked_by_hand() -> None:
    created = report(worked(), "round-1")
    shown = plain(created)
    assert shown.startswith(
        f"Round 1\n=======\n\n{TOLD}\nSet-up\n------\n\n- rolls the first threats; "
    )
    for part in (STEPS, BOARD, ROLLED):
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
def test_any_log(player: str, seed: str, terms: tuple[str, ...], language: str) -> None:
    log = game(player, seed, *terms)
    with reading_in(language):
        contents = REPORTS.contents(SCENARIO, log)
        assert [one.key for one in contents[:2]] == ["final", "chronicle"]
        assert all(one.complete for one in contents)
        rounds = [one for one in contents if one.kind == "round"]
        assert [one.turn for one in rounds] == list(range(len(rounds), 0, -1))
        seen = []
        for one in contents:
            created = report(log, one.key, tetrarchy="Ann")
            shown = plain(created)
            assert bbcode(created, {})
            assert "{" not in shown
            assert not re.search(
                r"\b(None|barbarians|[a-z]+_[a-z]+)\b", shown.replace("barbarians", "")
            ), one.key
            if one.kind == "round":
                assert created.untold == ()
                seen += list(range(created.first, created.last + 1))
        assert sorted(seen) == [line.number for line in log]


def test_a_longer_log_only_tells_more() -> None:
    log = game("sensible", "a", "4200")
    whole = text_report.sentences(log)
    for n in range(2, len(log), 9):
        # What is held back to be told at once may still grow.
        shown = text_report.sentences(log[:n])[:-1]
        assert whole[: len(shown)] == shown


def test_rounds_of_a_game_that_goes_on() -> None:
    log = game("sensible", "a", "4200")
    first = REPORTS.split(log)[0]
    assert (first.number, first.over, first.before.tokens) == (1, True, {})
    part = REPORTS.contents(SCENARIO, log[: len(first.lines) + 1])
    assert [(one.key, one.complete) for one in part] == [
        ("chronicle", False),
        ("round-2", False),
        ("round-1", True),
    ]
    assert REPORTS.contents(SCENARIO, []) == []
    assert REPORTS.report(SCENARIO, None, log[:5], "final", "", {}) is None


@pytest.mark.parametrize("key", ["round-0", "round-99", "round", "year-1", ""])
def test_there_is_no_such_report(key: str) -> None:
    assert REPORTS.report(SCENARIO, None, game("sensible", "a", "4200"), key, "", {}) is None


def test_a_table_of_two() -> None:
    log = game("sensible", "a", "4200")
    shown = plain(report(log, "final", east="Ann", west="Ben"))
    assert "At the table: The East (Ann) and The West (Ben)." in shown
    assert "round  borders  Revolt  Unrest  armies" in shown
