"""The names of the site's addresses from its URL conf, so that tests miss none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import get_resolver


def patterns() -> dict[str, list[str]]:
    """Return the address patterns by name.

    The addresses of the admin, which are Django's, and of the API are left out.
    """
    result: dict[str, list[str]] = {}
    for name, written in _all(get_resolver().url_patterns):
        result.setdefault(name, []).append(written)
    return result


def names() -> set[str]:
    return set(patterns())


def _all(level: Any, before: str = "") -> Iterator[tuple[str, str]]:
    for pattern in level:
        if getattr(pattern, "namespace", None) in ("admin", "api"):  # tests/api has its own lists
            continue
        written = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from _all(pattern.url_patterns, written)
        elif pattern.name:
            yield pattern.name, written
