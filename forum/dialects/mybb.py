"""BBCode of MyBB. Sizes have names there, and "/me" or "/slap" is a stage direction at the beginning of a line or a tag."""

from __future__ import annotations

import re

from engine.report import Block, Spans
from forum.dialects.base import Context, by_bytes
from forum.dialects.bbcode import BBCode
from forum.dialects.inert import JOINER

_LINE = re.compile(r"^/(?=\w)", re.MULTILINE)
_STAGE = re.compile(r"/(?=me\b|slap\b|$)", re.IGNORECASE)


class MyBB(BBCode):
    """Its default limit is 65,535 bytes."""

    short = "MyBB"
    key, name, limit = "mybb", "BBCode (MyBB)", 65_535
    sizes, small = {1: "x-large", 2: "large", 3: ""}, "small"

    def weight(self, text: str) -> int:
        return by_bytes(text)

    def block(self, block: Block, context: Context) -> str:
        return _LINE.sub("/" + JOINER, super().block(block, context))

    def line(self, spans: Spans, context: Context, heading: bool = False) -> str:
        return _LINE.sub("/" + JOINER, super().line(spans, context, heading))

    def typed(self, text: str) -> str:
        return _STAGE.sub("/" + JOINER, super().typed(text))
