"""Reports as values: blocks of text that forums and pages render in their own form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect, Roll


class Span(NamedTuple):
    """A piece of a line.

    `seat` is set if it names a seat, so that its colour can be shown; `link` is an address;
    `picture` is the address of a picture, whose description is the text.
    """

    text: str
    bold: bool = False
    italic: bool = False
    seat: str = ""
    link: str = ""
    picture: str = ""


Spans = tuple[Span, ...]


class Heading(NamedTuple):
    """A heading: level 1 is the report's title, 2 a chapter, 3 a part of a chapter.

    `part` names a chapter that may be moved or left out, since it reports no event: `waits`.
    """

    spans: Spans
    level: int = 1
    part: str = ""


class Paragraph(NamedTuple):
    """A paragraph; `small` marks notes below a report.

    `part="headline"` marks a paragraph that belongs above the map: the sentence that says what the
    report is about. It may follow only the title or another such paragraph.
    """

    spans: Spans
    small: bool = False
    part: str = ""


HEADLINE = "headline"
"""The part of paragraphs that belong directly below the title, above the map."""


class Bullets(NamedTuple):
    """A list with one line for each item."""

    items: tuple[Spans, ...]


class Table(NamedTuple):
    """A table in monospace, with the first column to the left and all others to the right.

    Every row has as many cells as `head`. `part` as in `Heading`: `ledger`, accounts whose changes
    are reported elsewhere in the report.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    part: str = ""


class Code(NamedTuple):
    """Lines of which every character counts, such as hashes, in monospace."""

    lines: tuple[str, ...]


class Fold(NamedTuple):
    """Details that a reader opens: a heading, and the blocks below it. Folds are not nested.

    Boards that cannot fold show the heading, the blocks of `short`, and a link to `page`, which is
    the address of the whole report. Without an address they show all blocks, so that nothing is
    missing. A title leaves `page` empty.
    """

    heading: Spans
    blocks: tuple[Block, ...]
    short: tuple[Block, ...] = ()
    page: str = ""


Block = Heading | Paragraph | Bullets | Table | Code | Fold


class ReportEntry:
    """A log entry in force, with the facts that reports need.

    They are its number, the move in record form, its effects and rolls, and the position after it.
    Entries with an audience are not included.

    A report asks for few positions: `replay` makes this one when it is needed. `origin` says how
    the move came to the table, if there is more to say than who announced it: who claimed a result,
    who confirmed it.
    """

    __slots__ = ("number", "move", "effects", "rolls", "origin", "_after", "_replay")

    def __init__(
        self,
        number: int,
        move: Mapping[str, Any],
        effects: Sequence[Effect],
        rolls: Sequence[Roll],
        after: Any = None,
        replay: Callable[[], Any] | None = None,
        origin: str = "",
    ) -> None:
        self.number = number
        self.move = move
        self.effects = effects
        self.rolls = rolls
        self.origin = origin
        self._after = after
        self._replay = replay

    @property
    def after(self) -> Any:
        """The position after the entry, which is computed at the first use."""
        if self._replay is not None:
            self._after, self._replay = self._replay(), None
        return self._after


class ReportedEvent(NamedTuple):
    """An effect or a roll that a report contains, with the number of its entry."""

    number: int
    what: Effect | Roll


class Report(NamedTuple):
    """A report for everyone.

    `told` are the effects and rolls that the report contains, in order. `untold` are the public
    effects and rolls that it does not contain; a complete report has none. `first` and `last` are
    the numbers of its first and last entry.
    """

    title: str
    blocks: tuple[Block, ...]
    told: tuple[ReportedEvent, ...]
    untold: tuple[ReportedEvent, ...]
    first: int
    last: int


class Contents(NamedTuple):
    """A line of the list of reports: its key, kind and name, and its turn.

    `complete` says whether all of it has happened.
    """

    key: str
    kind: str
    name: str
    turn: int
    complete: bool


DRY = "dry"
"""The tone that says only what happened; the other one is `CHRONICLE`."""
CHRONICLE = "chronicle"
"""The tone in which a title may write a report in whole paragraphs of prose."""


class Reporter(Protocol):
    """The reports of a title.

    `start` is the position before the first line; `people` are the names of the users who hold
    seats.

    A report of a turn begins with its title and a paragraph of part `headline`. The table puts the
    map below them, and the other blocks below the map in the title's order: standings with their
    changes, battles, a line for each nation, a `Fold` with the details.
    """

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of reports that members can follow, in their order.

        A report is sent to its followers when it is complete.
        """
        ...

    def contents(self, scenario: Any, lines: Sequence[ReportEntry]) -> Sequence[Contents]:
        """Return all reports that these lines make possible, the latest turn first."""
        ...

    def report(
        self,
        scenario: Any,
        start: Any,
        lines: Sequence[ReportEntry],
        key: str,
        name: str,
        people: Mapping[str, str],
        tone: str = DRY,
    ) -> Report | None:
        """Return the report of a key of `contents`; None if it does not exist.

        `name` is the name of the campaign. `tone` is `DRY` or `CHRONICLE`; a title may write the
        same in both.
        """
        ...


@runtime_checkable
class WithRunningContents(Protocol):
    """A reporter that keeps the facts of each turn that its list of reports needs.

    A further line then takes time only for itself.
    """

    def carry(self, turns: tuple[Any, ...], lines: Sequence[ReportEntry]) -> tuple[Any, ...]:
        """Return the facts of each turn after these further lines.

        They are plain values that can be compared.
        """
        ...

    def contents_of(self, scenario: Any, turn: Any) -> Sequence[Contents]:
        """Return the part of `contents` that belongs to a turn."""
        ...
