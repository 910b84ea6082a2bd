"""A report as values: what is told, block by block; forums and pages give it their own dress."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from engine.effects import Effect, Roll


class Span(NamedTuple):
    """A piece of a line. `seat` is set where it names a seat, so that its colour can be shown;
    `link` an address; `picture` that of a picture, of which the text says what is on it.
    """

    text: str
    bold: bool = False
    italic: bool = False
    seat: str = ""
    link: str = ""
    picture: str = ""


Spans = tuple[Span, ...]


class Heading(NamedTuple):
    """Level 1 is the report's title, 2 a chapter, 3 a part of a chapter.

    `part` names a chapter that may be moved or left out, since it tells nothing that happened:
    `waits`.
    """

    spans: Spans
    level: int = 1
    part: str = ""


class Paragraph(NamedTuple):
    """One paragraph; `small` for what stands under a report."""

    spans: Spans
    small: bool = False


class Bullets(NamedTuple):
    """A list, one line an item."""

    items: tuple[Spans, ...]


class Table(NamedTuple):
    """Columns in monospace: the first to the left, all others to the right. Every row has as many
    cells as `head`.

    `part` as in `Heading`: `ledger`, accounts of which each change is told elsewhere in the report.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    part: str = ""


Block = Heading | Paragraph | Bullets | Table


class Line:
    """A standing entry of the log, as far as reports need it: its number, the move in record form,
    what it did and threw, the position after it. Entries with an audience are no lines.

    A report asks for few positions: `replay` makes this one when it is asked for. `origin` says how
    the table came to it, where that is more than that somebody announced it: who claimed a result,
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
        if self._replay is not None:
            self._after, self._replay = self._replay(), None
        return self._after


class Told(NamedTuple):
    """What a report tells of: an effect or roll, by the number of its entry."""

    number: int
    what: Effect | Roll


class Report(NamedTuple):
    """A report for everybody. `told` is each effect and roll it tells, in order; `untold` those
    that everybody may see and it does not tell: none, if the report is complete of its lines.
    `first` and `last` number its entries.
    """

    title: str
    blocks: tuple[Block, ...]
    told: tuple[Told, ...]
    untold: tuple[Told, ...]
    first: int
    last: int


class Contents(NamedTuple):
    """A line of the list of reports: its key, kind and name, the turn it belongs to, whether all of
    it has happened.
    """

    key: str
    kind: str
    name: str
    turn: int
    complete: bool


class Reporter(Protocol):
    """A title's reports. `start` is the position before the first line; `people` names who holds a
    seat.
    """

    @property
    def kinds(self) -> Sequence[str]:
        """Those of its reports that one may want to have told as soon as they are complete, in
        their order.
        """
        ...

    def contents(self, scenario: Any, lines: Sequence[Line]) -> Sequence[Contents]:
        """Every report there is to these lines, the latest turn first."""
        ...

    def report(
        self,
        scenario: Any,
        start: Any,
        lines: Sequence[Line],
        key: str,
        name: str,
        people: Mapping[str, str],
    ) -> Report | None:
        """The report of a key of `contents`, with the campaign's name; None where there is none."""
        ...


@runtime_checkable
class Carrying(Protocol):
    """A reporter that keeps what its list of reports needs of each turn, so that a line more costs
    no more than itself.
    """

    def carry(self, turns: tuple[Any, ...], lines: Sequence[Line]) -> tuple[Any, ...]:
        """What the list needs, turn by turn, after these further lines: plain values that can be
        compared.
        """
        ...

    def contents_of(self, scenario: Any, turn: Any) -> Sequence[Contents]:
        """The part of `contents` that is of one turn."""
        ...
