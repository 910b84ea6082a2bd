"""The reserve: people who wait for a seat and agree to be seated."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NoSuchCampaign, NotNow, Refused
from campaign.models import Campaign, Membership
from campaign.services import acts, log
from campaign.services.seating import free_seats, must_have_company, sit

RESERVE = Membership.Role.RESERVE
LONGEST = 50


@transaction.atomic
def wait(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """The user waits for a seat: the game master may seat him from now on. Waiting twice is no error."""
    table, at = log.lock(campaign), log.moment(now)
    if not access.may_see(table, user):
        raise NoSuchCampaign
    must_have_company(table)
    access.must_have_account(user)
    held = waiting(table).filter(user=user).first()
    if held is not None:
        return held
    if table.ended or table.abandoned or table.archived:
        raise NotNow("over", _("This campaign is over; there is no seat to wait for."))
    if table.memberships.filter(user=user, role=Membership.Role.SEAT, until=None).exists():
        raise Refused("seated", _("You have a seat here already."))
    if waiting(table).count() >= LONGEST:
        raise Refused("full", _("%(n)s people wait here already.") % {"n": LONGEST})
    return put(table, user, user, at)


def put(table: Campaign, actor: Any, user: Any, at: datetime) -> Membership:
    """On the list, at its end; on a locked table."""
    made = Membership.objects.create(campaign=table, user=user, role=RESERVE, since=at)
    acts.append(table, actor, {"act": "reserve", "how": "waits", "user": user.pk}, now=at)
    return made


@transaction.atomic
def stop_waiting(campaign: Campaign, user: Any, *, now: datetime | None = None) -> None:
    """The user leaves the list. Leaving twice is no error."""
    table, at = log.lock(campaign), log.moment(now)
    if waiting(table).filter(user=user).update(until=at):
        acts.append(table, user, {"act": "reserve", "how": "left", "user": user.pk}, now=at)


@transaction.atomic
def seat_reserve(campaign: Campaign, user: Any, who: int, seat: str, *, now: datetime | None = None) -> Membership:
    """The game master seats somebody who waits; `who` is his user's number."""
    table, at = log.lock(campaign), log.moment(now)
    access.must_be_host(table, user)
    held = waiting(table).filter(user_id=who).select_related("user").first()
    if held is None:
        raise Refused("not-waiting", _("This person does not wait for a seat any more."))
    if seat not in free_seats(table):
        raise Refused("taken", _("This seat is not free."))
    return sit(table, user, seat, "seated", held.user, at)


def waiting(campaign: Campaign) -> Any:
    """Who waits, the longest first."""
    return campaign.memberships.filter(role=RESERVE, until=None).order_by("since", "pk")
