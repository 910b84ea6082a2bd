"""Read the sheet of a campaign that runs elsewhere, and judge it by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, NotRequired, TypedDict

from campaign import limited
from campaign.limited import LimitExceeded
from engine.errors import IllegalMove
from engine.language import language, reading_in
from games.grand_campaign.rules.position import Position
from games.grand_campaign.text import resume_sheet
from games.grand_campaign.text.resume_sheet import LINES, Typed, Wrong
from web.frame.table import TableContext

SMALL = 8_000
"""The most characters of a sheet that is read without a child process."""
MOST_SHOWN = 100
"""The most faults that the page shows."""


class GivenProvince(TypedDict):
    """A province as a line of the sheet has it."""

    owner: str | None
    fortification: NotRequired[str | None]
    fleet: NotRequired[bool]


class ReadSheet(NamedTuple):
    """A sheet with the pasted table in it, the move `resume` that it gives, and its faults.

    If there are faults, the move is empty. `provinces` are the lines that can be read, for the map.
    """

    typed: Typed
    move: Mapping[str, object]
    provinces: Mapping[str, GivenProvince]
    faults: Sequence[Wrong]


@dataclass(frozen=True, slots=True)
class JudgedSheet:
    """A sheet, and the position after its move; None if the move is not possible."""

    sheet: ReadSheet
    after: Position | None

    def refused(self, why: str) -> JudgedSheet:
        """Return the same sheet with the fault that its move is refused."""
        return replace(self, sheet=self.sheet._replace(faults=[Wrong("", why)]))


def read_within_limits(typed: Typed, pasted: str | None, position: Position) -> ReadSheet:
    """Read a sheet, in a child process if it has more than `SMALL` characters.

    If that takes too long, this is its only fault.
    """
    try:
        if count_characters(typed, pasted) <= SMALL:
            return read_sheet(typed, pasted, position, language())
        return limited.run(read_sheet, typed, pasted, position, language(), with_django=True)
    except LimitExceeded as refused:
        return ReadSheet(typed, {}, {}, [Wrong("", str(refused))])


def count_characters(typed: Typed, pasted: str | None) -> int:
    """Return how many characters of a sheet may take long to read."""
    cells = [cell for row in typed.nations.values() for cell in row.values()]
    lines = [*typed.provinces, *typed.truces, *typed.targets]
    return sum(len(text) + 1 for text in (*cells, *lines, pasted or ""))


def read_sheet(typed: Typed, pasted: str | None, position: Position, tongue: str) -> ReadSheet:
    """Read the pasted table into a sheet and judge it by the rules.

    If some cells cannot be read, the rules judge the others: the page shows the faults of both.

    Args:
        typed: The sheet; the pasted table is written into it.
        pasted: The table; None if there is none.
        position: The beginning of the campaign.
        tongue: The language of the faults.
    """
    scenario = position.scenario
    with reading_in(tongue):
        unread = []
        if pasted is not None:
            unread += resume_sheet.read_table(pasted, scenario, position, typed)
        move, unread_cells = resume_sheet.judge(typed, scenario, position)
        unread += unread_cells
        places = {fault.place for fault in unread}
        refused = [
            fault
            for fault in resume_sheet.faults_of(position, move)
            if not is_explained_by(fault.place, places)
        ]
    faults = [*unread, *refused]
    return ReadSheet(typed, {} if faults else move, move["provinces"], faults[:MOST_SHOWN])


def is_explained_by(place: str, unread: set[str]) -> bool:
    """Return whether a cell or line that cannot be read explains a fault at this place."""
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
