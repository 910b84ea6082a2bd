"""Days and moments as the reader's language writes them: 7 Dec 2026, 7 dic 2026, 7. Dez 2026.

Where the parts stand, and whether a short month begins small, is a matter of the language; so the format is a message, too.
Django's own names of the months begin with a capital in languages that write them small: ours are asked first.
"""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext_noop, pgettext_lazy

FORMS = {
    # A translation is a format of Django's, too: `b` is a short month that begins small, `\d\e` are letters.
    "j M": pgettext_lazy("format of a date", "j M"),
    "j M Y": pgettext_lazy("format of a date", "j M Y"),
    "j M H:i": pgettext_lazy("format of a date", "j M H:i"),
    "j M Y H:i": pgettext_lazy("format of a date", "j M Y H:i"),
    "j F Y": pgettext_lazy("format of a date", "j F Y"),
    "j F": pgettext_lazy("format of a date", "j F"),
    "j F Y, H:i": pgettext_lazy("format of a date", "j F Y, H:i"),
}
MONTHS = (
    gettext_noop("January"), gettext_noop("February"), gettext_noop("March"), gettext_noop("April"), gettext_noop("May"),
    gettext_noop("June"), gettext_noop("July"), gettext_noop("August"), gettext_noop("September"), gettext_noop("October"),
    gettext_noop("November"), gettext_noop("December"),
)  # fmt: skip
"""What Django asks for by `F`."""


def written(moment: date, form: str) -> str:
    """A day or a moment in its own zone, by one of FORMS."""
    return str(date_format(moment, str(FORMS[form])))
