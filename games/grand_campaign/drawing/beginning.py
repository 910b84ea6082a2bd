"""The starting points of new scenarios: the shipped map, shapes of a file, a sheet of hexagons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict, cast

from engine.errors import MalformedRecord
from engine.language import gettext as _
from engine.language import pgettext
from engine.strict_json import read
from games.contract.plain import Bundle
from games.contract.scenarios import Run
from games.grand_campaign.drawing import coverage, reading, shapes
from games.grand_campaign.drawing.drawing import shipped_text
from games.grand_campaign.rules.numbers import Fault
from games.grand_campaign.rules.scenario import load

MAP = "420ad"
SECONDS = 8.0
"""The seconds that each of the two steps of reading a file may take."""
MOST_TOLD = 40
"""The most faults, and the most marks on the picture, that are shown."""
MOST_SIGNS = 200
"""The most lines of names that are read with a sheet of hexagons."""
SMALLEST_MARK = 24
"""The least width and height of a mark."""
PLACE = re.compile(r"shapes(?:\.(\d+))?(?: \((.*)\))?")

DrawnProvince = tuple[str, str, bool, float, float]
"""A province of the picture: name, path, whether it has no name, and the place of its number."""


class Row(NamedTuple):
    """A shape in the table of names."""

    number: int
    name: str
    unnamed: bool
    ground: bool


class Mark(NamedTuple):
    """A gap or an overlap: its number on the picture, its place and size, and a sentence."""

    number: int
    kind: str
    x: float
    y: float
    wide: float
    high: float
    sentence: str


class Picture(NamedTuple):
    """A picture of provinces with marks."""

    height: int
    provinces: Sequence[DrawnProvince]
    marks: Sequence[Mark]
    borders: int


class Sheet(NamedTuple):
    """A file that was read.

    Attributes:
        text: Its shapes in our own form.
        rows: The table of names.
        picture: The picture, or None if something is wrong.
        faults: The faults of the file.
        lines: The number of its open lines, which are not land.
        copies: The number of elements that only repeat another element.
        covered: Sentences about shapes that lie below others.
    """

    text: str = ""
    rows: Sequence[Row] = ()
    picture: Picture | None = None
    faults: Sequence[str] = ()
    lines: int = 0
    copies: int = 0
    covered: Sequence[str] = ()

    @property
    def ordered(self) -> Sequence[Row]:
        """Return the rows, those without a name first."""
        return sorted(self.rows, key=lambda row: (not row.unnamed, row.number))

    @property
    def unnamed(self) -> Sequence[Row]:
        return [row for row in self.rows if row.unnamed]

    @property
    def named(self) -> Sequence[Row]:
        return [row for row in self.rows if row.name]

    def as_json(self) -> SheetRecord:
        """Return the sheet as JSON, to be kept until the page shows it."""
        return SheetRecord(
            text=self.text,
            rows=[row_as_json(row) for row in self.rows],
            picture=None if self.picture is None else picture_as_json(self.picture),
            faults=self.faults,
            lines=self.lines,
            copies=self.copies,
            covered=self.covered,
        )


class RowRecord(TypedDict):
    """A `Row` as JSON."""

    number: int
    name: str
    unnamed: bool
    ground: bool


class MarkRecord(TypedDict):
    """A `Mark` as JSON."""

    number: int
    kind: str
    x: float
    y: float
    wide: float
    high: float
    sentence: str


class PictureRecord(TypedDict):
    """A `Picture` as JSON."""

    height: int
    provinces: Sequence[DrawnProvince]
    marks: Sequence[MarkRecord]
    borders: int


class SheetRecord(TypedDict):
    """A `Sheet` as JSON."""

    text: str
    rows: Sequence[RowRecord]
    picture: PictureRecord | None
    faults: Sequence[str]
    lines: int
    copies: int
    covered: Sequence[str]


def words() -> coverage.Words:
    """Return the names that a new scenario has in the reader's language."""
    return coverage.Words((_("First nation"), _("Second nation")), _("Army to be chosen"))


def from_map(name: str) -> Bundle:
    """Return the shipped map without owners."""
    raw = load(MAP).raw
    bundle = {"scenario": raw, "drawing": read(shipped_text(raw))}
    return coverage.emptied(bundle, name, words())


def from_rows(rows: str, given: str, name: str) -> Bundle:
    """Return a sheet of hexagons as provinces.

    Args:
        rows: The sheet, with a sign for each hexagon.
        given: A line for each sign that has a name: the sign, then the name.
        name: The name of the scenario.

    Raises:
        MalformedRecord: The sheet cannot be read.
    """
    names = {}
    for line in given.splitlines()[:MOST_SIGNS]:
        text = line.strip()
        sign, province = text[:1], shapes.name_of(text[1:].lstrip(" =:\t"))
        if sign and province:
            names[sign] = province
    return coverage.from_hexes(coverage.cells_of(rows, names), name, words())


def from_file(data: bytes, names: Sequence[str], name: str, run: Run) -> Bundle:
    """Return the shapes of a file as provinces with the given names.

    Raises:
        MalformedRecord: The file cannot be read.
    """
    bundle: Bundle | MalformedRecord = run(reading.bundle_of, data, names, name, words(), SECONDS)
    if isinstance(bundle, MalformedRecord):
        raise bundle
    return bundle


