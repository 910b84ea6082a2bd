"""Messages with names filled in as spans, so that a report keeps the colours of nations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import Formatter

from engine.language import Name
from games.contract.report import Span, Spans

Value = Span | Spans | str | int


def fill_spans(message: str, **named: Value) -> Spans:
    """Return a message as spans; its arguments may be spans too."""
    pieces: list[Span] = []
    for literal, name, form, _ in Formatter().parse(message):
        if literal:
            pieces.append(Span(literal))
        if name:
            pieces += _formed(_as_spans(named[name]), form or "")
    return tuple(pieces)


def _as_spans(value: Value) -> Spans:
    if isinstance(value, (str, int)):
        return (Span(value if isinstance(value, str) else str(value)),)
    return (value,) if isinstance(value, Span) else value


def _formed(spans: Spans, form: str) -> Spans:
    """Return the spans with their names in a form of the language."""
    pieces: list[Span] = []
    for span in spans:
        if not form or not isinstance(span.text, Name):
            pieces.append(span)
        elif "|" in form:  # This word agrees with the first name.
            return (Span(format(span.text, form)),)
        else:
            pieces += _with_article(span, format(span.text, form))
    return tuple(pieces)


def _with_article(span: Span, text: str) -> list[Span]:
    """Return a name with its article, which is not part of the coloured name."""
    begin = text.lower().rfind(str(span.text).lower().removeprefix("the ")[:3])
    if not span.seat or begin <= 0:
        return [span._replace(text=text)]
    return [Span(text[:begin]), span._replace(text=text[begin:])]


def as_clause(message: str) -> str:
    """Return the message of a sentence as that of a clause: no full stop, no capital."""
    return re.sub(
        r"^\{(\w+):([A-Z])", lambda begin: f"{{{begin[1]}:{begin[2].lower()}", message
    ).removesuffix(".")


def with_capital(spans: Spans) -> Spans:
    """Return the spans with a capital letter at the beginning."""
    first, *rest = spans
    return (first._replace(text=first.text[:1].upper() + first.text[1:]), *rest)


def with_stop(spans: Spans) -> Spans:
    """Return the spans with a full stop, unless they already end with one."""
    text = "".join(span.text for span in spans).rstrip("”»“\"')")
    return spans if text.endswith((".", "!", "?", "…")) else (*spans, Span("."))


def merge_spans(spans: Iterable[Span]) -> Spans:
    """Return the spans with neighbours of the same kind in one."""
    merged: list[Span] = []
    for span in spans:
        if merged and not span.seat and merged[-1]._replace(text="") == span._replace(text=""):
            merged[-1] = span._replace(text=merged[-1].text + span.text)
        else:
            merged.append(span)
    return tuple(merged)


def join_spans(parts: Sequence[Spans], between: str, last: str = "") -> Spans:
    """Return the parts with a text between them, and another one before the last."""
    spans: list[Span] = []
    for n, part in enumerate(parts):
        if n:
            spans.append(Span(last if last and n == len(parts) - 1 else between))
        spans += part
    return tuple(spans)
