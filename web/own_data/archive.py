"""The file: a zip with JSON for programs and an HTML page for people."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from engine.strict_json import canonical
from people.models import User
from web.own_data.contents import Part, parts


@dataclass(frozen=True, slots=True)
class PartTable:
    """A part of the HTML page: a table with a line for each row."""

    name: str
    label: str
    columns: list[str]
    rows: list[list[object]]


@dataclass(frozen=True, slots=True)
class IndexPage:
    """The HTML page."""

    name: str
    at: datetime
    language: str
    parts: list[PartTable]

    @property
    def title(self) -> str:
        return _("Data about %(name)s") % {"name": self.name}

    @property
    def filled(self) -> list[PartTable]:
        return [part for part in self.parts if part.rows]

    @property
    def empty(self) -> str:
        """Return the headings of the parts without rows."""
        return " ".join(f"{part.label}." for part in self.parts if not part.rows)


def archive_of(user: User, note_progress: Callable[[int], None]) -> bytes:
    """Return the zip.

    Args:
        user: The user whose data it contains.
        note_progress: A function that is called with the number of finished parts.
    """
    file = io.BytesIO()
    tables: list[PartTable] = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, part in enumerate(parts(user), 1):
            archive.writestr(
                f"data/{part.name}.json",
                json.dumps(part.rows, ensure_ascii=False, indent=1, default=float),
            )
            tables.append(part_table(part))
            note_progress(number)
        archive.writestr("index.html", index_of(user, tables))
    return file.getvalue()


def index_of(user: User, tables: list[PartTable]) -> str:
    """Return the HTML page."""
    page = IndexPage(
        name=user.username,
        at=timezone.now(),
        language=translation.get_language() or "en",
        parts=tables,
    )
    return render_to_string("own_data/index.html", {"page": page})


def part_table(part: Part) -> PartTable:
    """Return a part as a table. A cell is empty if its row does not have the column."""
    columns = list(dict.fromkeys(column for row in part.rows for column in row))
    lines = [[cell_of(row.get(column)) for column in columns] for row in part.rows]
    return PartTable(part.name, part.label, columns, lines)


def cell_of(value: object) -> object:
    """Return a value for the HTML page: lists and objects become JSON."""
    if isinstance(value, dict | list):
        return canonical(value)
    return "" if value is None else value
