"""Which names could be taken for another person's, or for a role of this site.

Two names look alike if they have the same skeleton: each letter is replaced by the first of all letters that look like it, in
either case (Unicode Technical Standard 39). The rules hold where a name is chosen or changed. Existing names stay.
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
"""The scripts in which one language is written: Japanese, Chinese, Korean."""
ROLES = (
    *("gm", "game master", "game mistress", "co-game-master", "admin", "administrator", "administration", "sysadmin"),
    *("moderator", "moderation", "mod", "mods", "host", "hosts", "owner", "operator", "root", "system", "staff", "support"),
    *("Tabula", "webmaster", "postmaster"),
    *("SL", "Spielleitung", "Spielleiter", "Spielleiterin", "Mitspielleitung", "Betreiber", "Betreiberin", "Gastgeber"),
    *("Gastgeberin", "Moderatorin", "Moderatoren", "Administratorin", "Verwaltung", "Systemverwaltung"),
    *("arbitro", "arbitra", "co-arbitro", "moderatore", "moderatrice", "moderatori", "moderazione", "amministratore"),
    *("amministratrice", "amministrazione", "gestore", "padrone di casa", "direttore di gioco"),
    *("árbitro", "árbitra", "coárbitro", "moderador", "moderadora", "moderadores", "moderación", "administrador"),
    *("administradora", "administración", "anfitrión", "anfitriona", "responsable del sitio", "director de juego"),
)
"""What people with a role are called, in the site's four languages."""
BEGINNINGS = ("admin", "administrator", "moderator", "gamemaster", "spielleitung", "spielleiter")
"""Words that are reserved also where more letters stand before or behind them, as in "AdminTom"."""
SHORT = 3
"""A reserved word of at most so many letters is not looked for in initials: "G. M. Trevelyan" is a name."""


@cache
def _prototypes() -> dict[str, str]:
    """Return for each sign that looks like others the first of them, a small Latin letter if there is one."""
    group: dict[str, set[str]] = {}

    def join(one: str, other: str) -> None:
        first, second = group.setdefault(one, {one}), group.setdefault(other, {other})
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
    """Return the form that all names have in common that look like this one."""
    text = unicodedata.normalize("NFKC", text)
    text = unicodedata.normalize("NFD", "".join(sign for sign in text if sign not in SEPARATORS))
    prototypes = _prototypes()
    signs = (prototypes.get(sign) or prototypes.get(sign.casefold(), sign.casefold()) for sign in text)
    return "".join(signs).replace("rn", "m")[:LONGEST_SKELETON]


def one_script(text: str) -> None:
    """Refuse a name with letters of two scripts, unless one language is written in both."""
    scripts = categories.unique_aliases(text) - NEUTRAL
    if len(scripts) > 1 and not any(scripts <= together for together in TOGETHER):
        raise ValidationError(
            _("This name mixes letters of several alphabets. Write it in the letters of one alphabet."), code="mixed-scripts"
        )


def not_reserved(text: str) -> None:
    """Refuse a name that other people would take for a role."""
    if is_reserved(text):
        raise ValidationError(
            _("This name could be taken for a role, such as game master or moderator. Choose another."), code="reserved-name"
        )


def is_reserved(text: str) -> bool:
    """Does the name contain the name of a role as a word of its own, however it is spelled?"""
    return any(word in _reserved() for word in _words(text)) or any(
        word.startswith(BEGINNINGS) or word.endswith(BEGINNINGS) for word in _words(text)
    )


@cache
def _reserved() -> frozenset[str]:
    return frozenset(_bare(role) for role in ROLES)


def _words(text: str) -> Iterator[str]:
    """Yield each word of a name and all words that stand side by side, as one word; figures behind a word are left out."""
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
    """Return the skeleton without accents and without figures at its end."""
    stem = text.rstrip("0123456789") or text
    return "".join(sign for sign in skeleton(stem) if not unicodedata.combining(sign))
