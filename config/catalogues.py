"""The compiled catalogues of messages.

The sources are locale/<language>/<area>.po. There is one compiled catalogue for each language, for
pages, engine and games. `manage.py messages --compile` makes them, as each installation does beside
`collectstatic`. A process that starts without them logs a warning and goes on: older texts, or
English, are better than no site.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.language import DOMAIN, FIRST, LANGUAGES

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

SOURCE = Path(__file__).resolve().parent.parent / "locale"
COMPILE = "python manage.py messages --compile"
MARK = "catalogue.sources"
"""The context under which a compiled catalogue has the digest of what it was compiled from."""


def outdated(target: Path, source: Path = SOURCE) -> list[str]:
    """Return the languages whose compiled catalogue in `target` is missing or outdated."""
    return [name for name in LANGUAGES if name != FIRST and not _is_current(target, source / name)]


def compile_outdated(target: Path, source: Path = SOURCE) -> list[str]:
    """Compile what is outdated, and return the languages that were compiled."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    from config.message_catalogues import is_translated

    names = outdated(target, source)
    for name in names:
        whole = Catalog(locale=name, charset="utf-8")
        for file in sorted((source / name).glob("*.po")):
            with file.open("rb") as opened:
                for message in read_po(opened, locale=name):
                    if is_translated(message) and not message.fuzzy:
                        whole.add(message.id, message.string, context=message.context)
        whole.add("digest", _digest(source / name), context=MARK)
        write(whole, name, target)
    return names


def write(catalogue: Catalog, name: str, target: Path) -> None:
    """Write a compiled catalogue where Django and the engine look for it."""
    from babel.messages.mofile import write_mo

    bytes_made = BytesIO()
    write_mo(bytes_made, catalogue)
    file = _compiled(target, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    # Several processes may compile at once: each writes a file of its own and then moves it into
    # place.
    handle, unfinished = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "wb") as opened:
        opened.write(bytes_made.getvalue())
    os.replace(unfinished, file)


def check(**_: Any) -> list[Any]:
    """Return a warning for `manage.py check` if a catalogue is outdated.

    Most commands run this check first.
    """
    from django.core.checks import Warning as CheckWarning

    return [CheckWarning(text, hint=f"Run: {COMPILE}", id="tabula.W001") for text in _warnings()]


def at_start() -> None:
    """Log a warning at the start of a process if a catalogue is outdated."""
    for text in _warnings():
        logging.getLogger(__name__).warning("%s Run: %s", text, COMPILE)


def _warnings() -> list[str]:
    from django.conf import settings

    names = outdated(Path(settings.LOCALE_PATHS[0]))
    return (
        [f"The compiled message catalogues are missing or outdated: {', '.join(names)}."]
        if names
        else []
    )


def _compiled(target: Path, name: str) -> Path:
    return target / name / "LC_MESSAGES" / f"{DOMAIN}.mo"


def _is_current(target: Path, folder: Path) -> bool:
    try:
        return _digest(folder).encode() in _compiled(target, folder.name).read_bytes()
    except OSError:
        return False


def _digest(folder: Path) -> str:
    """Return a digest of the names and texts of a language's catalogues."""
    whole = hashlib.sha256()
    for file in sorted(folder.glob("*.po")):
        whole.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()
