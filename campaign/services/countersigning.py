"""Countersigners: people the game master names so that somebody beside him has looked at what he corrects.

A countersignature is asked for and never needed: without it a correction stands as well, and the log shows that nobody
has countersigned it. Where it concerns the game master's own seat, others are asked too (`asking`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.countersigned import OBJECT, SIGN, asked, concerns, own_of, under
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
    """Somebody who is asked says of an entry of the game master that he has looked at it and agrees.

    Who objected before takes that back by it: of each the last word counts.
    """
    table, at = log.lock(campaign), log.moment(now)
    entry = _asked(table, user, number)
    if _last(table, user, entry) == SIGN:
        raise Refused("countersigned", _("You have countersigned this already."))
    return acts.append(table, user, {"act": SIGN, "entry": number}, target=entry, now=at)


@transaction.atomic
def object_to(campaign: Campaign, user: Any, number: int, reason: str, *, now: datetime | None = None) -> LogEntry:
    """He has looked at it and does not agree: everybody is told why. The entry stands; the game master may undo it."""
    table, at = log.lock(campaign), log.moment(now)
    entry = _asked(table, user, number)
    why = log.a_reason(reason)
    if _last(table, user, entry) == OBJECT:
        raise Refused("objected", _("You have objected to this already."))
    return acts.append(table, user, {"act": OBJECT, "entry": number, "reason": why}, target=entry, now=at)


def _last(table: Campaign, user: Any, entry: LogEntry) -> str:
    """What this person said last under an entry."""
    said = under(table, [entry.pk], (SIGN, OBJECT)).filter(actor=user).order_by("sequence").last()
    return "" if said is None else said.act


def _asked(table: Campaign, user: Any, number: int) -> LogEntry:
    """The entry, if this person may say a word under it. Raises `NoSuchCampaign`, `NotAllowed`, `NoSuchEntry`, `Refused`."""
    places = list(access.places(table))
    who = access.of(table, user, places)
    entry = table.entries.filter(number=number).first()
    own = () if entry is None else own_of(table, entry)
    if entry is not None and own:
        may = user.pk in {one.user_id for one in asked(places, entry.actor_id, own)}
    else:
        may = who.countersigner and not who.host
    if not may:
        if not who.member and table.visibility == Campaign.Visibility.MEMBERS:
            raise NoSuchCampaign
        if entry is not None and own and who.member:
            raise NotAllowed("no-countersigner", _("You are not asked to countersign this."))
        raise NotAllowed("no-countersigner", _("Only whom the game master has named as countersigner may do this."))
    if entry is None:
        raise NoSuchEntry
    if entry.struck_by_id is not None or not (own or concerns(entry)):
        raise Refused(
            "not-asked", _("Only a game master's corrections, undos and judgments are countersigned, while they stand.")
        )
    if entry.actor_id == user.pk:
        raise Refused("own", _("Nobody countersigns what he did himself."))
    return entry
