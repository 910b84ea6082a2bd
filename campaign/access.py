"""The rights of a user in a campaign: who they are there, and what they may see."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import F, Q, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.errors import LogFault, NoSuchCampaign, NotAllowed, Refused
from campaign.log import positions
from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership, seen_by
from games.registry import has_board
from people import services as people_services

REF = re.compile(r"(?P<id>[a-z0-9]{8})(?:-[-a-zA-Z0-9_]*)?", re.ASCII)
"""A campaign in an address: its public id, and a slug that is ignored."""


class Substitution(NamedTuple):
    """A contest in which a user is a substitute.

    `launch` is the primary key of the entry that launched it, `contest` its number there.
    """

    launch: int | None
    contest: int | None
    seat: str


@dataclass(frozen=True, slots=True)
class Access:
    """The rights of a user in a campaign. Outsiders and anonymous readers have no voices.

    `host` is true for a game master or co-game-master, who looks after the people, the lobby and
    the status of the campaign. For most of them `game_master` is true as well: they see everything
    and speak for every seat. The exception is a game master who plays where something is hidden:
    until the end they see and speak for their own seats only, even after they have given those
    seats up (`_may_see_no_hands`).
    """

    game_master: bool = False
    seats: tuple[str, ...] = ()
    host: bool = False
    chief: bool = False
    """Whether they are the game master, not a co-game-master.

    Only the game master hands the campaign over and appoints and dismisses co-game-masters.
    """
    reserve: bool = False
    countersigner: bool = False
    open_hands: frozenset[str] | None = None
    """The seats whose hands a game master has opened, on a page where hands are hidden.

    None if nothing is closed to them.
    """
    substitutions: tuple[Substitution, ...] = ()
    """The contests in which they are a substitute now.

    This gives them a part in the contest but no voice: they see what everyone sees.
    """

    @property
    def voices(self) -> tuple[str, ...]:
        """The voices with which they may speak, the default first."""
        return (GAME_MASTER, *self.seats) if self.game_master else self.seats

    @property
    def member(self) -> bool:
        """Whether they have any role in the campaign."""
        return (
            bool(self.voices)
            or self.host
            or self.reserve
            or self.countersigner
            or bool(self.substitutions)
        )

    @property
    def sight(self) -> tuple[str, ...]:
        """The seats for which they see: their voices, or their seats and the opened hands."""
        return (
            self.voices
            if self.open_hands is None
            else tuple(sorted({*self.seats, *self.open_hands}))
        )

    @property
    def viewer(self) -> str | None:
        """The view in which they see the campaign: `gm`, a seat, or None for an outsider."""
        return self.sight[0] if self.sight else None

    def sees(self, audience: tuple[str, ...] | None) -> bool:
        """Return whether they see something with this audience."""
        return seen_by(audience, self.sight)

    def opens(self, seat: str) -> bool:
        """Return whether they see this seat's hand."""
        return seat in self.seats or (
            self.game_master and (self.open_hands is None or seat in self.open_hands)
        )

    def speaks_for(self, seat: str) -> bool:
        """Return whether they may make this seat's moves."""
        return self.game_master or seat in self.seats

    def plays(self, launch: int, contest: int, seat: str) -> bool:
        """Return whether they fight this contest for this seat, as its holder or a substitute."""
        return seat in self.seats or (launch, contest, seat) in self.substitutions


NO_ACCESS = Access()


@dataclass(frozen=True, slots=True)
class RequestNotes:
    """The notes of one request about its user in one campaign (`User.noted`)."""

    who: Access | None = None
    """The user's rights (`cache_access`), so that a page that only reads queries them once."""
    open_hands: frozenset[str] | None = None
    """The seats whose hands a game master has opened (`set_open_hands`)."""


NO_NOTES = RequestNotes()
NO_FULL_SIGHT = gettext_noop(
    "You hold or have held a seat here, and hands are hidden: until the campaign ends, "
    "only a game master who has never held a seat can do this."
)
SUSPENDED = gettext_noop(
    "The host has suspended this campaign. No one can read it or move in it until the host ends "
    "the suspension."
)


def places(campaign: Campaign | int) -> QuerySet[Membership]:
    """Return the memberships that users hold now, the longest held first.

    `struck` is the entry that struck a substitute's launch.
    """
    return places_ever(campaign).filter(until=None)


