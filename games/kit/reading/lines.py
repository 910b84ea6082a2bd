"""Split what was typed into lines, speakers and parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.language import LANGUAGES, use_language
from games.contract.title import Title
from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import PhraseBook
from games.kit.reading.tokens import tokenize
from games.kit.reading.wording import comparable

LONGEST_LINE = 300
BULLET = re.compile(r"^\s*(?:[-*•>]+|\d{1,2}[.)])\s*")
END_OF_SENTENCE = re.compile(r"[.!?;](?=\s)")
SEPARATORS = (",", ";", "+", "&")
BETWEEN_MOVES = PhraseBook(
    (phrase, None) for phrase in [*EVERY.conjunctions, *((sign,) for sign in SEPARATORS)]
)
MOST_WORDS_OF_NAME = 4


def typed_lines(text: str) -> list[str]:
    """Return the lines of a text, without bullets, a forum's quotation marks and empty lines."""
    lines = (BULLET.sub("", line).strip() for line in text.splitlines())
    return [part for line in lines for part in short_lines(line)]


def short_lines(line: str) -> list[str]:
    """Return a line as it is, or a long one as several lines; an empty one as none."""
    if len(line) <= LONGEST_LINE:
        return [line] if line else []
    ends = [match.end() for match in END_OF_SENTENCE.finditer(line, 1, LONGEST_LINE)]
    end = ends[-1] if ends else line.rfind(" ", 1, LONGEST_LINE)
    end = end if end > 0 else LONGEST_LINE
    return [line[:end].strip(), *short_lines(line[end:].strip())]


def parts(line: str) -> list[str]:
    """Split a line into the parts that may be moves of their own."""
    tokens, pieces, start = tokenize(line), list[str](), 0
    for match in BETWEEN_MOVES.everywhere([token.text for token in tokens]):
        first, last = tokens[match.start], tokens[match.end - 1]
        if first.start >= start:
            pieces.append(line[start : first.start])
            start = last.end
    return [piece.strip() for piece in (*pieces, line[start:]) if piece.strip()]


def speakers(
    title: Title, scenario: object, options: object, others: Iterable[str]
) -> dict[str, str]:
    """Return the seats by the names that may begin a line, in every language.

    The longest names come first. `others` are keys that are names themselves.
    """
    names: dict[str, str] = {}
    for language in LANGUAGES:
        with use_language(language):
            seats = title.seats(scenario, options)
            names |= {comparable(info.name): info.key for info in seats}
    names |= {comparable(key): key for key in others}
    names.pop("", None)
    return dict(sorted(names.items(), key=lambda name: -len(name[0])))


def addressed(line: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return the seat that a line names at its beginning (empty: none), and the rest."""
    head, colon, rest = line.partition(":")
    if colon and comparable(head) in names:
        return names[comparable(head)], rest.strip()
    words = line.split()
    for count in range(min(MOST_WORDS_OF_NAME, len(words) - 1), 0, -1):
        seat = names.get(comparable(" ".join(words[:count])))
        if seat is not None:
            return seat, " ".join(words[count:])
    return "", line
