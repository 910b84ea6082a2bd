"""A person says when he is away, and the campaigns that he plays in are told: one act in the log of each."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NoSuchEntry, Refused
from campaign.log import entries
from campaign.models import AbsenceAt, Campaign
from campaign.seats import selectors
from engine.strict_json import clean_text
from people.models import Absence, User
from people.validators import one_line

ACT = "absence"
MOST = 12
LONGEST = timedelta(days=366)
AHEAD = timedelta(days=2 * 366)


@transaction.atomic
def announce(
    user: Any,
    first: date,
    last: date,
    *,
    note: str = "",
    masters_only: bool = False,
    campaigns: Iterable[Campaign] | None = None,
    now: datetime | None = None,
) -> Absence:
    """The user is away from the first to the last day, in his own zone. `campaigns` None: all of his are told.

    Raises `Refused` where the days make no sense or he has said so of one of them already, and `NotAllowed` for a guest.
    """
    access.must_have_account(user)
    at = entries.moment(now)
    _one_at_a_time(user)
    kept = Absence(user=user, announced_at=at)
    if selectors.valid_absences().filter(user=user, ends_at__gt=at).count() >= MOST:
        raise Refused("many", _("You have announced %(most)d absences already. Take one back first.") % {"most": MOST})
    _write(kept, first, last, note, masters_only, campaigns, at)
    for table in _tables(kept):
        _write_absence(table, kept, "announced", at)
    return kept


@transaction.atomic
def change(
    user: Any,
    number: int,
    first: date,
    last: date,
    *,
    note: str = "",
    masters_only: bool = False,
    campaigns: Iterable[Campaign] | None = None,
    now: datetime | None = None,
) -> Absence:
    """Other days, another note, other campaigns. A campaign hears of it where its days are others, or it is told, or not
    told any more. Raises as `announce`, and `NoSuchEntry` where he has no such absence that stands."""
    at = entries.moment(now)
    kept = _absence_of_user(user, number)
    days = kept.first, kept.last
    before = {table.pk: table for table in _tables(kept)}
    _write(kept, first, last, note, masters_only, campaigns, at)
    after = {table.pk: table for table in _tables(kept)}
    for key, table in sorted((before | after).items()):
        if key not in after:
            _write_absence(table, kept, "taken-back", at)
        elif key not in before:
            _write_absence(table, kept, "announced", at)
        elif days != (kept.first, kept.last):
            _write_absence(table, kept, "changed", at)
    return kept


@transaction.atomic
def take_back(user: Any, number: int, *, now: datetime | None = None) -> None:
    """He is not away after all, or is back already. Raises `NoSuchEntry` where he has no such absence that stands."""
    at = entries.moment(now)
    kept = _absence_of_user(user, number)
    tables = _tables(kept) if kept.ends_at > at else []
    kept.taken_back_at = at
    kept.save(update_fields=["taken_back_at"])
    for table in tables:
        _write_absence(table, kept, "taken-back", at)


def _one_at_a_time(user: Any) -> None:
    """Two windows of one person do not announce the same days twice."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()


def _absence_of_user(user: Any, number: int) -> Absence:
    _one_at_a_time(user)
    absence = selectors.valid_absences().filter(user_id=user.pk, pk=number).first()
    if absence is None:
        raise NoSuchEntry
    return absence


def _write(
    kept: Absence,
    first: date,
    last: date,
    note: str,
    masters_only: bool,
    campaigns: Iterable[Campaign] | None,
    at: datetime,
) -> None:
    user = kept.user
    today = at.astimezone(ZoneInfo(user.time_zone)).date()
    if last < first:
        raise Refused("backwards", _("The last day is before the first."))
    if last < today:
        raise Refused("past", _("These days are over already."))
    if last - first > LONGEST or first - today > AHEAD or today - first > LONGEST:
        raise Refused("too-long", _("An absence lasts up to a year, and begins within two."))
    note = note.strip()
    entries.must_be_seen(note, _("Note"))
    if note and not (clean_text(note, Absence.LONGEST_NOTE) and _on_a_line(note)):
        raise Refused("bad-note", _("A note has up to %(most)d characters on one line.") % {"most": Absence.LONGEST_NOTE})
    others = selectors.valid_absences().filter(user=user, first__lte=last, last__gte=first).exclude(pk=kept.pk)
    if others.exists():
        raise Refused("overlaps", _("You have already announced that you are away on some of these days. Change that absence."))
    chosen = None if campaigns is None else list(campaigns)
    if chosen is not None:
        may = set(selectors.campaigns_to_inform(user).values_list("pk", flat=True))
        known = set(kept.told.filter(dropped_at=None).values_list("campaign_id", flat=True)) if kept.pk else set()
        if not chosen or not {one.pk for one in chosen} <= may | known:
            raise Refused("no-campaign", _("Choose at least one of your campaigns, or all of them."))
    kept.first, kept.last, kept.time_zone = first, last, user.time_zone
    kept.begins_at, kept.ends_at = midnight(first, user.time_zone), midnight(last + timedelta(days=1), user.time_zone)
    kept.note, kept.masters_only, kept.everywhere, kept.changed_at = note, masters_only, chosen is None, at
    kept.save()
    AbsenceAt.objects.filter(absence=kept, dropped_at=None).update(dropped_at=at)
    for one in chosen or ():
        AbsenceAt.objects.update_or_create(absence=kept, campaign=one, defaults={"dropped_at": None})


def _on_a_line(text: str) -> bool:
    try:
        one_line(text)
    except ValidationError:
        return False
    return True


def midnight(day: date, zone: str) -> datetime:
    """The instant at which a day begins in a zone."""
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def _tables(kept: Absence) -> list[Campaign]:
    """The campaigns that are played and told of it, each locked, always in the same order."""
    campaigns = selectors.campaigns_to_inform(kept.user).filter(started=True)
    if not kept.everywhere:
        campaigns = campaigns.filter(pk__in=kept.told.filter(dropped_at=None).values("campaign"))
    return [entries.lock(one) for one in campaigns.order_by("pk")]


def _write_absence(table: Campaign, kept: Absence, how: str, at: datetime) -> None:
    days = {"first": kept.first.isoformat(), "last": kept.last.isoformat()}
    entries.append_act(table, kept.user, {"act": ACT, "how": how, "user": kept.user_id, **days}, now=at)
