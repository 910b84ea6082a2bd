"""Countersigners: people the game master names so that somebody beside him has looked at what he corrects.

A countersignature is asked for and never needed: without it a correction stands as well, and the log shows that nobody
has countersigned it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.countersigned import asks, under
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, Refused
from campaign.models import Campaign, LogEntry, Membership
from campaign.services import acts, log

COUNTERSIGNER = Membership.Role.COUNTERSIGNER
MOST = 10


@transaction.atomic
def name_countersigner(campaign: Campaign, user: Any, whom: Any, *, now: datetime | None = None) -> Membership:
    """A game master names somebody who is none. Naming twice is no error."""
    table, at = log.lock(campaign), log.moment(now)
    access.must_be_host(table, user)
    access.must_have_account(user)
    now_here = table.memberships.filter(until=None)
    if now_here.filter(user=whom, role__in=Membership.MASTERS).exists():
        raise Refused("game-master", _("A game master does not countersign what game masters do. Name somebody else."))
    held = now_here.filter(role=COUNTERSIGNER)
    found = held.filter(user=whom).first()
    if found is not None:
        return found
    if held.count() >= MOST:
        raise Refused("full", _("This campaign has %(n)s countersigners already.") % {"n": MOST})
    made = Membership.objects.create(campaign=table, user=whom, role=COUNTERSIGNER, since=at)
    acts.append(table, user, {"act": "countersigner", "how": "named", "user": whom.pk}, now=at)
    return made


@transaction.atomic
def dismiss_countersigner(campaign: Campaign, user: Any, whom: Any, *, now: datetime | None = None) -> None:
    """He goes, or a game master sends him; what he has countersigned stands. Twice is no error."""
    table, at = log.lock(campaign), log.moment(now)
    if user.pk != whom.pk:
        access.must_be_host(table, user)
    if table.memberships.filter(role=COUNTERSIGNER, user=whom, until=None).update(until=at):
        acts.append(table, user, {"act": "countersigner", "how": "left", "user": whom.pk}, now=at)


@transaction.atomic
def countersign(campaign: Campaign, user: Any, number: int, *, now: datetime | None = None) -> LogEntry:
    """A countersigner says of an entry of the game master that he has seen it and agrees."""
    table, at = log.lock(campaign), log.moment(now)
    who = access.of(table, user)
    if not who.countersigner or who.host:
        if not who.member and table.visibility == Campaign.Visibility.MEMBERS:
            raise NoSuchCampaign
        raise NotAllowed("no-countersigner", _("Only whom the game master has named as countersigner may do this."))
    entry = table.entries.filter(number=number).first()
    if entry is None:
        raise NoSuchEntry
    if not asks(entry):
        raise Refused(
            "not-asked", _("Only a game master's corrections, undos and judgments are countersigned, while they stand.")
        )
    if entry.actor_id == user.pk:
        raise Refused("own", _("Nobody countersigns what he did himself."))
    if under(table, [entry.pk]).filter(actor=user).exists():
        raise Refused("countersigned", _("You have countersigned this already."))
    return acts.append(table, user, {"act": "countersign", "entry": number}, target=entry, now=at)
