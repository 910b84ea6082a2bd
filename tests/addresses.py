"""The names of the site's addresses, read from its URL conf: lists of tests are held to them, so
that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import get_resolver


def patterns() -> dict[str, list[str]]:
    """The addresses as they are written, by their names; left out are the admin's, which are
    Django's own, and the API's.
    """
    result: dict[str, list[str]] = {}
    for name, written in _all(get_resolver().url_patterns):
        result.setdefault(name, []).append(written)
    return result


def names() -> set[str]:
    return set(patterns())


def _all(level: Any, before: str = "") -> Iterator[tuple[str, str]]:
    for one in level:
        if getattr(one, "namespace", None) in ("admin", "api"):  # tests/api has its own lists
            continue
        written = before + str(one.pattern)
        if hasattr(one, "url_patterns"):
            yield from _all(one.url_patterns, written)
        elif one.name:
            yield one.name, written
