"""The numbers and tables of the rules, as data."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any


@cache
def table(name: str) -> Any:
    """The table of that name; fractions are decimals. Not to be changed by whoever reads it."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"), parse_float=Decimal)
