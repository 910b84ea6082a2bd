"""Game masters: co-game-masters come and go, and the campaign is handed over."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import access
from campaign.errors import InvitationRefused, NoSuchCampaign, NotAllowed, NotNow, Refused
from campaign.log import entries, selectors
from campaign.models import Campaign, Invitation, Membership
from campaign.seats import selectors as seats_selectors
from campaign.seats.seating import keep_a_master, must_have_company, new_invitation
from campaign.seats.selectors import ACT, Unseen
from people import services

CHIEF, CO = Membership.Role.GAME_MASTER, Membership.Role.CO_GAME_MASTER
CANNOT_RUN = gettext_noop(
    "%(name)s cannot accept it: hands are hidden here, and a person who plays may run the campaign only beside a "
    "co-game-master who does not play. Appoint a co-game-master first, or name somebody without a seat."
)


@transaction.atomic
def invite_master(campaign: Campaign, user: Any, *, now: datetime | None = None) -> tuple[Invitation, str]:
    """A link that makes who takes it a co-game-master. The token is told once, here."""
    _must_be_chief(campaign, user)
    return new_invitation(campaign, user, entries.moment(now), role=CO)


@transaction.atomic
def leave_masters(campaign: Campaign, user: Any, who: Any, *, now: datetime | None = None) -> None:
    """A co-game-master goes, or the game master sends him."""
    table, at = entries.lock(campaign), entries.moment(now)
    if user.pk != who.pk:
        _must_be_chief(table, user)
    held = table.memberships.filter(user=who, role=CO, until=None).first()
    if held is None:
        raise Refused("no-co-game-master", _("Only a co-game-master can leave this way. A game master hands the campaign over."))
    held.until = at
    held.save(update_fields=["until"])
    keep_a_master(table)
    entries.append_act(table, user, {"act": "master", "how": "left", "user": who.pk}, now=at)


@transaction.atomic
def offer_campaign(campaign: Campaign, user: Any, to: Any, *, now: datetime | None = None) -> Invitation:
    """The game master names another member as his successor. Nothing changes until that one accepts; a new name
    takes the place of the one before."""
    table, at = entries.lock(campaign), entries.moment(now)
    _must_be_chief(table, user)
    here = table.memberships.filter(user=to, until=None).exclude(role=Membership.Role.SUBSTITUTE)
    if to.pk == user.pk or not here.exists():
        raise Refused(
            "not-a-member", _("Name somebody else who has a place here: a co-game-master, a player, or a person who waits.")
        )
    access.must_reach(user, to)
    if to not in seats_selectors.to_campaign(table, selectors.held(table)):
        raise Refused("cannot-accept", _(CANNOT_RUN) % {"name": to.username})
    offered(table).update(revoked_at=at)
    invitation = new_invitation(table, user, at, role=CHIEF, leaver_id=user.pk, named=to)[0]
    entries.append_act(table, user, {"act": "master", "how": "offered", "user": to.pk}, now=at)
    return invitation


@transaction.atomic
def accept_campaign(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """Who is named takes the campaign over; who was game master has no more part in it than his seats.

    Raises `InvitationRefused` where nothing is offered to him any more, `Refused` where he plays and hands are hidden.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    invitation = offered(table).filter(named=user, expires_at__gt=at).select_related("leaver").first()
    if invitation is None:
        if not access.may_see(table, user):
            raise NoSuchCampaign
        raise InvitationRefused("nothing-offered", _("Nobody offers you this campaign now. Ask the game master."), table)
    table.memberships.filter(role=CHIEF, until=None).update(until=at)
    table.memberships.filter(role=CO, user=user, until=None).update(until=at)
    member = Membership.objects.create(campaign=table, user=user, role=CHIEF, since=at)
    Invitation.objects.filter(pk=invitation.pk).update(uses_left=0)
    keep_a_master(table)
    entries.append_act(table, user, {"act": "master", "how": "handed", "user": user.pk, "from": invitation.leaver_id}, now=at)
    return member


def offered(campaign: Campaign) -> Any:
    """The offer of the campaign that stands, if any; it ends with the 30 days of every invitation."""
    return campaign.invitations.filter(role=CHIEF, revoked_at=None, uses_left__gt=0)


def _must_be_chief(campaign: Campaign, user: Any) -> None:
    if not access.must_be_host(campaign, user).chief:
        raise NotAllowed("game-master-only", _("Only the game master may do this, not a co-game-master."))


# A game master who has not been seen for 14 days: a co-game-master takes over, or the seats ask and the host names one.

CHIEF, CO, SEAT = Membership.Role.GAME_MASTER, Membership.Role.CO_GAME_MASTER, Membership.Role.SEAT
SEEN = gettext_noop("The game master was seen within the last %(days)d days: nobody can take over.")
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
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.must_be_host(table, user)
    if who.chief:
        raise Refused("yours", _("You are the game master here."))
    away = _inactive(table, at)
    return replace(table, user, user, at, {"how": "took-over", "days": away.days})


@transaction.atomic
def ask_for_master(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """The seat's holder asks for a new game master, as everybody reads. Asking twice is no error."""
    _write_request(campaign, user, seat, True, now)


@transaction.atomic
def keep_master(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """He asks for none any more."""
    _write_request(campaign, user, seat, False, now)


def _write_request(campaign: Campaign, user: Any, seat: str, asks: bool, now: datetime | None) -> None:
    table, at = entries.lock(campaign), entries.moment(now)
    if seat not in access.access_of(table, user).seats:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    away = _inactive(table, at)
    if seat not in away.seats:
        raise Refused("yours", _("You are the game master here."))
    if asks != (seat in away.asked):
        what = {"act": ACT, "how": "asked" if asks else "kept", "seat": seat, "days": away.days}
        entries.append_act(table, user, what, seat=seat, now=at)


def _inactive(table: Campaign, at: datetime) -> Unseen:
    must_have_company(table)
    unseen = seats_selectors.inactive_master(table, selectors.held(table), at)
    if unseen is None:
        raise NotNow("seen", _(SEEN) % {"days": services.AWAY})
    return unseen


def replace(table: Campaign, actor: Any, to: Any, at: datetime, content: dict[str, Any]) -> Membership:
    """Another game master on a locked table; who was it keeps his seats. `said` is the act beside who and from whom."""
    now = table.memberships.filter(until=None)
    masters = set(now.filter(role=CO).values_list("user_id", flat=True)) | {to.pk}
    if not seats_selectors.all_seen(table, masters, set(now.filter(role=SEAT).values_list("user_id", flat=True))):
        raise Refused("no-master-left", _(PLAYS) % {"name": to.username})
    held = now.filter(role=CHIEF)
    was = held.values_list("user_id", flat=True).first()
    held.update(until=at)
    now.filter(role=CO, user=to).update(until=at)
    table.invitations.filter(role=CHIEF, revoked_at=None, uses_left__gt=0).update(revoked_at=at)
    member = Membership.objects.create(campaign=table, user=to, role=CHIEF, since=at)
    entries.append_act(table, actor, {"act": "master", **content, "user": to.pk, "from": was}, now=at)
    return member
