"""A file with shapes from its bytes to provinces, in one call: what a process with limits of its own works at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from games.grand_campaign.drawing import coverage
from games.grand_campaign.drawing.coverage import Laid, Words
from games.grand_campaign.drawing.shapes import Shapes, name_of, read_shapes


class Reading(NamedTuple):
    """The shapes of a file, as SVG and as provinces by `names`.

    `laid` is None where the file or the provinces have a fault: the shapes have the faults of the file, `fault` is that of
    the provinces.
    """

    shapes: Shapes
    text: str = ""
    names: tuple[str, ...] = ()
    laid: Laid | None = None
    fault: MalformedRecord | None = None


def read_file(data: bytes, typed: Sequence[str] | None, seconds: float) -> Reading:
    """Read a file by the names that were typed for its shapes; without them, by the names in the file."""
    shapes = read_shapes(data, seconds)
    if shapes.faults:
        return Reading(shapes)
    given = [one.name if not one.ground else "" for one in shapes.outlines] if typed is None else typed
    names = _for_each(shapes, given)
    text = coverage.as_svg(shapes)
    shown = [name or ("" if one.ground else f"#{n}") for n, (name, one) in enumerate(zip(names, shapes.outlines, strict=True), 1)]
    try:
        return Reading(shapes, text, names, coverage.lay(shapes, shown, seconds))
    except MalformedRecord as fault:
        return Reading(shapes, text, names, None, fault)


def bundle_of(data: bytes, typed: Sequence[str], name: str, words: Words, seconds: float) -> dict[str, Any] | MalformedRecord:
    """Return a scenario with its drawing made of a file, or the first fault."""
    shapes = read_shapes(data, seconds)
    if shapes.faults:
        return shapes.faults[0]
    try:
        return coverage.as_bundle(coverage.lay(shapes, _for_each(shapes, typed), seconds), name, words)
    except MalformedRecord as fault:
        return fault


def _for_each(shapes: Shapes, given: Sequence[str]) -> tuple[str, ...]:
    names = [name_of(name) for name in given[: len(shapes.outlines)]]
    return (*names, *[""] * (len(shapes.outlines) - len(names)))
