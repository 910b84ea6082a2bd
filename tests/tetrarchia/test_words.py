"""The texts of the title: every refusal has its sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.effects import Effect, Phrase, Roll
from engine.language import sentence, use_language
from games.registry import word
from games.tetrarchia.rules.position import HERE
from games.tetrarchia.text import words
from tests.tetrarchia.table import SCENARIO, TITLE

UNUSED = {"bad-arguments", "not-flag"}
"""Codes whose sentences have ids of their own, and texts for kinds of arguments that no move of
this title has.
"""


def test_every_refusal_and_cause_has_words() -> None:
    files = [*sorted((Path(HERE) / "rules").glob("*.py")), Path(HERE).parent / "kit" / "records.py"]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    shown = re.findall(r'IllegalMove\("([a-z-]+)", "[0-9.]*"(?:, f?"([a-z-]+))?', source)
    codes = {message or code for code, message in shown} | set(
        re.findall(r'bad\("([a-z-]+)"', source)
    ) - {"bad-arguments"}
    assert len(codes) > 30
    errors = set(words.book()["errors"])
    assert {
        code
        for code in codes
        if code not in errors and not any(key.startswith(code) for key in errors)
    } == UNUSED
    causes = set(re.findall(r'Phrase\("([a-z_-]+)"', source)) | set(
        re.findall(r'\.note\(\s*"([a-z_]+)"', source)
    )
    assert len(causes) > 30
    known = set(words.book()["causes"])
    assert {
        cause
        for cause in causes
        if cause not in known and not any(key.startswith(f"{cause}-") for key in known)
    } == set()


ROLLS = {
    "setup/revolt/hispania/reroll-1": "first Revolt in HISPANIA, again",
    "setup/extra-2/number": "extra Revolt 2: province",
    "setup/barbarian-1": "army 1: region",
    "round-3/maximian/attack-2/roman": "Maximian’s attack 2: Rome",
    "round-3/maximian/status/cisalpina/rhaetia": "status: RHAETIA to CISALPINA",
    "round-3/maximian/threat-1/region": "threat: region",
    "round-3/maximian/threat-2/number": "threat 2: province",
    "round-3/maximian/uprising-1/creta": "uprising 1: broken link to CRETA",
    "round-3/maximian/echo-1": "aftermath of uprising 1",
    "round-3/maximian/advance/scythia": "advance from SCYTHIA",
    "round-3/maximian/battle/apulia/barbarian": "battle with the army of APVLIA: barbarians",
}


@pytest.mark.parametrize("purpose", ROLLS)
def test_a_roll_names_its_purpose(purpose: str) -> None:
    TITLE.check_roll(SCENARIO, None, purpose, 6)  # type: ignore[arg-type]
    assert TITLE.roll_line(SCENARIO, Roll(purpose, 6, 6, 3)) == ROLLS[purpose]


def test_italian_names_have_their_forms() -> None:
    with use_language("it"):
        assert TITLE.holder_name(SCENARIO, "constantius") == "Costanzo"
        assert [seat.about for seat in TITLE.seats(SCENARIO, TITLE.options({"players": 2}))] == [
            "gioca con Diocleziano e Galerio",
            "gioca con Costanzo e Massimiano",
        ]


def test_the_seat_to_move_has_its_italian_article() -> None:
    with use_language("it"):
        east, west = TITLE.seats(SCENARIO, TITLE.options({"players": 2}))
        active = word("tetrarchia", "active")
        assert sentence(active, seat=east.name) == "tocca all’Oriente"
        assert sentence(active, seat=west.name) == "tocca all’Occidente"


def test_the_log_says_which_emperor_of_a_seat_that_has_several() -> None:
    ended = Effect("ended", "galerius", "", Phrase("ended", "4.3", {"emperor": "galerius"}))
    content = {"move": "end_turn", "by": "tetrarchy"}
    assert TITLE.move_line(SCENARIO, content, [ended]) == "ends the turn (Galerius)"
    assert TITLE.move_line(SCENARIO, content | {"by": "galerius"}, [ended]) == "ends the turn"
    assert (
        TITLE.move_line(SCENARIO, content | {"by": "gm", "for": "galerius"}, [ended])
        == "ends the turn"
    )
