"""The language in which words are read, and the texts that programmers write in English.

Engine and games hold message ids and facts; sentences are made when read. Who shows them says in
which language, for the length of an answer; nobody said: English. English stands in tables of the
code (`Texts`); other languages come from gettext catalogues, which the whole program has in common
(docs/translating.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gettext import GNUTranslations

FIRST = "en"
LANGUAGES = ("en", "de", "es", "it")
DOMAIN = "django"
"""The name of the compiled catalogues; Django's own, since pages and games share them."""
_SPOKEN: ContextVar[str] = ContextVar("language", default=FIRST)
_FOLDER: list[Path] = []


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


# Texts: a table of English, and what a catalogue has for it.


def use_catalogues(folder: Path) -> None:
    """Reads other languages from `<folder>/<language>/LC_MESSAGES/django.mo` from now on. Without a
    folder, or where it lacks a text, there is English.
    """
    _FOLDER[:] = [folder]
    _catalogue.cache_clear()
    _read.cache_clear()


class Plural:
    """A text that depends on a number: English for one and for many. Other languages have as many
    forms as they need.
    """

    def __init__(self, one: str, many: str, choose: Callable[[int], str] | None = None) -> None:
        self.one, self.many, self.choose = one, many, choose

    def form(self, n: int) -> str:
        """The text for `n`, its placeholders still in it."""
        return self.choose(n) if self.choose else self.one if n == 1 else self.many


class Texts:
    """A table of English texts, where programmers edit them: texts, plurals, and lists and tables
    of these, by key.

    A text is known to catalogues by its id, `context`: the table's name and the keys that lead to
    it, joined by points.
    """

    def __init__(self, name: str, english: Mapping[str, Any]) -> None:
        self.name, self.english = name, english

    def read(self, name: str = "") -> Mapping[str, Any]:
        """The table in the language of now, or the one named. Not to be changed by a reader."""
        return _read(self, name or _SPOKEN.get())

    def text(self, key: str, /, **named: object) -> str:
        """The text of a key in the language of now, with these names in it."""
        return str(self.read()[key]).format_map(named)

    def counted(self, key: str, n: int, **named: object) -> str:
        """The text of a key that counts: the catalogue has one for one and one for more."""
        return str(self.read()[key].form(n)).format(n=n, **named)

    def messages(self) -> Iterator[tuple[str, str | Plural]]:
        """Each text that can be translated, with its id. What has no letter, as a number or a dash,
        is not translated.
        """
        yield from _leaves(self.name, self.english)


def _leaves(context: str, value: Any) -> Iterator[tuple[str, str | Plural]]:
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(f"{context}.{key}", one)
    elif isinstance(value, Plural) or any(map(str.isalpha, value)):
        yield context, value


@cache
def _read(texts: Texts, name: str) -> Mapping[str, Any]:
    known = None if name == FIRST else _catalogue(name)
    translated: Mapping[str, Any] = (
        _translated(texts.name, texts.english, known) if known else texts.english
    )
    return translated


def _translated(context: str, value: Any, known: GNUTranslations) -> Any:
    if isinstance(value, dict):
        return {key: _translated(f"{context}.{key}", one, known) for key, one in value.items()}
    if isinstance(value, list):
        return [_translated(f"{context}.{key}", one, known) for key, one in enumerate(value)]
    if isinstance(value, Plural):
        return Plural(
            value.one, value.many, partial(known.npgettext, context, value.one, value.many)
        )
    return known.pgettext(context, value) if value else value


@cache
def _catalogue(name: str) -> GNUTranslations | None:
    from gettext import GNUTranslations  # not needed for English, which a replay reads

    for folder in _FOLDER:
        file = folder / name / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if file.exists():
            with file.open("rb") as opened:
                return GNUTranslations(opened)
    return None


# English sentences in the code, translated by the same catalogues. Pages use Django's functions of
# the same names.


def gettext(message: str) -> str:
    """Return an English message in the language of now."""
    known = _catalogue_of_now()
    return known.gettext(message) if known and message else message


def pgettext(context: str, message: str) -> str:
    """Return an English message that this context tells apart from others, in the language of
    now.
    """
    known = _catalogue_of_now()
    return known.pgettext(context, message) if known and message else message


def ngettext(one: str, many: str, n: int) -> str:
    """Return the form of an English message for a number, in the language of now.

    Its placeholders remain.
    """
    known = _catalogue_of_now()
    return known.ngettext(one, many, n) if known else one if n == 1 else many


def gettext_noop(message: str) -> str:
    """Return a message unchanged: mark it for the catalogues where it is translated later."""
    return message


def _catalogue_of_now() -> GNUTranslations | None:
    return None if _SPOKEN.get() == FIRST else _catalogue(_SPOKEN.get())


# Grammar: what a language needs beside its sentences.


