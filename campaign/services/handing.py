"""A seat offered to somebody by name, who accepts or declines. Giving it by a link is `seating.give`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import access, selectors, succession
from campaign.errors import InvitationRefused, NoSuchCampaign, Refused
from campaign.models import Campaign, Invitation, Membership
from campaign.services import log
from campaign.services.seating import held_seat, new_invitation, note, sit

SEAT = Membership.Role.SEAT
CANNOT_PLAY = gettext_noop(
    "%(name)s cannot accept it: hands are hidden here, and with this seat no game master would be left who sees all of "
    "them. Make somebody co-game-master first who does not play, or name another."
)


@transaction.atomic
def offer_seat(campaign: Campaign, user: Any, seat: str, to: Any, *, now: datetime | None = None) -> Invitation:
    """The holder, or the game master, offers the seat to somebody who has a place here. Until he accepts, the holder
    stays; a new name takes the place of the one before."""
    table, at = log.lock(campaign), log.moment(now)
    held = held_seat(table, user, seat)
    access.must_have_account(user)
    places = table.memberships.filter(user=to, until=None).exclude(role=Membership.Role.SUBSTITUTE)
    if to.pk == held.user_id or not places.exists():
        raise Refused("not-a-member", _("Name somebody else who has a place here. Whoever has none takes a link."))
    if to not in succession.to_seat(table, selectors.held(table), seat):
        raise Refused("cannot-accept", _(CANNOT_PLAY) % {"name": to.username})
    offers(table).filter(seat=seat).update(revoked_at=at)
    made = new_invitation(table, user, at, seat=seat, leaver_id=held.user_id, named=to)[0]
    note(table, user, "offered", seat, to.pk, at)
    return made


@transaction.atomic
def accept_seat(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> Membership:
    """Who is named takes the seat over from who held it when it was offered, if that one holds it still."""
    table, at = log.lock(campaign), log.moment(now)
    access.must_have_account(user)
    holding = table.memberships.filter(role=SEAT, seat=seat, until=None)
    found = offers(table).filter(seat=seat, named=user, expires_at__gt=at, leaver__in=holding.values("user")).first()
    if found is None:
        if not access.may_see(table, user):
            raise NoSuchCampaign
        raise InvitationRefused("nothing-offered", _("Nobody offers you this seat now. Ask its holder."), table)
    holding.update(until=at)
    Invitation.objects.filter(pk=found.pk).update(uses_left=0)
    return sit(table, user, seat, "given", user, at, {"from": found.leaver_id})


def offers(campaign: Campaign) -> Any:
    """The seats offered by name that nobody has answered; an offer ends with the 30 days of every invitation."""
    return campaign.invitations.filter(role=SEAT, named__isnull=False, revoked_at=None, uses_left__gt=0)
