"""Numbers as people write them."""

from __future__ import annotations

import re
from decimal import Decimal

from engine.language import gettext as _
from engine.strict_json import whole

Number = int | Decimal
"""A number of the rules; some have halves."""

NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
HALF = Decimal("0.5")


def read_number(text: str) -> Number:
    """Return a number as people write it: 2, 1.5, 1,5, 1½, −30.

    Raises:
        ValueError: It is no number; the message says why.
    """
    clean = text.strip().replace("−", "-").replace(",", ".")
    has_half = clean.endswith("½")
    clean = clean.removesuffix("½").strip() or ("0" if has_half else "")
    if not clean:
        raise ValueError(_("a number is missing."))
    if not NUMBER.fullmatch(clean):
        raise ValueError(_("this is not a number."))
    value = Decimal(clean)
    if has_half:
        value += HALF
    # As a record has it: 1.0 is 1.
    return int(value) if value == value.to_integral_value() else value.normalize()


def whole_numbers(text: str) -> list[int]:
    """Return whole numbers with commas or spaces between them.

    Raises:
        ValueError: One of them is no whole number.
    """
    values = []
    for part in text.replace(",", " ").split():
        value = whole(part)
        if value is None:
            raise ValueError(_("whole numbers are asked for, with commas between them."))
        values.append(value)
    return values
