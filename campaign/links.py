"""What counts as a link that somebody gives: an address of the web, kept and shown, never asked by us (`outside` does that)."""

from __future__ import annotations

from urllib.parse import urlsplit

from engine.strict_json import clean_text

LONGEST = 500


def is_link(text: str, schemes: tuple[str, ...] = ("https",)) -> bool:
    """Is it one address with a host, of these schemes, in up to 500 characters that can be shown?"""
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        return False
    return bool(host) and parts.scheme in schemes and clean_text(text, LONGEST) and not any(sign.isspace() for sign in text)
