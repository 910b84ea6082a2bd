"""Changes of people: the reserve, hand-overs of seats, guests, and changes of game masters."""

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
from campaign.log import entries, move_service, selectors
from campaign.log.acts.seats import GUEST, MASTER, NEW_MASTER, RESERVE
from campaign.models import Campaign, Invitation, Membership
from campaign.seats import seating
from campaign.seats import selectors as seats_selectors
from campaign.seats.seating import (
    free_seats,
    held_seat,
    log_seat_change,
    must_have_company,
    must_keep_a_master,
    new_invitation,
    seat_user,
)
from campaign.seats.selectors import InactiveMaster
from people import services

LONGEST = 50


@transaction.atomic
def join_waiting_list(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """Put the user on the waiting list for a seat. This function is idempotent.

    The game master can seat them from now on.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    if not access.may_see(table, user):
        raise NoSuchCampaign
    must_have_company(table)
    access.must_have_account(user)
    held = waiting_members(table).filter(user=user).first()
    if held is not None:
        return held
    if table.ended or table.abandoned or table.archived:
        raise NotNow("over", _("This campaign has ended, so there is no seat to wait for."))
    if table.memberships.filter(user=user, role=Membership.Role.SEAT, until=None).exists():
        raise Refused("seated", _("You already have a seat here."))
    if waiting_members(table).count() >= LONGEST:
        raise Refused("full", _("%(n)s people are already waiting here.") % {"n": LONGEST})
    return put_in_reserve(table, user, user, at)


def put_in_reserve(table: Campaign, actor: Any, user: Any, at: datetime) -> Membership:
    """Put a user at the end of the waiting list of a locked campaign."""
    member = Membership.objects.create(
        campaign=table, user=user, role=Membership.Role.RESERVE, since=at
    )
    entries.append_act(table, actor, {"act": RESERVE.name, "how": "waits", "user": user.pk}, now=at)
    return member


@transaction.atomic
def leave_waiting_list(campaign: Campaign, user: Any, *, now: datetime | None = None) -> None:
    """Take the user off the waiting list. This function is idempotent."""
    table, at = entries.lock(campaign), entries.moment(now)
    if waiting_members(table).filter(user=user).update(until=at):
        entries.append_act(
            table, user, {"act": RESERVE.name, "how": "left", "user": user.pk}, now=at
        )


@transaction.atomic
def seat_reserve(
    campaign: Campaign, user: Any, who: int, seat: str, *, now: datetime | None = None
) -> Membership:
    """Seat a waiting user, as the game master; `who` is the user's id."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    held = waiting_members(table).filter(user_id=who).select_related("user").first()
    if held is None:
        raise Refused("not-waiting", _("This person no longer waits for a seat."))
    if seat not in free_seats(table):
        raise Refused("taken", _("This seat is not free."))
    return seat_user(table, user, seat, "seated", held.user, at)


def waiting_members(campaign: Campaign) -> Any:
    """Return the memberships of waiting users, the longest wait first."""
    return campaign.memberships.filter(role=Membership.Role.RESERVE, until=None).order_by(
        "since", "pk"
    )


# A seat offered to a named user, who accepts or declines. `seating.hand_over_link` gives it by a
# link.

CANNOT_PLAY = gettext_noop(
    "%(name)s cannot accept this seat: hands are hidden here, and no game master who sees all of "
    "them would be left. First appoint a co-game-master who does not play, or choose someone "
    "else."
)


@transaction.atomic
def offer_seat(
    campaign: Campaign, user: Any, seat: str, to: Any, *, now: datetime | None = None
) -> Invitation:
    """Offer a seat to another member, as its holder or the game master.

    The holder stays until that user accepts. A new offer replaces the one before.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    held = held_seat(table, user, seat)
    access.must_have_account(user)
    places = table.memberships.filter(user=to, until=None).exclude(role=Membership.Role.SUBSTITUTE)
    if to.pk == held.user_id or not places.exists():
        raise Refused(
            "not-a-member",
            _(
                "Choose someone else who has a place in this campaign. A person without a place "
                "needs an invitation link."
            ),
        )
    access.must_reach(user, to)
    if to not in seats_selectors.seat_heirs(table, selectors.held(table), seat):
        raise Refused("cannot-accept", _(CANNOT_PLAY) % {"name": to.username})
    seat_offers(table).filter(seat=seat).update(revoked_at=at)
    invitation = new_invitation(table, user, at, seat=seat, leaver_id=held.user_id, named=to)[0]
    log_seat_change(table, user, "offered", seat, to.pk, at)
    return invitation


@transaction.atomic
def accept_seat(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> Membership:
    """Accept an offered seat, as the named user.

    The user who held it at the time of the offer must still hold it.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_have_account(user)
    holding = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None)
    invitation = (
        seat_offers(table)
        .filter(seat=seat, named=user, expires_at__gt=at, leaver__in=holding.values("user"))
        .first()
    )
    if invitation is None:
        if not access.may_see(table, user):
            raise NoSuchCampaign
        raise InvitationRefused(
            "nothing-offered",
            _("No one is offering you this seat at present. Ask its holder."),
            table,
        )
    holding.update(until=at)
    Invitation.objects.filter(pk=invitation.pk).update(uses_left=0)
    return seat_user(table, user, seat, "given", user, at, {"from": invitation.leaver_id})