_HEAD = "(?=$| von | der | des | in )"
"""Where the first noun of a German name ends: "Prokurator von Spanien"."""
GRAMMAR: Mapping[str, Mapping[str, Any]] = {
    "en": {
        "point": ".",
        "articles": (),
        "many": (),
        "feminine": (),
        "sounds": {},
        "forms": {},
        "endings": {},
    },
    "de": {
        "point": ",",
        "capitals": True,
        "articles": ("der ", "die (f) ", "das ", "die "),
        "many": ("die ",),
        "feminine": ("die (f) ",),
        "sounds": {},
        "forms": {
            "der": ("", "der ", "die ", "das ", "die "),
            "den": ("", "den ", "die ", "das ", "die "),
            "dem": ("", "dem ", "der ", "dem ", "den "),
            "des": ("von ", "des ", "der ", "des ", "der "),
            "von": ("von ", "vom ", "von der ", "vom ", "von den "),
            "zu": ("zu ", "zum ", "zur ", "zum ", "zu den "),
        },
        "endings": {
            **{form: {"die ": (rf"([^a]e|el|er){_HEAD}", r"\1n")} for form in ("dem", "von", "zu")},
            "des": dict.fromkeys(("der ", "das "), (rf"([^sßxz]){_HEAD}", r"\1s")),
        },
    },
    "es": {
        "point": ",",
        "articles": ("el ", "la ", "los ", "las "),
        "many": ("los ", "las "),
        "feminine": ("la ", "las "),
        "sounds": {},
        "forms": {
            "el": ("", "el ", "la ", "los ", "las "),
            "de": ("de ", "del ", "de la ", "de los ", "de las "),
            "a": ("a ", "al ", "a la ", "a los ", "a las "),
            "con": ("con ", "con el ", "con la ", "con los ", "con las "),
            "por": ("por ", "por el ", "por la ", "por los ", "por las "),
        },
        "endings": {},
        "between": {" y ": ("h?[ií](?![aeou])", " e "), " o ": ("h?[oó]", " u ")},
    },
    "it": {
        "point": ",",
        "articles": ("il ", "lo ", "la ", "l’", "i ", "gli ", "le "),
        "many": ("i ", "gli ", "le "),
        "feminine": ("la ", "le "),
        "sounds": {"a a": "ad a", "a A": "ad A"},
        "forms": {
            "il": ("", "il ", "lo ", "la ", "l’", "i ", "gli ", "le "),
            "di": ("di ", "del ", "dello ", "della ", "dell’", "dei ", "degli ", "delle "),
            "a": ("a ", "al ", "allo ", "alla ", "all’", "ai ", "agli ", "alle "),
            "da": ("da ", "dal ", "dallo ", "dalla ", "dall’", "dai ", "dagli ", "dalle "),
            "su": ("su ", "sul ", "sullo ", "sulla ", "sull’", "sui ", "sugli ", "sulle "),
            "con": (
                "con ",
                "con il ",
                "con lo ",
                "con la ",
                "con l’",
                "con i ",
                "con gli ",
                "con le ",
            ),
        },
        "endings": {},
    },
}
"""By language: the sign between a number's digits; the articles that a name may be written with,
which of them are of many and which feminine; `forms`, what stands before a name after a word, first
without an article, then in the order of the articles; how two sounds meet; `endings`, what a form
changes at the end of a name with that article, as a pattern and what takes its place: "der Römer"
are many, "den Römern"; `between`, where there is one, what a word between two becomes before a
sound. German writes "die" before many and before one feminine name: the latter is marked, "die (f)
Spielleitung". `capitals`: nouns begin with one anywhere. A language that is not here has what
English has.
"""


def articles_of(language: str) -> tuple[str, ...]:
    """The articles of a language as somebody writes them with a name, each once."""
    return tuple(
        dict.fromkeys(one.removesuffix("(f) ").strip() for one in GRAMMAR[language]["articles"])
    )


def _grammar() -> Mapping[str, Any]:
    return GRAMMAR.get(_SPOKEN.get(), GRAMMAR[FIRST])


def within(text: str) -> str:
    """A name of ours, as it stands alone, inside a sentence: small, except where a language writes
    its nouns with capitals.
    """
    return text if _grammar().get("capitals") else text.lower()


def capital(text: str) -> str:
    """Return a text with a capital as its first letter."""
    return text[:1].upper() + text[1:]


def plain_name(key: str) -> str:
    """Return a key as people read it: "siege_train" is "Siege train"."""
    return capital(key.replace("-", " ").replace("_", " "))


def pointed(number: str) -> str:
    """A fraction written with a point, with the sign that readers of the language of now have
    between its digits.
    """
    return number.replace(".", str(_grammar()["point"]))


