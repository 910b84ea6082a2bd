"""Sentences that are composed in Python and contain times as HTML."""

from __future__ import annotations

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString


def with_times(text: str, **facts: str | int) -> SafeString:
    """Return a sentence of this site with facts filled in, some of which are times as HTML."""
    texts = {name: fact if isinstance(fact, str) else str(fact) for name, fact in facts.items()}
    escaped = {name: conditional_escape(fact) for name, fact in texts.items()}
    return SafeString(text % escaped)
