"""The report of an undo or a restoration: by whom, why, and which moves it concerns. For any title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from engine.report import Bullets, Heading, Paragraph, Report, Span


class Struck(NamedTuple):
    """A move that was struck or put back: its number, the seat and its name, its words as everybody may read them."""

    number: int
    seat: str
    name: str
    text: str


KINDS = {
    "undo": (gettext_noop("%(campaign)s, undo (entry %(entry)s)"), gettext_noop("Struck, and to be read in the log")),
    "restore": (gettext_noop("%(campaign)s, restoration (entry %(entry)s)"), gettext_noop("In force again")),
}


def undo_report(
    campaign: str, kind: str, number: int, text: str, by: str, moves: Sequence[Struck], restored: int | None = None
) -> Report:
    """`kind` is the act's name, `text` the log's own sentence of it; `moves` are those it turned, in the order in which
    they were made. `restored` is the entry that took an undo back since."""
    name, over = KINDS[kind]
    title = _(name) % {"campaign": campaign, "entry": number}
    told = Paragraph((Span(text), Span(f" ({by})" if by else "")))
    lines = Bullets(tuple((Span(f"{move.number}: "), Span(move.name, seat=move.seat), Span(f": {move.text}")) for move in moves))
    heading = Heading((Span(_(over)),), 2)
    facts = {"entry": number, "restored": restored}
    ends = _("Entry %(entry)s.") if restored is None else _("Entry %(entry)s. Restored by entry %(restored)s.")
    end = Paragraph((Span(ends % facts),), small=True)
    blocks = (Heading((Span(title),), 1), told, *((heading, lines) if moves else ()), end)
    return Report(title, blocks, (), (), number, number)
