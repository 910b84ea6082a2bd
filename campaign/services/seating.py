"""Invitations and seats."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import access, keys, positions, succession
from campaign.errors import InvitationRefused, NotAllowed, Refused
from campaign.models import Campaign, Invitation, Membership
from campaign.services import acts, log, noting

OPEN_FOR = timedelta(days=30)
MOST_USES = 20
ALONE = gettext_noop(
    "Hands are hidden here: a game master who plays needs a co-game-master who does not, and who sees all hands. "
    "Invite one on the seats page first."
)


def seat_keys(campaign: Campaign) -> list[str]:
    return list(positions.seats(campaign))


def solo(campaign: Campaign) -> bool:
    """Is it played alone?"""
    return len(seat_keys(campaign)) == 1


def free_seats(campaign: Campaign) -> list[str]:
    """The seats nobody holds, in the title's order."""
    held = campaign.memberships.filter(until=None, role=Membership.Role.SEAT).values_list("seat", flat=True)
    return [seat for seat in seat_keys(campaign) if seat not in set(held)]


@transaction.atomic
def invite(
    campaign: Campaign, user: Any, seat: str = "", uses: int = 1, *, now: datetime | None = None
) -> tuple[Invitation, str]:
    """A link to a seat, or to any free one. The token is told once, here; the table keeps its hash."""
    access.must_be_host(campaign, user)
    if seat and seat not in seat_keys(campaign):
        raise Refused("unknown-seat", _("This campaign has no such seat."))
    if not 1 <= uses <= MOST_USES or (seat and uses != 1):
        raise Refused(
            "bad-uses", _("A link to a seat serves once, one to any free seat up to %(most)s times.") % {"most": MOST_USES}
        )
    return new_invitation(campaign, user, log.moment(now), seat=seat, uses_left=uses)


@transaction.atomic
def give(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> tuple[Invitation, str]:
    """A link by which another person takes the seat in its holder's place, made by the holder or the game master.

    It opens the seat while this holder sits there; until somebody takes it he stays.
    """
    table = log.lock(campaign)
    held = held_seat(table, user, seat)
    return new_invitation(table, user, log.moment(now), seat=seat, leaver_id=held.user_id)


def must_have_company(campaign: Campaign) -> None:
    """Raises `Refused` where one plays alone: nobody is invited, waited for, or replaced."""
    if solo(campaign):
        raise Refused("solo", _("This game is played alone."))


def new_invitation(campaign: Campaign, user: Any, at: datetime, **given: Any) -> tuple[Invitation, str]:
    """A row and its token, for who has been asked whether he may."""
    must_have_company(campaign)
    access.must_have_account(user)
    token = keys.new_token()
    fixed = {"token_hash": keys.token_hash(token), "made_by": user, "created_at": at, "expires_at": at + OPEN_FOR}
    return Invitation.objects.create(campaign=campaign, **fixed, **given), token


@transaction.atomic
def revoke(invitation: Invitation, user: Any, *, now: datetime | None = None) -> None:
    """The link opens nothing any more: by a game master, by who made it, or declined by whom it names. Twice is no error."""
    table = log.lock(invitation.campaign)
    if user.pk not in (invitation.made_by_id, invitation.named_id):
        access.must_be_host(table, user)
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=log.moment(now))


def look_at(token: str, *, now: datetime | None = None) -> Invitation:
    """The invitation of a link, if it still opens a seat. Reading changes nothing: a page shows, its POST takes.

    Raises `InvitationRefused`, with whom to ask.
    """
    at = log.moment(now)
    found = Invitation.objects.select_related("campaign", "made_by").filter(token_hash=keys.token_hash(token)).first()
    if found is None:
        raise InvitationRefused("unknown", _("This link is no invitation. Ask who sent it for a new one."))
    if found.campaign.suspended:
        raise InvitationRefused("suspended", _("The host has suspended this campaign. Open the link again when it goes on."))
    if found.revoked_at is not None:
        raise _refused(found, "revoked", _("This invitation has been withdrawn."))
    if found.uses_left < 1:
        raise _refused(found, "used", _("This invitation has been used."))
    if found.expires_at <= at:
        raise _refused(found, "expired", _("This invitation has expired."))
    if found.role != Membership.Role.SEAT:
        still = found.leaver_id is None or _chief(found.campaign) == found.leaver_id
    elif found.leaver_id is not None:
        still = _holder(found.campaign, found.seat) == found.leaver_id
    else:
        free = free_seats(found.campaign)
        if not free:
            raise _refused(found, "full", _("All seats have been taken."))
        still = not found.seat or found.seat in free
    if not still:
        raise _refused(
            found, "taken", _("This seat has been taken meanwhile.") if found.seat else _("This has been done meanwhile.")
        )
    return found


