"""Split what was typed into lines, speakers and parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.language import LANGUAGES, use_language
from games.contract.title import Title
from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import PhraseBook
from games.kit.reading.tokens import Token, tokenize
from games.kit.reading.wording import comparable

LONGEST_LINE = 300
BULLET = re.compile(r"^\s*(?:[-*•]+(?!>)|\d{1,2}[.)])\s*")
NUMBERED = re.compile(r"(?<=\S) +[2-9][.)] +(?=[^\W\d])")
"""The number of the second or a later move in a line."""
QUOTE_MARK = ">"
QUOTE_BLOCK = re.compile(
    r"\[quote\b[^\]\n]{0,200}\](.*?)(?:\[/quote\]|\Z)", re.IGNORECASE | re.DOTALL
)
QUOTED = re.compile(r"[“„«\"‟〝].*[”“»\"]\W*")
END_OF_SENTENCE = re.compile(r"[.!?;](?=\s)")
SEPARATORS = (",", ";", "+", "&", "/", ".", "!", ":")
STOP = "."
LONGEST_ABBREVIATION = 5
BETWEEN_MOVES = PhraseBook(
    (phrase, None) for phrase in [*EVERY.conjunctions, *((sign,) for sign in SEPARATORS)]
)
MOST_WORDS_OF_NAME = 4


def typed_lines(text: str) -> list[str]:
    """Return the lines of a text, without bullets, a forum's quotation marks and empty lines."""
    marked = QUOTE_BLOCK.sub(as_quoted, NUMBERED.sub("; ", text))
    lines = (BULLET.sub("", line).strip() for line in marked.splitlines())
    return [part for line in lines for part in short_lines(line)]


def as_quoted(match: re.Match[str]) -> str:
    """Return the lines of a block of BBCode that quotes, each with the mark of a quotation."""
    lines = (line for line in match[1].splitlines() if line.strip())
    return "\n" + "\n".join(f"{QUOTE_MARK} {line}" for line in lines) + "\n"


def is_quotation(line: str) -> bool:
    """Return whether a line quotes: it has the mark of a quotation, or is in quotation marks."""
    line = line.strip()
    return line.startswith(QUOTE_MARK) or QUOTED.fullmatch(line) is not None


def is_negated(line: str) -> bool:
    """Return whether a line has a word for "not" or "no", or begins with one for "without"."""
    words = [token.text for token in tokenize(line)]
    return not EVERY.negations.isdisjoint(words) or (bool(words) and words[0] in EVERY.without)


def short_lines(line: str) -> list[str]:
    """Return a line as it is, or a long one as several lines; an empty one as none."""
    if len(line) <= LONGEST_LINE:
        return [line] if line else []
    ends = [match.end() for match in END_OF_SENTENCE.finditer(line, 1, LONGEST_LINE)]
    end = ends[-1] if ends else line.rfind(" ", 1, LONGEST_LINE)
    end = end if end > 0 else LONGEST_LINE
    return [line[:end].strip(), *short_lines(line[end:].strip())]


def part_spans(line: str) -> list[tuple[int, int]]:
    """Return where the parts of a line that may be moves of their own begin and end."""
    tokens, spans, start = tokenize(line), list[tuple[int, int]](), 0
    for match in BETWEEN_MOVES.everywhere([token.text for token in tokens]):
        first, last = tokens[match.start], tokens[match.end - 1]
        adds = [token.text for token in tokens[match.end : match.end + 1]]
        if EVERY.additions.issuperset(adds) and adds:
            continue
        if first.start >= start and separates(line, first):
            spans.append((start, first.start))
            start = last.end
    spans.append((start, len(line)))
    return [trimmed(line, first, last) for first, last in spans if has_words(line[first:last])]


def trimmed(line: str, start: int, end: int) -> tuple[int, int]:
    """Return a part of a line without the blanks around it."""
    text = line[start:end]
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def separates(line: str, token: Token) -> bool:
    """Return whether a token that may separate two moves does so at its place."""
    return token.text != STOP or ends_sentence(line, token)


def ends_sentence(line: str, stop: Token) -> bool:
    """Return whether a full stop ends a sentence: a blank follows, and no abbreviation precedes."""
    before = line[: stop.start].split()
    is_abbreviation = bool(before) and len(before[-1]) <= LONGEST_ABBREVIATION
    return line[stop.end : stop.end + 1].isspace() and not is_abbreviation


def has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def depends_on_something(line: str) -> bool:
    """Return whether a line has a condition, a negation or a question."""
    words = {token.text for token in tokenize(line)}
    return is_negated(line) or "?" in words or not EVERY.conditions.isdisjoint(words)


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
