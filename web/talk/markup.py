"""The minimal markup of messages.

*strong*, _stress_, lines that begin with > are quoted, #12 leads to an entry. There is nothing
else: addresses do not become links, and pictures are not loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

INLINE = re.compile(
    r"\*(?P<strong>[^*\s](?:[^*\n]*[^*\s])?)\*"
    r"|(?<!\w)_(?P<stress>[^_\s](?:[^_\n]*[^_\s])?)_(?!\w)"
    r"|(?<![\w&])#(?P<entry>[0-9]{1,6})\b"
)
QUOTE = ">"

EntryUrl = Callable[[int], str]


def marked_up(text: str, entry_url: EntryUrl) -> SafeString:
    """Return a message as HTML, with all text escaped."""
    blocks: list[SafeString] = []
    for part in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        blocks += paragraphs(part.split("\n"), entry_url)
    return SafeString("".join(blocks))


def paragraphs(lines: Sequence[str], entry_url: EntryUrl) -> Iterator[SafeString]:
    """Yield a paragraph for each group of consecutive lines that are quoted, or are not."""
    for is_quoted, group in groupby(lines, key=lambda line: line.startswith(QUOTE)):
        texts = [line[1:].lstrip() if is_quoted else line for line in group]
        body = SafeString("<br>".join(inline(line, entry_url) for line in texts))
        frame = "<blockquote><p>{}</p></blockquote>" if is_quoted else "<p>{}</p>"
        yield format_html(frame, body)


def inline(line: str, entry_url: EntryUrl) -> SafeString:
    """Return a line as HTML."""
    parts: list[str] = []
    at = 0
    for hit in INLINE.finditer(line):
        parts += [line[at : hit.start()], marked_part(hit, entry_url)]
        at = hit.end()
    parts.append(line[at:])
    return format_html_join("", "{}", ((part,) for part in parts))


def marked_part(hit: re.Match[str], entry_url: EntryUrl) -> SafeString:
    """Return a part of a line that has markup."""
    if hit["strong"]:
        return format_html("<strong>{}</strong>", hit["strong"])
    if hit["stress"]:
        return format_html("<em>{}</em>", hit["stress"])
    return format_html('<a href="{}">#{}</a>', entry_url(int(hit["entry"])), hit["entry"])
