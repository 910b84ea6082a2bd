"""A secret that was made just now: it lies sealed in the session until the next page has shown it, once."""

from __future__ import annotations

from cryptography.fernet import InvalidToken
from django.http import HttpRequest

from campaign import keys


def keep(request: HttpRequest, kind: str, name: str, secret: str) -> None:
    """`kind` is the page's own word; `name` what the secret is of."""
    request.session[kind] = {"name": name, "sealed": keys.seal(secret)}


def take(request: HttpRequest, kind: str) -> dict[str, str] | None:
    """`name` and `secret` for the page that a GET asks for; None where there is none, or it was shown."""
    if request.method != "GET" or (kept := request.session.pop(kind, None)) is None:
        return None
    try:
        return {"name": kept["name"], "secret": keys.unseal(kept["sealed"])}
    except InvalidToken:
        return None
