"""The forms of the page of clocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from campaign.clocks.selectors import Terms
from campaign.models import local
from engine.strict_json import read_whole_number
from web.frame.raw_forms import PostedForm, text_field

NONE, REMIND, ASK, ACT = "none", "remind", "ask", "act"
"""The events at a deadline: none, a reminder, a question to the game master, an automatic act."""
FIELDS = ("length", "unit", "grace", "grace_unit", "then")
"""The names of the fields of a clock's terms."""
LOCAL = "%Y-%m-%dT%H:%M"


class ExtensionForm(PostedForm):
    """A new deadline for a clock."""

    extend = text_field()
    to = text_field()
    reason = text_field()
    back = text_field()

    def deadline(self, zone: str) -> tuple[datetime | None, str]:
        """Return the moment typed in this time zone; None and the error if it is invalid."""
        where = ZoneInfo(zone)
        text = self.text_of("to").strip()[:16].replace(" ", "T")
        try:
            return local(datetime.strptime(text, LOCAL).replace(tzinfo=where), where), ""
        except (ValueError, OverflowError):
            return None, _("Type a date and a time, such as 2026-03-10 18:00.")


@dataclass(frozen=True, slots=True)
class TypedTerms:
    """The terms of a clock as typed."""

    length: str
    unit: str
    grace: str
    grace_unit: str
    then: str

    def terms(self, reminds: str) -> Terms | None:
        """Return the terms; None for no clock. An invalid length remains as it was typed."""
        if self.then == NONE:
            return None
        return Terms(
            length_of(self.length, self.unit),
            length_of(self.grace, self.grace_unit),
            self.then == ACT,
            self.then != REMIND,
            reminds,
        )


def length_of(amount: str, unit: str) -> str:
    """Return a length in the notation of the terms."""
    number = read_whole_number(amount)
    return f"{number}{unit}" if number else "0h" if number == 0 else amount + unit


class TermsForm(PostedForm):
    """The terms of every clock, in fields such as `slot-length`, and the times of reminders."""

    reminds = text_field()

    def terms_of(self, kind: str) -> TypedTerms:
        """Return the terms of a clock as typed."""
        names = [f"{kind}-{field}" for field in FIELDS]
        return TypedTerms(*(str(self.data.get(name, "")).strip() for name in names))
