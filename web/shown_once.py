"""A secret that was made just now: it lies sealed in the session until the next page has shown it, once."""

from __future__ import annotations

from typing import Any

from cryptography.fernet import InvalidToken
from django.http import HttpRequest

from campaign import keys


def keep(request: HttpRequest, kind: str, name: str, secret: str, **more: Any) -> None:
    """`kind` is the page's own word; `name` what the secret is of; `more` what the page wants to know of it."""
    request.session[kind] = {"name": name, "sealed": keys.seal(secret), **more}


def take(request: HttpRequest, kind: str, **wanted: Any) -> dict[str, Any] | None:
    """What was kept, with its `secret`, for the page that a GET asks for: no browser keeps a copy of that. None where there is
    none, where it was shown, or where `wanted` says otherwise than what was kept with it."""
    kept: dict[str, Any] = request.session.get(kind) or {}
    if request.method != "GET" or not kept or wanted.items() - kept.items():
        return None
    del request.session[kind]
    try:
        secret = keys.unseal(kept.pop("sealed"))
    except InvalidToken:
        return None
    request.shows_a_secret = True  # type: ignore[attr-defined]
    return {**kept, "secret": secret}
