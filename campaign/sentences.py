"""The typed texts of moves and acts, and the sentence that replaces a removed text.

The hash of an entry covers its texts, so a removed text is kept sealed (`LogEntry.sealed`), and the
entry's content has the sentence instead. A position never depends on such a text: the title's rules
carry it only as a cause.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from hashlib import sha256
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from campaign.dates import written
from campaign.log.acts.registry import BINDS_TEXTS


def removal_text(at: date, reason: str) -> str:
    """Return the sentence that replaces a removed text, in the current language."""
    return _("Removed by the host’s moderator on %(day)s: %(reason)s") % {
        "day": written(at, "j F Y"),
        "reason": reason,
    }


TYPED = ("headline", "text", "reason", "word", "line")
"""The fields of a move or act that hold what a user typed."""


LINKS = ("url",)
"""Such fields that hold an address, which is removed without a sentence."""


def first_text(at: date, reason: str) -> str:
    """Return the sentence in English, as it is stored."""
    with translation.override("en"):
        return removal_text(at, reason)


def texts(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the typed texts of a move or act by their paths.

    A path is `reason`, for example, or `move.reason` of the move that a claim names.
    """
    return dict(_texts(content))


def _texts(content: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the typed texts with their paths."""
    if content.get("act") in BINDS_TEXTS:
        return
    for key in (*TYPED, *LINKS):
        if isinstance(value := content.get(key), str) and value.strip():
            yield above + key, value
    if isinstance(move := content.get("move"), Mapping):
        yield from _texts(move, f"{above}move.")


def with_hashes(content: dict[str, Any], salt: str) -> dict[str, Any]:
    """Return the content with a salted SHA-256 in place of each typed text.

    The hash of a log entry covers this form. Without the text the entry can still be checked;
    without the salt the text cannot be guessed.
    """
    for path, text in texts(content).items():
        *above, key = path.split(".")
        place = content
        for part in above:
            place = place[part]
        place[key] = "sha256:" + sha256(f"{salt}\n{text}".encode()).hexdigest()
    return content


def put(content: dict[str, Any], paths: list[str], sentence: str) -> dict[str, Any]:
    """Return the content with this sentence in place of these texts, and empty addresses."""
    for path in paths:
        *above, key = path.split(".")
        place = content
        for part in above:
            place = place[part]
        place[key] = "" if key in LINKS else sentence
    return content


def swap(value: Any, old: Mapping[str, str]) -> Any:
    """Return a JSON value with the strings of `old` replaced.

    Effects and notices keep such copies of texts.
    """
    if isinstance(value, str):
        return old.get(value, value)
    if isinstance(value, Mapping):
        return {key: swap(part, old) for key, part in value.items()}
    return [swap(part, old) for part in value] if isinstance(value, list) else value
