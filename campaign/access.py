"""Who somebody is at this table, and what they may see of it."""

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
"""A campaign in an address: its public id, and a slug that nobody reads."""


class Stand(NamedTuple):
    """A contest that somebody fights in another's place: the row of the entry that launched it, its
    number, the seat.
    """

    launch: int | None
    contest: int | None
    seat: str


@dataclass(frozen=True, slots=True)
class Access:
    """A user at a campaign. A stranger has no voices; nobody (not signed in) neither.

    `host` looks after people, lobby and life of the campaign: a game master or co-game-master. They
    are `game_master` too, and see all and speak for all, unless they play where something is
    hidden: then they see and speak for their seats only, until the end, also when they have given
    those seats up (`_blind`).
    """

    game_master: bool = False
    seats: tuple[str, ...] = ()
    host: bool = False
    chief: bool = False
    """The game master, no co-game-master: they hand the campaign over and make and unmake
    co-game-masters.
    """
    reserve: bool = False
    countersigner: bool = False
    eyes: frozenset[str] | None = None
    """Of a game master on a page where hands are hidden: the seats whose hands lie open to them.
    None: nothing is closed.
    """
    stands: tuple[Stand, ...] = ()
    """Where they are a substitute now. It gives them a part in that contest and no voice: they see
    what everybody sees.
    """

    @property
    def voices(self) -> tuple[str, ...]:
        """As whom they may speak, the first by default."""
        return (GAME_MASTER, *self.seats) if self.game_master else self.seats

    @property
    def member(self) -> bool:
        return (
            bool(self.voices)
            or self.host
            or self.reserve
            or self.countersigner
            or bool(self.stands)
        )

    @property
    def sight(self) -> tuple[str, ...]:
        """As whom they see: their voices; of a game master's only those seats whose hands they have
        opened.
        """
        return self.voices if self.eyes is None else tuple(sorted({*self.seats, *self.eyes}))

    @property
    def viewer(self) -> str | None:
        """Through whose eyes they see the campaign: `gm`, a seat, or None for a stranger."""
        return self.sight[0] if self.sight else None

    def sees(self, audience: tuple[str, ...] | None) -> bool:
        return seen_by(audience, self.sight)

    def opens(self, seat: str) -> bool:
        """Does this seat's hand lie open to them?"""
        return seat in self.seats or (self.game_master and (self.eyes is None or seat in self.eyes))

    def speaks_for(self, seat: str) -> bool:
        """May they make this seat's moves?"""
        return self.game_master or seat in self.seats

    def plays(self, launch: int, contest: int, seat: str) -> bool:
        """Do they fight this contest for this seat, as its holder or in the holder's place?"""
        return seat in self.seats or (launch, contest, seat) in self.stands


NOBODY = Access()


@dataclass(frozen=True, slots=True)
class Noted:
    """What one request has noted on its user of one campaign (`User.noted`)."""

    who: Access | None = None
    """Who they are at the table, so that a page that only reads asks once: `remember`."""
    eyes: frozenset[str] | None = None
    """Of a game master, whose hands lie open to them: `open_eyes`."""


NOTHING = Noted()
BLIND = gettext_noop(
    "You hold or have held a seat here, and hands are hidden: until the campaign ends, "
    "only a game master who has never held a seat can do this."
)
SUSPENDED = gettext_noop(
    "The host has suspended this campaign. Nobody reads it or moves in it until the host ends the"
    " suspension."
)


def places(campaign: Campaign | int) -> QuerySet[Membership]:
    """Every place that somebody has now, the longest held first; `struck` is the entry that struck
    a substitute's launch.
    """
    return places_ever(campaign).filter(until=None)


def places_ever(campaign: Campaign | int) -> QuerySet[Membership]:
    """The same, with those that somebody had once."""
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
    """The user's place at the table now; `user` may be anonymous or None, or the answer itself,
    asked once a page.

    `held` are all `places` of the campaign, and `ever` are its `places_ever`, where they have been
    asked for already.
    """
    if isinstance(user, Access):
        return user
    if user is None or not getattr(user, "is_authenticated", False):
        return NOBODY
    noted: Noted = user.noted.get(campaign.pk, NOTHING)
    if noted.who is not None:
        return noted.who
    held = (
        list(places(campaign).filter(user_id=user.pk))
        if held is None
        else [one for one in held if one.user_id == user.pk]
    )
    roles = {one.role for one in held}
    seats = tuple(one.seat for one in held if one.role == Membership.Role.SEAT)
    host = bool(roles & set(Membership.MASTERS))
    hidden = host and hides(campaign)
    blind = hidden and (bool(seats) or _blind(campaign, user, ever))
    return Access(
        game_master=host and not blind,
        seats=seats,
        host=host,
        chief=Membership.Role.GAME_MASTER in roles,
        eyes=noted.eyes if hidden and not blind else None,
        reserve=Membership.Role.RESERVE in roles,
        countersigner=Membership.Role.COUNTERSIGNER in roles,
        stands=tuple(
            Stand(one.launch_id, one.contest, one.seat) for one in in_force(campaign, held)
        ),
    )


