"""The reading of a sheet from a campaign that runs elsewhere, and its check by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, NotRequired, TypedDict

from campaign import limited_process
from campaign.limited_process import LimitExceeded
from engine.errors import IllegalMove
from engine.language import language, use_language
from games.grand_campaign.rules.position import Position
from games.grand_campaign.text import resume_sheet
from games.grand_campaign.text.resume_sheet import LINES, SheetFault, TypedSheet
from web.frame.table import TableContext

SMALL = 8_000
"""The most characters of a sheet that is read without a child process."""
MOST_SHOWN = 100
"""The most faults that the page shows."""


class GivenProvince(TypedDict):
    """A province from a line of the sheet."""

    owner: str | None
    fortification: NotRequired[str | None]
    fleet: NotRequired[bool]


class ReadSheet(NamedTuple):
    """A sheet with the pasted table in it, the move `resume` that it gives, and its faults.

    The move is empty if there are faults. `provinces` has the readable lines, for the map.
    """

    typed_sheet: TypedSheet
    move: Mapping[str, object]
    provinces: Mapping[str, GivenProvince]
    faults: Sequence[SheetFault]


@dataclass(frozen=True, slots=True)
class JudgedSheet:
    """A sheet, and the position after its move, or None if the move is not possible."""

    sheet: ReadSheet
    after: Position | None

    def refused(self, why: str) -> JudgedSheet:
        """Return the sheet with the fault that its move is refused."""
        return replace(self, sheet=self.sheet._replace(faults=[SheetFault("", why)]))


def read_within_limits(
    typed_sheet: TypedSheet, pasted: str | None, position: Position
) -> ReadSheet:
    """Read a sheet, in a child process if it has more than `SMALL` characters.

    If reading exceeds the limits, this is its only fault.
    """
    try:
        if count_characters(typed_sheet, pasted) <= SMALL:
            return read_sheet(typed_sheet, pasted, position, language())
        return limited_process.run(
            read_sheet, typed_sheet, pasted, position, language(), with_django=True
        )
    except LimitExceeded as refused:
        return ReadSheet(typed_sheet, {}, {}, [SheetFault("", str(refused))])


def count_characters(typed_sheet: TypedSheet, pasted: str | None) -> int:
    """Return the number of characters of a sheet that may take long to read."""
    cells = [cell for row in typed_sheet.nations.values() for cell in row.values()]
    lines = [*typed_sheet.provinces, *typed_sheet.truces, *typed_sheet.targets]
    return sum(len(text) + 1 for text in (*cells, *lines, pasted or ""))


def read_sheet(
    typed_sheet: TypedSheet, pasted: str | None, position: Position, tongue: str
) -> ReadSheet:
    """Read the pasted table into a sheet and check it by the rules.

    If some cells cannot be read, the rules check the others, and the page shows the faults of both.

    Args:
        typed_sheet: The sheet, into which the pasted table is written.
        pasted: The table, or None if there is none.
        position: The start of the campaign.
        tongue: The language of the faults.
    """
    scenario = position.scenario
    with use_language(tongue):
        unread = []
        if pasted is not None:
            unread += resume_sheet.read_table(pasted, scenario, position, typed_sheet)
        move, unread_cells = resume_sheet.read_move(typed_sheet, scenario, position)
        unread += unread_cells
        places = {fault.place for fault in unread}
        refused = [
            fault
            for fault in resume_sheet.faults_of(position, move)
            if not is_explained_by(fault.place, places)
        ]
    faults = [*unread, *refused]
    return ReadSheet(typed_sheet, {} if faults else move, move["provinces"], faults[:MOST_SHOWN])


def is_explained_by(place: str, unread: set[str]) -> bool:
    """Return whether an unreadable cell or line explains a fault at this place."""
    part = place.partition(".")[0]
    if place in unread:
        return True
    if part in LINES:
        return any(unread_place.startswith(part) for unread_place in unread)
    return not place and bool(unread)


def judge(table: TableContext, sheet: ReadSheet) -> JudgedSheet:
    """Return a sheet with the position after its move, or with the fault that it is refused."""
    if sheet.faults:
        return JudgedSheet(sheet, None)
    try:
        move = table.title.decode(sheet.move, table.position)
        move.admit(table.position)
        (branch,) = table.title.branches(table.position, move)
    except IllegalMove as refusal:
        return JudgedSheet(sheet, None).refused(table.why_not(refusal))
    return JudgedSheet(sheet, branch.after)
