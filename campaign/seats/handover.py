"""The reserve: people who wait for a seat and agree to be seated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import access
from campaign.errors import InvitationRefused, NoSuchCampaign, NotAllowed, NotNow, Refused
from campaign.log import door, entries, selectors
from campaign.log.acts.seats import GUEST, MASTER, NEW_MASTER, RESERVE
from campaign.models import Campaign, Invitation, Membership
from campaign.seats import seating
from campaign.seats import selectors as seats_selectors
from campaign.seats.seating import (
    free_seats,
    held_seat,
    keep_a_master,
    must_have_company,
    new_invitation,
    note,
    sit,
)
from campaign.seats.selectors import Unseen
from people import services

LONGEST = 50


@transaction.atomic
def wait(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """The user waits for a seat: the game master may seat them from now on. Waiting twice is no
    error.
    """
    table, at = entries.lock(campaign), entries.moment(now)
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
    return put_in_reserve(table, user, user, at)


def put_in_reserve(table: Campaign, actor: Any, user: Any, at: datetime) -> Membership:
    """On the list, at its end; on a locked table."""
    member = Membership.objects.create(
        campaign=table, user=user, role=Membership.Role.RESERVE, since=at
    )
    entries.append_act(table, actor, {"act": RESERVE.name, "how": "waits", "user": user.pk}, now=at)
    return member


@transaction.atomic
def stop_waiting(campaign: Campaign, user: Any, *, now: datetime | None = None) -> None:
    """The user leaves the list. Leaving twice is no error."""
    table, at = entries.lock(campaign), entries.moment(now)
    if waiting(table).filter(user=user).update(until=at):
        entries.append_act(
            table, user, {"act": RESERVE.name, "how": "left", "user": user.pk}, now=at
        )


@transaction.atomic
def seat_reserve(
    campaign: Campaign, user: Any, who: int, seat: str, *, now: datetime | None = None
) -> Membership:
    """The game master seats somebody who waits; `who` is that user's number."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    held = waiting(table).filter(user_id=who).select_related("user").first()
    if held is None:
        raise Refused("not-waiting", _("This person no longer waits for a seat."))
    if seat not in free_seats(table):
        raise Refused("taken", _("This seat is not free."))
    return sit(table, user, seat, "seated", held.user, at)


def waiting(campaign: Campaign) -> Any:
    """Who waits, the longest first."""
    return campaign.memberships.filter(role=Membership.Role.RESERVE, until=None).order_by(
        "since", "pk"
    )


# A seat offered to somebody by name, who accepts or declines. Giving it by a link is
# `seating.give`.

CANNOT_PLAY = gettext_noop(
    "%(name)s cannot accept it: hands are hidden here, and with this seat no game master would be"
    " left who sees all of them. Appoint a co-game-master first who does not play, or name somebody"
    " else."
)


@transaction.atomic
def offer_seat(
    campaign: Campaign, user: Any, seat: str, to: Any, *, now: datetime | None = None
) -> Invitation:
    """The holder, or the game master, offers the seat to somebody who has a place here. Until that
    person accepts, the holder stays; a new name takes the place of the one before.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    held = held_seat(table, user, seat)
    access.must_have_account(user)
    places = table.memberships.filter(user=to, until=None).exclude(role=Membership.Role.SUBSTITUTE)
    if to.pk == held.user_id or not places.exists():
        raise Refused(
            "not-a-member",
            _("Name somebody else who has a place here. A person without a place gets a link."),
        )
    access.must_reach(user, to)
    if to not in seats_selectors.to_seat(table, selectors.held(table), seat):
        raise Refused("cannot-accept", _(CANNOT_PLAY) % {"name": to.username})
    offers(table).filter(seat=seat).update(revoked_at=at)
    invitation = new_invitation(table, user, at, seat=seat, leaver_id=held.user_id, named=to)[0]
    note(table, user, "offered", seat, to.pk, at)
    return invitation


@transaction.atomic
def accept_seat(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> Membership:
    """Who is named takes the seat over from who held it when it was offered, if that one holds it
    still.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_have_account(user)
    holding = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None)
    invitation = (
        offers(table)
        .filter(seat=seat, named=user, expires_at__gt=at, leaver__in=holding.values("user"))
        .first()
    )
    if invitation is None:
        if not access.may_see(table, user):
            raise NoSuchCampaign
        raise InvitationRefused(
            "nothing-offered", _("Nobody offers you this seat now. Ask its holder."), table
        )
    holding.update(until=at)
    Invitation.objects.filter(pk=invitation.pk).update(uses_left=0)
    return sit(table, user, seat, "given", user, at, {"from": invitation.leaver_id})