class Name(str):
    """A name that a sentence may ask for with what its language puts before it: where `{nation}` is
    "Unni", `{nation:di}` is "degli Unni" and `{nation:Il}`, at the head of a sentence, "Gli Unni".
    English has `{nation:the}` and `{nation:The}`. Words that agree with it stand between bars,
    first as many have them, then as one has them: "the Huns {nation:attack|attacks}"; where they
    follow the gender, too: many (m, f), then one (m, f), `{nation:sono caduti|sono cadute|è
    caduto|è caduta}`.

    The forms, and the articles that a name of ours is written with (`of`), are in GRAMMAR. A name
    that somebody typed has no article, stands as it is and counts as many, unless `spoken` says how
    it is spoken of.
    """

    article = ""
    many, feminine = True, False
    the: bool | None = None
    """Is there an English article before it? None: as it sounds (`_with_the`)."""

    @classmethod
    def parse(cls, text: str) -> Name:
        """A name as a catalogue of ours writes it: "gli Unni"."""
        article = next((one for one in _grammar()["articles"] if text.startswith(one)), "")
        name = cls(text.removeprefix(article))
        name._take(article, True)
        return name

    @classmethod
    def spoken(cls, typed: str, forms: Mapping[str, Any]) -> Name:
        """A name with the forms that a drawing gives it (docs/scenarios.md, Names in sentences)."""
        own: Mapping[str, Any] = forms.get(_SPOKEN.get(), {})
        name, people = cls(own.get("name", typed)), forms.get("spoken", PEOPLE) == PEOPLE
        name.the = forms.get("article", people if "spoken" in forms else None)
        article = str(own.get("article", "")).replace("'", "’")
        article = article if article.endswith("’") or not article else f"{article} "
        feminine = f"{article}(f) "
        name._take(
            feminine if feminine in _grammar()["articles"] and not people else article, people
        )
        name.feminine = (
            own["gender"] == "f"
            if "gender" in own
            else name.feminine or not (name.article or people)
        )
        return name

    def written(self, text: str) -> Name:
        """The same name written otherwise, as where there is little room."""
        name = Name(text)
        name.__dict__.update(self.__dict__)
        return name

    def _take(self, article: str, many: bool) -> None:
        """Its article in the language of now, and the number and gender that follow from it;
        without one it is `many` or not.
        """
        grammar = _grammar()
        self.article = article if article in grammar["articles"] else ""
        self.many = article in grammar["many"] if self.article else many
        self.feminine = article in grammar["feminine"]

    def __format__(self, spec: str) -> str:
        grammar = _grammar()
        if "|" in spec:
            words = spec.split("|")
            return words[(0 if self.many else len(words) // 2) + (len(words) > 2 and self.feminine)]
        if (
            spec.lower() == "the"
        ):  # English words, which are read in other languages, too, where these lack a sentence
            text = _with_the(str(self), self.the)
            return text[:1].upper() + text[1:] if spec[0].isupper() else text
        forms = grammar["forms"].get(spec.lower())
        if forms is None:
            return super().__format__(spec)
        ending = grammar["endings"].get(spec.lower(), {}).get(self.article)
        own = re.sub(ending[0], ending[1], str(self), count=1) if ending else str(self)
        text = f"{forms[['', *grammar['articles']].index(self.article)]}{own}"
        text = next(
            (
                to + text.removeprefix(sound)
                for sound, to in grammar["sounds"].items()
                if text.startswith(sound)
            ),
            text,
        )
        return text[:1].upper() + text[1:] if spec[0].isupper() else text


PEOPLE, STATE = "people", "state"
"""How a nation is spoken of: as many or as one."""
_NO_PLURAL = ("ss", "us", "is", "os", "as")
_COLLECTIVES = (
    "Empire",
    "Kingdom",
    "League",
    "Republic",
    "Faction",
    "game master",
    "Confederation",
    "Horde",
    "Tribe",
)


def _with_the(name: str, the: bool | None) -> str:
    """An English name inside a sentence, with "the" where it has one. Where nobody says so, as it
    sounds: "the Huns", "the East" of "The East", "the Red Faction", but "Carthage", "Galba" and
    "seat A".
    """
    bare = name[4:] if name[:4].lower() == "the " else name
    peoples = bare.endswith("s") and not bare.endswith(_NO_PLURAL)
    if the is None:
        the = bare != name or peoples or bare.endswith(_COLLECTIVES)
    return f"the {bare}" if the else name


def joined(word: str, names: Iterable[str]) -> str:
    """Names with a word between them, as the language of now has it before the next: "Hispania e
    Italia".
    """
    first, *rest = [*names] or [""]
    for name in rest:
        sound, other = _grammar().get("between", {}).get(word, ("(?!)", word))
        first += (other if re.match(sound, name, re.IGNORECASE) else word) + name
    return first


def text_of_file(folder: Path, name: str) -> str:
    """`<name>_<language>.md` of the folder in the language of now. English, `<name>.md`, stands in
    where there is none.
    """
    return _text(folder, name, _SPOKEN.get())


@cache
def _text(folder: Path, name: str, spoken_now: str) -> str:
    file = folder / f"{name}_{spoken_now}.md"
    return (file if file.exists() else folder / f"{name}.md").read_text(encoding="utf-8")


# A message with its facts put in.


def sentence(text: object, /, **facts: object) -> str:
    """`text` with `{name}` for each fact; a text may ask for any of them in a form of its language,
    `{name:di}` (`Name`).
    """
    names = {
        key: Name(fact) if isinstance(fact, str) and not isinstance(fact, Name) else fact
        for key, fact in facts.items()
    }
    return str(text).format_map(names)
