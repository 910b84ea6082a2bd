"""Rules against names that look like another user's name or like a role of this site.

Two names look alike if they have the same skeleton: each letter is replaced by the first of all
letters that look like it, in either case (Unicode Technical Standard 39). The rules apply when a
user chooses or changes a name. Existing names stay.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from confusable_homoglyphs import categories
from confusable_homoglyphs.utils import load
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SEPARATORS = " .'_-"
LONGEST_SKELETON = 200
NEUTRAL = frozenset({"COMMON", "INHERITED"})
TOGETHER = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "BOPOMOFO"}),
    frozenset({"HAN", "HANGUL"}),
)
"""The scripts that a single language uses together: Japanese, Chinese, Korean."""
ROLES = (
    *(
        "gm",
        "game master",
        "game mistress",
        "co-game-master",
        "admin",
        "administrator",
        "administration",
        "sysadmin",
    ),
    *(
        "moderator",
        "moderation",
        "mod",
        "mods",
        "host",
        "hosts",
        "owner",
        "operator",
        "root",
        "system",
        "staff",
        "support",
    ),
    *("Tabula", "webmaster", "postmaster"),
    *(
        "SL",
        "Spielleitung",
        "Spielleiter",
        "Spielleiterin",
        "Mitspielleitung",
        "Betreiber",
        "Betreiberin",
        "Gastgeber",
    ),
    *(
        "Gastgeberin",
        "Moderatorin",
        "Moderatoren",
        "Administratorin",
        "Verwaltung",
        "Systemverwaltung",
    ),
    *(
        "arbitro",
        "arbitra",
        "co-arbitro",
        "moderatore",
        "moderatrice",
        "moderatori",
        "moderazione",
        "amministratore",
    ),
    *("amministratrice", "amministrazione", "gestore", "padrone di casa", "direttore di gioco"),
    *(
        "árbitro",
        "árbitra",
        "coárbitro",
        "moderador",
        "moderadora",
        "moderadores",
        "moderación",
        "administrador",
    ),
    *(
        "administradora",
        "administración",
        "anfitrión",
        "anfitriona",
        "responsable del sitio",
        "director de juego",
    ),
)
"""The names of roles in the site's four languages."""
BEGINNINGS = ("admin", "administrator", "moderator", "gamemaster", "spielleitung", "spielleiter")
"""Words that are reserved even with more letters before or behind them, as in "AdminTom"."""
SHORT = 3
"""A reserved word with at most this number of letters may appear as initials: "G. M.

Trevelyan" is a valid name.
"""


@cache
def _prototypes() -> dict[str, str]:
    """Return a prototype for each sign that looks like others: a small Latin letter if possible."""
    group: dict[str, set[str]] = {}

    def join(sign: str, other: str) -> None:
        first, second = group.setdefault(sign, {sign}), group.setdefault(other, {other})
        if first is not second:
            small, large = sorted((first, second), key=len)
            large |= small
            group.update(dict.fromkeys(small, large))

    for sign, others in load("confusables.json").items():
        for other in others:
            bare = other["c"].replace("\u200e", "")  # the table marks the direction of some signs
            if len(sign) == len(bare) == 1:
                join(sign, bare)
    for letter in "abcdefghijklmnopqrstuvwxyz":
        join(letter, letter.upper())
    firsts = {id(signs): min(signs, key=_precedence) for signs in group.values()}
    return {sign: firsts[id(signs)] for sign, signs in group.items()}


def _precedence(sign: str) -> tuple[bool, bool, str]:
    return not sign.isascii(), not sign.islower(), sign


def skeleton(text: str) -> str:
    """Return the form that this name shares with all names that look like it."""
    text = unicodedata.normalize("NFKC", text)
    text = unicodedata.normalize("NFD", "".join(sign for sign in text if sign not in SEPARATORS))
    prototypes = _prototypes()
    signs = (
        prototypes.get(sign) or prototypes.get(sign.casefold(), sign.casefold()) for sign in text
    )
    return "".join(signs).replace("rn", "m")[:LONGEST_SKELETON]


def one_script(text: str) -> None:
    """Refuse a name with letters of two scripts, unless one language is written in both."""
    scripts = categories.unique_aliases(text) - NEUTRAL
    if len(scripts) > 1 and not any(scripts <= together for together in TOGETHER):
        raise ValidationError(
            _(
                "This name mixes letters of several alphabets. Use the letters of one alphabet "
                "only."
            ),
            code="mixed-scripts",
        )


def not_reserved(text: str) -> None:
    """Refuse a name that other people would take for a role."""
    if is_reserved(text):
        raise ValidationError(
            _(
                "This name could be mistaken for a role, such as game master or moderator. Choose"
                " another."
            ),
            code="reserved-name",
        )


def is_reserved(text: str) -> bool:
    """Return whether a name contains a role as a separate word, in any spelling."""
    return any(word in _reserved() for word in _words(text)) or any(
        word.startswith(BEGINNINGS) or word.endswith(BEGINNINGS) for word in _words(text)
    )


@cache
def _reserved() -> frozenset[str]:
    return frozenset(_bare(role) for role in ROLES)


def _words(text: str) -> Iterator[str]:
    """Yield each word of a name, and each series of adjacent words as a single word.

    Digits at the end are left out.
    """
    for mark in SEPARATORS:
        text = text.replace(mark, " ")
    parts = [part for part in text.split() if part]
    yield _bare("".join(parts))
    for first in range(len(parts)):
        for last in range(first + 1, len(parts) + 1):
            word = _bare("".join(parts[first:last]))
            if last == first + 1 or len(word) > SHORT:
                yield word


def _bare(text: str) -> str:
    """Return the skeleton without accents and without digits at its end."""
    stem = text.rstrip("0123456789") or text
    return "".join(sign for sign in skeleton(stem) if not unicodedata.combining(sign))
