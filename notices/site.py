"""Addresses of this site, as messages that leave it have them."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings


def site(path: str = "") -> str:
    """Return the full address of a path of this site."""
    return settings.SITE_URL.rstrip("/") + path


def host() -> str:
    """Return the host name of this site."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"
