"""Split what was typed into lines, speakers and parts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.utils import translation

from campaign.log import positions
from campaign.models import GAME_MASTER
from engine.language import LANGUAGES, reading_in
from web.frame.table import TableContext
from web.typed_moves.wording import fold

LONGEST_LINE = 300
BULLET = re.compile(r"^\s*(?:[-*•>]+|\d{1,2}[.)])\s*")
BETWEEN = re.compile(r"\s*(?:[,;+&]|\b(?:and then|then|and|e poi|poi|e)\b)\s*", re.IGNORECASE)
MOST_WORDS_OF_NAME = 4


def typed_lines(text: str) -> list[str]:
    """Return the lines of a text without bullets, quotation marks of a forum and empty lines."""
    lines = (BULLET.sub("", line).strip()[:LONGEST_LINE] for line in text.splitlines())
    return [line for line in lines if line]


def parts(line: str) -> list[str]:
    """Return what may be several moves in one line."""
    return [part for part in BETWEEN.split(line) if part]


def speakers(table: TableContext) -> dict[str, str]:
    """Return how seats are called at the beginning of a line, in every language: the longest names
    first.
    """
    names: dict[str, str] = {}
    for language in LANGUAGES:
        with translation.override(language), reading_in(language):
            seats = table.title.seats(table.scenario, positions.options(table.campaign))
            names |= {fold(info.name): info.key for info in seats}
    names |= {fold(key): key for key in table.names if key != GAME_MASTER}
    return dict(sorted(names.items(), key=lambda name: -len(name[0])))


def addressed(line: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return the seat with which a line begins (empty: none), and the rest."""
    head, colon, rest = line.partition(":")
    if colon and fold(head) in names:
        return names[fold(head)], rest.strip()
    words = line.split()
    for count in range(min(MOST_WORDS_OF_NAME, len(words) - 1), 0, -1):
        seat = names.get(fold(" ".join(words[:count])))
        if seat is not None:
            return seat, " ".join(words[count:])
    return "", line
