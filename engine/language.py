"""The current language, and the texts that programmers write in English.

Engine and games store message ids and facts; sentences are made when they are read. The caller sets
the language for the duration of a request; the default is English. English texts are in tables of
the code (`Texts`). Other languages come from gettext catalogues that the whole program shares
(docs/contribute/translating.md).
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
"""The name of the compiled catalogues.

It is Django's own, since pages and games share them.
"""
_LANGUAGE: ContextVar[str] = ContextVar("language", default=FIRST)
_FOLDER: list[Path] = []


def language() -> str:
    """Return the current language, one of LANGUAGES."""
    return _LANGUAGE.get()


@contextmanager
def use_language(name: str) -> Iterator[None]:
    """Set the current language for a block; an unknown language means English."""
    token = _LANGUAGE.set(name if name in LANGUAGES else FIRST)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


# Tables of English texts, and their translations.


def use_catalogues(folder: Path) -> None:
    """Read other languages from `<folder>/<language>/LC_MESSAGES/django.mo` from now on.

    Without a folder, or if a catalogue lacks a text, the text is English.
    """
    _FOLDER[:] = [folder]
    _catalogue.cache_clear()
    _read.cache_clear()


class Plural:
    """A text that depends on a number.

    English has two forms, other languages have as many as they need.
    """

    def __init__(self, one: str, many: str, choose: Callable[[int], str] | None = None) -> None:
        self.one, self.many, self.choose = one, many, choose

    def form(self, n: int) -> str:
        """Return the text for `n`, with its placeholders."""
        return self.choose(n) if self.choose else self.one if n == 1 else self.many


class Texts:
    """A table of English texts in the code, by key: texts, plurals, and lists and tables of these.

    Catalogues know a text by its id (`context`): the name of the table and the keys that lead to
    the text, joined by points.
    """

    def __init__(self, name: str, english: Mapping[str, Any]) -> None:
        self.name, self.english = name, english

    def read(self, name: str = "") -> Mapping[str, Any]:
        """Return the table in the current language, or in the language `name`.

        The table is cached: callers must not change it.
        """
        return _read(self, name or _LANGUAGE.get())

    def text(self, key: str, /, **named: object) -> str:
        """Return the text of a key in the current language, with its placeholders filled."""
        return str(self.read()[key]).format_map(named)

    def counted(self, key: str, n: int, **named: object) -> str:
        """Return the form of a plural for `n` in the current language, placeholders filled."""
        return str(self.read()[key].form(n)).format(n=n, **named)

    def messages(self) -> Iterator[tuple[str, str | Plural]]:
        """Yield the id and the text of each message that can be translated.

        A text without letters, such as a number or a dash, is not translated.
        """
        yield from _leaves(self.name, self.english)


def _leaves(context: str, value: Any) -> Iterator[tuple[str, str | Plural]]:
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(f"{context}.{key}", item)
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
        return {key: _translated(f"{context}.{key}", item, known) for key, item in value.items()}
    if isinstance(value, list):
        return [_translated(f"{context}.{key}", item, known) for key, item in enumerate(value)]
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


# English messages in the code, translated by the same catalogues. Pages use Django's functions of
# the same names.


def gettext(message: str) -> str:
    """Return an English message in the current language."""
    known = _catalogue_of_now()
    return known.gettext(message) if known and message else message


def pgettext(context: str, message: str) -> str:
    """Return an English message in the current language.

    The context distinguishes it from the same message in another sense.
    """
    known = _catalogue_of_now()
    return known.pgettext(context, message) if known and message else message


def ngettext(one: str, many: str, n: int) -> str:
    """Return the form of an English message for a number, in the current language.

    Its placeholders remain.
    """
    known = _catalogue_of_now()
    return known.ngettext(one, many, n) if known else one if n == 1 else many


def npgettext(context: str, one: str, many: str, n: int) -> str:
    """Return the form of an English message for a number, as `ngettext` does.

    The context distinguishes it from the same message in another sense.
    """
    known = _catalogue_of_now()
    return known.npgettext(context, one, many, n) if known else one if n == 1 else many


def gettext_noop(message: str) -> str:
    """Return a message unchanged: mark it for the catalogues where it is translated later."""
    return message


def pgettext_noop(context: str, message: str) -> str:
    """Return a message unchanged, as `gettext_noop` does.

    It must be translated by `pgettext` with the same context.
    """
    return message


def _catalogue_of_now() -> GNUTranslations | None:
    return None if _LANGUAGE.get() == FIRST else _catalogue(_LANGUAGE.get())


# Grammar: properties of a language that its catalogue cannot have.


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
        "small_peoples": ("los ", "las "),
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
"""The grammar of each language.

