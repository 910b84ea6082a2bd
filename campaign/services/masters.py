"""Game masters: co-game-masters come and go, and the campaign is handed over."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import access, selectors, succession
from campaign.errors import InvitationRefused, NoSuchCampaign, NotAllowed, Refused
from campaign.models import Campaign, Invitation, Membership
from campaign.services import acts, log
from campaign.services.seating import keep_a_master, new_invitation

CHIEF, CO = Membership.Role.GAME_MASTER, Membership.Role.CO_GAME_MASTER
CANNOT_RUN = gettext_noop(
    "%(name)s cannot accept it: hands are hidden here, and who plays may run the campaign only beside a co-game-master "
    "who does not play. Make somebody co-game-master first, or name who has no seat."
)


@transaction.atomic
def invite_master(campaign: Campaign, user: Any, *, now: datetime | None = None) -> tuple[Invitation, str]:
    """A link that makes who takes it a co-game-master. The token is told once, here."""
    _must_be_chief(campaign, user)
    return new_invitation(campaign, user, log.moment(now), role=CO)


@transaction.atomic
def leave_masters(campaign: Campaign, user: Any, who: Any, *, now: datetime | None = None) -> None:
    """A co-game-master goes, or the game master sends him."""
    table, at = log.lock(campaign), log.moment(now)
    if user.pk != who.pk:
        _must_be_chief(table, user)
    held = table.memberships.filter(user=who, role=CO, until=None).first()
    if held is None:
        raise Refused("no-co-game-master", _("Only a co-game-master can leave so. A game master hands the campaign over."))
    held.until = at
    held.save(update_fields=["until"])
    keep_a_master(table)
    acts.append(table, user, {"act": "master", "how": "left", "user": who.pk}, now=at)


@transaction.atomic
def offer_campaign(campaign: Campaign, user: Any, to: Any, *, now: datetime | None = None) -> Invitation:
    """The game master names another member as his successor. Nothing changes until that one accepts; a new name
    takes the place of the one before."""
    table, at = log.lock(campaign), log.moment(now)
    _must_be_chief(table, user)
    here = table.memberships.filter(user=to, until=None).exclude(role=Membership.Role.SUBSTITUTE)
    if to.pk == user.pk or not here.exists():
        raise Refused("not-a-member", _("Name somebody else who has a place here: a co-game-master, a player, or one who waits."))
    if to not in succession.to_campaign(table, selectors.held(table)):
        raise Refused("cannot-accept", _(CANNOT_RUN) % {"name": to.username})
    offered(table).update(revoked_at=at)
    made = new_invitation(table, user, at, role=CHIEF, leaver_id=user.pk, named=to)[0]
    acts.append(table, user, {"act": "master", "how": "offered", "user": to.pk}, now=at)
    return made


@transaction.atomic
def accept_campaign(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """Who is named takes the campaign over; who was game master has no more part in it than his seats.

    Raises `InvitationRefused` where nothing is offered to him any more, `Refused` where he plays and hands are hidden.
    """
    table, at = log.lock(campaign), log.moment(now)
    found = offered(table).filter(named=user, expires_at__gt=at).select_related("leaver").first()
    if found is None:
        if not access.may_see(table, user):
            raise NoSuchCampaign
        raise InvitationRefused("nothing-offered", _("Nobody offers you this campaign now. Ask the game master."), table)
    table.memberships.filter(role=CHIEF, until=None).update(until=at)
    table.memberships.filter(role=CO, user=user, until=None).update(until=at)
    made = Membership.objects.create(campaign=table, user=user, role=CHIEF, since=at)
    Invitation.objects.filter(pk=found.pk).update(uses_left=0)
    keep_a_master(table)
    acts.append(table, user, {"act": "master", "how": "handed", "user": user.pk, "from": found.leaver_id}, now=at)
    return made


def offered(campaign: Campaign) -> Any:
    """The offer of the campaign that stands, if any; it ends with the 30 days of every invitation."""
    return campaign.invitations.filter(role=CHIEF, revoked_at=None, uses_left__gt=0)


def _must_be_chief(campaign: Campaign, user: Any) -> None:
    if not access.must_be_host(campaign, user).chief:
        raise NotAllowed("game-master-only", _("Only the game master himself may do this, no co-game-master."))