def offers(campaign: Campaign) -> Any:
    """The seats offered by name that nobody has answered; an offer ends with the 30 days of every
    invitation.
    """
    return campaign.invitations.filter(
        role=Membership.Role.SEAT, named__isnull=False, revoked_at=None, uses_left__gt=0
    )


def end_offers_between(one: Any, other: Any, at: datetime) -> None:
    """One of the two blocks the other: what either has offered the other by name is withdrawn."""
    between = Q(made_by=one, named=other) | Q(made_by=other, named=one)
    Invitation.objects.filter(between, revoked_at=None, uses_left__gt=0).update(revoked_at=at)


# A player replaced for good (RULES 11): their unfinished battles attributed, their seat freed or
# given to somebody who waits for one.


@transaction.atomic
def replace(
    campaign: Campaign,
    user: Any,
    seat: str,
    successor: int | None,
    moves: Sequence[Mapping[str, Any]],
    seen: int,
    *,
    now: datetime | None = None,
) -> Membership | None:
    """The game master makes these moves of their own, each through the door, then frees the seat
    and seats `successor`, a user's number who waits for one (None: nobody yet). All of it, or
    nothing. Raises what the door and the seats raise.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.must_be_game_master(table, user)
    seating.held_seat(table, user, seat)
    entries.must_be_current(table, who, seen)
    for raw in moves:
        last = entries.visible_entries(table, who).count() - 1
        table = door.play(table, user, dict(raw), last, now=at).campaign
    seating.vacate(table, user, seat, now=at)
    return None if successor is None else seat_reserve(table, user, successor, seat, now=at)


# A guest's places pass to the account that they turn out to have.


@transaction.atomic
def merge(guest: Any, account: Any, *, now: datetime | None = None) -> list[Campaign]:
    """Everything that the guest holds becomes the account's, an act in the log of each campaign;
    the guest is nobody then.

    The campaigns where something passed. Done once: of a guest who is none any more nothing is left
    to pass. What the log says of the guest stands, under their number.
    """
    at = entries.moment(now)
    people = get_user_model().objects
    # A move of theirs that holds its campaign refers to their row: it may not wait for us, who wait
    # for the campaign.
    locked = people.select_for_update(no_key=True)
    guest_row = (
        locked.filter(pk=guest.pk, guest=True, is_active=True).exclude(pk=account.pk).first()
    )
    if guest_row is None:
        return []
    held = Membership.objects.filter(user=guest_row, until=None)
    merged = []
    for campaign in Campaign.objects.filter(pk__in=held.values("campaign")).order_by("pk"):
        table = entries.lock(campaign)
        for one in held.filter(campaign=table).order_by("since", "pk"):
            one.until = at
            one.save(update_fields=["until"])
            place = {
                "role": one.role,
                "seat": one.seat,
                "launch": one.launch,
                "contest": one.contest,
            }
            Membership.objects.get_or_create(
                campaign=table, user=account, until=None, **place, defaults={"since": at}
            )
        entries.append_act(
            table,
            account,
            {"act": GUEST.name, "how": "merged", "from": guest_row.pk, "user": account.pk},
            now=at,
        )
        merged.append(table)
    guest_row.is_active, guest_row.merged_into = False, account
    guest_row.save(update_fields=["is_active", "merged_into"])
    return merged


# Game masters: co-game-masters come and go, and the campaign is handed over.

CHIEF, CO = Membership.Role.GAME_MASTER, Membership.Role.CO_GAME_MASTER
CANNOT_RUN = gettext_noop(
    "%(name)s cannot accept it: hands are hidden here, and a person who plays may run the campaign"
    " only beside a co-game-master who does not play. Appoint a co-game-master first, or name"
    " somebody without a seat."
)


@transaction.atomic
def invite_master(
    campaign: Campaign, user: Any, *, now: datetime | None = None
) -> tuple[Invitation, str]:
    """A link that makes who takes it a co-game-master. The token is told once, here."""
    _must_be_chief(campaign, user)
    return new_invitation(campaign, user, entries.moment(now), role=CO)


@transaction.atomic
def leave_masters(campaign: Campaign, user: Any, who: Any, *, now: datetime | None = None) -> None:
    """A co-game-master goes, or the game master sends them."""
    table, at = entries.lock(campaign), entries.moment(now)
    if user.pk != who.pk:
        _must_be_chief(table, user)
    held = table.memberships.filter(user=who, role=CO, until=None).first()
    if held is None:
        raise Refused(
            "no-co-game-master",
            _("Only a co-game-master can leave this way. A game master hands the campaign over."),
        )
    held.until = at
    held.save(update_fields=["until"])
    keep_a_master(table)
    entries.append_act(table, user, {"act": MASTER.name, "how": "left", "user": who.pk}, now=at)


@transaction.atomic
def offer_campaign(
    campaign: Campaign, user: Any, to: Any, *, now: datetime | None = None
) -> Invitation:
    """The game master names another member as their successor. Nothing changes until that one
    accepts; a new name takes the place of the one before.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    _must_be_chief(table, user)
    here = table.memberships.filter(user=to, until=None).exclude(role=Membership.Role.SUBSTITUTE)
    if to.pk == user.pk or not here.exists():
        raise Refused(
            "not-a-member",
            _(
                "Name somebody else who has a place here: a co-game-master, a player, or a person"
                " who waits."
            ),
        )
    access.must_reach(user, to)
    if to not in seats_selectors.to_campaign(table, selectors.held(table)):
        raise Refused("cannot-accept", _(CANNOT_RUN) % {"name": to.username})
    offered(table).update(revoked_at=at)
    invitation = new_invitation(table, user, at, role=CHIEF, leaver_id=user.pk, named=to)[0]
    entries.append_act(table, user, {"act": MASTER.name, "how": "offered", "user": to.pk}, now=at)
    return invitation


