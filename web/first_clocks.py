"""How long a turn and a slot may take, as it is said where a campaign is founded; all else is on the page of its clocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.clocks.lengths import is_length
from campaign.clocks.terms import DEFAULTS, SLOT, TURN, Terms
from engine.strict_json import whole

NAMES = {TURN: gettext_lazy("Length of a turn"), SLOT: gettext_lazy("Length of a slot")}
UNITS = (("d", gettext_lazy("days")), ("h", gettext_lazy("hours")))


class Field(NamedTuple):
    """A length as the form has it."""

    kind: str
    name: Any
    amount: str
    unit: str
    usual: bool
    error: str


def fields(posted: Mapping[str, str], errors: Mapping[str, str]) -> list[Field]:
    """What was typed; the lengths that hold where nobody says otherwise, else."""
    made = []
    for kind, name in NAMES.items():
        usual = DEFAULTS[kind].length
        amount, unit = posted.get(f"{kind}-length", usual[:-1]).strip(), posted.get(f"{kind}-unit", usual[-1])
        made.append(Field(kind, name, amount, unit, amount + unit == usual, errors.get(f"{kind}-length", "")))
    return made


def read(posted: Mapping[str, str], errors: dict[str, str]) -> dict[str, Terms]:
    """The terms that are not as usual, for `timing.set_terms`; what is no length goes into `errors` by its field."""
    wanted = {}
    for one in fields(posted, {}):
        number = whole(one.amount)
        if one.unit not in ("d", "h") or not number or not is_length(f"{number}{one.unit}"):
            errors[f"{one.kind}-length"] = _("A clock runs for 1 to 365 days, or for 1 to 1,440 hours.")
        elif f"{number}{one.unit}" != DEFAULTS[one.kind].length:
            wanted[one.kind] = DEFAULTS[one.kind]._replace(length=f"{number}{one.unit}")
    return wanted
