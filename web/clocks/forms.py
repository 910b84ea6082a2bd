"""Read what the page of clocks posts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from campaign.clocks.selectors import Terms
from campaign.models import local
from engine.strict_json import whole
from web.frame.posted import PostedForm, text_field

NONE, REMIND, ASK, ACT = "none", "remind", "ask", "act"
"""What happens at a deadline: there is none, a reminder, the game master is asked, it acts."""
FIELDS = ("length", "unit", "grace", "grace_unit", "then")
"""The fields of the terms of a clock."""
LOCAL = "%Y-%m-%dT%H:%M"


class ExtensionForm(PostedForm):
    """Give a clock another deadline."""

    extend = text_field()
    to = text_field()
    reason = text_field()
    back = text_field()

    def deadline(self, zone: str) -> tuple[datetime | None, str]:
        """Return the moment that was typed in this time zone; None and why if it is none."""
        where = ZoneInfo(zone)
        text = self.typed("to").strip()[:16].replace(" ", "T")
        try:
            return local(datetime.strptime(text, LOCAL).replace(tzinfo=where), where), ""
        except (ValueError, OverflowError):
            return None, _("Type a date and a time, such as 2026-03-10 18:00.")


@dataclass(frozen=True, slots=True)
class TypedTerms:
    """The terms of a clock as they were typed."""

    length: str
    unit: str
    grace: str
    grace_unit: str
    then: str

    def terms(self, reminds: str) -> Terms | None:
        """Return the terms; None for no clock. What is no length stays as it was typed."""
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
    """Return a length as terms have it."""
    number = whole(amount)
    return f"{number}{unit}" if number else "0h" if number == 0 else amount + unit


class TermsForm(PostedForm):
    """The terms of every clock, in fields such as `slot-length`, and when players are reminded."""

    reminds = text_field()

    def terms_of(self, kind: str) -> TypedTerms:
        """Return the terms of a clock as they were typed."""
        names = [f"{kind}-{field}" for field in FIELDS]
        return TypedTerms(*(str(self.data.get(name, "")).strip() for name in names))