def look(data: bytes, names: Sequence[str] | None, run: Run) -> Sheet:
    """Return a file as the page shows it before a draft is made from it.

    Args:
        data: The file.
        names: The names that the user typed for its shapes, if any.
        run: Calls a function in a child process.
    """
    file: reading.Reading = run(reading.read_file, data, names, SECONDS)
    if file.shapes.faults:
        return Sheet(faults=fault_texts(file.shapes.faults))
    sheet = Sheet(
        text=file.text,
        rows=table_of_names(file),
        lines=file.shapes.lines,
        copies=file.shapes.copies,
    )
    if file.laid is None:
        return sheet._replace(faults=[sentence(file.fault)] if file.fault else [])
    covered = [sentence(Fault(f"shapes ({name})", "shape-covered")) for name in file.laid.covered]
    return sheet._replace(picture=_picture(file.laid), covered=covered)


def fault_texts(faults: Sequence[MalformedRecord]) -> list[str]:
    """Return the faults of a file as sentences; if there are many, only the first ones."""
    texts, more = [sentence(fault) for fault in faults[:MOST_TOLD]], len(faults) - MOST_TOLD
    return (
        [*texts, pgettext("beginning", "And %(more)s more.") % {"more": more}]
        if more > 0
        else texts
    )


def table_of_names(file: reading.Reading) -> list[Row]:
    """Return the shapes of a file with their names."""
    named = zip(file.shapes.outlines, file.names, strict=True)
    return [
        Row(
            number=number,
            name=name,
            unnamed=not name and not outline.ground,
            ground=outline.ground,
        )
        for number, (outline, name) in enumerate(named, 1)
    ]


def row_as_json(row: Row) -> RowRecord:
    """Return a row of the table of names as JSON."""
    return RowRecord(number=row.number, name=row.name, unnamed=row.unnamed, ground=row.ground)


def mark_as_json(mark: Mark) -> MarkRecord:
    """Return a mark as JSON."""
    return MarkRecord(
        number=mark.number,
        kind=mark.kind,
        x=mark.x,
        y=mark.y,
        wide=mark.wide,
        high=mark.high,
        sentence=mark.sentence,
    )


def picture_as_json(picture: Picture) -> PictureRecord:
    """Return a picture as JSON."""
    return PictureRecord(
        height=picture.height,
        provinces=picture.provinces,
        marks=[mark_as_json(mark) for mark in picture.marks],
        borders=picture.borders,
    )


def from_json(kept: Mapping[str, object], names: Sequence[str] | None = None) -> Sheet:
    """Return the sheet of a kept `SheetRecord`.

    `names` has the names that the user has typed since then, if any.
    """
    kept_sheet = cast("SheetRecord", kept)
    rows = [Row(**row) for row in kept_sheet["rows"]]
    if names is not None:
        rows = [row._replace(name=name) for row, name in zip(rows, names, strict=False)]
    return Sheet(
        text=kept_sheet["text"],
        rows=rows,
        picture=None if kept_sheet["picture"] is None else picture_from_json(kept_sheet["picture"]),
        faults=kept_sheet["faults"],
        lines=kept_sheet["lines"],
        copies=kept_sheet["copies"],
        covered=kept_sheet["covered"],
    )


def picture_from_json(kept: PictureRecord) -> Picture:
    """Return a kept picture."""
    return Picture(
        height=kept["height"],
        provinces=kept["provinces"],
        marks=[Mark(**mark) for mark in kept["marks"]],
        borders=kept["borders"],
    )


def _picture(laid: coverage.ProvinceMap) -> Picture:
    """Return a picture of provinces, with a mark for each gap and overlap."""
    return Picture(
        height=laid.height,
        provinces=[_drawn_province(laid, name) for name in laid.areas],
        marks=[
            _mark(number, shape_fault)
            for number, shape_fault in enumerate(laid.troubles[:MOST_TOLD], 1)
        ],
        borders=len(laid.borders),
    )


def _drawn_province(laid: coverage.ProvinceMap, name: str) -> DrawnProvince:
    spot = laid.areas[name].representative_point()
    is_unnamed = name.startswith("#")
    return name, laid.path(name), is_unnamed, round(spot.x / 10, 1), round(spot.y / 10, 1)


def _mark(number: int, shape_fault: coverage.ShapeFault) -> Mark:
    return Mark(
        number=number,
        kind=shape_fault.kind,
        x=shape_fault.x,
        y=shape_fault.y,
        wide=max(shape_fault.wide, SMALLEST_MARK),
        high=max(shape_fault.high, SMALLEST_MARK),
        sentence=_mark_sentence(shape_fault),
    )


def _mark_sentence(shape_fault: coverage.ShapeFault) -> str:
    facts = {
        "names": ", ".join(shape_fault.names),
        "wide": f"{shape_fault.wide:.0f}",
        "high": f"{shape_fault.high:.0f}",
    }
    if shape_fault.kind == "overlap":
        text = _(
            "Overlap of %(names)s, %(wide)s × %(high)s units. The smaller shape keeps the land."
        )
    elif shape_fault.kind == "hole":
        text = _("Hole within %(names)s, %(wide)s × %(high)s units. It stays a lake.")
    else:
        text = _(
            "Gap between %(names)s, %(wide)s × %(high)s units. They do not touch, so no border is"
            " set there."
        )
    return text % facts


def sentence(fault: MalformedRecord) -> str:
    """Return a fault of a file as a sentence that identifies its shape by number and name."""
    match = PLACE.fullmatch(fault.where)
    if match is None:
        if fault.where.startswith("file"):
            return _("The file %(why)s.") % {"why": fault.why}
        return f"{fault.why}."
    facts: Mapping[str, str] = {"n": match[1] or "", "name": match[2] or "", "why": fault.why}
    if not match[1]:
        return _("The shape “%(name)s” %(why)s.") % facts
    if not match[2]:
        return _("Shape %(n)s %(why)s.") % facts
    return _("Shape %(n)s, “%(name)s”, %(why)s.") % facts
