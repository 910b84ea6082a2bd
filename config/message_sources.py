"""The messages of the code, collected into a template catalogue for each area."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from django.utils.translation.template import templatize
from jinja2.ext import babel_extract

from config.message_comments import general_comments, kinds_in_python, kinds_in_template
from engine.language import Plural, Texts
from games.registry import TITLES


def _pages(*nouns: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{noun}/" for noun in nouns for folder in ("web", "templates"))


AREAS: dict[str, tuple[str, ...]] = {
    "people": (
        "people/",
        "templates/account/",
        "web/account/",
        "web/frame/throttle.py",
        "web/frame/adapter.py",
    ),
    **{
        title: (f"games/{title}/", f"web/titles/{title}/", f"templates/titles/{title}/")
        for title in TITLES
    },
    "engine": ("engine/", "games/"),
    "campaign": ("campaign/",),
    "notices": ("notices/", "outgoing/"),
    "forum": ("forum/", "battles/", "nations/"),
    "api": ("api/", "templates/api/"),
    "lobby": _pages(
        "announcements",
        "discord",
        "lessons",
        "lobby",
        "playtest",
        "pocket",
        "practice",
        "ratings",
        "seats",
    ),
    "play": _pages(
        "battles",
        "board",
        "charts",
        "clocks",
        "dice",
        "forecast",
        "history",
        "ledger",
        "log",
        "moves",
        "nation",
        "pack",
        "plan",
        "sheets",
        "story",
        "table",
        "typed_moves",
        "undo",
    ),
    "desk": _pages("amendments", "desk", "exports", "forum", "imports", "rules", "rulings"),
    "workshop": _pages("editor", "scenarios"),
    "site": ("templates/", "web/", "config/", "talk/", "moderation/"),
}
"""The folders and files whose messages an area has. A file belongs to the first area that names it.
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
    "pgettext_noop": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
COMMENT_TAG = "Translators:"

TABLE = re.compile(r"^[A-Z]+ = Texts\($", re.MULTILINE)
"""The line of a module of engine or games that makes a table of `Texts`."""


def key(message: Message) -> tuple[str, str]:
    """Return what identifies a message in a catalogue: its singular and its context."""
    return singular(message), message.context or ""


def singular(message: Message) -> str:
    """Return the English text of a message, in the singular if it has a plural."""
    return message.id if isinstance(message.id, str) else message.id[0]


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
    """Yield the messages of a file in their order, with their file and comments."""
    text = (root / path).read_text(encoding="utf-8")
    kinds: dict[Any, str] = {}
    if path.startswith("templates/"):
        extract: Any = babel_extract  # the types of both extractors are too narrow
        kinds = kinds_in_template(text)
    else:
        extract = extract_python
        if path.endswith(".py"):
            kinds = kinds_in_python(text)
        else:
            lines = templatize(text, origin=path).splitlines()
            text = "\n".join(
                line.strip() for line in lines
            )  # the markup's indents are not Python's
    options = {"encoding": "utf-8", "trimmed": "false", "silent": "false"}
    calls = extract(BytesIO(text.encode()), list(KEYWORDS), [COMMENT_TAG], options)
    for line, function, parts, comments in calls:
        texts = [part or "" for part in (parts if isinstance(parts, tuple) else (parts,))]
        context = texts.pop(0) if function.startswith(("pgettext", "npgettext")) else ""
        if not texts or not texts[0]:
            continue
        plural = "n" in function.split("gettext")[0] and len(texts) > 1 and texts[1]
        kind = kinds.get((line, texts[0])) or kinds.get((line, "")) or kinds.get(texts[0], "")
        written = [comment.removeprefix(COMMENT_TAG).strip() for comment in comments]
        yield Message(
            (texts[0], texts[1]) if plural else texts[0],
            locations=[(path, 0)],
            auto_comments=[*written, *filter(None, [kind]), *general_comments(texts[0], context)],
            context=context or None,
        )


def messages_of_tables(root: Path) -> Iterator[tuple[str, Message]]:
    """Yield the texts of engine and games in the order of their tables, each with its area."""
    for path in sources(root):
        if not path.startswith(("engine/", "games/")) or not TABLE.search(
            (root / path).read_text("utf-8")
        ):
            continue
        for table in vars(import_module(path.removesuffix(".py").replace("/", "."))).values():
            for context, text in table.messages() if isinstance(table, Texts) else ():
                english = text.one if isinstance(text, Plural) else text
                yield (
                    area(path),
                    Message(
                        (text.one, text.many) if isinstance(text, Plural) else text,
                        locations=[(path, 0)],
                        auto_comments=general_comments(english, context),
                        context=context,
                    ),
                )


def template_catalogues(root: Path) -> dict[str, Catalog]:
    """Return the template catalogue of each area.

    Messages are in alphabetical order; after them come the tables in their own order.
    """
    by_area: dict[str, list[Message]] = {name: [] for name in AREAS}
    for path in sources(root):
        by_area[area(path)] += messages_of_file(root, path)
    by_area = {name: sorted(messages, key=key) for name, messages in by_area.items()}
    for name, message in messages_of_tables(root):
        by_area[name].append(message)
    templates = {}
    for name, messages in by_area.items():
        templates[name] = Catalog(fuzzy=False)
        for message in messages:
            templates[name][message.id] = message
    return templates
