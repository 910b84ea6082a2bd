"""What a scenario of the Grand Campaign begins from: the shipped map, shapes of a file, a sheet of
hexagons.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from campaign import limited
from engine.errors import MalformedRecord
from engine.strict_json import read
from games.grand_campaign.drawing import coverage, reading, shapes
from games.grand_campaign.rules.numbers import Fault
from games.grand_campaign.rules.scenario import load
from web.titles.grand_campaign import shown

MAP = "420ad"
SECONDS = 8.0
"""How long each of the two steps of reading a file may take, in seconds."""
MOST_TOLD = 40
"""The most faults, and the most marks on the picture, that are shown."""
PLACE = re.compile(r"shapes(?:\.(\d+))?(?: \((.*)\))?")


class Row(NamedTuple):
    """A shape in the table of names."""

    number: int
    name: str
    unnamed: bool
    ground: bool


class Mark(NamedTuple):
    """A gap or an overlap: its number on the picture, where, and a sentence."""

    number: int
    kind: str
    x: float
    y: float
    wide: float
    high: float
    sentence: str


class Picture(NamedTuple):
    """Provinces as paths, each with whether it has no name and a spot for its number."""

    height: int
    provinces: Sequence[tuple[str, str, bool, float, float]]
    marks: Sequence[Mark]
    borders: int


class Sheet(NamedTuple):
    """A file that was read: its shapes written anew, the table of names, the picture unless
    something is wrong.
    """

    text: str
    rows: Sequence[Row]
    picture: Picture | None
    faults: Sequence[str]
    lines: int
    copies: int
    covered: Sequence[str] = ()

    @property
    def ordered(self) -> Sequence[Row]:
        """Those without a name first."""
        return sorted(self.rows, key=lambda row: (not row.unnamed, row.number))

    @property
    def unnamed(self) -> Sequence[Row]:
        return [row for row in self.rows if row.unnamed]

    @property
    def named(self) -> Sequence[Row]:
        return [row for row in self.rows if row.name]


def words() -> coverage.Words:
    return coverage.Words((_("First nation"), _("Second nation")), _("Army to be chosen"))


def from_map(name: str) -> dict[str, Any]:
    raw = load(MAP).raw
    return coverage.emptied(
        {"scenario": raw, "drawing": read(shown.drawing_of(raw))}, name, words()
    )


def from_rows(rows: str, given: str, name: str) -> dict[str, Any]:
    """A bundle of a sheet of hexagons; `given` has a line for each sign that has a name. Raises
    `MalformedRecord`.
    """
    names = {}
    for line in given.splitlines()[:200]:
        sign, rest = line.strip()[:1], shapes.name_of(line.strip()[1:].lstrip(" =:\t"))
        if sign and rest:
            names[sign] = rest
    return coverage.from_hexes(coverage.cells_of(rows, names), name, words())


def from_file(data: bytes, names: Sequence[str], name: str) -> dict[str, Any]:
    """Return a bundle of the shapes of a file with the given names. Raises `MalformedRecord`,
    `LimitExceeded`.
    """
    bundle = limited.run(reading.bundle_of, data, names, name, words(), SECONDS)
    if isinstance(bundle, MalformedRecord):
        raise bundle
    return bundle


def look(data: bytes, names: Sequence[str] | None = None) -> Sheet:
    """Return a file as the page shows it before it becomes a draft, with the typed `names` if any.
    Raises `LimitExceeded`.
    """
    read_file = limited.run(reading.read_file, data, names, SECONDS)
    file_shapes = read_file.shapes
    if file_shapes.faults:
        more = len(file_shapes.faults) - MOST_TOLD
        faults = [sentence(one) for one in file_shapes.faults[:MOST_TOLD]]
        return Sheet(
            "",
            (),
            None,
            faults + ([_("And %(more)s more.") % {"more": more}] if more > 0 else []),
            0,
            0,
        )
    rows = [
        Row(n, name, not name and not one.ground, one.ground)
        for n, (one, name) in enumerate(zip(file_shapes.outlines, read_file.names, strict=True), 1)
    ]
    if read_file.laid is None:
        wrong = [sentence(read_file.fault)] if read_file.fault else []
        return Sheet(read_file.text, rows, None, wrong, file_shapes.lines, file_shapes.copies)
    covered = [
        sentence(Fault(f"shapes ({name})", "shape-covered")) for name in read_file.laid.covered
    ]
    return Sheet(
        read_file.text,
        rows,
        _picture(read_file.laid),
        (),
        file_shapes.lines,
        file_shapes.copies,
        covered,
    )


def as_json(sheet: Sheet) -> dict[str, Any]:
    """Return a sheet as JSON, to be kept until the page shows it."""
    picture = sheet.picture
    drawn = (
        None
        if picture is None
        else picture._asdict() | {"marks": [mark._asdict() for mark in picture.marks]}
    )
    return sheet._asdict() | {"rows": [row._asdict() for row in sheet.rows], "picture": drawn}


def from_json(kept: Mapping[str, Any], names: Sequence[str] | None = None) -> Sheet:
    """Return a kept sheet, with the names that the user has typed since then, if any."""
    rows = [Row(**row) for row in kept["rows"]]
    if names is not None:
        rows = [row._replace(name=name) for row, name in zip(rows, names, strict=False)]
    drawn = kept["picture"]
    picture = None
    if drawn is not None:
        provinces = [tuple(province) for province in drawn["provinces"]]
        marks = [Mark(**mark) for mark in drawn["marks"]]
        picture = Picture(**{**drawn, "provinces": provinces, "marks": marks})
    return Sheet(**{**kept, "rows": rows, "picture": picture})


def _picture(laid: coverage.Laid) -> Picture:
    provinces = []
    for name, area in laid.areas.items():
        spot = area.representative_point()
        provinces.append(
            (
                name,
                laid.path(name),
                name.startswith("#"),
                round(spot.x / 10, 1),
                round(spot.y / 10, 1),
            )
        )
    marks = [
        Mark(n, one.kind, one.x, one.y, max(one.wide, 24), max(one.high, 24), _mark_sentence(one))
        for n, one in enumerate(laid.troubles[:MOST_TOLD], 1)
    ]
    return Picture(laid.height, provinces, marks, len(laid.borders))


def _mark_sentence(one: coverage.Trouble) -> str:
    names = ", ".join(one.names)
    facts = {"names": names, "wide": f"{one.wide:.0f}", "high": f"{one.high:.0f}"}
    if one.kind == "overlap":
        return (
            _("Overlap of %(names)s, %(wide)s × %(high)s units. The smaller one keeps the land.")
            % facts
        )
    if one.kind == "hole":
        return _("Hole within %(names)s, %(wide)s × %(high)s units. It stays a lake.") % facts
    return (
        _(
            "Gap between %(names)s, %(wide)s × %(high)s units. They do not touch, so no border is"
            " set there."
        )
        % facts
    )


def sentence(fault: MalformedRecord) -> str:
    """A fault of a file, its shape by number and name."""
    match = PLACE.fullmatch(fault.where)
    if match is None:
        return (
            _("The file: %(why)s.") % {"why": fault.why}
            if fault.where.startswith("file")
            else f"{fault.why}."
        )
    facts: Mapping[str, str] = {"n": match[1] or "", "name": match[2] or "", "why": fault.why}
    if not match[1]:
        return _("The shape “%(name)s” %(why)s.") % facts
    if not match[2]:
        return _("Shape %(n)s %(why)s.") % facts
    return _("Shape %(n)s, “%(name)s”, %(why)s.") % facts
