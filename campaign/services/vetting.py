"""What the table asks of a scenario beyond what makes a record well formed (docs/decisions/0009)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from engine.errors import MalformedRecord
from engine.log import canonical
from engine.strict_json import printable

LONGEST = 60
LARGEST = 100_000
COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)
A_COLOUR = gettext_noop("must be a colour as #rrggbb")
A_NAME = gettext_noop("must be a name of 1 to %(most)s printable characters")
A_TEXT = gettext_noop("must be at most %(most)s printable characters")


def is_name(text: Any) -> bool:
    """Is it a name of 1 to 60 printable characters? Those that only turn or hide others, and line ends, are none."""
    return type(text) is str and printable(text) and bool(text.strip()) and len(text) <= LONGEST


def vet(scenario: Mapping[str, Any]) -> None:
    """Raises `MalformedRecord` with the key of the first text, name or colour that no page shall show.

    The scenario has been read by its title: its keys are known. Deeper than that goes no title's.
    """
    for fault in faults_of(scenario):
        raise fault


def faults_of(scenario: Mapping[str, Any]) -> Iterator[MalformedRecord]:
    """Every such text, name or colour, and whether the whole is too large."""
    yield from _vet("scenario", "", scenario)
    try:
        size = len(canonical(scenario).encode())
    except ValueError:
        yield MalformedRecord("scenario", _("has a number with more digits than can be kept"))
        return
    if size > LARGEST:
        yield MalformedRecord("scenario", _("is larger than %(most)s kB") % {"most": LARGEST // 1000})


def _vet(where: str, key: str, value: Any) -> Iterator[MalformedRecord]:
    if isinstance(value, Mapping):
        for inner, one in value.items():
            yield from _vet(f"{where}.{inner}", inner, one)
    elif isinstance(value, (list, tuple)):
        for n, one in enumerate(value):
            yield from _vet(f"{where}.{n}", "", one)
    elif isinstance(value, str):
        if key == "colour" and not COLOUR.fullmatch(value):
            yield MalformedRecord(where, _(A_COLOUR))
        elif key == "name" and not is_name(value):
            yield MalformedRecord(where, _(A_NAME) % {"most": LONGEST})
        elif len(value) > LONGEST or not printable(value):
            yield MalformedRecord(where, _(A_TEXT) % {"most": LONGEST})