def places_ever(campaign: Campaign | int) -> QuerySet[Membership]:
    """Return all memberships, past ones included, in the same form as `places`."""
    return (
        Membership.objects.filter(campaign=campaign)
        .annotate(struck=F("launch__struck_by"))
        .order_by("since", "pk")
    )


def access_of(
    campaign: Campaign,
    user: Any,
    held: Iterable[Membership] | None = None,
    ever: Iterable[Membership] | None = None,
) -> Access:
    """Return the user's rights in the campaign now.

    `user` may be anonymous, None, or the result itself, so that a page queries it once. `held` are
    all `places` of the campaign and `ever` all `places_ever`, if they have been read.
    """
    if isinstance(user, Access):
        return user
    if user is None or not getattr(user, "is_authenticated", False):
        return NO_ACCESS
    noted: RequestNotes = user.noted.get(campaign.pk, NO_NOTES)
    if noted.who is not None:
        return noted.who
    held = (
        list(places(campaign).filter(user_id=user.pk))
        if held is None
        else [place for place in held if place.user_id == user.pk]
    )
    roles = {place.role for place in held}
    seats = tuple(place.seat for place in held if place.role == Membership.Role.SEAT)
    host = bool(roles & set(Membership.MASTERS))
    hidden = host and hides(campaign)
    blind = hidden and (bool(seats) or _may_see_no_hands(campaign, user, ever))
    return Access(
        game_master=host and not blind,
        seats=seats,
        host=host,
        chief=Membership.Role.GAME_MASTER in roles,
        open_hands=noted.open_hands if hidden and not blind else None,
        reserve=Membership.Role.RESERVE in roles,
        countersigner=Membership.Role.COUNTERSIGNER in roles,
        substitutions=tuple(
            Substitution(place.launch_id, place.contest, place.seat)
            for place in in_force(campaign, held)
        ),
    )


def held_in_play(campaign: Campaign) -> QuerySet[Membership]:
    """Return the past memberships of seats that lasted until a move had been made."""
    began = (
        LogEntry.objects.filter(campaign=campaign, kind=LogEntry.Kind.MOVE)
        .order_by("sequence")
        .values("at")
    )
    return Membership.objects.filter(
        campaign=campaign, role=Membership.Role.SEAT, until__gt=Subquery(began[:1])
    )


def _may_see_no_hands(campaign: Campaign, user: Any, ever: Iterable[Membership] | None) -> bool:
    """Return whether this game master may see no hidden hand because they have held a seat in play.

    Otherwise they could give the seat up, look at all hands and take the seat back. If no other
    game master can see all hands, the campaign needs this one: they see all hands and cannot take a
    seat again (`seats.seating.sit`). One query at least, unless `ever` has no seat of theirs.
    """
    if not campaign.started:
        return False
    if ever is not None and not any(
        place.user_id == user.pk and place.role == Membership.Role.SEAT for place in ever
    ):
        return False
    held = held_in_play(campaign)
    if not held.filter(user_id=user.pk).exists():
        return False
    if may_go_unseen(campaign):
        return True
    now = Membership.objects.filter(campaign=campaign, until=None)
    seated = now.filter(role=Membership.Role.SEAT)
    others = now.filter(role__in=Membership.MASTERS).exclude(user__in=seated.values("user"))
    return others.exclude(user__in=held.values("user")).exists()


def places_with_sight(campaign: Campaign, seats: Iterable[str]) -> QuerySet[Membership]:
    """Return the memberships whose holders may see what is hidden from all but these seats.

    They are the holders of these seats, and the game masters who see all hands.
    """
    now = Membership.objects.filter(campaign=campaign, until=None)
    masters = now.filter(role__in=Membership.MASTERS)
    if hides(campaign):
        seated = now.filter(role=Membership.Role.SEAT).values("user")
        others = masters.exclude(user__in=seated).select_related("user")
        sighted = [
            place.pk for place in others if not _may_see_no_hands(campaign, place.user, None)
        ]
    else:
        sighted = list(masters.values_list("pk", flat=True))
    return now.filter(Q(pk__in=sighted) | Q(role=Membership.Role.SEAT, seat__in=seats))


def may_go_unseen(campaign: Campaign) -> bool:
    """Return whether the campaign works without a game master who sees all hands.

    This is so in titles with a page of their own.
    """
    return has_board(campaign.title)


