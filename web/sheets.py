"""Tables for people's own spreadsheets: comma-separated, UTF-8 with its mark, numbers as numbers, text never a formula."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO

from django.http import HttpResponse

Cell = str | int | Decimal | datetime | None

SIGNS = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
FORMULA = re.compile(rf"\A(?=\s*{SIGNS}|[\t\r\n])|(?<=[;\t\r\n|]){SIGNS}")
"""Where a spreadsheet would begin to reckon: at the beginning of a cell, and behind what another country's program takes
for the end of one (a semicolon, a tab), whatever the quotation marks say."""


def text(value: str) -> str:
    """The text with an apostrophe before everything that would be a formula."""
    return FORMULA.sub(lambda found: "'" + found[0], value)


def number(value: int, scale: int = 1) -> int | Decimal:
    """An amount of an account in whole ones: a balance of 5 half-actions is 2.5."""
    return value // scale if value % scale == 0 else Decimal(value) / scale


def written(cell: Cell) -> str | int | Decimal:
    """A cell as the file has it; only text is guarded, so that −30 stays a number that can be added up."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return text(cell) if isinstance(cell, str) else cell


def download(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """The file `name` with these columns, to be saved and never shown. `name` is of letters, digits, dots and hyphens."""
    made = StringIO()
    made.write("\ufeff")  # else Excel reads another alphabet
    writer = csv.writer(made, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([written(cell) for cell in row] for row in rows)
    answer = HttpResponse(made.getvalue(), content_type="text/csv; charset=utf-8; header=present")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    answer.headers["Cache-Control"] = "private"
    return answer
