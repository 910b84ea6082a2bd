"""Who is away, in words, beside his name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, models
from campaign.clocks import selectors as clock_selectors
from campaign.seats import selectors
from campaign.seats.selectors import Away
from campaign.sentences import written
from people.models import Absence
from web import waiting
from web.waiting import solo_battles

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


def day(one: date) -> str:
    """3 Aug; with its year where that is another than now's."""
    return written(one, "j M" if one.year == timezone.localdate().year else "j M Y")


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


def absent(table: TableContext) -> dict[str, list[tuple[str, Away]]]:
    """Who of those behind each seat, and of the game masters under `gm`, is away or says that they will be."""
    return table.once("absent", lambda: selectors.by_place(table.places))


def stood(table: TableContext) -> set[tuple[int | None, str]]:
    """The battles at which somebody stands in, with the seat for which they do."""
    return table.once("stood", lambda: {(one.contest, one.seat) for one in access.in_force(table.campaign, table.places)})


def absence_chips(table: TableContext, *seats: str) -> list[str]:
    """What stands beside seats, or the game master, that the table waits for: who of them is away now, or from soon on."""
    by_name = {name: away for seat in seats for name, away in absent(table).get(seat, ()) if away.shown}
    return [sentence(name, away) for name, away in by_name.items()]


def listed(table: TableContext) -> list[dict[str, Any]]:
    """Everybody here who is away or says that he will be, the earliest first, with his note where the reader may know it:
    who plays here, or looks after it, and of some only the game masters. One query."""
    now, rows = timezone.now(), []
    for one in selectors.of_campaign(table.campaign, now):
        begun = one.begins_at <= now
        readable = selectors.may_read_note(one, table.access, table.user)
        rows.append({
            "name": one.user.username, "chip": chip(Away(one.first, one.last, begun, begun)), "now": begun,
            "seats": [(seat.key, seat.name) for seat in table.seats if seat.holder is not None and seat.holder.pk == one.user_id],
            "note": one.note if readable else "", "masters_only": one.masters_only, "number": one.pk,
            "user": one.user_id,
        })  # fmt: skip
    return rows


# What falls into the absence of somebody: open slots, slots to come, challenges to answer, battles, by seat.

OPEN, NEXT, ANSWER, BATTLE = "open", "next", "answer", "battle"


class Fall(NamedTuple):
    """One thing that falls into it: `kind`, the battle it is of, when it is due or would be at the latest; `held` where a
    substitute or the opponent alone sees to it."""

    kind: str
    contest: int | None
    at: datetime
    held: bool = False

    @property
    def text(self) -> str:
        return {
            OPEN: _("the open slot"), NEXT: _("a slot to come"),
            ANSWER: _("a challenge to answer"), BATTLE: _("a battle to play"),
        }[self.kind]  # fmt: skip


class Gone(NamedTuple):
    """A seat whose holder is away, with what falls into it."""

    seat: str
    name: str
    person: str
    sentence: str
    note: str
    falls: Sequence[Fall]
    url: str

    @property
    def open(self) -> bool:
        """Is there anything that nobody sees to?"""
        return any(not one.held for one in self.falls)


def absence_impact(table: TableContext) -> list[Gone]:
    """Every seat whose holder is away now or will be, and into whose absence something falls, who is away first before.
    One query where anybody is away, none else, beside the clocks that the desk has anyway."""
    if not table.campaign.started or table.campaign.ended or table.solo or table.pages is not None or not absent(table):
        return []
    now, gone_people = timezone.now(), []
    for one in selectors.of_campaign(table.campaign, now):
        for seat in table.seats:
            if seat.holder is not None and seat.holder.pk == one.user_id and (gone := _gone(table, seat.key, one, now)).falls:
                gone_people.append(gone)
    return gone_people


def impact_on_seat(table: TableContext, seat: str) -> list[Gone]:
    """The absences of the seat's holder, each with what falls into it, be it nothing."""
    now = timezone.now()
    holders = {one.holder.pk for one in table.seats if one.key == seat and one.holder is not None}
    return [_gone(table, seat, one, now) for one in selectors.of_campaign(table.campaign, now) if one.user_id in holders]


def _gone(table: TableContext, seat: str, one: Absence, now: datetime) -> Gone:
    begun = one.begins_at <= now
    text = sentence(one.user.username, Away(one.first, one.last, begun, begun))
    falls = [*_slots(table, seat, one, now), *_contests(table, seat, one, now)]
    return Gone(seat, table.name_of(seat), one.user.username, text, one.note, falls, table.url("remedies", seat))


def _slots(table: TableContext, seat: str, one: Absence, now: datetime) -> list[Fall]:
    """The open slot, or the one to come in this turn: every slot before it may take all its time."""
    keys = [key for key in table.view.get("order") or () if key in table.names]
    active = table.campaign.active_seat
    if active not in keys or seat not in keys or keys.index(seat) < keys.index(active):
        return []
    begins, ends = now, _when_due(table, clock_selectors.SLOT, active, None, now)
    for key in keys[keys.index(active) :]:
        if key == seat:
            kind = OPEN if key == active else NEXT
            return [Fall(kind, None, ends)] if one.begins_at < ends and begins < one.ends_at else []
        # The next may be called at any moment, whoever follows not before the slot before his can have begun.
        begins = now if key == active else ends
        ends = models.add(ends, _length(table, clock_selectors.SLOT), table.campaign.time_zone)
    return []


def _contests(table: TableContext, seat: str, one: Absence, now: datetime) -> list[Fall]:
    """The battles that run and have this seat for a side, challenged ones if the answer is his."""
    falls = []
    for number, known in table.rows.contests.items():
        sides = (known.get("attacker"), known.get("defender") or known.get("leader"))
        if known["status"] == "resolved" or seat not in sides:
            continue
        challenged = known["status"] == "challenged"
        if challenged and known.get("defender") != seat:
            continue
        ends = _when_due(
            table, clock_selectors.ANSWER if challenged else clock_selectors.BATTLE, seat if challenged else "", number, now
        )
        if one.begins_at < ends:
            held = solo_battles(table).get(number) == seat or (number, seat) in stood(table)
            falls.append(Fall(ANSWER if challenged else BATTLE, number, ends, held))
    return falls


def _when_due(table: TableContext, kind: str, seat: str, contest: int | None, now: datetime) -> datetime:
    """When it is due; without a clock, what the clock would give it from now on."""
    for clock in waiting.clocks(table):
        if clock.kind == kind and clock.contest == contest and (contest is not None or clock.seat == seat):
            return max(clock.due_at, now)
    return models.add(now, _length(table, kind), table.campaign.time_zone)


def _length(table: TableContext, kind: str) -> str:
    return (clock_selectors.terms_of(table.campaign)[kind] or clock_selectors.DEFAULTS[kind]).length