def seat_offers(campaign: Campaign) -> Any:
    """Return the open offers of seats to named users.

    `expires_at` is not checked here.
    """
    return campaign.invitations.filter(
        role=Membership.Role.SEAT, named__isnull=False, revoked_at=None, uses_left__gt=0
    )


def end_offers_between(first: Any, second: Any, at: datetime) -> None:
    """Withdraw the offers by name between two users, because one of them blocks the other."""
    between = Q(made_by=first, named=second) | Q(made_by=second, named=first)
    Invitation.objects.filter(between, revoked_at=None, uses_left__gt=0).update(revoked_at=at)


# A player replaced for good (RULES 11): their unfinished battles are attributed, and their seat is
# freed or given to a waiting user.


@transaction.atomic
def replace_holder(
    campaign: Campaign,
    user: Any,
    seat: str,
    successor: int | None,
    moves: Sequence[Mapping[str, Any]],
    seen: int,
    *,
    now: datetime | None = None,
) -> Membership | None:
    """Make these moves as the game master, free the seat and give it to a waiting user.

    `successor` is that user's id; None leaves the seat free. Everything happens or nothing does.
    Raises what the moves and the seats raise.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.must_be_game_master(table, user)
    seating.held_seat(table, user, seat)
    entries.must_be_current(table, who, seen)
    for raw in moves:
        last = entries.visible_entries(table, who).count() - 1
        table = move_service.play(table, user, dict(raw), last, now=at).campaign
    seating.vacate(table, user, seat, now=at)
    return None if successor is None else seat_reserve(table, user, successor, seat, now=at)


# A guest's places pass to the account that they sign in to.


@transaction.atomic
def merge_guest(guest: Any, account: Any, *, now: datetime | None = None) -> list[Campaign]:
    """Transfer everything that a guest holds to an account, and deactivate the guest.

    Each campaign logs an act. Returns the campaigns where something was transferred; none if the
    guest has been merged before. Old entries keep the guest's user id.
    """
    at = entries.moment(now)
    people = get_user_model().objects
    # A concurrent move by the guest refers to their row while it holds its campaign. A lock on the
    # key would make it wait for this transaction, which waits for the campaign.
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
        for membership in held.filter(campaign=table).order_by("since", "pk"):
            membership.until = at
            membership.save(update_fields=["until"])
            place = {
                "role": membership.role,
                "seat": membership.seat,
                "launch": membership.launch,
                "contest": membership.contest,
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


# Game masters: co-game-masters join and leave, and the campaign is handed over.

CHIEF, CO = Membership.Role.GAME_MASTER, Membership.Role.CO_GAME_MASTER
CANNOT_RUN = gettext_noop(
    "%(name)s cannot accept the campaign: hands are hidden here, and a person who plays may run "
    "it only together with a co-game-master who does not play. Appoint a co-game-master first, or "
    "choose someone without a seat."
)


@transaction.atomic
def invite_master(
    campaign: Campaign, user: Any, *, now: datetime | None = None
) -> tuple[Invitation, str]:
    """Return a link that makes its user a co-game-master, and its token.

    The token is shown only now.
    """
    _must_be_chief(campaign, user)
    return new_invitation(campaign, user, entries.moment(now), role=CO)


@transaction.atomic
def leave_masters(campaign: Campaign, user: Any, who: Any, *, now: datetime | None = None) -> None:
    """End the role of a co-game-master, as themselves or as the game master."""
    table, at = entries.lock(campaign), entries.moment(now)
    if user.pk != who.pk:
        _must_be_chief(table, user)
    held = table.memberships.filter(user=who, role=CO, until=None).first()
    if held is None:
        raise Refused(
            "no-co-game-master",
            _(
                "Only a co-game-master can leave this way. A game master must hand the campaign "
                "over."
            ),
        )
    held.until = at
    held.save(update_fields=["until"])
    must_keep_a_master(table)
    entries.append_act(table, user, {"act": MASTER.name, "how": "left", "user": who.pk}, now=at)


@transaction.atomic
def offer_campaign(
    campaign: Campaign, user: Any, to: Any, *, now: datetime | None = None
) -> Invitation:
    """Name another member as the successor of the game master.

    Nothing changes until that user accepts. A new offer replaces the one before.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    _must_be_chief(table, user)
    here = table.memberships.filter(user=to, until=None).exclude(role=Membership.Role.SUBSTITUTE)
    if to.pk == user.pk or not here.exists():
        raise Refused(
            "not-a-member",
            _(
                "Choose someone else who has a place here: a co-game-master, a player, or a "
                "person who is waiting for a seat."
            ),
        )
    access.must_reach(user, to)
    if to not in seats_selectors.campaign_heirs(table, selectors.held(table)):
        raise Refused("cannot-accept", _(CANNOT_RUN) % {"name": to.username})
    campaign_offer(table).update(revoked_at=at)
    invitation = new_invitation(table, user, at, role=CHIEF, leaver_id=user.pk, named=to)[0]
    entries.append_act(table, user, {"act": MASTER.name, "how": "offered", "user": to.pk}, now=at)
    return invitation


