"""The addresses that a campaign leads to, read from `api/urls.py`: a new resource stands among them by itself."""

from __future__ import annotations

from functools import cache

from django.urls import reverse


@cache
def _plain() -> tuple[str, ...]:
    """The names of those addresses that ask for a campaign and nothing else, and can be read."""
    from api.urls import resources

    readable = [one for one in resources if hasattr(vars(one.callback)["cls"], "get")]
    return tuple(str(one.name) for one in readable if str(one.pattern).count("<") == 1)


def campaign(ref: str) -> dict[str, str]:
    return {name: reverse(f"api:{name}", args=[ref]) for name in _plain()}
