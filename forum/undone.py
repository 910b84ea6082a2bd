"""The report of an undo or a restoration: by whom, why, and which moves it concerns. For any title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.report import Bullets, Heading, Paragraph, Report, Span


class Struck(NamedTuple):
    """A move that was struck: its number, the seat and its name, its words as everybody may read them."""

    number: int
    seat: str
    name: str
    text: str


def undo_report(campaign: str, number: int, text: str, by: str, moves: Sequence[Struck]) -> Report:
    """`text` is the log's own sentence of the act; `moves` are in the order in which they were made."""
    title = f"{campaign}, undo (entry {number})"
    told = Paragraph((Span(text), Span(f" ({by})" if by else "")))
    lines = Bullets(tuple((Span(f"{move.number}: "), Span(move.name, seat=move.seat), Span(f": {move.text}")) for move in moves))
    heading = Heading((Span("Struck, and to be read in the log"),), 2)
    end = Paragraph((Span(f"Entry {number}."),), small=True)
    blocks = (Heading((Span(title),), 1), told, *((heading, lines) if moves else ()), end)
    return Report(title, blocks, (), (), number, number)