@transaction.atomic
def accept_campaign(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """The one who is named takes the campaign over; the game master before has no more part in it
    than their seats.

    Raises `InvitationRefused` where nothing is offered to them any more, `Refused` where they play
    and hands are hidden.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    invitation = (
        offered(table).filter(named=user, expires_at__gt=at).select_related("leaver").first()
    )
    if invitation is None:
        if not access.may_see(table, user):
            raise NoSuchCampaign
        raise InvitationRefused(
            "nothing-offered", _("Nobody offers you this campaign now. Ask the game master."), table
        )
    table.memberships.filter(role=CHIEF, until=None).update(until=at)
    table.memberships.filter(role=CO, user=user, until=None).update(until=at)
    member = Membership.objects.create(campaign=table, user=user, role=CHIEF, since=at)
    Invitation.objects.filter(pk=invitation.pk).update(uses_left=0)
    keep_a_master(table)
    entries.append_act(
        table,
        user,
        {"act": MASTER.name, "how": "handed", "user": user.pk, "from": invitation.leaver_id},
        now=at,
    )
    return member


def offered(campaign: Campaign) -> Any:
    """The offer of the campaign that stands, if any; it ends with the 30 days of every
    invitation.
    """
    return campaign.invitations.filter(role=CHIEF, revoked_at=None, uses_left__gt=0)


def _must_be_chief(campaign: Campaign, user: Any) -> None:
    if not access.must_be_host(campaign, user).chief:
        raise NotAllowed(
            "game-master-only", _("Only the game master may do this, not a co-game-master.")
        )


# A game master who has not been seen for 14 days: a co-game-master takes over, or the seats ask and
# the host names one.

CHIEF, CO, SEATED = (
    Membership.Role.GAME_MASTER,
    Membership.Role.CO_GAME_MASTER,
    Membership.Role.SEAT,
)
SEEN = gettext_noop("The game master was seen within the last %(days)d days: nobody can take over.")
NO_ACCOUNT = gettext_noop("%(name)s cannot be game master: it takes an account that may sign in.")
PLAYS = gettext_noop(
    "%(name)s plays here and hands are hidden: nobody would be left who sees all of them. Let"
    " somebody who has no seat take over, or free the seat first."
)


@transaction.atomic
def take_over(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """A co-game-master becomes game master in the place of one who has not been seen for 14 days,
    and who keeps only their seats.

    Raises `NotAllowed` for everybody else, `NotNow` while the game master comes, `Refused` where
    nobody would see all hands.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.must_be_host(table, user)
    if who.chief:
        raise Refused("yours", _("You are the game master here."))
    away = _inactive(table, at)
    return replace_chief(table, user, user, at, {"how": "took-over", "days": away.days})


@transaction.atomic
def ask_for_master(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> None:
    """The seat's holder asks for a new game master, as everybody reads. Asking twice is no
    error.
    """
    _write_request(campaign, user, seat, True, now)


@transaction.atomic
def keep_master(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """They ask for none any more."""
    _write_request(campaign, user, seat, False, now)


def _write_request(
    campaign: Campaign, user: Any, seat: str, asks: bool, now: datetime | None
) -> None:
    table, at = entries.lock(campaign), entries.moment(now)
    if seat not in access.access_of(table, user).seats:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    away = _inactive(table, at)
    if seat not in away.seats:
        raise Refused("yours", _("You are the game master here."))
    if asks != (seat in away.asked):
        what = {
            "act": NEW_MASTER.name,
            "how": "asked" if asks else "kept",
            "seat": seat,
            "days": away.days,
        }
        entries.append_act(table, user, what, seat=seat, now=at)


def _inactive(table: Campaign, at: datetime) -> Unseen:
    must_have_company(table)
    unseen = seats_selectors.inactive_master(table, selectors.held(table), at)
    if unseen is None:
        raise NotNow("seen", _(SEEN) % {"days": services.AWAY})
    return unseen


def replace_chief(
    table: Campaign, actor: Any, to: Any, at: datetime, content: dict[str, Any]
) -> Membership:
    """Another game master on a locked table; the one before keeps their seats. `said` is the act
    beside who and from whom.
    """
    now = table.memberships.filter(until=None)
    masters = set(now.filter(role=CO).values_list("user_id", flat=True)) | {to.pk}
    if not seats_selectors.all_seen(
        table, masters, set(now.filter(role=SEATED).values_list("user_id", flat=True))
    ):
        raise Refused("no-master-left", _(PLAYS) % {"name": to.username})
    held = now.filter(role=CHIEF)
    was = held.values_list("user_id", flat=True).first()
    held.update(until=at)
    now.filter(role=CO, user=to).update(until=at)
    table.invitations.filter(role=CHIEF, revoked_at=None, uses_left__gt=0).update(revoked_at=at)
    member = Membership.objects.create(campaign=table, user=to, role=CHIEF, since=at)
    entries.append_act(
        table, actor, {"act": MASTER.name, **content, "user": to.pk, "from": was}, now=at
    )
    return member
