"""What counts as a link that somebody gives: an address of the web, kept and shown, never asked by us (`outside` does that)."""

from __future__ import annotations

from urllib.parse import urlsplit

from engine.strict_json import clean_text, printable

LONGEST = 500


def is_link(text: str, schemes: tuple[str, ...] = ("https",)) -> bool:
    """Is it one address with a host, of these schemes, in up to 500 characters that are all seen?

    None with a name before its host: `https://tabula.example@evil.example/` leads to evil.example.
    """
    try:
        parts = urlsplit(text)
        host, user = parts.hostname, parts.username is not None or parts.password is not None
    except ValueError:
        return False
    return (
        bool(host) and not user and parts.scheme in schemes and clean_text(text, LONGEST) and printable(text) and " " not in text
    )
