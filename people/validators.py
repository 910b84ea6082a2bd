"""What people may write about themselves, and what no text of theirs may hold."""

import unicodedata
from functools import cache
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from engine.strict_json import printable, unseen
from people import names

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks that turn the direction of what follows them."""
FORMER = gettext_noop("a former player")


def fold(text: str) -> str:
    """The form under which two spellings are one: compatible characters and case made equal.

    Not the database's LOWER, which on SQLite knows ASCII only.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def plain(text: str) -> None:
    """Refuses control characters (line ends and tabs excepted), lone surrogates, and marks that
    nobody sees.
    """
    mark = unseen(text)
    if mark and (unicodedata.category(mark) in ("Cc", "Cs") or mark in TURNING):
        raise ValidationError(
            _("The text holds a character that cannot be shown. Type it again."), code="not-plain"
        )
    if mark:
        raise ValidationError(
            _("The text holds an invisible character. Type it again."), code="not-plain"
        )


def one_line(text: str) -> None:
    """Printable characters on one line: what may stand in a header, a title, a cell."""
    plain(text)
    if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in text):
        raise ValidationError(_("Write it on one line."), code="not-a-line")
    if not printable(text):
        raise ValidationError(
            _("The text holds an invisible character. Type it again."), code="not-printable"
        )


def name(text: str) -> None:
    """A user's name: letters, figures, single spaces and . ' _ - between them. No @, which marks an
    e-mail address.
    """
    inner = all(sign in " .'_-" or unicodedata.category(sign)[0] in "LMN" for sign in text)
    selects = any(
        "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef" for sign in text
    )  # seen by nobody
    if (
        not inner
        or selects
        or not printable(text)
        or "  " in text
        or text != text.strip(" ")
        or not any(map(str.isalnum, text))
    ):
        raise ValidationError(
            _("A name has letters, figures, single spaces and . ' _ - only. Choose another."),
            code="not-a-name",
        )
    if fold(text) in formers():
        raise ValidationError(
            _("This name is for people who have left. Choose another."), code="not-a-name"
        )


@cache
def formers() -> frozenset[str]:
    """What the table calls somebody who has been erased, folded, in every language: nobody living
    may be called so.
    """
    names = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            names.add(fold(translation.gettext(FORMER)))
    return frozenset(names)


@cache
def zones() -> tuple[str, ...]:
    """Time zones by their place; the odd aliases of the database are left out."""
    areas = (
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    )
    return (
        "UTC",
        *sorted(
            zone for zone in available_timezones() if zone.split("/")[0] in areas and "/" in zone
        ),
    )


def zone(text: str) -> None:
    """An IANA time zone that this installation knows."""
    if text not in zones():
        raise ValidationError(
            _("There is no such time zone. Choose one from the list."), code="not-a-zone"
        )


def of_its_own(text: str) -> None:
    """Refuse a name that looks like the name for users who have left."""
    if names.skeleton(text) in {names.skeleton(former) for former in formers()}:
        raise ValidationError(
            _("This name is for people who have left. Choose another."), code="not-a-name"
        )


CHOSEN = [names.one_script, names.not_reserved, of_its_own]
"""Further rules for names that a user chooses. Existing names are not checked."""
username_validators = [name, *CHOSEN]
