"""Invitations and seats."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from campaign import access, keys, positions
from campaign.errors import InvitationRefused, NotAllowed, Refused
from campaign.models import Campaign, Invitation, Membership
from campaign.services import log

OPEN_FOR = timedelta(days=30)
MOST_USES = 20


def seat_keys(campaign: Campaign) -> list[str]:
    return [info.key for info in campaign.game.seats(positions.scenario(campaign), positions.options(campaign))]


def free_seats(campaign: Campaign) -> list[str]:
    """The seats nobody holds, in the title's order."""
    held = campaign.memberships.filter(until=None, role=Membership.Role.SEAT).values_list("seat", flat=True)
    return [seat for seat in seat_keys(campaign) if seat not in set(held)]


@transaction.atomic
def invite(
    campaign: Campaign, user: Any, seat: str = "", uses: int = 1, *, now: datetime | None = None
) -> tuple[Invitation, str]:
    """A link to a seat, or to any free one. The token is told once, here; the table keeps its hash."""
    at = log.moment(now)
    access.must_be_game_master(campaign, user)
    if seat and seat not in seat_keys(campaign):
        raise Refused("unknown-seat", "This campaign has no such seat.")
    if not 1 <= uses <= MOST_USES or (seat and uses != 1):
        raise Refused("bad-uses", f"A link to a seat serves once, one to any free seat up to {MOST_USES} times.")
    token = keys.new_token()
    invitation = Invitation.objects.create(
        campaign=campaign,
        seat=seat,
        token_hash=keys.token_hash(token),
        made_by=user,
        created_at=at,
        expires_at=at + OPEN_FOR,
        uses_left=uses,
    )
    return invitation, token


@transaction.atomic
def revoke(invitation: Invitation, user: Any, *, now: datetime | None = None) -> None:
    """The link opens nothing any more. Revoking twice is no error."""
    table = log.lock(invitation.campaign)
    access.must_be_game_master(table, user)
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=log.moment(now))


def look_at(token: str, *, now: datetime | None = None) -> Invitation:
    """The invitation of a link, if it still opens a seat. Reading changes nothing: a page shows, its POST takes.

    Raises `InvitationRefused`, with whom to ask.
    """
    at = log.moment(now)
    found = Invitation.objects.select_related("campaign", "made_by").filter(token_hash=keys.token_hash(token)).first()
    if found is None:
        raise InvitationRefused("unknown", "This link is no invitation. Ask who sent it for a new one.")
    if found.revoked_at is not None:
        raise _refused(found, "revoked", "This invitation has been withdrawn.")
    if found.uses_left < 1:
        raise _refused(found, "used", "This invitation has been used.")
    if found.expires_at <= at:
        raise _refused(found, "expired", "This invitation has expired.")
    free = free_seats(found.campaign)
    if found.seat and found.seat not in free:
        raise _refused(found, "taken", "This seat has been taken meanwhile.")
    if not free:
        raise _refused(found, "full", "All seats have been taken.")
    return found


@transaction.atomic
def take_seat(user: Any, token: str, seat: str = "", *, now: datetime | None = None) -> Membership:
    """Sit down by a link. `seat` chooses where it leaves the choice; else the first free one is taken.

    Whoever sits there already, or anywhere if he does not choose, gets that again. Raises `InvitationRefused` as `look_at` does.
    """
    at = log.moment(now)
    known = Invitation.objects.select_related("campaign").filter(token_hash=keys.token_hash(token)).first()
    if known is None:
        look_at(token, now=at)
        raise AssertionError("an unknown link has been refused")
    table = log.lock(known.campaign)
    if seat and seat not in seat_keys(table):
        raise _refused(known, "unknown-seat", "This campaign has no such seat.")
    wanted = known.seat or seat
    mine = table.memberships.filter(user=user, role=Membership.Role.SEAT, until=None).order_by("since", "pk")
    held = (mine.filter(seat=wanted) if wanted else mine).first()
    if held is not None:
        return held
    invitation = look_at(token, now=at)
    free = free_seats(table)
    if invitation.seat and seat not in ("", invitation.seat):
        raise _refused(invitation, "other-seat", "This invitation is to another seat.")
    wanted = wanted or free[0]
    if wanted not in free:
        raise _refused(invitation, "taken", "This seat has been taken meanwhile.")
    invitation.uses_left -= 1
    invitation.save(update_fields=["uses_left"])
    made = Membership.objects.create(campaign=table, user=user, role=Membership.Role.SEAT, seat=wanted, since=at)
    note(table, user, "taken", wanted, user.pk, at)
    return made


@transaction.atomic
def vacate(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """The seat's holder leaves it, or the game master frees it. The seat's past stays in the log."""
    at = log.moment(now)
    table = log.lock(campaign)
    if not access.of(table, user).speaks_for(seat):
        raise NotAllowed("not-your-seat", "You do not hold this seat.")
    known = seat in seat_keys(table)  # what is none may hold what a database refuses to look for
    held = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None).first() if known else None
    if held is None:
        raise Refused("nobody-there", "Nobody holds this seat.")
    held.until = at
    held.save(update_fields=["until"])
    note(table, user, "left", seat, held.user_id, at)


def note(table: Campaign, user: Any, how: str, seat: str, holder: int, at: datetime) -> None:
    """Log that somebody sat down or left, and save the campaign's row."""
    what = {"act": log.SEATING, "how": how, "seat": seat, "user": holder}
    log.append(table, what, positions.current(table), actor=user, seat=seat, at=at)
    table.save(update_fields=Campaign.COPIES)


def _refused(invitation: Invitation, code: str, text: str) -> InvitationRefused:
    whom = invitation.made_by.username
    return InvitationRefused(code, f"{text} Ask {whom} for another.", invitation.campaign)
