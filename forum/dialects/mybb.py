"""BBCode of MyBB. Sizes have names there, and a line that begins with "/me" or "/slap" is a stage direction."""

from __future__ import annotations

import re

from engine.report import Spans
from forum.dialects.base import Context, by_bytes
from forum.dialects.bbcode import BBCode
from forum.dialects.inert import JOINER

_STAGE = re.compile(r"^/(?=\w)")


class MyBB(BBCode):
    """Its default limit is 65,535 bytes."""

    short = "MyBB"
    key, name, limit = "mybb", "BBCode (MyBB)", 65_535
    sizes, small = {1: "x-large", 2: "large", 3: ""}, "small"

    def weight(self, text: str) -> int:
        return by_bytes(text)

    def line(self, spans: Spans, context: Context, heading: bool = False) -> str:
        return _STAGE.sub("/" + JOINER, super().line(spans, context, heading))