@transaction.atomic
def accept_campaign(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """Take the campaign over, as the named user.

    The previous game master keeps only their seats. Raises `InvitationRefused` if the campaign is
    not offered to them any more, `Refused` if they play and hands are hidden.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    invitation = (
        campaign_offer(table).filter(named=user, expires_at__gt=at).select_related("leaver").first()
    )
    if invitation is None:
        if not access.may_see(table, user):
            raise NoSuchCampaign
        raise InvitationRefused(
            "nothing-offered",
            _("No one is offering you this campaign at present. Ask the game master."),
            table,
        )
    table.memberships.filter(role=CHIEF, until=None).update(until=at)
    table.memberships.filter(role=CO, user=user, until=None).update(until=at)
    member = Membership.objects.create(campaign=table, user=user, role=CHIEF, since=at)
    Invitation.objects.filter(pk=invitation.pk).update(uses_left=0)
    must_keep_a_master(table)
    entries.append_act(
        table,
        user,
        {"act": MASTER.name, "how": "handed", "user": user.pk, "from": invitation.leaver_id},
        now=at,
    )
    return member


def campaign_offer(campaign: Campaign) -> Any:
    """Return the open offer of the campaign, if there is one.

    `expires_at` is not checked here.
    """
    return campaign.invitations.filter(role=CHIEF, revoked_at=None, uses_left__gt=0)


def _must_be_chief(campaign: Campaign, user: Any) -> None:
    """Raise `NotAllowed` unless the user is the game master, not a co-game-master."""
    if not access.must_be_host(campaign, user).chief:
        raise NotAllowed(
            "game-master-only", _("Only the game master may do this, not a co-game-master.")
        )


# A game master who has not been seen for 14 days: a co-game-master takes over, or the seats ask for
# a new game master and the host names one.

CHIEF, CO, SEATED = (
    Membership.Role.GAME_MASTER,
    Membership.Role.CO_GAME_MASTER,
    Membership.Role.SEAT,
)
SEEN = gettext_noop(
    "The game master was seen within the last %(days)d days, so no one can take over."
)
NO_ACCOUNT = gettext_noop("%(name)s cannot be game master: their account cannot sign in.")
PLAYS = gettext_noop(
    "%(name)s plays here and hands are hidden: no one who may see all of them would be left. Let "
    "someone without a seat take over, or free the seat first."
)


@transaction.atomic
def take_over(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Membership:
    """Replace a game master who has not been seen for 14 days, as a co-game-master.

    The previous game master keeps only their seats. Raises `NotAllowed` for other users, `NotNow`
    if the game master has been seen, `Refused` if no one would see all hands.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.must_be_host(table, user)
    if who.chief:
        raise Refused("yours", _("You are already the game master here."))
    away = _inactive(table, at)
    return replace_chief(table, user, user, at, {"how": "took-over", "days": away.days})


@transaction.atomic
def ask_for_master(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> None:
    """Ask in public for a new game master, as a seat's holder. This function is idempotent."""
    _write_request(campaign, user, seat, True, now)


@transaction.atomic
def keep_master(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """Take the request for a new game master back."""
    _write_request(campaign, user, seat, False, now)


def _write_request(
    campaign: Campaign, user: Any, seat: str, asks: bool, now: datetime | None
) -> None:
    """Log whether a seat asks for a new game master, if that changes."""
    table, at = entries.lock(campaign), entries.moment(now)
    if seat not in access.access_of(table, user).seats:
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    away = _inactive(table, at)
    if seat not in away.seats:
        raise Refused("yours", _("You are already the game master here."))
    if asks != (seat in away.asking_seats):
        what = {
            "act": NEW_MASTER.name,
            "how": "asked" if asks else "kept",
            "seat": seat,
            "days": away.days,
        }
        entries.append_act(table, user, what, seat=seat, now=at)


def _inactive(table: Campaign, at: datetime) -> InactiveMaster:
    """Return the facts of the unseen game master. Raises `NotNow` if they have been seen."""
    must_have_company(table)
    unseen = seats_selectors.inactive_master(table, selectors.held(table), at)
    if unseen is None:
        raise NotNow("seen", _(SEEN) % {"days": services.AWAY})
    return unseen


def replace_chief(
    table: Campaign, actor: Any, to: Any, at: datetime, content: dict[str, Any]
) -> Membership:
    """Replace the game master of a locked campaign, who keeps their seats.

    `content` is the act without the two users.
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
