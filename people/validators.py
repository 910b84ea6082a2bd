"""Validators for names, time zones and other text that users enter."""

import unicodedata
from functools import cache
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from engine.strict_json import first_invisible, is_printable
from people import names

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that change the direction of the text after them."""
FORMER = gettext_noop("a former player")


def fold(text: str) -> str:
    """Return the form in which different spellings of a text are equal.

    Compatible characters and case are made equal. The LOWER of SQLite knows only ASCII.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def plain(text: str) -> None:
    """Refuse control characters, lone surrogates and invisible characters.

    Line ends and tabs are allowed.
    """
    mark = first_invisible(text)
    if mark and (unicodedata.category(mark) in ("Cc", "Cs") or mark in TURNING):
        raise ValidationError(
            _("The text contains a character that cannot be displayed. Type it again."),
            code="not-plain",
        )
    if mark:
        raise ValidationError(
            _("The text contains an invisible character. Type it again."), code="not-plain"
        )


def one_line(text: str) -> None:
    """Refuse text that is not printable on one line, as headers, titles and cells need it."""
    plain(text)
    if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in text):
        raise ValidationError(_("Write it on one line."), code="not-a-line")
    if not is_printable(text):
        raise ValidationError(
            _("The text contains an invisible character. Type it again."), code="not-printable"
        )


def name(text: str) -> None:
    """Refuse a text that is not a valid user name.

    A name has letters, digits, single spaces and . ' _ - between them, but no @, which marks an
    e-mail address.
    """
    inner = all(sign in " .'_-" or unicodedata.category(sign)[0] in "LMN" for sign in text)
    selects = any(
        "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef" for sign in text
    )  # selectors of variants are invisible
    if (
        not inner
        or selects
        or not is_printable(text)
        or "  " in text
        or text != text.strip(" ")
        or not any(map(str.isalnum, text))
    ):
        raise ValidationError(
            _(
                "A name can contain only letters, digits, single spaces and . ' _ -. Choose "
                "another."
            ),
            code="not-a-name",
        )
    if fold(text) in formers():
        raise ValidationError(
            _("This name is reserved for people who have left. Choose another."), code="not-a-name"
        )


@cache
def formers() -> frozenset[str]:
    """Return the words for an erased user in every language, folded.

    No user may choose them as a name.
    """
    names = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            names.add(fold(translation.gettext(FORMER)))
    return frozenset(names)


@cache
def zones() -> tuple[str, ...]:
    """Return the names of time zones by place, without the old aliases of the database."""
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
    """Refuse a text that is not an IANA time zone of this installation."""
    if text not in zones():
        raise ValidationError(
            _("There is no such time zone. Choose one from the list."), code="not-a-zone"
        )


def of_its_own(text: str) -> None:
    """Refuse a name that looks like the name for users who have left."""
    if names.skeleton(text) in {names.skeleton(former) for former in formers()}:
        raise ValidationError(
            _("This name is reserved for people who have left. Choose another."), code="not-a-name"
        )


CHOSEN = [names.one_script, names.not_reserved, of_its_own]
"""Further rules for names that a user chooses. Existing names are not checked."""
username_validators = [name, *CHOSEN]
