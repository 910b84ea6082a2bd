"""Full addresses of this site, for messages that are read elsewhere."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings


def full_url(path: str = "") -> str:
    """Return the full address of a path of this site."""
    return settings.SITE_URL.rstrip("/") + path


def host_name() -> str:
    """Return the host name of this site."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"