@transaction.atomic
def take_seat(user: Any, token: str, seat: str = "", *, now: datetime | None = None) -> Membership:
    """Take what a link gives: a seat, or a co-game-master's place. `seat` chooses where it leaves the choice.

    Without a choice the first free seat is taken. Whoever sits there already, or anywhere if he does not choose, gets that
    again. Raises `InvitationRefused` as `look_at` does, and `Refused` where he may not play (`keep_a_master`).
    """
    at = log.moment(now)
    access.must_have_account(user)
    known = Invitation.objects.select_related("campaign").filter(token_hash=keys.token_hash(token)).first()
    if known is None or known.named_id is not None:
        look_at("" if known else token, now=at)
        raise AssertionError("an unknown link has been refused")
    table = log.lock(known.campaign)
    if seat and seat not in seat_keys(table):
        raise _refused(known, "unknown-seat", _("This campaign has no such seat."))
    wanted = known.seat or seat
    mine = table.memberships.filter(user=user, role=known.role, until=None).order_by("since", "pk")
    held = (mine.filter(seat=wanted) if wanted else mine).first()
    if held is not None:
        return held
    invitation = look_at(token, now=at)
    if invitation.role == Membership.Role.CO_GAME_MASTER:
        _use(invitation)
        return join_masters(table, user, at)
    if invitation.seat and seat not in ("", invitation.seat):
        raise _refused(invitation, "other-seat", _("This invitation is to another seat."))
    if invitation.leaver_id is None:
        free = free_seats(table)
        wanted = wanted or free[0]
        if wanted not in free:
            raise _refused(invitation, "taken", _("This seat has been taken meanwhile."))
    _use(invitation)
    if invitation.leaver_id is None:
        return sit(table, user, wanted, "taken", user, at)
    table.memberships.filter(role=Membership.Role.SEAT, seat=wanted, until=None).update(until=at)
    return sit(table, user, wanted, "given", user, at, {"from": invitation.leaver_id})


def sit(
    table: Campaign, actor: Any, seat: str, how: str, user: Any, at: datetime, more: dict[str, Any] | None = None
) -> Membership:
    """The user has the seat from now on, and waits for none. Raises `Refused` where he may not play."""
    table.memberships.filter(user=user, role=Membership.Role.RESERVE, until=None).update(until=at)
    made = Membership.objects.create(campaign=table, user=user, role=Membership.Role.SEAT, seat=seat, since=at)
    keep_a_master(table)
    noting.pass_on(table, made)
    note(table, actor, how, seat, user.pk, at, more)
    return made


def join_masters(table: Campaign, user: Any, at: datetime) -> Membership:
    """The user is co-game-master from now on, if he is no game master yet."""
    held = table.memberships.filter(user=user, role__in=Membership.MASTERS, until=None).first()
    if held is not None:
        return held
    made = Membership.objects.create(campaign=table, user=user, role=Membership.Role.CO_GAME_MASTER, since=at)
    keep_a_master(table)
    acts.append(table, user, {"act": "master", "how": "joined", "user": user.pk}, now=at)
    return made


def keep_a_master(table: Campaign) -> None:
    """Where hands are hidden, somebody must see all of them: a game master who plays needs one who does not (HOUSE)."""
    now = table.memberships.filter(until=None)
    masters = set(now.filter(role__in=Membership.MASTERS).values_list("user_id", flat=True))
    seated = set(now.filter(role=Membership.Role.SEAT).values_list("user_id", flat=True))
    if not succession.all_seen(table, masters, seated):
        raise Refused("no-master-left", _(ALONE))


@transaction.atomic
def vacate(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """The seat's holder leaves it, or the game master frees it. The seat's past stays in the log."""
    at = log.moment(now)
    table = log.lock(campaign)
    must_have_company(table)
    held = held_seat(table, user, seat)
    held.until = at
    held.save(update_fields=["until"])
    note(table, user, "left", seat, held.user_id, at)


def note(table: Campaign, user: Any, how: str, seat: str, holder: int, at: datetime, more: dict[str, Any] | None = None) -> None:
    """Log that somebody sat down or left, and save the campaign's row."""
    what = {"act": log.SEATING, "how": how, "seat": seat, "user": holder, **(more or {})}
    acts.append(table, user, what, seat=seat, now=at)


def held_seat(table: Campaign, user: Any, seat: str) -> Membership:
    """The seat's holding, for its holder and the game masters."""
    who = access.of(table, user)
    if not who.host and seat not in who.seats:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    known = seat in seat_keys(table)  # what is none may hold what a database refuses to look for
    held = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None).first() if known else None
    if held is None:
        raise Refused("nobody-there", _("Nobody holds this seat."))
    return held


def _holder(table: Campaign, seat: str) -> int | None:
    held = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None)
    return held.values_list("user_id", flat=True).first()


def _chief(table: Campaign) -> int | None:
    held = table.memberships.filter(role=Membership.Role.GAME_MASTER, until=None)
    return held.values_list("user_id", flat=True).first()


def _use(invitation: Invitation) -> None:
    invitation.uses_left -= 1
    invitation.save(update_fields=["uses_left"])


def _refused(invitation: Invitation, code: str, text: str) -> InvitationRefused:
    whom = invitation.made_by.username
    asked = _("%(why)s Ask %(name)s for another.") % {"why": text, "name": whom}
    return InvitationRefused(code, asked, invitation.campaign)
