"""Lines in five languages and several styles, written before the reader could read them.

Each line of `lines_five_languages.txt` is counted as understood, offered as one button, offered
among several, missed, or misread, which must never happen. docs/play/typed-moves.md has the rates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.web.grand_table import GrandTable, new_campaign
from tests.web.typed_moves.test_text_lines import brief, romans
from tests.web.typed_moves.test_text_moves import table_of
from web.frame.table import TableContext
from web.typed_moves.reader import Reader, ReadLine

__all__ = ["new_campaign", "romans"]
pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

LINES = Path(__file__).with_name("lines_five_languages.txt")
MORE_LINES = Path(__file__).with_name("lines_five_languages_2.txt")
NO_MOVE = ("-", "?")


class Case(NamedTuple):
    """A typed line and the moves that it means: alternatives, each a list of moves.

    There is no alternative if the line means no move that can be announced.
    """

    language: str
    typed: str
    meanings: Sequence[Sequence[str]]
    is_refused: bool


def cases(file: Path) -> Iterator[Case]:
    for row in file.read_text(encoding="utf-8").splitlines():
        if row and not row.startswith("#"):
            language, _style, *parts = row.split(" | ")
            is_refused = parts[-1] == "refused"
            meant = parts[-2] if is_refused else parts[-1]
            typed = " | ".join(parts[: -2 if is_refused else -1])
            meanings = [] if meant in NO_MOVE else [way.split(" & ") for way in meant.split(" || ")]
            yield Case(language, typed, meanings, is_refused)


def offered(reader: Reader, line: ReadLine) -> list[str]:
    """Return the moves on the buttons of a line."""
    move_reader = reader.move_reader_for("romans", "romans")
    raws = (move_reader.read(text).raw for text in line.reading.near)
    return [brief(raw) for raw in raws if raw is not None]


def judgement(reader: Reader, case: Case) -> str:
    """Return how a line is understood at the position of the table."""
    reader.position, reader.open = reader.table.position, True
    lines = reader.read(case.typed)
    reader.position = reader.table.position
    announced = [brief(line.reading.raw) for line in lines if line.is_possible and line.reading.raw]
    if not case.meanings or case.is_refused:
        if announced:
            return "misread"
        explained = any(line.reading.rule for line in lines)
        return "understood" if explained or not case.is_refused else "missed"
    if announced in case.meanings:
        return "understood"
    if not any(set(announced) <= set(meaning) for meaning in case.meanings):
        return "misread"
    choices = [offered(reader, line) for line in lines if not line.is_possible]
    buttons = [*announced, *(choice[0] for choice in choices if len(choice) == 1)]
    if any(sorted(buttons) == sorted(meaning) for meaning in case.meanings):
        return "button"
    named = {*announced, *(move for choice in choices for move in choice)}
    return "several" if any(set(meaning) <= named for meaning in case.meanings) else "missed"


def rates(table: TableContext, file: Path) -> dict[str, Counter[str]]:
    """Return how many lines of each language are understood in which way."""
    counts: dict[str, Counter[str]] = {}
    reader = Reader(table, "romans")
    for case in cases(file):
        counts.setdefault(case.language, Counter())[judgement(reader, case)] += 1
    return counts


def test_lines_in_five_languages(romans: GrandTable) -> None:
    """At least 70% are understood, 95% understood or offered as one button, none is misread."""
    counts = rates(table_of(romans), LINES)
    whole = sum(counts.values(), Counter())
    assert whole.total() == 150
    assert whole["misread"] == 0, counts
    assert whole["understood"] >= 135
    assert whole["understood"] + whole["button"] >= 146


def test_more_lines_in_five_languages(romans: GrandTable) -> None:
    """List marks, costs, short kinds of battle, stories, offers, ends of turns, and traps."""
    counts = rates(table_of(romans), MORE_LINES)
    whole = sum(counts.values(), Counter())
    assert whole.total() == 75
    assert whole["misread"] == 0, counts
    assert whole["understood"] >= 74
    assert whole["understood"] + whole["button"] == 75


PAST_DOUBTS_AND_OTHERS = """
Attack Pannonia from Dalmatia?
Ho attaccato la Pannonia dalla Dalmazia
J'ai attaqué la Pannonie depuis la Dalmatie
Ataqué Panonia desde Dalmacia
Ich habe Pannonien von Dalmatien aus angegriffen
Thanks for the truce, Huns
They attack Pannonia from Dalmatia
Shrines, or bridges
Maybe shrines, then bridges
Next turn shrines
[quote]Shrines[/quote]
«Ponti»
Walls in Thracia
Murs en Thrace
Great Walls in Asia
Sans flotte
[s]Shrines[/s]
~~Bridges~~
Next spring we build shrines
Their legions march from Dalmatia to Pannonia
Su emperador ordena construir puentes
L'imperatore costruì ponti
L'empereur a ordonné la construction de ponts
Construyeron puentes
Er baute Brücken
Ils construisent des ponts
Il construit des ponts
Wir haben Schreine gebaut
The emperor forbids the building of shrines
Nous n'attaquons pas la Pannonie depuis la Dalmatie
"""


def test_lines_that_announce_nothing(romans: GrandTable) -> None:
    reader = Reader(table_of(romans), "romans")
    for line in PAST_DOUBTS_AND_OTHERS.strip().splitlines():
        assert not any(reading.is_possible for reading in reader.read(line)), line
        assert not any(
            "ampart" in text for reading in reader.read(line) for text in reading.reading.near
        )


def test_lines_with_several_moves(romans: GrandTable) -> None:
    table = table_of(romans)
    lines = {
        "Ramparts in Thracia, then attack Pannonia from Dalmatia": [
            "fortify thracia",
            "attack land dalmatia pannonia",
        ],
        "1) Schreine 2) Brücken": ["build shrines", "build bridges"],
        "Fleet in Sicily. End of turn.": ["fleet sicilia", "end-slot"],
        "Flota en Sicilia y puentes": ["fleet sicilia", "build bridges"],
        "Buildings: shrines (1/2) bridges (1)": ["build shrines", "build bridges"],
        "(1) Ponti [1 azione] (2) sacelli (0,5)": ["build bridges", "build shrines"],
    }
    for line, moves in lines.items():
        readings = Reader(table, "romans").read(line)
        assert [brief(reading.reading.raw or {"move": "?"}) for reading in readings] == moves
