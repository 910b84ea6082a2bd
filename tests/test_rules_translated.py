"""The translated rules, line by line as the English ones: numbers, keys, rulings, citations."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from campaign.rulebook import RULING, parse
from engine.language import text_of_file, use_language
from games.contract.title import WithScenarioRules
from games.grand_campaign.text.english import WORDS
from games.registry import TITLES as REGISTRY
from tests.translated import GAMES, TRANSLATED

TITLES = sorted(folder.parent.name for folder in GAMES.glob("*/RULES.md"))
IN_EACH = pytest.mark.parametrize(
    ("title", "language"), [(title, language) for title in TITLES for language in TRANSLATED]
)
CODE = re.compile(r"`([^`]+)`")
BEGINS = re.compile(rf"\*{RULING.pattern}\*")
NUMBER = re.compile(r"\d+(?:\.\d+)*")


def both(title: str, language: str) -> tuple[str, str]:
    game = REGISTRY.get(title)
    read = (
        game.rules_text
        if isinstance(game, WithScenarioRules)
        else partial(text_of_file, GAMES / title, "RULES")
    )
    with use_language(language):
        other = read()
    return read(), other


def prose(whole: str) -> list[str]:
    """Return the lines that are not in a block of code."""
    return re.sub(r"^```.*?^```$", "", whole, flags=re.M | re.S).split("\n")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_title_that_is_played_has_its_rules_in_each_language(language: str) -> None:
    assert [
        title for title in REGISTRY if not (GAMES / title / f"RULES_{language}.md").exists()
    ] == []


@IN_EACH
def test_translated_rules_have_equal_lines(title: str, language: str) -> None:
    english, translated = (whole.split("\n") for whole in both(title, language))
    assert len(english) == len(translated)
    for original, other in zip(english, translated, strict=True):
        assert NUMBER.findall(original) == NUMBER.findall(other), other
        assert CODE.findall(original) == CODE.findall(other), other
        assert len(BEGINS.findall(original)) == len(BEGINS.findall(other)), other
        assert original.count("**") == other.count("**"), other
        assert bool(original.strip()) == bool(other.strip()), original


@IN_EACH
def test_no_paragraph_is_left_in_english(title: str, language: str) -> None:
    english, translated = (prose(whole) for whole in both(title, language))
    assert len(english) == len(translated)
    alike = [
        original for original, other in zip(english, translated, strict=True) if original == other
    ]
    left = [line for line in alike if re.search(r"[^\W\d_]{3}", CODE.sub("", line))]
    assert [line for line in left if not line.startswith("|")] == []
    for line in left:
        assert re.fullmatch(r"\| [^|]* \| (d\d+|d\(n\)|, )+ \| [\d.a]+ \|", line), line
    assert not [line for line in translated if re.search(r"\*[Rr]uling", line)]


@IN_EACH
def test_blocks_of_code_are_the_same(title: str, language: str) -> None:
    english, translated = (
        re.findall(r"^```.*?^```$", whole, re.M | re.S) for whole in both(title, language)
    )
    assert english == translated


@IN_EACH
def test_chapters_and_anchors_are_the_same(title: str, language: str) -> None:
    (_, english), (_, translated) = (parse(whole) for whole in both(title, language))
    assert [(c.number, [p.number for p in c.paragraphs]) for c in english] == [
        (c.number, [p.number for p in c.paragraphs]) for c in translated
    ]
    for original, other in zip(english, translated, strict=True):
        assert original.name != other.name or not original.number
        for before, after in zip(original.paragraphs, other.paragraphs, strict=True):
            assert re.findall(r'href="#r-[\d.]+"', before.html) == re.findall(
                r'href="#r-[\d.]+"', after.html
            )


@pytest.mark.parametrize("language", TRANSLATED)
def test_cards_structures_and_events_are_named_as_on_the_pages(language: str) -> None:
    _, rules = both("grand_campaign", language)
    with use_language(language):
        words = WORDS.read()
    names = [
        name
        for part in ("cards", "structures", "events", "battles")
        for name in words[part].values()
    ]
    assert [
        name for name in names if name.casefold().replace("’", "'") not in rules.casefold()
    ] == []


def test_a_language_without_rules_reads_the_english_ones(tmp_path: Path) -> None:
    (tmp_path / "RULES.md").write_text("# Heap\n", encoding="utf-8")
    with use_language("it"):
        assert text_of_file(tmp_path, "RULES") == "# Heap\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Yes. *Ruling:* no; *rulings:* never.", ["Ruling", "rulings"]),
        ("Sì. *Decisione:* no; *decisioni:* mai.", ["Decisione", "decisioni"]),
        ("Ja. *Entscheidung:* nein; *Entscheidungen:* nie.", ["Entscheidung", "Entscheidungen"]),
        ("Sí. *Decisión:* no; *decisiones:* nunca.", ["Decisión", "decisiones"]),
    ],
)
def test_a_ruling_is_known_by_the_word_of_its_language(text: str, words: list[str]) -> None:
    _, chapters = parse(f"## 1 I\n- 1.1 {text}\n")
    assert re.findall(r'<em class="ruling">(\w+)</em>', chapters[0].paragraphs[0].html) == words