def must_have_account(user: Any) -> None:
    """Raise `NotAllowed` for a guest, who plays alone and cannot reach other people."""
    if people_services.is_guest(user):
        raise NotAllowed(
            "guest",
            _(
                "Guests can only play alone. Create an account first: you keep what you have"
                " played."
            ),
        )


def in_force(campaign: Campaign, held: Iterable[Membership]) -> list[Membership]:
    """Return the substitutes among these `places` whose contest is running.

    A substitute's place ends with the contest, and returns if the result is undone or the launch
    restored.
    """
    bound = [
        place
        for place in held
        if place.role == Membership.Role.SUBSTITUTE and vars(place)["struck"] is None
    ]
    if not bound:
        return []
    contests = campaign.game.rows(positions.current(campaign)).contests
    running = {number for number, facts in contests.items() if facts["status"] != "resolved"}
    return [place for place in bound if place.contest in running]


def hides(campaign: Campaign) -> bool:
    """Return whether anything can be hidden from a seat in this campaign before the end."""
    return not campaign.ended and campaign.game.hides(positions.options(campaign))


def cache_access(campaign: Campaign, user: Any, who: Access) -> None:
    """Keep the rights on this user object, which must be of a request that writes nothing."""
    user.noted[campaign.pk] = replace(user.noted.get(campaign.pk, NO_NOTES), who=who)


def set_open_hands(campaign: Campaign, user: Any, seats: frozenset[str]) -> None:
    """Show a game master only these seats' hidden cards, for the life of this user object.

    The user object must be a request's.
    """
    user.noted[campaign.pk] = replace(user.noted.get(campaign.pk, NO_NOTES), open_hands=seats)


def may_see(campaign: Campaign, user: Any) -> bool:
    """Return whether they may see the campaign at all.

    Everyone who has the address may, unless it is for members only.
    """
    return campaign.visibility != Campaign.Visibility.MEMBERS or access_of(campaign, user).member


def viewer_seat(campaign: Campaign, user: Any) -> str | None:
    """Return the view of a user: `gm`, a seat's key, or None for an outsider."""
    return access_of(campaign, user).viewer


def find(public_id: str, user: Any) -> Campaign:
    """Return the campaign of an address.

    Raises `NoSuchCampaign` if there is none or this user may not see it, `NotAllowed` if it is
    suspended, `LogFault` if its log has failed its check.
    """
    campaign = Campaign.objects.filter(public_id=public_id).first()
    if campaign is None or not may_see(campaign, user):
        raise NoSuchCampaign
    if campaign.suspended:
        raise NotAllowed("suspended", _(SUSPENDED))
    if campaign.fault:
        raise LogFault
    return campaign


def must_be_game_master(campaign: Campaign, user: Any) -> Access:
    """Return the rights of a game master who sees everything; raise `NotAllowed` for other users.

    Raises `NoSuchCampaign` for users who may not know that the campaign exists.
    """
    who = access_of(campaign, user)
    if not who.game_master:
        _refuse(campaign, who)
        raise NotAllowed(
            "game-master-only",
            _(NO_FULL_SIGHT) if who.host else _("Only the game master may do this."),
        )
    return who


def must_be_host(campaign: Campaign, user: Any) -> Access:
    """Return the rights of a game master; raise as `must_be_game_master` does for other users.

    This is for acts that show nothing hidden: people, invitations, lobby, life of the campaign.
    """
    who = access_of(campaign, user)
    if not who.host:
        _refuse(campaign, who)
        raise NotAllowed("game-master-only", _("Only the game master may do this."))
    return who


def _refuse(campaign: Campaign, who: Access) -> None:
    """Raise `NoSuchCampaign` if this user may not know that the campaign exists."""
    if not who.member and campaign.visibility == Campaign.Visibility.MEMBERS:
        raise NoSuchCampaign


def must_reach(user: Any, to: Any) -> None:
    """Raise `Refused` if one of two users blocks the other.

    A user who is blocked learns only that they cannot ask this way.
    """
    if to is None or not people_services.are_apart(user, to):
        return
    if people_services.blocks(user, [to.pk]):
        text, code = (
            _("You have blocked %(name)s. Unblock them first, on your account page."),
            "blocked",
        )
    else:
        text, code = _("You cannot ask %(name)s this way. Choose someone else."), "not-reached"
    raise Refused(code, text % {"name": to.username})
