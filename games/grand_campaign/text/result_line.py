"""A reader of result lines from forums (9.1): the winner, the loser, and the shares.

    Anna *Hunnic (Western) 376-454 AD* (1600) beats Ben *Roman 425-492 AD* (1570) 46-23
    Huns 23%, Romans 46%
    Ingrid won 46 to 23

A line is read as a sentence (`result_sentence`) or by its words in any order (`result_words`). The
loser has routed more (9.1), so a pair of shares needs only a winner. A side is recognised by the
names of players at the table or in Field of Glory II, by names of nations, and by army lists in all
their spellings. A line may be in any language of `games.kit.reading.grammar`. Anything that cannot
be read is reported and never guessed: without the sides there are no shares.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from engine.language import gettext as _
from games.grand_campaign.text.result_sentence import read_sentence
from games.grand_campaign.text.result_sides import Reading, Side, is_doubtful
from games.grand_campaign.text.result_words import read_words
from games.kit.reading.matcher import PhraseBook
from games.kit.reading.tokens import tokenize

LONGEST = 2000
TAG = re.compile(r"\[/?[a-z][a-z0-9]*(?:=[^\]\n]{0,200})?\]|</?[a-z][^<>\n]{0,200}>", re.IGNORECASE)
DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
QUOTES = {
    ord("’"): "'",
    ord("‘"): "'",
    ord("“"): '"',
    ord("”"): '"',
    ord("\u00a0"): " ",
    ord("\u202f"): " ",
}


def read(text: str, sides: Mapping[str, Side]) -> Reading:
    """Read the first line that gives a result, or else the whole text as a single line."""
    cleaned, doubtful = clean(text[:LONGEST]), None
    names = names_of(sides)
    for line in [*cleaned.split("\n"), " ".join(cleaned.split())]:
        if is_doubtful(tokenize(line), names):
            doubtful = doubtful or doubted(line)
            continue
        reading = read_sentence(line, sides)
        if reading is not None and (reading.shares is not None or reading.contradicts):
            return reading
        by_words = read_words(line, sides)
        if by_words is not None:
            return by_words
        doubtful = doubtful or reading
    return doubtful or nothing_read()


def names_of(sides: Mapping[str, Side]) -> PhraseBook[str]:
    """Return the names of both sides, each with its side."""
    return PhraseBook(
        ([token.text for token in tokenize(name)], key)
        for key, side in sides.items()
        for name in side.names
    )


def doubted(line: str) -> Reading:
    """Return a reading of a line that reports no certain result."""
    return Reading(line=line, unread=[_("The line has a condition, a guess or a question.")])


def nothing_read() -> Reading:
    """Return a reading that says that the text has no result line."""
    why = _(
        "No result line was found. It should look like “A list (points) beats B list (points) "
        "46-23”, with the loser’s routed share first."
    )
    return Reading(unread=[why])


def clean(text: str) -> str:
    """Return a text without tags of BBCode or HTML, with hyphens for dashes and single spaces."""
    text = unicodedata.normalize("NFC", text).translate(DASHES | QUOTES)
    lines = (re.sub(r"[^\S\n]+", " ", line).strip() for line in TAG.sub(" ", text).splitlines())
    return "\n".join(line for line in lines if line)
