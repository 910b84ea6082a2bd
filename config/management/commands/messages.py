"""Brings the catalogues of messages up to the code: what is new is added, what nobody asks for any
more goes. Then compiles them, and renews the tables in the guides that are made from the rules.
With --compile it only compiles, which is a step of every installation.
"""

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation.template import templatize
from jinja2.ext import babel_extract

from config import catalogues
from engine.language import FIRST, LANGUAGES, Plural, Texts, reading_in
from games.registry import TITLES


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()  # one of them asks for this command

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--compile", action="store_true", help="only compile what is there")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["compile"]:
            self.bring_up_to_date()
        names = catalogues.compile_outdated(Path(settings.LOCALE_PATHS[0]))
        if names and options["verbosity"]:
            self.stdout.write(f"Compiled: {', '.join(names)}")
        if not options["compile"]:
            self.renew_guides()

    def bring_up_to_date(self) -> None:

        root = Path(settings.BASE_DIR)
        for language in (name for name in LANGUAGES if name != FIRST):
            folder = root / "locale" / language
            known = {name: read(folder / f"{name}.po", language) for name in AREAS}
            for name, asked in wanted_messages(root).items():
                others = [catalogue for area, catalogue in known.items() if area != name]
                renewed = renewed_catalogue(asked.values(), language, [known[name], *others])
                write(renewed, folder / f"{name}.po")
                missing = sum(
                    1 for one in renewed if one.id and (one.fuzzy or not is_translated(one.string))
                )
                self.stdout.write(
                    f"{language}/{name}: {len(renewed)} messages, {missing} without words"
                )

    def renew_guides(self) -> None:
        from games.contract.title import Amendable

        for language in LANGUAGES:
            guide = Path(
                settings.BASE_DIR, "docs", "" if language == FIRST else language, "scenarios.md"
            )
            if not guide.is_file():  # not translated yet
                continue
            was = guide.read_text("utf-8")
            now = was
            with reading_in(language):
                for title in TITLES.values():
                    now = title.documented(now) if isinstance(title, Amendable) else now
            if now != was:
                guide.write_text(now, "utf-8")
                self.stdout.write(f"Renewed: {guide.relative_to(settings.BASE_DIR)}")


# What the code asks gettext for, area by area, and the catalogues that answer it
# (docs/translating.md).

AREAS: dict[str, tuple[str, ...]] = {
    "people": (
        "people/",
        "templates/account/",
        "web/account/",
        "web/ratings/",
        "web/frame/throttle.py",
        "web/frame/adapter.py",
    ),
    **{
        title: (f"games/{title}/", f"web/titles/{title}/", f"templates/titles/{title}/")
        for title in TITLES
    },
    "engine": ("engine/", "games/"),
    "rooms": ("campaign/", "nations/", "battles/", "forum/", "notices/", "outgoing/"),
    "api": ("api/", "templates/api/"),
    "site": ("templates/", "web/", "config/"),
}
"""An area's catalogue has the messages of the files under these; a file belongs to the first area
that names it.
"""
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}


TABLE = re.compile(r"^[A-Z]+ = Texts\($", re.MULTILINE)
"""Where a module of engine or games makes a table of `Texts`: these are messages, too."""


class Message(NamedTuple):
    """A message in the code. `plural` and `context` are empty if it has none.

    The context of a text of a table is its id.
    """

    single: str
    plural: str = ""
    context: str = ""


def area(path: str) -> str:
    """Return the area of a file by its path from the root; empty if it belongs to none."""
    return next((name for name, roots in AREAS.items() if path.startswith(roots)), "")


def sources(root: Path) -> Iterator[str]:
    """Yield the files that may contain messages, by their path from the root."""
    for folder in sorted({roots.split("/")[0] for group in AREAS.values() for roots in group}):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".py", ".html", ".txt") and "migrations" not in file.parts:
                yield file.relative_to(root).as_posix()


