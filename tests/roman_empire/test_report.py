"""Reports and the chronicle: complete, without hidden facts, and their texts."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from engine.errors import IllegalMove
from engine.language import use_language
from games.contract.report import (
    Block,
    Bullets,
    Fold,
    Heading,
    Paragraph,
    Report,
    ReportEntry,
    Table,
)
from games.kit.report import turn_texts
from games.registry import TITLES
from games.roman_empire.rules import moves
from games.roman_empire.rules.position import CARDS, EMPERORS, GROUPS, HERE
from games.roman_empire.text import report as text_report
from games.roman_empire.text import words
from games.roman_empire.text.english import WORDS
from games.roman_empire.text.report import EmpireReports, PeriodChronicler
from tests.roman_empire.games import options, steps
from tests.roman_empire.table import (
    SCENARIO,
    TITLE,
    event,
    faction,
    held,
    peoples,
    place,
    rendered,
    throw,
)

REPORTS = EmpireReports()
BOOK = WORDS.english


@cache
def log() -> list[ReportEntry]:
    """Return the log of a game of three, played by the sensible player."""
    created = enumerate(steps("told", options(1), "sensible"), start=1)
    return [
        ReportEntry(number, move, played.effects, played.rolls, played.after)
        for number, (_, move, played) in created
    ]


def report(key: str, lines: list[ReportEntry]) -> Report:
    created = REPORTS.report(
        SCENARIO, None, lines, key, "The Long Decline", {"A": "Ada", "B": "Bo"}
    )
    assert created is not None
    return created


def texts(blocks: tuple[Block, ...]) -> str:
    created = []
    for block in blocks:
        if isinstance(block, (Heading, Paragraph)):
            created.append("".join(span.text for span in block.spans))
        elif isinstance(block, Fold):
            created.append(texts(block.blocks))
        elif isinstance(block, Bullets):
            created += ["".join(span.text for span in item) for item in block.items]
        else:
            assert isinstance(block, Table)
            assert all(len(row) == len(block.head) for row in block.rows)
            created += [" | ".join(row) for row in block.rows]
    return "\n".join(created)


def test_the_list_of_reports() -> None:
    assert [(report.key, report.complete) for report in REPORTS.contents(SCENARIO, log())] == [
        ("final", True),
        ("chronicle", True),
        *((f"period-{n}", True) for n in range(7, 0, -1)),
    ]
    assert [(report.key, report.name) for report in REPORTS.contents(SCENARIO, log()[:9])] == [
        ("chronicle", "The chronicle of the Empire"),
        ("period-1", "Period I, 60 BC–AD 14"),
    ]
    assert REPORTS.contents(SCENARIO, []) == []
    assert REPORTS.report(SCENARIO, None, log(), "period-8", "", {}) is None
    assert REPORTS.report(SCENARIO, None, log()[:9], "final", "", {}) is None


@pytest.mark.parametrize("key", [*(f"period-{n}" for n in range(1, 8)), "final"])
def test_a_report_contains_every_public_fact(key: str) -> None:
    created = report(key, log())
    assert created.untold == ()
    assert not [entry for entry in created.told if entry.what.audience is not None]
    assert "{" not in texts(created.blocks)
    assert len({(entry.number, id(entry.what)) for entry in created.told}) == len(created.told)


def test_a_report_contains_no_hand_and_no_counter() -> None:
    """Reports of set-up and dealing say only which seats kept or passed."""
    lines = log()[: next(n for n, line in enumerate(log()) if line.move["move"] == "open")]
    text = texts(report("period-1", lines).blocks)
    assert not [
        card.name for card in CARDS.values() if re.search(rf"\b{re.escape(card.name)}\b", text)
    ]
    assert "shows" not in text
    assert "d6" not in text


def test_the_report_of_the_end_has_the_ranking() -> None:
    text = texts(report("final", log()).blocks)
    after = log()[-1].after
    winner, totals = after.result["winner"], after.result["totals"]
    assert (
        f"Seat {winner} has won with {totals[winner]} points. At the table: seat A (Ada) and seat B"
        " (Bo)." in text
    )
    for seat in "ABC":
        vp = after.vp[seat]
        assert f"seat {seat} | 0 → {vp['p']} | 0 → {vp['f']} | 0 → {vp['p'] + vp['f']}" in text


def test_points_add_up_over_the_periods() -> None:
    text = texts(report("period-7", log()).blocks)
    after = log()[-1].after
    assert re.search(
        rf"seat B \| \d+ → {after.vp['B']['p']} \| (\d+ → )?{after.vp['B']['f']} \|", text
    )


def test_the_chronicle_only_grows() -> None:
    half, whole = PeriodChronicler(), PeriodChronicler()
    for n, line in enumerate(log()):
        if n < len(log()) // 2:
            half.read(line)
        whole.read(line)
    assert whole.sentences[: len(half.sentences)] == half.sentences
    assert {sentence.turn for sentence in whole.sentences} == set(range(1, 8))
    assert [text.number for text in turn_texts(whole.sentences)] == list(range(1, 8))


def sentences(effects: Any) -> list[str]:
    chronicler = PeriodChronicler()
    chronicler.acting = "galli"
    return [sentence.text for sentence in chronicler.read_all([ReportEntry(1, {}, effects, ())])]


def test_the_chronicle_has_its_sentences() -> None:
    position = peoples(
        "galli", {"lugdunensis": held("galli"), "belgica": held("blue", city="whole")}
    )
    dice = throw(1, ([6, 1], [2])) | {"turn-1/A/people/loot/belgica": [4]}
    assert sentences(rendered(position, place("belgica", "lugdunensis", True), dice=dice)) == [
        "The Galli took Belgica.",
        "The Galli looted Belgica, for four points.",
    ]
    assert sentences(
        rendered(position, place("belgica", "lugdunensis"), dice=throw(1, ([1, 1], [2])))
    ) == ["The Galli lost one army at Belgica and gained nothing."]
    rebels = peoples("galli", {"belgica": held("blue")}, hand={"A": ["rebellion_1"]})
    assert sentences(rendered(rebels, event("rebellion_1", land="belgica"))) == [
        "In Belgica, Legions of the blue Faction rose against their own side.",
        "Rebels held Belgica.",
    ]
    assert sentences(rendered(faction({"italia": held("red")}), {"move": "end_phase"})) == [
        "That was worth six points."
    ]


def test_names_in_italian_have_their_articles() -> None:
    with use_language("it"):
        assert text_report.group("hunni") == "Hunni"
        assert f"{text_report.group('hunni'):di}" == "degli Hunni"
        assert f"{text_report.group('helvetii'):il}" == "gli Helvetii"
        assert f"{text_report.group('red'):di}" == "della Fazione rossa"
        position = peoples("galli", {"lugdunensis": held("galli"), "belgica": held("blue")})
        effects = rendered(position, place("belgica", "lugdunensis"), dice=throw(1, ([6, 1], [2])))
        assert sentences(effects) == ["I Galli presero Belgica."]
        created = texts(report("chronicle", log()).blocks)
    assert not {"{", "}", "None"} & set(created)
    assert "Periodo VII, 423–476" in created


def test_every_error_has_a_sentence_for_its_code() -> None:
    """The codes are those of RULES; some have several sentences, one for each circumstance."""
    text = (HERE / "RULES.md").read_text(encoding="utf-8")
    listed = re.search(r"^Errors: (.*)$", text, re.MULTILINE)
    assert listed is not None
    codes = re.findall(r"`([a-z-]+)`", listed[1])
    assert len(codes) == 30
    by_circumstance = {"wrong-phase", "pending-decision", "bad-arguments", "no-fortress"}
    assert {code for code in codes if code not in BOOK["errors"]} == by_circumstance
    source = "".join(
        path.read_text(encoding="utf-8") for path in HERE.rglob("*.py") if path.name != "english.py"
    )
    for code in codes:
        assert f'"{code}"' in source


def test_every_move_has_a_sentence() -> None:
    for name in moves.MOVES:
        assert [key for key in BOOK["moves"] if key.partition("-")[0] == name], name


def test_names_have_their_forms() -> None:
    assert all(
        words.group_name(group) not in ("", group) or group in ("nabataei",) for group in GROUPS
    )
    assert TITLE.holder_name(SCENARIO, "red") == "the red Faction"
    assert words.seat_name("A") == "seat A"
    assert text_report.group("palmyra") == "the Kingdom of Palmyra"
    assert len(EMPERORS) == 42


def test_braces_typed_by_users_are_text() -> None:
    assert (
        TITLE.refusal(SCENARIO, IllegalMove("unknown-land", "1.1", name="{roma}"))
        == "There is no land called “{roma}”."
    )


def test_the_title_is_known_and_not_offered() -> None:
    assert "roman_empire" in TITLES
    assert isinstance(TITLES["roman_empire"].reporter, EmpireReports)
    assert "## 13 Rulings" in TITLES["roman_empire"].rules_text()  # type: ignore[attr-defined]
    assert "# Records" not in TITLES["roman_empire"].rules_text()  # type: ignore[attr-defined]


def test_8_1_a_round_says_the_dice_and_what_counts() -> None:
    position = peoples("galli", {"lugdunensis": held("galli"), "belgica": held("blue")})
    effects = rendered(position, place("belgica", "lugdunensis"), dice=throw(1, ([2, 5], [6])))
    (fight,) = [effect for effect in effects if effect.kind == "round"]
    assert words.effect_line(SCENARIO, fight) == (
        "round 1 in Belgica: the attacker throws 2 and 5 and reaches 5, the defender throws 6 and"
        " reaches 6; the defender wins"
    )
