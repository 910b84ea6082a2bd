"""Who is away, in words, beside his name."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from campaign import absences
from campaign.absences import Away

if TYPE_CHECKING:
    from web.views.common import TableContext


def day(one: date) -> str:
    """3 Aug; with its year where that is another than now's."""
    return str(date_format(one, "j M" if one.year == timezone.localdate().year else "j M Y"))


def days(first: date, last: date) -> str:
    """From one day to another, or the one day."""
    if first == last:
        return day(first)
    return _("%(first)s to %(last)s") % {"first": day(first), "last": day(last)}


def chip(away: Away) -> str:
    """Beside the name of who is away, or says that he will be."""
    if away.begun:
        return _("away until %(last)s") % {"last": day(away.last)}
    if away.first == away.last:
        return _("away on %(day)s") % {"day": day(away.first)}
    return _("away from %(first)s to %(last)s") % {"first": day(away.first), "last": day(away.last)}


def sentence(name: str, away: Away) -> str:
    """The same as a sentence without full stop."""
    if away.begun:
        return _("%(name)s is away until %(last)s") % {"name": name, "last": day(away.last)}
    if away.first == away.last:
        return _("%(name)s is away on %(day)s") % {"name": name, "day": day(away.first)}
    return _("%(name)s is away from %(first)s to %(last)s") % {"name": name, "first": day(away.first), "last": day(away.last)}


def beside(table: TableContext, *seats: str) -> list[str]:
    """What stands beside seats, or the game master, that the table waits for: who of them is away now, or from soon on."""
    found = {name: away for seat in seats for name, away in table.absent.get(seat, ()) if away.shown}
    return [sentence(name, away) for name, away in found.items()]


def listed(table: TableContext) -> list[dict[str, Any]]:
    """Everybody here who is away or says that he will be, the earliest first, with his note where the reader may know it:
    who plays here, or looks after it, and of some only the game masters. One query."""
    now, made = timezone.now(), []
    for one in absences.of_campaign(table.campaign, now):
        begun = one.begins_at <= now
        told = absences.may_read_note(one, table.access, table.user)
        made.append({
            "name": one.user.username, "chip": chip(Away(one.first, one.last, begun, begun)), "now": begun,
            "seats": [(seat.key, seat.name) for seat in table.seats if seat.holder is not None and seat.holder.pk == one.user_id],
            "note": one.note if told else "", "masters_only": one.masters_only,
        })  # fmt: skip
    return made
