"""Files with shapes, from which drafts of scenarios begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import pgettext

from campaign import limited_process
from engine.errors import MalformedRecord
from engine.strict_json import replace_unprintable
from games.contract.scenarios import Beginnings, WithBeginnings
from games.registry import TITLES


@dataclass(frozen=True)
class ShapesRead:
    """A file with shapes as the worker read it.

    `sheet` is what the page shows, as JSON; None if the file has `faults`. `bundle` is the scenario
    of `title` that begins from it, with its drawing; None if the user did not ask for it, or if the
    names have `errors`.
    """

    sheet: Mapping[str, Any] | None = None
    faults: Sequence[str] = ()
    errors: Sequence[str] = ()
    title: str = ""
    bundle: Mapping[str, Any] | None = None


def beginnings() -> tuple[str, Beginnings]:
    """Return the key of the title whose scenarios people begin, and what they begin from."""
    return next(
        (key, title.beginnings)
        for key, title in TITLES.items()
        if isinstance(title, WithBeginnings)
    )


def read_shapes(data: bytes, names: Sequence[str] | None, name: str, *, begin: bool) -> ShapesRead:
    """Return the shapes of a file with the given names; if `begin`, the scenario from them.

    Child processes read the file.

    Raises:
        LimitExceeded: Reading it takes too long.
    """
    title, part = beginnings()
    errors = []
    if begin:
        try:
            bundle = part.from_file(
                data,
                names or (),
                name or pgettext("campaign", "A new scenario"),
                limited_process.run,
            )
            return ShapesRead(title=title, bundle=dict(bundle))
        except MalformedRecord as fault:
            errors = [replace_unprintable(part.sentence(fault))]
    sheet = part.look(data, names, limited_process.run)
    if not sheet.text:
        return ShapesRead(faults=list(sheet.faults))
    return ShapesRead(dict(sheet.as_json()), errors=errors)
