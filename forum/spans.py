"""Translated sentences with parts that a report shows in another form: bold, coloured, linked."""

from __future__ import annotations

import re

from games.contract.report import Span, Spans

PLACEHOLDER = re.compile(r"%\((\w+)\)s")


def filled_spans(sentence: str, **values: Span | Spans | str | int) -> Spans:
    """Return a sentence with its placeholders `%(name)s` filled; values may be spans."""
    pieces: list[Span] = []
    text = ""
    for n, piece in enumerate(PLACEHOLDER.split(sentence)):
        value = values[piece] if n % 2 else piece
        if isinstance(value, (str, int)):
            text += str(value)
            continue
        pieces += [Span(text)] if text else []
        pieces += [value] if isinstance(value, Span) else value
        text = ""
    return (*pieces, Span(text)) if text else tuple(pieces)
