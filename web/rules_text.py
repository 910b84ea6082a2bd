"""A small rendering of a rules text: chapters, numbered paragraphs, rulings, keys. Everything else is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

from django.utils.html import escape, strip_tags
from django.utils.safestring import SafeString, mark_safe

HEADING = re.compile(r"## (\d+) (.+)")
NUMBERED = re.compile(r"- (\d+\.\d+) (.+)")
CODE = re.compile(r"`([^`]+)`")
STRONG = re.compile(r"\*\*([^*]+)\*\*")
# English and Italian: a text in another language adds its word.
RULING = re.compile(r"\*([Rr]ulings?|[Dd]ecision[ei]):\*")
# A number of a paragraph: what stands in backquotes or is no paragraph stays a number.
CITED = re.compile(r"(?<![\w.])(\d{1,2}\.\d{1,2})(?![\w]|\.\d)")


class Paragraph(NamedTuple):
    """`number` is empty for text without one."""

    number: str
    html: SafeString


class Chapter(NamedTuple):
    """A chapter; number and name are empty for what stands before the first."""

    number: str
    name: str
    paragraphs: list[Paragraph]


def parse(text: str) -> tuple[str, list[Chapter]]:
    """Title and chapters of a rules text."""
    name, chapters = "", [Chapter("", "", [])]
    for line in text.splitlines():
        line = line.strip()
        if not line:
            continue
        if line.startswith("# "):
            name = line[2:]
        elif found := HEADING.fullmatch(line):
            chapters.append(Chapter(found[1], found[2], []))
        elif found := NUMBERED.fullmatch(line):
            chapters[-1].paragraphs.append(Paragraph(found[1], inline(found[2], known(text))))
        else:
            chapters[-1].paragraphs.append(Paragraph("", inline(line, known(text))))
    return name, [chapter for chapter in chapters if chapter.paragraphs]


def known(text: str) -> frozenset[str]:
    """The numbers of paragraphs that there are."""
    return frozenset(found[1] for line in text.splitlines() if (found := NUMBERED.fullmatch(line.strip())))


def inline(text: str, numbers: frozenset[str] = frozenset()) -> SafeString:
    """One paragraph: keys as code, rulings marked, numbers of paragraphs as links to them."""
    made = []
    for n, piece in enumerate(CODE.split(text)):
        if n % 2:
            made.append(f"<code>{escape(piece)}</code>")
            continue
        html = RULING.sub(r'<em class="ruling">\1</em>', escape(piece))
        html = STRONG.sub(r"<strong>\1</strong>", html)
        made.append(CITED.sub(lambda found: _link(found[1], numbers), html))
    return mark_safe("".join(made))  # noqa: S308  every piece is escaped above


def _link(number: str, numbers: frozenset[str]) -> str:
    return f'<a href="#r-{number}">{number}</a>' if number in numbers else number


TAG = re.compile(r"(<[^>]*>)")
ENTITY = r"(?P<entity>&[#\w]+;)"


def searched(paragraph: Paragraph, words: Sequence[str]) -> bool:
    """Does it hold every word, in its text or as its number?"""
    text = unescape(strip_tags(paragraph.html)).casefold()
    return all(word.casefold() in text or word.removeprefix("§") == paragraph.number for word in words)


def _mark(found: re.Match[str]) -> str:
    return found[0] if found["entity"] else f"<mark>{found[0]}</mark>"


def marked(html: SafeString, words: Sequence[str]) -> SafeString:
    """The paragraph with these words marked. Tags and entities stay whole."""
    if not words:
        return html
    longest_first = [re.escape(escape(word)) for word in sorted(words, key=len, reverse=True)]
    # A word may hold an entity ("d'assedio"), never be found within one.
    wanted = re.compile("|".join([*longest_first, ENTITY]), re.IGNORECASE)
    made = [piece if n % 2 else wanted.sub(_mark, piece) for n, piece in enumerate(TAG.split(html))]
    return mark_safe("".join(made))  # noqa: S308  the html was escaped when made, and only <mark> is added
