"""The language in which words are read, and the catalogues of words in it.

Engine and games hold message ids and facts; sentences are made when read. Who shows them says in which language, for the
length of an answer; nobody said: English.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

FIRST = "en"
LANGUAGES = ("en", "it")
HERE = Path(__file__).parent
_SPOKEN: ContextVar[str] = ContextVar("language", default=FIRST)


def language() -> str:
    """The language words are read in now, one of LANGUAGES."""
    return _SPOKEN.get()


@contextmanager
def reading_in(name: str) -> Iterator[None]:
    """Words are read in this language inside; in English if it is none of ours."""
    token = _SPOKEN.set(name if name in LANGUAGES else FIRST)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def catalogue(folder: Path, name: str, of: str = "") -> Any:
    """`<name>_<language>.json` of the folder in the language of now, or `of` the one named; fractions are decimals. Not to
    be changed by a reader."""
    return _read(folder, name, of or _SPOKEN.get())


def pointed(number: str) -> str:
    """A fraction written with a point, with the sign that readers of the language of now have between its digits."""
    return number.replace(".", str(_grammar()["point"]))


class Name(str):
    """A name that a sentence may ask for with what its language puts before it: where `{nation}` is "Unni",
    `{nation:di}` is "degli Unni" and `{nation:Il}`, at the head of a sentence, "Gli Unni".

    The forms, and the articles that a name of ours is written with (`of`), are in `grammar_<language>.json`. A name
    that somebody typed has no article and stands as it is.
    """

    article = ""

    @classmethod
    def of(cls, text: str) -> Name:
        """A name as a catalogue of ours writes it: "gli Unni"."""
        article = next((one for one in _grammar()["articles"] if text.startswith(one)), "")
        made = cls(text.removeprefix(article))
        made.article = article
        return made

    def __format__(self, spec: str) -> str:
        grammar = _grammar()
        forms = grammar["forms"].get(spec.lower())
        if forms is None:
            return super().__format__(spec)
        made = f"{forms[self.article]}{self!s}"
        made = next((to + made.removeprefix(sound) for sound, to in grammar["sounds"].items() if made.startswith(sound)), made)
        return made[:1].upper() + made[1:] if spec[0].isupper() else made


def _grammar() -> Any:
    return catalogue(HERE, "grammar")


def text_of_file(folder: Path, name: str) -> str:
    """`<name>_<language>.md` of the folder in the language of now. English, `<name>.md`, stands in where there is none."""
    return _text(folder, name, _SPOKEN.get())


@cache
def _text(folder: Path, name: str, spoken_now: str) -> str:
    file = folder / f"{name}_{spoken_now}.md"
    return (file if file.exists() else folder / f"{name}.md").read_text(encoding="utf-8")


@cache
def _read(folder: Path, name: str, language: str) -> Any:
    return json.loads((folder / f"{name}_{language}.json").read_text(encoding="utf-8"), parse_float=Decimal)


# A message with its facts put in.


def sentence(text: object, /, **facts: object) -> str:
    """`text` with `{name}` for each fact; a text may ask for any of them in a form of its language, `{name:di}` (`Name`)."""
    names = {key: Name(fact) if isinstance(fact, str) and not isinstance(fact, Name) else fact for key, fact in facts.items()}
    return str(text).format_map(names)
