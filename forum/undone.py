"""The report of an undo or a restoration: by whom, why, and which moves it concerns. For any title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.report import Bullets, Heading, Paragraph, Report, Span


class Struck(NamedTuple):
    """A move that was struck or put back: its number, the seat and its name, its words as everybody may read them."""

    number: int
    seat: str
    name: str
    text: str


KINDS = {"undo": ("undo", "Struck, and to be read in the log"), "restore": ("restoration", "In force again")}


def undo_report(
    campaign: str, kind: str, number: int, text: str, by: str, moves: Sequence[Struck], restored: int | None = None
) -> Report:
    """`kind` is the act's name, `text` the log's own sentence of it; `moves` are those it turned, in the order in which
    they were made. `restored` is the entry that took an undo back since."""
    name, over = KINDS[kind]
    title = f"{campaign}, {name} (entry {number})"
    told = Paragraph((Span(text), Span(f" ({by})" if by else "")))
    lines = Bullets(tuple((Span(f"{move.number}: "), Span(move.name, seat=move.seat), Span(f": {move.text}")) for move in moves))
    heading = Heading((Span(over),), 2)
    since = f" Restored by entry {restored}." if restored is not None else ""
    end = Paragraph((Span(f"Entry {number}.{since}"),), small=True)
    blocks = (Heading((Span(title),), 1), told, *((heading, lines) if moves else ()), end)
    return Report(title, blocks, (), (), number, number)
