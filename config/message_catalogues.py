"""The catalogues of messages as translators edit them: locale/<language>/<area>.po.

They are read, updated from the templates (`config.message_sources`), checked and written here.
`config.catalogues` compiles them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, unescape, write_po

from config.message_sources import key, singular
from engine.language import GRAMMAR

NO_WRAPPING = 65535
"""Width of lines: breaks only at line breaks of the text, as `msgcat --no-wrap` and Weblate do."""

_PREVIOUS = re.compile(r"(msgctxt|msgid|msgid_plural)((?:\s*\"(?:[^\"\\]|\\.)*\")+)")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"")
_DATED = re.compile(
    r"^\"(?:POT-Creation-Date|Generated-By|Language-Team: [^\n]*<LL@li\.org>"
    r"|Report-Msgid-Bugs-To: EMAIL@ADDRESS|PO-Revision-Date: YEAR"
    r"|Last-Translator: FULL NAME)[^\n]*\n",
    re.MULTILINE,
)
"""Header lines that change with each run, and those that still have their placeholder."""
_PERCENT = re.compile(r"%\((\w+)\)[sd]")
_FORMAT = re.compile(r"%[(a-z]")
_OWN_NAMES = (".chronicle.names.", ".rulebook.")
"""Parts of the ids of texts whose placeholders a language may choose itself."""


def read(file: Path, language: str | None = None) -> Catalog:
    """Return a stored catalogue; an empty one if there is none."""
    if not file.exists():
        return Catalog(locale=language, fuzzy=False)
    with file.open("rb") as opened:
        catalogue = read_po(opened, locale=language)
    for message in catalogue:  # Babel reads "#|" lines as comments of a translator
        previous = " ".join(text for text in message.user_comments if text.startswith("|"))
        message.user_comments = [text for text in message.user_comments if text[:1] != "|"]
        message.previous_id = [
            "".join(map(unescape, _QUOTED.findall(quoted)))
            for word, quoted in _PREVIOUS.findall(previous.replace("|", " "))
            if word != "msgctxt"
        ]
    return catalogue


def write(catalogue: Catalog, file: Path) -> None:
    """Write a catalogue so that the file changes only with its messages."""
    for message in catalogue:
        # `{nation:attack|attacks}` is more than Python's format.
        if "{" in "".join(_texts(message.id)):
            message.flags -= {"python-brace-format"}
            message.flags |= {"no-python-brace-format"}
        if message.python_format and not any(map(_FORMAT.search, _texts(message.id))):
            message.flags -= {"python-format"}  # "% routed"
            message.flags |= {"no-python-format"}
    catalogue.project, catalogue.version, catalogue.fuzzy = "Tabula", "VERSION", False
    if "FIRST AUTHOR" in catalogue.header_comment:
        catalogue.header_comment = f"# Tabula: messages of the area {file.stem!r}."
    stream = BytesIO()
    write_po(stream, catalogue, width=NO_WRAPPING, include_previous=True, include_lineno=False)
    text = stream.getvalue().decode().replace("Tabula VERSION", "Tabula", 1)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(_DATED.sub("", text).rstrip("\n") + "\n", "utf-8")


# Updating.


class Translations:
    """All translations into a language, to be found by text or by id."""

    def __init__(self, catalogues: Iterable[Catalog]) -> None:
        catalogues = list(catalogues)
        entries = [entry for catalogue in catalogues for entry in catalogue]
        entries += [entry for catalogue in catalogues for entry in catalogue.obsolete.values()]
        self.by_text: dict[str, list[Message]] = {}
        self.by_id: dict[str, Message] = {}
        for entry in filter(is_translated, entries):
            self.by_text.setdefault(singular(entry), []).append(entry)
            if entry.context and "." in entry.context:
                self.by_id.setdefault(entry.context, entry)

    def best(self, message: Message) -> Message | None:
        """Return the best entry for a message, which is fuzzy if its English text differs."""
        return self.with_same_text(message) or self.with_same_id(message)

    def with_same_text(self, message: Message) -> Message | None:
        """Return the entry with the same text.

        The best one has the same context, then one without; other contexts count if all agree.
        """
        entries = [
            entry
            for entry in self.by_text.get(singular(message), ())
            if entry.pluralizable == message.pluralizable
        ]
        for context in (message.context, None):
            for entry in entries:
                if entry.context == context:
                    return entry
        agree = len({str(entry.string) for entry in entries}) == 1
        return entries[0] if agree else None

    def with_same_id(self, message: Message) -> Message | None:
        """Return a fuzzy entry for a text of a table whose English text has changed."""
        entry = self.by_id.get(message.context or "")
        if entry is None or entry.pluralizable != message.pluralizable:
            return None
        entry = entry.clone()
        entry.previous_id = entry.previous_id or _texts(entry.id)
        entry.flags.add("fuzzy")
        return entry


def update(
    known: Catalog, template: Catalog, translations: Translations, all_texts: set[str]
) -> None:
    """Bring a catalogue up to its template.

    A message that is new here takes the translation of the same text, wherever it was before. If
    there is none, it takes the translation of the same id, or the nearest translation of a message
    that the code no longer has, and is marked as fuzzy with the English text of that translation.

    `translations` are those of the language before any update, `all_texts` the English texts of all
    templates. Translations of other texts are kept as obsolete.
    """
    previous = {key(entry): entry.previous_id for entry in known if entry.fuzzy}
    gone, new = _entries_gone(known, template), Catalog()
    for message in template:
        current = known.get(message.id, message.context)
        if current is None or not is_translated(current):
            if translation := translations.best(message):
                _take(known, message, translation)
                previous[key(message)] = translation.previous_id
            elif message.id:
                new[message.id] = Message(message.id, context=message.context)
        elif current.pluralizable != message.pluralizable:
            previous[key(message)] = _texts(current.id)
    for message in _nearest(gone, new):
        _take(known, message, message)
        previous[key(message)] = message.previous_id
    known.update(template, no_fuzzy_matching=True)
    for message in known:
        message.previous_id = list(previous.get(key(message), ())) if message.fuzzy else []
    known.obsolete.clear()
    known.obsolete.update(
        (name, entry)
        for name, entry in gone.obsolete.items()
        if singular(entry) not in all_texts and not entry.fuzzy
    )


def _nearest(gone: Catalog, new: Catalog) -> Iterator[Message]:
    """Yield those messages of `new` that are near to one of `gone`, with its translation.

    What remains of `gone` are its obsolete entries.
    """
    sources = {singular(entry): entry.previous_id for entry in gone if entry.previous_id}
    gone.update(new)
    for message in gone:
        if message.id and message.fuzzy:
            message.previous_id = sources.get(message.previous_id[0], message.previous_id)
            yield message


def _entries_gone(known: Catalog, template: Catalog) -> Catalog:
    """Return the translated messages that the template has lost, and empty the obsolete entries.

    The template has a message if it has its text or the id of its table.
    """
    wanted = {key(message) for message in template}
    ids = {message.context for message in template if "." in (message.context or "")}
    gone = Catalog(locale=known.locale)
    for entry in [*known, *known.obsolete.values()]:
        if is_translated(entry) and key(entry) not in wanted and entry.context not in ids:
            gone[entry.id] = entry.clone()
    known.obsolete.clear()
    return gone


def _take(known: Catalog, message: Message, entry: Message) -> None:
    """Put the translation of an entry into a catalogue for this message."""
    known.delete(message.id, message.context)
    known[message.id] = Message(
        message.id,
        entry.string,
        flags={"fuzzy"} if entry.fuzzy else (),
        user_comments=entry.user_comments,
        context=message.context,
    )


def is_translated(message: Message) -> bool:
    """Return whether a message has a translation, in each plural form if it has several."""
    return bool(message.id) and all(_texts(message.string))


def _texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, (list, tuple)) else [str(value or "")]


# Checks.


def incomplete(catalogue: Catalog) -> tuple[int, int]:
    """Return how many messages have no translation, and how many have a fuzzy one."""
    messages = [message for message in catalogue if message.id]
    fuzzy = sum(message.fuzzy for message in messages)
    return sum(not message.fuzzy and not is_translated(message) for message in messages), fuzzy


def wrong_placeholders(catalogue: Catalog, language: str) -> Iterator[str]:
    """Yield the messages whose translation has other placeholders than the English text.

    Fuzzy translations are not checked, because they are not shown.
    """
    for message in catalogue:
        if message.fuzzy or not is_translated(message):
            continue
        english, translated = _texts(message.id), _texts(message.string)
        own_forms = ".chronicle." in (message.context or "")  # numbers in words
        checks = [_percent_names]
        if not message.python_format and not any(
            part in (message.context or "") for part in _OWN_NAMES
        ):
            checks.append(brace_names)
        if (
            len(translated) != (catalogue.num_plurals if message.pluralizable else 1)
            or any(_differ(english, translated, names) for names in checks)
            or not (own_forms or _forms(translated) <= _forms(english) | _forms_of(language))
        ):
            yield singular(message)


def _differ(english: list[str], translated: list[str], names: Callable[[str], set[str]]) -> bool:
    """Return whether names are missing or unknown. "1 army" need not name its number."""
    known = set().union(*map(names, english))
    return names(translated[-1]) != names(english[-1]) or any(
        not names(text) <= known for text in translated
    )


def _percent_names(text: str) -> set[str]:
    return set(_PERCENT.findall(text))


def brace_names(text: str) -> set[str]:
    """Return the names in braces for `str.format`; a text with other braces has none."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        return set()


def _forms(texts: Iterable[str]) -> set[str]:
    """Return the grammatical forms in which texts ask for names: "the" of `{name:The}`."""
    forms = set()
    for text in texts:
        if brace_names(text):
            forms |= {(form or "").lower() for _, _, form, _ in Formatter().parse(text)}
    return {form for form in forms if form and "|" not in form}


def _forms_of(language: str) -> set[str]:
    return {"the", *GRAMMAR.get(language, {}).get("forms", ())}
