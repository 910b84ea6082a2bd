"""Tables for people's own spreadsheets: comma-separated, UTF-8 with its mark, numbers as numbers,
text never a formula.
"""

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
"""Where a spreadsheet would begin to calculate.

At the beginning of a cell, and after what another country's program takes for the end of a cell (a
semicolon, a tab), whatever the quotation marks say.
"""


def safe_cell(value: str) -> str:
    """Return the text with an apostrophe before everything that would be a formula."""
    return FORMULA.sub(lambda match: "'" + match[0], value)


def number(value: int, scale: int = 1) -> int | Decimal:
    """Return an amount of an account in whole units: 5 half-actions are 2.5."""
    return value // scale if value % scale == 0 else Decimal(value) / scale


def written(cell: Cell) -> str | int | Decimal:
    """Return a cell as the file has it. Only text is guarded: −30 stays a number."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return safe_cell(cell) if isinstance(cell, str) else cell


def download(name: str, head: Sequence[int | str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """Return the file `name` with these columns, to be saved and never shown. The name consists of
    letters, digits, dots and hyphens.
    """
    stream = StringIO()
    stream.write("\ufeff")  # without it Excel reads another alphabet
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([written(cell) for cell in row] for row in rows)
    answer = HttpResponse(stream.getvalue(), content_type="text/csv; charset=utf-8; header=present")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    answer.headers["Cache-Control"] = "private"
    return answer
