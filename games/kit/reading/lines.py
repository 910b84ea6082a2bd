"""Split what was typed into lines, speakers and parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from engine.language import LANGUAGES, use_language
from games.contract.title import Title
from games.kit.reading.grammar import EVERY
from games.kit.reading.matcher import PhraseBook
from games.kit.reading.tokens import Token, tokenize
from games.kit.reading.wording import (
    CLOSINGS,
    FILLERS,
    OPENINGS,
    comparable,
    end_of_cost_in_brackets,
    spelled_out,
)

LONGEST_LINE = 300
BULLET = re.compile(
    r"^\s*(?:(?:[-*•·–—+▪►◦○●✓✔]+(?!>)|\(?(?:\d{1,2}|[a-z]|i{2,3}|i?v)\)|\d{1,2}(?:\.\)?|[:/-](?=\s)))\s*)+",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"(?<=\S) +[2-9](?:\.\)|[.)]) +(?=[^\W\d])")
"""The number of the second or a later move in a line."""
BEFORE_NUMBERED = re.compile(r"(?:[^:\n]{0,40}:)?\W*(?:[1-9]|a)(?:\.\)|[.)])", re.IGNORECASE)
"""The beginning of a line whose moves have numbers, perhaps after a heading."""
LETTERED = re.compile(r"(?:^| +)\(?(?:[b-h]|i{2,3}|iv)\) *(?=[^\W\d])", re.IGNORECASE)
"""The letter of the second or a later move in a line."""
FIRST_LETTER = re.compile(r"(?:^|\s)\(?[ai]\)", re.IGNORECASE)
CAPITALS = re.compile(r"(?:^|(?<=\s))([A-H])\. +(?=[^\W\d])")
FIRST_CAPITAL = re.compile(r"\s*A\. +\w.* B\. ")
FIRST_NUMBER = re.compile(r"^\s*\(1\) *(?=[^\W\d])")
NUMBERED_IN_BRACKETS = re.compile(r"(?<=\S) +\([2-9]\) *(?=[^\W\d])")
MARK_UP = re.compile(
    r"\[/?(?:b|i|u|list|\*|color|size|font|center|left|right|strong|em|h\d)(?:=[^\]\n]{0,50})?\]",
    re.IGNORECASE,
)
"""Tags that only decorate a text."""
STRUCK = re.compile(
    r"\[(?:s|strike|del)\](.*?)(?:\[/(?:s|strike|del)\]|\Z)|~~([^~\n]+)~~",
    re.IGNORECASE | re.DOTALL,
)
HEADING = re.compile(r"\s*([^:\n]{1,40}?)\s*:\s*(?=\S)")
QUOTE_MARK = ">"
QUOTE_TAG = re.compile(r"\[(/?)quote\b[^\]\n]{0,200}\]", re.IGNORECASE)
QUOTED = re.compile(r"[“„«\"‟〝].*[”“»\"]\W*")
END_OF_SENTENCE = re.compile(r"[.!?;](?=\s)")
SEPARATORS = (",", ";", "+", "&", "/", ".", "!", ":")
STOP, SLASH = ".", "/"
LONGEST_ABBREVIATION = 5
BETWEEN_MOVES = PhraseBook(
    (phrase, None) for phrase in [*EVERY.conjunctions, *((sign,) for sign in SEPARATORS)]
)
COURTESIES = PhraseBook((phrase, None) for phrase in EVERY.courtesies)
MOST_WORDS_OF_NAME = 4


def typed_lines(text: str) -> list[str]:
    """Return the lines of a text, without marks of lists, tags, and empty lines.

    A forum's quotations and struck words are lines with the mark of a quotation.
    """
    marked = STRUCK.sub(as_quoted, with_quotations(MARK_UP.sub(" ", text)))
    lines = (BULLET.sub("", listed(line)).strip() for line in marked.splitlines())
    return [part for line in lines for part in short_lines(line)]


def listed(line: str) -> str:
    """Return a line with a sign between its moves, instead of their numbers or letters."""
    if BEFORE_NUMBERED.match(line):
        line = NUMBERED.sub("; ", line)
    if FIRST_CAPITAL.match(line):
        line = CAPITALS.sub(r"\1) ", line)
    if FIRST_LETTER.search(line):
        line = LETTERED.sub("; ", line)
    return NUMBERED_IN_BRACKETS.sub("; ", line) if FIRST_NUMBER.search(line) else line


def with_quotations(text: str) -> str:
    """Return a text whose blocks of quotations have the mark of a quotation in each line.

    A block may contain others. One that is never closed goes on to the end.
    """
    parts, depth, start = list[str](), 0, 0
    for tag in QUOTE_TAG.finditer(text):
        is_end = bool(tag[1])
        if is_end and depth == 0:
            continue
        parts.append(
            marked_lines(text[start : tag.start()]) if depth else text[start : tag.start()]
        )
        depth, start = depth - 1 if is_end else depth + 1, tag.end()
    rest = text[start:]
    return "".join([*parts, marked_lines(rest) if depth else rest])


def as_quoted(match: re.Match[str]) -> str:
    """Return the lines of a block of struck words, each with the mark of a quotation."""
    return marked_lines(next(group for group in match.groups() if group is not None))


def marked_lines(block: str) -> str:
    """Return the lines of a block, each with the mark of a quotation."""
    lines = (line for line in block.splitlines() if line.strip())
    return "\n" + "\n".join(f"{QUOTE_MARK} {line}" for line in lines) + "\n"


def plain_line(line: str) -> str:
    """Return a line without phrases of courtesy and without a heading before a colon.

    A line that has nothing else is returned as it is.
    """
    kept, end = "", 0
    tokens = [token for token in tokenize(line) if not token.is_sign]
    at = 0
    while at < len(tokens):
        match = COURTESIES.at([token.text for token in tokens], at)
        if match is not None:
            kept += line[end : tokens[at].start]
            end = tokens[match.end - 1].end
        at = match.end if match else at + 1
    kept += line[end:]
    plain = without_heading(kept) if has_words(kept) else line
    return plain if plain.strip() != line.strip() else line


def without_heading(line: str) -> str:
    """Return a line without its heading: "Buildings: Shrines"."""
    heading = HEADING.match(line)
    if heading is None:
        return line
    words = {token.text for token in tokenize(heading[1]) if not token.is_sign}
    is_heading = bool(words & EVERY.headings) and words <= EVERY.headings | FILLERS - EVERY.others
    return line[heading.end() :] if is_heading else line


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
    """Return where the parts of a line that may be moves of their own begin and end.

    Signs in brackets separate nothing, but a cost in brackets ends a move.
    """
    tokens, spans, start = tokenize(line), list[tuple[int, int]](), 0
    texts = [token.text for token in tokens]
    brackets = bracket_spans(tokens)
    ends = [(last.start + 1, last.end) for first, last, is_cost in brackets if is_cost]
    for match in BETWEEN_MOVES.everywhere(texts):
        first, last = tokens[match.start], tokens[match.end - 1]
        is_inside = any(opening.start < first.start < end.end for opening, end, _cost in brackets)
        if is_inside or EVERY.additions.intersection(texts[match.end : match.end + 1]):
            continue
        if separates(line, first):
            ends.append((first.start, last.end))
    for end, following in sorted(ends):
        if end >= start:
            spans.append((start, end))
            start = following
    spans.append((start, len(line)))
    return [trimmed(line, first, last) for first, last in spans if has_words(line[first:last])]


def bracket_spans(tokens: Sequence[Token]) -> list[tuple[Token, Token, bool]]:
    """Return the first and last token of each pair of brackets, and whether it holds a cost."""
    spans = list[tuple[Token, Token, bool]]()
    for at, token in enumerate(tokens):
        if token.text in OPENINGS:
            rest = [following.text for following in spelled_out(tokens[at : at + 10])]
            closing = next((end for end in tokens[at:] if end.text in CLOSINGS), None)
            if closing is not None:
                spans.append((token, closing, end_of_cost_in_brackets(rest) > 0))
    return spans


def trimmed(line: str, start: int, end: int) -> tuple[int, int]:
    """Return a part of a line without the blanks around it."""
    text = line[start:end]
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def separates(line: str, token: Token) -> bool:
    """Return whether a token that may separate two moves does so at its place."""
    if token.text == SLASH:
        return not line[token.start - 1 : token.start].isdigit()
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
