"""Conversion of a file with shapes into provinces in a single call, for a process with limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from games.grand_campaign.drawing import coverage
from games.grand_campaign.drawing.coverage import ProvinceMap, Words
from games.grand_campaign.drawing.shapes import Shapes, name_of, read_shapes


class Reading(NamedTuple):
    """The shapes of a file, as SVG and as provinces by `names`.

    `laid` is None if the file or the provinces have a fault. `shapes` has the faults of the file,
    `fault` is the fault of the provinces.
    """

    shapes: Shapes
    text: str = ""
    names: tuple[str, ...] = ()
    laid: ProvinceMap | None = None
    fault: MalformedRecord | None = None


def read_file(data: bytes, typed: Sequence[str] | None, seconds: float) -> Reading:
    """Read a file with the typed names of its shapes, or with the names in the file."""
    shapes = read_shapes(data, seconds)
    if shapes.faults:
        return Reading(shapes)
    given = (
        [outline.name if not outline.ground else "" for outline in shapes.outlines]
        if typed is None
        else typed
    )
    names = _for_each(shapes, given)
    text = coverage.as_svg(shapes)
    outlines = zip(names, shapes.outlines, strict=True)
    shown = [
        name or ("" if outline.ground else f"#{n}") for n, (name, outline) in enumerate(outlines, 1)
    ]
    try:
        return Reading(shapes, text, names, coverage.lay(shapes, shown, seconds))
    except MalformedRecord as fault:
        return Reading(shapes, text, names, None, fault)


def bundle_of(
    data: bytes, typed: Sequence[str], name: str, words: Words, seconds: float
) -> dict[str, Any] | MalformedRecord:
    """Return a scenario with its drawing from a file, or the first fault."""
    shapes = read_shapes(data, seconds)
    if shapes.faults:
        return shapes.faults[0]
    try:
        return coverage.as_bundle(
            coverage.lay(shapes, _for_each(shapes, typed), seconds), name, words
        )
    except MalformedRecord as fault:
        return fault


def _for_each(shapes: Shapes, given: Sequence[str]) -> tuple[str, ...]:
    names = [name_of(name) for name in given[: len(shapes.outlines)]]
    return (*names, *[""] * (len(shapes.outlines) - len(names)))
