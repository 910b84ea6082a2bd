"""The catalogues of messages: locale/<language>/<area>.po, compiled where the installation keeps its files.

Compiled at start where a catalogue is newer than what it was compiled to, so that no step of an installation can be
forgotten and no tool beside Python is needed.
"""

from __future__ import annotations

import logging
import os
import tempfile
from io import BytesIO
from pathlib import Path

from engine.language import LANGUAGES


def compiled(source: Path, target: Path) -> Path:
    """Compiles what is newer than its result, a whole language at once; `target`, for LOCALE_PATHS."""
    for language in LANGUAGES:
        files = sorted((source / language).glob("*.po"))
        made = target / language / "LC_MESSAGES" / "django.mo"
        newest = max((file.stat().st_mtime_ns for file in files), default=0)
        if files and (not made.exists() or made.stat().st_mtime_ns != newest):
            try:
                _compile(files, language, made, newest)
            except OSError as error:
                # Older words, or English, are better than no site.
                logging.getLogger(__name__).warning("The catalogue of %s cannot be written: %s", language, error)
    return target


def _compile(files: list[Path], language: str, made: Path, newest: int) -> None:
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    whole = Catalog(locale=language, charset="utf-8")
    for file in files:
        with file.open("rb") as opened:
            for message in read_po(opened, locale=language):
                if message.id and message.string and not message.fuzzy:
                    whole.add(message.id, message.string, context=message.context)
    bytes_made = BytesIO()
    write_mo(bytes_made, whole)
    made.parent.mkdir(parents=True, exist_ok=True)
    # Processes start together: each writes a file of its own and puts it in place whole.
    handle, name = tempfile.mkstemp(dir=made.parent)
    with os.fdopen(handle, "wb") as opened:
        opened.write(bytes_made.getvalue())
    os.utime(name, ns=(newest, newest))
    os.replace(name, made)
