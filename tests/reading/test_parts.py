"""The parts that readers of free text share: tokens, phrases, grammars, lines, words."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal

import pytest

from games.kit.reading.grammar import EVERY, GRAMMARS
from games.kit.reading.grammar.shape import Grammar, phrases
from games.kit.reading.lines import (
    addressed,
    depends_on_something,
    is_quotation,
    part_spans,
    plain_line,
    typed_lines,
)
from games.kit.reading.matcher import PhraseBook, nearest_spelling
from games.kit.reading.tokens import number, tokenize, without_accents
from games.kit.reading.wording import comparable, is_past, stem, words_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Römer 46,5% – Unni 23", ["romer", "46,5", "%", "-", "unni", "23"]),
        ("l’assedio_2", ["l", "’", "assedio", "2"]),
        ("Asia => Cilicia → Pontus", ["asia", ">", "cilicia", ">", "pontus"]),
        ("e\u0301te\u0301 Straße", ["ete", "strasse"]),
        ("46to23", ["46", "to", "23"]),
        ("1.2.3 (½)", ["1.2", ".", "3", "(", "½", ")"]),
        ("", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == tokens


def test_a_token_knows_its_place() -> None:
    text = "Dalmatia - Pannonia-Prima"
    assert [text[token.start : token.end] for token in tokenize(text)] == [
        "Dalmatia",
        "-",
        "Pannonia",
        "-",
        "Prima",
    ]
    assert [token.is_arrow for token in tokenize(text)] == [False, True, False, False, False]


def test_numbers() -> None:
    assert [number("46"), number("46,0"), number("46,5"), number("46.25")] == [
        46,
        46,
        Decimal("46.5"),
        Decimal("46.25"),
    ]


def test_the_longest_phrase_counts_and_of_equal_ones_the_first() -> None:
    book = PhraseBook(
        [(["moesia"], "a"), (["moesia", "prima"], "b"), (["moesia", "prima"], "c"), ([], "d")]
    )
    words = ["attack", "moesia", "prima", "moesia"]
    assert [match.meaning for match in book.in_turn(words)] == [None, "b", "a"]
    assert [match.meaning for match in book.everywhere(words)] == ["b", "c", "a", "a"]
    assert book.at(words, 4) is None


def test_the_nearest_spelling() -> None:
    known = ["pannonia", "shrines", "bridges"]
    assert nearest_spelling("panonia", known) == "pannonia"
    assert nearest_spelling("shirnes", known) == "shrines"
    assert nearest_spelling("baths", known) == "baths"


def test_phrases_are_written_short() -> None:
    assert phrases("win|wins against|vs, beats") == {
        ("win", "against"),
        ("win", "vs"),
        ("wins", "against"),
        ("wins", "vs"),
        ("beats",),
    }


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_grammars_have_words_as_tokens_have_them(grammar: Grammar) -> None:
    """A word with an accent or a capital would never be met in a line."""
    for field in fields(Grammar):
        for entry in getattr(grammar, field.name):
            words = (entry,) if isinstance(entry, str) else entry
            assert words == tuple(map(without_accents, words))
            assert [token.text for token in tokenize(" ".join(words))] == list(words)
            assert entry in getattr(EVERY, field.name)


def test_lines_of_a_post() -> None:
    assert typed_lines("1. Shrines\n\n * bridges \n-- end") == ["Shrines", "bridges", "end"]
    assert parts("shrines, then a siege train; end slot") == [
        "shrines",
        "a siege train",
        "end slot",
    ]
    assert parts("Schreine und dann Brücken") == ["Schreine", "Brücken"]
    assert parts("attack Pannonia") == ["attack Pannonia"]
    names = {"romans": "romans", "red faction": "red"}
    assert addressed("The Romans: end slot", names) == ("romans", "end slot")
    assert addressed("Red Faction ends its slot", names) == ("red", "ends its slot")
    assert addressed("end slot", names) == ("", "end slot")


def test_marks_of_lists_and_tags_are_no_part_of_a_line() -> None:
    assert typed_lines("a) Shrines b) Bridges") == ["Shrines; Bridges"]
    assert typed_lines("(1) Shrines (2) Bridges (1)") == ["Shrines; Bridges (1)"]
    assert typed_lines("[*][b]Attacks:[/b] Asia") == ["Attacks:  Asia"]
    assert typed_lines("[s]Shrines[/s] Bridges ~~Roads~~") == ["> Shrines", "Bridges", "> Roads"]
    assert parts("Shrines (1/2) bridges (1), roads [costs 1 act.]") == [
        "Shrines (1/2)",
        "bridges (1)",
        "roads [costs 1 act.]",
    ]


def test_headings_and_courtesies_are_left_out() -> None:
    assert plain_line("Buildings: Shrines") == "Shrines"
    assert plain_line("Next orders: Shrines") == "Next orders: Shrines"
    assert plain_line("Sorry, no hard feelings: Shrines") == "Sorry, : Shrines"
    assert plain_line("No hard feelings") == "No hard feelings"


def parts(line: str) -> list[str]:
    return [line[start:end].strip() for start, end in part_spans(line)]


def test_quotations_are_marked() -> None:
    text = "> Shrines\n[quote=Anna]Baths\nRoads[/quote]\nBridges\n“Walls in Asia.”\n-> Asia"
    lines = typed_lines(text)
    assert lines == ["> Shrines", "> Baths", "> Roads", "Bridges", "“Walls in Asia.”", "-> Asia"]
    assert [is_quotation(line) for line in lines] == [True, True, True, False, True, False]
    assert typed_lines("[quote]never closed\nRoads") == ["> never closed", "> Roads"]
    assert [is_quotation("« Bains »"), is_quotation("„Thermen“"), is_quotation('"Baths" now')] == [
        True,
        True,
        False,
    ]


def test_a_quotation_may_contain_another() -> None:
    text = "[quote=A][quote=B]x[/quote]\nShrines[/quote]\nRoads\n[quote][quote]y[/quote]\nBaths"
    assert typed_lines(text) == ["> x", "> Shrines", "Roads", "> y", "> Baths"]
    assert typed_lines("Roads [/quote]") == ["Roads [/quote]"]


def test_only_the_numbers_of_a_list_are_cut() -> None:
    line = "Fortify Thracia level 2. Attack Dacia"
    assert typed_lines(line) == [line]
    assert typed_lines("1. Shrines 2. Roads") == ["Shrines; Roads"]


def test_lines_that_depend_on_something() -> None:
    assert depends_on_something("if Devika agrees, truce with the Kushans")
    assert depends_on_something("Roads, keine Brücken")
    assert depends_on_something("sans flotte, attaque")
    assert not depends_on_something("attack without a siege train")


def test_words_of_a_line() -> None:
    assert words_of("Bridges (1 action)") == ["bridges"]
    assert words_of("gymnasia, half an action?") == ["gymnasia", "?"]
    assert words_of("Sacelli (½ azione) e ponti, 1/2 Aktion") == ["sacelli", "e", "ponti"]
    assert words_of("Roads (1), (0,5) bridges [1 1/2 act.]") == ["roads", "bridges"]
    assert words_of("Huns (46)") == ["huns", "46"]
    assert words_of("the Red Faction - Asia") == ["the", "red", "faction", ">", "asia"]
    assert comparable("Adjust  the Income: −25") == "adjust income -25"
    assert comparable("½ action") == comparable("1/2 action") == "1 2 action"
    assert [stem("attacks"), stem("attacking"), stem("costruzione")] == ["attac", "attac", "costr"]
    assert [is_past("attacked"), is_past("red"), is_past("feed")] == [True, False, False]
