"""What a dialect is: how each block of a report is written, how a board counts letters, how many it takes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from engine.report import Block, Report
from forum.dialects import splitting


class Context(NamedTuple):
    """What a report is dressed with: `colours` of the seats by their keys, as `#rrggbb`."""

    colours: Mapping[str, str] = {}


class Dialect(ABC):
    """A way of writing that some boards read. What people typed opens, closes, links, mentions nothing in any of them."""

    key: ClassVar[str]
    name: ClassVar[Any]
    short: ClassVar[Any]
    """What it is called where there is little room."""
    limit: ClassVar[int]
    """The weight of one post that boards take by default."""
    between: ClassVar[str] = "\n"
    """What stands between two blocks."""
    colours: ClassVar[bool] = False
    """Are nations shown in their colours?"""
    tables: ClassVar[bool] = False
    """Are tables tables? Else they stand aligned in a fixed-width font."""

    @abstractmethod
    def block(self, block: Block, context: Context) -> str:
        """One block."""

    def weight(self, text: str) -> int:
        """What the board counts against its limit."""
        return len(text)

    def parts(self, report: Report, context: Context, limit: int | None = None) -> list[Report]:
        """The report as reports that fit into a post each, in order; where there are several, each says which it is."""
        weigh = lambda block: self.weight(self.block(block, context))  # noqa: E731
        return splitting.parts(report, weigh, self.limit if limit is None else limit, self.weight(self.between))

    def text(self, report: Report, context: Context) -> str:
        """The whole report, whatever its weight."""
        return self.between.join(self.block(block, context) for block in report.blocks)

    def render(self, report: Report, context: Context, limit: int | None = None) -> list[str]:
        """The report as posts of at most `limit`, by default the board's usual one."""
        return [self.text(part, context) for part in self.parts(report, context, limit)]


def by_utf16(text: str) -> int:
    """Letters as JavaScript counts them."""
    return len(text.encode("utf-16-le")) // 2


def by_bytes(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text.encode())
