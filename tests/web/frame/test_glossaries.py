"""The glossaries can be read by programs, each term has one row, and translations keep to them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from config.message_catalogues import read
from config.message_sources import AREAS
from tests.glossary import FOLDER, Term, terms
from tests.translated import TRANSLATED


def test_each_language_has_a_glossary_and_no_other() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.csv")) == sorted(TRANSLATED)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_glossary_has_each_term_once_in_each_sense(language: str) -> None:
    known = terms(language)
    assert len(known) > 100
    senses = [(term.source, term.context) for term in known]
    assert [sense for sense in senses if senses.count(sense) > 1] == []
    assert senses == sorted(senses, key=lambda sense: (sense[0].lower(), sense[1]))
    for term in known:
        words = (term.source, *term.targets, *term.wrong)
        assert all(word and word == word.strip() for word in words), term
        assert not any(mark in word for word in words for mark in '",;()|=*:'), term
        assert not set(term.targets) & set(term.wrong), term


def in_text(words: str, text: str) -> bool:
    """Return whether a text has these words; a small first letter may also be a capital."""
    first = f"[{words[0]}{words[0].upper()}]"
    return bool(re.search(rf"(?<!\w){first}{re.escape(words[1:])}(?!\w)", text))


def translations(language: str) -> Iterator[tuple[str, str]]:
    """Yield the English texts of all catalogues with their translations."""
    folder = Path(settings.BASE_DIR) / "locale" / language
    for area in AREAS:
        for message in read(folder / f"{area}.po", language):
            if message.id and not message.fuzzy:
                yield from zip(forms(message.id), forms(message.string), strict=False)


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the forms of a text: one, or one for each number."""
    return (text,) if isinstance(text, str) else tuple(text)


def wrong_words(term: Term, english: str, translation: str) -> Iterator[str]:
    """Yield the words that the glossary forbids for a term, and that the translation has."""
    if in_text(term.source.lower(), english) or in_text(f"{term.source.lower()}s", english):
        yield from (word for word in term.wrong if in_text(word, translation))


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_no_word_that_the_glossary_forbids(language: str) -> None:
    with_wrong_words = [term for term in terms(language) if term.wrong]
    assert with_wrong_words
    assert [
        f"{term.source}: {word}: {translation}"
        for english, translation in translations(language)
        for term in with_wrong_words
        for word in wrong_words(term, english, translation)
    ] == []


def test_a_forbidden_word_is_found() -> None:
    term = Term("siege train", ("parco d’assedio",), "", ("treno d’assedio",))
    assert list(wrong_words(term, "Build siege trains", "Treno d’assedio")) == ["treno d’assedio"]
    assert list(wrong_words(term, "Build siege trains", "Parco d’assedio")) == []
    assert list(wrong_words(term, "Build fleets", "Treno d’assedio")) == []