def held_in_play(campaign: Campaign) -> QuerySet[Membership]:
    """Return the past holdings of seats that lasted until a move had been made."""
    began = (
        LogEntry.objects.filter(campaign=campaign, kind=LogEntry.Kind.MOVE)
        .order_by("sequence")
        .values("at")
    )
    return Membership.objects.filter(
        campaign=campaign, role=Membership.Role.SEAT, until__gt=Subquery(began[:1])
    )


def _blind(campaign: Campaign, user: Any, ever: Iterable[Membership] | None) -> bool:
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
    """Return the places whose holders may see what is hidden from everyone but these seats: those
    of the seats, and those of game masters who are not blind.
    """
    now = Membership.objects.filter(campaign=campaign, until=None)
    masters = now.filter(role__in=Membership.MASTERS)
    if hides(campaign):
        seated = now.filter(role=Membership.Role.SEAT).values("user")
        others = masters.exclude(user__in=seated).select_related("user")
        sighted = [place.pk for place in others if not _blind(campaign, place.user, None)]
    else:
        sighted = list(masters.values_list("pk", flat=True))
    return now.filter(Q(pk__in=sighted) | Q(role=Membership.Role.SEAT, seat__in=seats))


def may_go_unseen(campaign: Campaign) -> bool:
    """Return whether the campaign works without a game master who sees all hands: titles with a
    page of their own do.
    """
    return has_board(campaign.title)


def must_have_account(user: Any) -> None:
    """For what reaches other people. Raises `NotAllowed` for a guest, who plays alone."""
    if people_services.is_guest(user):
        raise NotAllowed(
            "guest", _("A guest plays alone. Make an account first: what you have goes with you.")
        )


def in_force(campaign: Campaign, held: Iterable[Membership]) -> list[Membership]:
    """The substitutes among these `places` whose contest runs: their place ends with it, and is
    there again where the result, or the launch, is undone or restored.
    """
    bound = [
        one
        for one in held
        if one.role == Membership.Role.SUBSTITUTE and vars(one)["struck"] is None
    ]
    if not bound:
        return []
    contests = campaign.game.rows(positions.current(campaign)).contests
    running = {number for number, facts in contests.items() if facts["status"] != "resolved"}
    return [one for one in bound if one.contest in running]


def hides(campaign: Campaign) -> bool:
    """May anything be hidden here from a seat, now and until the end?"""
    return not campaign.ended and campaign.game.hides(positions.options(campaign))


def remember(campaign: Campaign, user: Any, who: Access) -> None:
    """For the life of this user object, which must be a request's that writes nothing."""
    user.noted[campaign.pk] = replace(user.noted.get(campaign.pk, NOTHING), who=who)


def open_eyes(campaign: Campaign, user: Any, seats: frozenset[str]) -> None:
    """For the life of this user object, a request's: as game master they see only these seats' part
    of what is hidden here.
    """
    user.noted[campaign.pk] = replace(user.noted.get(campaign.pk, NOTHING), eyes=seats)


def may_see(campaign: Campaign, user: Any) -> bool:
    """May they see the campaign at all? If it is not for members only, anybody who has the address
    may.
    """
    return campaign.visibility != Campaign.Visibility.MEMBERS or access_of(campaign, user).member


def viewer_seat(campaign: Campaign, user: Any) -> str | None:
    """`gm`, a seat's key, or None for a stranger."""
    return access_of(campaign, user).viewer


def find(public_id: str, user: Any) -> Campaign:
    """The campaign of an address, or `NoSuchCampaign`, also where this user may not see it."""
    campaign = Campaign.objects.filter(public_id=public_id).first()
    if campaign is None or not may_see(campaign, user):
        raise NoSuchCampaign
    if campaign.suspended:
        raise NotAllowed("suspended", _(SUSPENDED))
    if campaign.fault:
        raise LogFault
    return campaign


def must_be_game_master(campaign: Campaign, user: Any) -> Access:
    """Raises `NotAllowed` (or `NoSuchCampaign`) for everybody else, also for a game master who
    plays and may not look.
    """
    who = access_of(campaign, user)
    if not who.game_master:
        _refuse(campaign, who)
        raise NotAllowed(
            "game-master-only", _(BLIND) if who.host else _("Only the game master may do this.")
        )
    return who


def must_be_host(campaign: Campaign, user: Any) -> Access:
    """For what shows nothing hidden: people, invitations, lobby, life. Raises as
    `must_be_game_master` does.
    """
    who = access_of(campaign, user)
    if not who.host:
        _refuse(campaign, who)
        raise NotAllowed("game-master-only", _("Only the game master may do this."))
    return who


def _refuse(campaign: Campaign, who: Access) -> None:
    if not who.member and campaign.visibility == Campaign.Visibility.MEMBERS:
        raise NoSuchCampaign


def must_reach(user: Any, to: Any) -> None:
    """Raises `Refused` where one of the two blocks the other: who asks learns no more than that it
    goes another way.
    """
    if to is None or not people_services.are_apart(user, to):
        return
    if people_services.blocks(user, [to.pk]):
        text, code = (
            _("You have blocked %(name)s. Unblock them first, on your account’s page."),
            "blocked",
        )
    else:
        text, code = _("%(name)s cannot be asked this way. Name somebody else."), "not-reached"
    raise Refused(code, text % {"name": to.username})