A language that is missing here uses the English entry. `point` is the decimal sign. `articles` are
the articles that can precede a name; `many` and `feminine` say which of them are plural and which
are feminine. `forms` are the texts that replace a word and the article of a name, first for a name
without an article, then in the order of the articles. `sounds` says how two sounds are joined.
`endings` says how the end of a name changes in a form, by article, as a pattern and its replacement
("der Römer" is plural: "den Römern"). `between`, if present, says how a conjunction changes before
a sound. `small_peoples`, if present, are the articles after which the name of a people is in lower
case. `capitals`: nouns always begin with a capital. German has "die" for the plural and for the
feminine singular: the latter is marked, "die (f) Spielleitung".
"""


def articles_of(language: str) -> tuple[str, ...]:
    """Return the articles of a language as people write them before a name, without duplicates."""
    return tuple(
        dict.fromkeys(
            article.removesuffix("(f) ").strip() for article in GRAMMAR[language]["articles"]
        )
    )


def _grammar() -> Mapping[str, Any]:
    return GRAMMAR.get(_LANGUAGE.get(), GRAMMAR[FIRST])


def inside_sentence(text: str) -> str:
    """Return one of the site's own terms as it is written inside a sentence.

    It is in lower case, except in languages that write nouns with capitals.
    """
    return text if _grammar().get("capitals") else text.lower()


def capitalize(text: str) -> str:
    """Return a text with a capital as its first letter."""
    return text[:1].upper() + text[1:]


def plain_name(key: str) -> str:
    """Return a key as people read it: "siege_train" is "Siege train"."""
    return capitalize(key.replace("-", " ").replace("_", " "))


def localize_number(number: str) -> str:
    """Return a decimal number with the decimal sign of the current language.

    The number is given with a point.
    """
    return number.replace(".", str(_grammar()["point"]))


class Name(str):
    """A name in a sentence, with the forms that the language of the sentence needs.

    If `{nation}` is "Unni", `{nation:di}` is "degli Unni" and `{nation:Il}`, at the beginning of a
    sentence, "Gli Unni". English has `{nation:the}` and `{nation:The}`. Words that agree with the
    name are separated by bars, plural first: "the Huns {nation:attack|attacks}". If they also agree
    in gender, the order is plural (m, f), singular (m, f): `{nation:sono caduti|sono cadute|è
    caduto|è caduta}`.

    The forms, and the articles with which catalogues write a name (`parse`), are in GRAMMAR. A name
    that a user typed has no article, is not changed and counts as plural, unless its drawing gives
    its forms (`spoken`).
    """

    article = ""
    many, feminine, is_people = True, False, False
    the: bool | None = None
    """Whether it has an English article; None means that `_with_the` decides by its sound."""

    @classmethod
    def parse(cls, text: str) -> Name:
        """Return a name as a catalogue writes it, with its article: "gli Unni"."""
        article = next((known for known in _grammar()["articles"] if text.startswith(known)), "")
        name = cls(text.removeprefix(article))
        name._take(article, True)
        return name

    @classmethod
    def with_forms(cls, typed: str, forms: Mapping[str, Any]) -> Name:
        """Return a name with the forms that a drawing gives it.

        See docs/build/scenarios.md, Names in sentences.
        """
        own: Mapping[str, Any] = forms.get(_LANGUAGE.get(), {})
        name, people = cls(own.get("name", typed)), forms.get("spoken", PEOPLE) == PEOPLE
        name.is_people = people
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
        """Return another spelling of the name with the same grammar, such as a short one."""
        name = Name(text)
        name.__dict__.update(self.__dict__)
        return name

    def _take(self, article: str, many: bool) -> None:
        """Set the article in the current language, and the number and gender that follow from it.

        Without an article the number follows from `many`.
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
        if self.is_people and self.article in grammar.get("small_peoples", ()):
            own = own[:1].lower() + own[1:]
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
"""Whether a nation is grammatically plural or singular."""
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
    """Return an English name inside a sentence, with "the" if it needs one.

    If `the` is None, the sound decides: "the Huns", "the East" for "The East", "the Red Faction",
    but "Carthage", "Galba" and "seat A".
    """
    bare = name[4:] if name[:4].lower() == "the " else name
    peoples = bare.endswith("s") and not bare.endswith(_NO_PLURAL)
    if the is None:
        the = bare != name or peoples or bare.endswith(_COLLECTIVES)
    return f"the {bare}" if the else name


def join_with(word: str, names: Iterable[str]) -> str:
    """Return names joined by a word, which may change before the next name.

    "e" in "Hispania e Italia" is the Spanish "y" before an "i".
    """
    first, *rest = [*names] or [""]
    for name in rest:
        sound, other = _grammar().get("between", {}).get(word, ("(?!)", word))
        first += (other if re.match(sound, name, re.IGNORECASE) else word) + name
    return first


def text_of_file(folder: Path, name: str) -> str:
    """Return the content of `<name>_<language>.md` in the folder, in the current language.

    If that file does not exist, the English one is read, `<name>.md`.
    """
    return _text(folder, name, _LANGUAGE.get())


@cache
def _text(folder: Path, name: str, spoken_now: str) -> str:
    file = folder / f"{name}_{spoken_now}.md"
    return (file if file.exists() else folder / f"{name}.md").read_text(encoding="utf-8")


# Messages with their facts filled in.


def sentence(text: object, /, **facts: object) -> str:
    """Return `text` with a fact for each `{name}`.

    A text may ask for a fact in a form of its language: `{name:di}` (`Name`).
    """
    names = {
        key: Name(fact) if isinstance(fact, str) and not isinstance(fact, Name) else fact
        for key, fact in facts.items()
    }
    return str(text).format_map(names)


_ENDED = re.compile(r"[.!?…][”“»’\"')]*$")


def with_stop(text: str) -> str:
    """Return the text with a full stop, unless it ends with one, also within quotation marks."""
    return text if _ENDED.search(text) else f"{text}."