def messages_of_file(root: Path, path: str) -> Iterator[Message]:
    """Yield the messages of a file in their order."""
    text = (root / path).read_text(encoding="utf-8")
    extract: Any = (
        babel_extract if path.startswith("templates/") else extract_python
    )  # their types are too narrow
    if path.startswith("people/templates/"):
        lines = templatize(text, origin=path).splitlines()
        text = "\n".join(line.strip() for line in lines)  # the markup's indents are not Python's
    options = {"encoding": "utf-8", "trimmed": "false", "silent": "false"}
    for _, name, parts, _ in extract(BytesIO(text.encode()), list(KEYWORDS), [], options):
        texts = [part or "" for part in (parts if isinstance(parts, tuple) else (parts,))]
        context = texts.pop(0) if name.startswith(("pgettext", "npgettext")) else ""
        if texts and texts[0]:
            yield Message(
                texts[0],
                texts[1] if "n" in name.split("gettext")[0] and len(texts) > 1 else "",
                context,
            )


def messages_of_tables() -> Iterator[tuple[str, Message]]:
    """Yield the texts of engine and games in the order of their tables, each with its area."""
    for path in sources(Path(settings.BASE_DIR)):
        if not path.startswith(("engine/", "games/")) or not TABLE.search(
            Path(settings.BASE_DIR, path).read_text("utf-8")
        ):
            continue
        for table in vars(import_module(path.removesuffix(".py").replace("/", "."))).values():
            for context, text in table.messages() if isinstance(table, Texts) else ():
                single, plural = (text.one, text.many) if isinstance(text, Plural) else (text, "")
                yield area(path), Message(single, plural, context)


def wanted_messages(root: Path) -> dict[str, dict[tuple[str, str], Message]]:
    """Return all messages of the code: area -> (message, context) -> message."""
    by_area: dict[str, dict[tuple[str, str], Message]] = {name: {} for name in AREAS}
    for path in sources(root):
        for message in messages_of_file(root, path):
            kept = by_area[area(path)].setdefault((message.single, message.context), message)
            if message.plural and not kept.plural:
                by_area[area(path)][message.single, message.context] = message
    by_area = {name: dict(sorted(asked.items())) for name, asked in by_area.items()}
    for name, message in messages_of_tables():
        by_area[name][message.single, message.context] = message
    return by_area


def read(file: Path, language: str) -> Catalog:
    """Return a stored catalogue; an empty one if there is none."""
    if not file.exists():
        return Catalog(locale=language)
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def renewed_catalogue(
    messages: Iterable[Message], language: str, known: Iterable[Catalog]
) -> Catalog:
    """Return the catalogue of exactly these messages, in this order.

    Each has the translation of the first known catalogue that has one. If the English text of a
    table has changed, its translation is kept and marked `fuzzy`, for a translator to check.
    """
    catalogues, catalogue_new = list(known), Catalog(locale=language, charset="utf-8", fuzzy=False)
    earlier = {
        entry.context: entry
        for catalogue in catalogues
        for entry in catalogue
        if "." in (entry.context or "")
    }
    for one in messages:
        answers = (catalogue.get(one.single, one.context or None) for catalogue in catalogues)
        entry = next((entry for entry in answers if entry and _complete(entry.string, one)), None)
        fuzzy = entry is not None and entry.fuzzy
        if (
            entry is None
            and (changed := earlier.get(one.context))
            and _complete(changed.string, one)
        ):
            entry, fuzzy = changed, True
        catalogue_new.add(
            (one.single, one.plural) if one.plural else one.single,
            entry.string if entry else None,
            flags=["fuzzy"] if fuzzy else [],
            context=one.context or None,
        )
    return catalogue_new


def is_translated(string: object) -> bool:
    """Return whether there is a translation, in each plural form if it has several."""
    return bool(string) and (not isinstance(string, (list, tuple)) or all(string))


def _complete(string: object, message: Message) -> bool:
    return is_translated(string) and isinstance(string, (list, tuple)) == bool(message.plural)


def write(catalogue: Catalog, file: Path) -> None:
    """Write a catalogue without places in the code, so that it changes only with its messages."""
    stream = BytesIO()
    write_po(stream, catalogue, width=120, no_location=True, omit_header=True, ignore_obsolete=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(stream.getvalue())
