"""BBCode of phpBB: the tags that every phpBB has."""

from __future__ import annotations

from html import escape

from forum.dialects.bbcode import BBCode


class PhpBB(BBCode):
    """Its default limit is 60,000 characters."""

    short = "phpBB"
    key, name, limit = "phpbb", "BBCode (phpBB)", 60_000
    sizes, small = {1: "150", 2: "120", 3: ""}, "85"

    def weight(self, text: str) -> int:
        """The characters phpBB counts: it escapes a post before it measures it."""
        return len(escape(text))
