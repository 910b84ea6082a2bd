"""The words of a line: without case and accents, their stems, and which of them say nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache


def word_list(words: str) -> frozenset[str]:
    """Return these words as a set."""
    return frozenset(words.split())


SMALL = word_list("the a an il lo la i gli le l un una with con and e ed")
"""Articles and the like."""
FILLERS = SMALL | word_list(
    "we my our me us it its of in for then also now please would like will want wish let lets s"
    " m d ll re ve is are be that this so ok some another new first second next finally go goes"
    " card their his her own by to out all i io noi uno dell del della dei delle dello degli di"
    " nel nella nei per poi anche ora vorrei vogliamo voglio nostro nostra mio mia nuovo nuova"
    " questo questa carta al alla all ai agli alle dallo"
)
"""Words that add nothing to a move."""
WEAK = word_list("build construct make erect buy get play use faccio facciamo compro uso")
"""Verbs that fit any move; by themselves they say none."""
FROM = word_list("from by out da dal dalla dallo dai dagli dalle dall")
TO = word_list("> on onto into against vs versus to toward towards at contro su sul sulla verso")
UNHEARD = FILLERS | FROM | TO

ARROW = re.compile(r"\s*(?:[-=]{1,2}>|[→⇒➔➜»])\s*|\s+[-–—>]\s+")
COST = re.compile(
    r"\(?\s*(?:(?:half an|half|one|two|mezza|una|due|\d+)\s*)?(?:½|1/2)?"
    r"\s*(?:an?\s+)?(?:actions?|azion[ei])\b\s*\)?"
    r"|\(\s*(?:½|1/2)\s*\)",
    re.IGNORECASE,
)
"""What a move costs, as players write behind it."""
WORD = re.compile(r"[^\W_]+|[>?]")


def fold(text: str) -> str:
    """Return only what a line says: letters and digits, without case, accents, articles."""
    plain = without_accents(text.replace("½", " 1/2 ").replace("−", "-"))
    return " ".join(word for word in re.findall(r"[^\W_]+|#|[-+]?\d+", plain) if word not in SMALL)


def without_accents(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.casefold()
    return "".join(
        sign
        for sign in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(sign)
    )


@lru_cache(8192)
def words_of(text: str) -> Sequence[str]:
    """Return the words of a line in their order; an arrow is `>`."""
    return WORD.findall(without_accents(ARROW.sub(" > ", COST.sub(" ", text.replace("−", "-")))))


@lru_cache(8192)
def stem(word: str) -> str:
    """Return what the forms of a word share: "attack", "attacks", "attacking"; "costruisco",
    "costruiamo", "costruzione".
    """
    if len(word) > 5 and word.endswith("ing"):
        word = word[:-3]
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    word = word[:5]
    return word[:-1] if len(word) > 3 and word[-1] in "aeio" else word
