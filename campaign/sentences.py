"""Sentences that every noun needs: days as the reader's language writes them, and what stands in a
removed text's place.

Where the parts of a day stand, and whether a short month begins small, is a matter of the language;
so the format is a message, too. Django's own names of the months begin with a capital in languages
that write them small: ours are asked first.

The hash of an entry covers its texts, so a removed one stays sealed (`LogEntry.sealed`), and
`LogEntry.what` has the sentence that stands in its place. A position never depends on such a text:
the title's rules carry it as a cause and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_noop, pgettext_lazy
from django.utils.translation import gettext as _

FORMS = {
    # A translation is a format of Django's, too: `b` is a short month that begins small, `\d\e` are
    # letters.
    "j M": pgettext_lazy("format of a date", "j M"),
    "j M Y": pgettext_lazy("format of a date", "j M Y"),
    "j M H:i": pgettext_lazy("format of a date", "j M H:i"),
    "j M Y H:i": pgettext_lazy("format of a date", "j M Y H:i"),
    "j F Y": pgettext_lazy("format of a date", "j F Y"),
    "j F": pgettext_lazy("format of a date", "j F"),
    "j F Y, H:i": pgettext_lazy("format of a date", "j F Y, H:i"),
}


MONTHS = (
    gettext_noop("January"),
    gettext_noop("February"),
    gettext_noop("March"),
    gettext_noop("April"),
    gettext_noop("May"),
    gettext_noop("June"),
    gettext_noop("July"),
    gettext_noop("August"),
    gettext_noop("September"),
    gettext_noop("October"),
    gettext_noop("November"),
    gettext_noop("December"),
)
"""What Django asks for by `F`."""


def written(moment: date, form: str) -> str:
    """A day or a moment in its own zone, by one of FORMS."""
    at = (moment.hour, moment.minute) if isinstance(moment, datetime) else None
    return _written(get_language(), form, moment.year, moment.month, moment.day, at)


@lru_cache(4096)
def _written(
    _language: str | None, form: str, year: int, month: int, day: int, at: tuple[int, int] | None
) -> str:
    """No form has seconds or a zone, so that a page that names a minute often has it
    written once.
    """
    moment = date(year, month, day) if at is None else datetime(year, month, day, *at)  # noqa: DTZ001  read as it stands
    return str(date_format(moment, str(FORMS[form])))


def removal_text(at: date, reason: str) -> str:
    """What stands in the place of a removed text, in the language of now."""
    return _("Removed by the host’s moderator on %(day)s: %(reason)s") % {
        "day": written(at, "j F Y"),
        "reason": reason,
    }


TYPED = ("headline", "text", "reason", "word", "line")
"""Fields of a move or act that hold what a person typed."""


LINKS = ("url",)
"""Such fields that hold an address: nothing stands in its place."""


BOUND = frozenset({"genesis", "mix"})
"""Acts whose texts are part of the dice: without them nobody could check these."""


def first_text(at: date, reason: str) -> str:
    """The same in English, as it is stored."""
    with translation.override("en"):
        return removal_text(at, reason)


def texts(content: Mapping[str, Any]) -> dict[str, str]:
    """The typed texts of a move or act by their paths: `reason`, or `move.reason` of the move that
    a claim means.
    """
    return dict(_texts(content))


def _texts(content: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    if content.get("act") in BOUND:
        return
    for key in (*TYPED, *LINKS):
        if isinstance(value := content.get(key), str) and value.strip():
            yield above + key, value
    if isinstance(move := content.get("move"), Mapping):
        yield from _texts(move, f"{above}move.")


def with_hashes(content: dict[str, Any], salt: str) -> dict[str, Any]:
    """Return the content with a salted SHA-256 in place of each typed text, as the hash of a log
    entry covers it.

    Without the text you can still check the entry; without the salt you cannot guess the text.
    """
    for path, text in texts(content).items():
        *above, key = path.split(".")
        place = content
        for part in above:
            place = place[part]
        place[key] = "sha256:" + sha256(f"{salt}\n{text}".encode()).hexdigest()
    return content


def put(content: dict[str, Any], paths: list[str], sentence: str) -> dict[str, Any]:
    """The content with this sentence in the place of these texts, and nothing in the place of
    addresses.
    """
    for path in paths:
        *above, key = path.split(".")
        place = content
        for part in above:
            place = place[part]
        place[key] = "" if key in LINKS else sentence
    return content


def swap(value: Any, old: Mapping[str, str]) -> Any:
    """Any JSON value with the strings of `old` replaced: a copy of a text, as effects and notices
    keep it.
    """
    if isinstance(value, str):
        return old.get(value, value)
    if isinstance(value, Mapping):
        return {key: swap(one, old) for key, one in value.items()}
    return [swap(one, old) for one in value] if isinstance(value, list) else value
