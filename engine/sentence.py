"""A message with its facts put in."""

from __future__ import annotations

from engine.language import Name


def sentence(text: object, /, **facts: object) -> str:
    """`text` with `{name}` for each fact; a text may ask for any of them in a form of its language, `{name:di}` (`Name`)."""
    names = {key: Name(fact) if isinstance(fact, str) and not isinstance(fact, Name) else fact for key, fact in facts.items()}
    return str(text).format_map(names)
