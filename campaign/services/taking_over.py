"""A game master who has not been seen for 14 days: a co-game-master takes over, or the seats ask and the host names one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import access, selectors, succession, unseen
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.models import Campaign, Membership
from campaign.services import acts, log
from campaign.services.seating import must_have_company
from campaign.unseen import ACT, Unseen
from people import presence

CHIEF, CO, SEAT = Membership.Role.GAME_MASTER, Membership.Role.CO_GAME_MASTER, Membership.Role.SEAT
SEEN = gettext_noop("The game master was seen within the last %(days)d days: nobody takes his place.")
NO_ACCOUNT = gettext_noop("%(name)s cannot be game master: it takes an account that may sign in.")
PLAYS = gettext_noop(
    "%(name)s plays here and hands are hidden: nobody would be left who sees all of them. Let somebody who has no seat take "
    "over, or free the seat first."
)


@transaction.atomic
def take_over(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """A co-game-master becomes game master in the place of who has not been seen for 14 days, who keeps his seats alone.

    Raises `NotAllowed` for everybody else, `NotNow` while the game master comes, `Refused` where nobody would see all hands.
    """
    table, at = log.lock(campaign), log.moment(now)
    who = access.must_be_host(table, user)
    if who.chief:
        raise Refused("yours", _("You are the game master here."))
    away = _unseen(table, at)
    return replace(table, user, user, at, {"how": "took-over", "days": away.days})


@transaction.atomic
def ask_for_master(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """The seat's holder asks for a new game master, as everybody reads. Asking twice is no error."""
    _say(campaign, user, seat, True, now)


@transaction.atomic
def keep_master(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """He asks for none any more."""
    _say(campaign, user, seat, False, now)


def _say(campaign: Campaign, user: Any, seat: str, asks: bool, now: datetime | None) -> None:
    table, at = log.lock(campaign), log.moment(now)
    if seat not in access.of(table, user).seats:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    away = _unseen(table, at)
    if seat not in away.seats:
        raise Refused("yours", _("You are the game master here."))
    if asks != (seat in away.asked):
        what = {"act": ACT, "how": "asked" if asks else "kept", "seat": seat, "days": away.days}
        acts.append(table, user, what, seat=seat, now=at)


def _unseen(table: Campaign, at: datetime) -> Unseen:
    must_have_company(table)
    found = unseen.look(table, selectors.held(table), at)
    if found is None:
        raise NotNow("seen", _(SEEN) % {"days": presence.AWAY})
    return found


def replace(table: Campaign, actor: Any, to: Any, at: datetime, said: dict[str, Any]) -> Membership:
    """Another game master on a locked table; who was it keeps his seats. `said` is the act beside who and from whom."""
    now = table.memberships.filter(until=None)
    masters = set(now.filter(role=CO).values_list("user_id", flat=True)) | {to.pk}
    if not succession.all_seen(table, masters, set(now.filter(role=SEAT).values_list("user_id", flat=True))):
        raise Refused("no-master-left", _(PLAYS) % {"name": to.username})
    held = now.filter(role=CHIEF)
    was = held.values_list("user_id", flat=True).first()
    held.update(until=at)
    now.filter(role=CO, user=to).update(until=at)
    table.invitations.filter(role=CHIEF, revoked_at=None, uses_left__gt=0).update(revoked_at=at)
    made = Membership.objects.create(campaign=table, user=to, role=CHIEF, since=at)
    acts.append(table, actor, {"act": "master", **said, "user": to.pk, "from": was}, now=at)
    return made
