"""Numbers as people write them."""

from __future__ import annotations

import re
from decimal import Decimal

from engine.language import gettext as _
from engine.strict_json import read_whole_number

Number = int | Decimal
"""A number of the rules, some of which have halves."""

NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
HALF = Decimal("0.5")


def read_number(text: str) -> Number:
    """Return a number typed by a user: 2, 1.5, 1,5, 1½, −30.

    Raises:
        ValueError: The text is not a number; the message says why.
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
    # Records write whole numbers without decimals: 1, not 1.0.
    return int(value) if value == value.to_integral_value() else value.normalize()


def whole_numbers(text: str) -> list[int]:
    """Return whole numbers that are separated by commas or spaces.

    Raises:
        ValueError: One of them is not a whole number.
    """
    values = []
    for part in text.replace(",", " ").split():
        value = read_whole_number(part)
        if value is None:
            raise ValueError(_("enter whole numbers separated by commas."))
        values.append(value)
    return values
