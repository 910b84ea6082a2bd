"""CSV files for spreadsheets: comma-separated, UTF-8 with a byte order mark.

Numbers are numbers, and text is never a formula.
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
"""The places where a spreadsheet would begin to calculate.

They are the beginning of a cell, and the place after a character that programs in some countries
take for the end of a cell (a semicolon, a tab), even within quotation marks.
"""


def safe_cell(value: str) -> str:
    """Return the text with an apostrophe before everything that would be a formula."""
    return FORMULA.sub(lambda match: "'" + match[0], value)


def number(value: int, scale: int = 1) -> int | Decimal:
    """Return an amount of an account in whole units: 5 half-actions are 2.5."""
    return value // scale if value % scale == 0 else Decimal(value) / scale


def written(cell: Cell) -> str | int | Decimal:
    """Return a cell as written in the file. Only text is escaped: −30 remains a number."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return safe_cell(cell) if isinstance(cell, str) else cell


def download(name: str, head: Sequence[int | str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """Return the file `name` with these columns, to be saved and never displayed.

    The name consists of letters, digits, dots and hyphens.
    """
    stream = StringIO()
    stream.write("\ufeff")  # without the mark Excel assumes another encoding
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([written(cell) for cell in row] for row in rows)
    answer = HttpResponse(stream.getvalue(), content_type="text/csv; charset=utf-8; header=present")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    answer.headers["Cache-Control"] = "private"
    return answer
