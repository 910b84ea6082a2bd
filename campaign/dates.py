"""Days as the reader's language writes them.

The order of the parts of a day, and whether a short month begins with a capital, depend on the
language. So the format is a message. Django's own names of the months begin with a capital in
languages that write them in lower case; the site's catalogue is asked first.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_noop, pgettext_lazy

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
"""The names of the months, which Django uses for `F`."""


def written(moment: date, form: str) -> str:
    """Return a day, or a moment in its own zone, in one of `FORMS`."""
    at = (moment.hour, moment.minute) if isinstance(moment, datetime) else None
    return _written(get_language(), form, moment.year, moment.month, moment.day, at)


@lru_cache(4096)
def _written(
    _language: str | None, form: str, year: int, month: int, day: int, at: tuple[int, int] | None
) -> str:
    """Return `written` from a cache: forms have no seconds, so a page writes each minute once."""
    # The text has no time zone: the moment is shown as it was written.
    moment = date(year, month, day) if at is None else datetime(year, month, day, *at)  # noqa: DTZ001
    return str(date_format(moment, str(FORMS[form])))
