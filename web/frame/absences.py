"""The absences of a campaign's people as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.dates import written
from campaign.seats import selectors
from campaign.seats.selectors import ShownAbsence
from people.models import Absence
from web.frame.table import TableContext


def day_text(day: date) -> str:
    """Return a day as "3 Aug", with its year if that is not the current year."""
    return written(day, "j M" if day.year == timezone.localdate().year else "j M Y")


def days_text(first: date, last: date) -> str:
    """Return the days of an absence: from the first to the last, or the only day."""
    if first == last:
        return day_text(first)
    return pgettext("absences", "%(first)s to %(last)s") % {
        "first": day_text(first),
        "last": day_text(last),
    }


def chip_text(away: ShownAbsence) -> str:
    """Return the text of the chip beside the name of an absent person."""
    if away.begun:
        return _("away until %(last)s") % {"last": day_text(away.last)}
    if away.first == away.last:
        return _("away on %(day)s") % {"day": day_text(away.first)}
    return _("away from %(first)s to %(last)s") % {
        "first": day_text(away.first),
        "last": day_text(away.last),
    }


def absence_sentence(name: str, away: ShownAbsence) -> str:
    """Return a sentence about a person's absence, without a full stop."""
    if away.begun:
        return _("%(name)s is away until %(last)s") % {"name": name, "last": day_text(away.last)}
    if away.first == away.last:
        return _("%(name)s is away on %(day)s") % {"name": name, "day": day_text(away.first)}
    return _("%(name)s is away from %(first)s to %(last)s") % {
        "name": name,
        "first": day_text(away.first),
        "last": day_text(away.last),
    }


def absence_chips(table: TableContext, *seats: str) -> list[str]:
    """Return a sentence for each person at these seats who is away now or soon.

    `gm` stands for the game masters.
    """
    by_name = {
        name: away for seat in seats for name, away in table.absent.get(seat, ()) if away.shown
    }
    return [absence_sentence(name, away) for name, away in by_name.items()]


@dataclass(frozen=True, slots=True)
class ListedAbsence:
    """An absence in the list of a campaign. `seats` are the person's seats, by key and name."""

    number: int
    user: int
    name: str
    chip: str
    has_begun: bool
    seats: list[tuple[str, str]]
    note: str
    """The note on the absence; empty if the reader may not read it."""
    masters_only: bool


def listed_absences(table: TableContext) -> list[ListedAbsence]:
    """Return the present and future absences, the earliest first. Takes one query."""
    now = timezone.now()
    absences = selectors.absences_of_campaign(table.campaign, now)
    return [listed_absence(table, absence, absence.begins_at <= now) for absence in absences]


def listed_absence(table: TableContext, absence: Absence, has_begun: bool) -> ListedAbsence:
    """Return an absence as the list shows it to this reader."""
    is_readable = selectors.may_read_note(absence, table.access, table.user)
    return ListedAbsence(
        number=absence.pk,
        user=absence.user_id,
        name=absence.user.username,
        chip=chip_text(ShownAbsence(absence.first, absence.last, has_begun, has_begun)),
        has_begun=has_begun,
        seats=[
            (seat.key, seat.name)
            for seat in table.seats
            if seat.holder is not None and seat.holder.pk == absence.user_id
        ],
        note=absence.note if is_readable else "",
        masters_only=absence.masters_only,
    )
