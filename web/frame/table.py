"""A campaign as one reader sees it: the facts that its pages need, each read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, F, FilteredRelation, Max, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from battles import projection as battles_projection
from battles.models import Battle, Claim
from battles.projection import RESOLVED
from campaign import access as campaign_access
from campaign import plans
from campaign.access import Access
from campaign.clocks import selectors as clock_selectors
from campaign.log import entries, selectors, turn_times
from campaign.log.acts.rulings import AMENDMENT
from campaign.log.selectors import CampaignView
from campaign.log.turn_times import TurnTimes
from campaign.models import GAME_MASTER, AccessLogEntry, Campaign, Clock, LogEntry, Membership
from campaign.seats import selectors as seats_selectors
from campaign.seats.selectors import ShownAbsence
from engine.effects import Phrase
from engine.strict_json import is_clean_text
from forum.models import Thread
from games.contract.pages import Pages
from games.contract.title import Account, Offer, Standing, Waiting
from notices.models import Notice
from people.models import User
from talk.selectors import with_unread

LEADING = frozenset({"table", "nation"})
"""The pages that lead to the hand-over page of a seat."""


def address(name: str, *args: object) -> str:
    """Return the address of a page."""
    return reverse(name, args=args)


@dataclass(frozen=True, slots=True)
class Notes:
    """Facts about the reader that are read together with the campaign's memberships.

    A page that does not ask for a fact has its default.
    """

    planned: int | None = None
    """The number of moves that the reader has planned for the seat of this page; None without a
    plan.
    """
    listed: datetime | None = None
    """The moment at which a plan of the reader was last changed, on pages of no seat."""
    talk_new: int = 0
    """The number of new messages."""
    handed: str | None = None
    """The first of the reader's seats whose hand-over page they have not read."""
    guarded: bool = False
    """Whether the reader has a second factor. Only the desk reads this fact and the next three."""
    thread: bool = False
    """Whether a thread is set up."""
    amended: bool = False
    """Whether a change of the rules has ever been proposed."""
    looked: bool = False
    """Whether the reader has ever opened a hidden hand."""


NOTED = tuple(field.name for field in fields(Notes))


@dataclass
class TableContext(CampaignView):
    """A campaign as one reader sees it, made once per request.

    `position` hides nothing and must never be shown. A fact that several parts of a page need is a
    property here and is read once.
    """

    request: HttpRequest
    campaign: Campaign
    access: Access
    past: bool = False
    """Whether `position` is an earlier position."""
    mark: str = ""
    """The key of the moves that made an earlier position; empty if it is not needed again."""
    notes: Notes = Notes()

    @property
    def user(self) -> User | AnonymousUser:
        return self.request.user

    @property
    def signed_in_user(self) -> User:
        """The reader of a page that asks readers to sign in."""
        assert self.request.user.is_authenticated
        return self.request.user

    @property
    def pages(self) -> Pages | None:
        """The title's own page of the table; None if it has the plain pages."""
        return self.title.pages

    @cached_property
    def solo(self) -> bool:
        """Whether one person plays alone. Then no one can be invited, waited for, or replaced."""
        return len(self.seats) == 1

    @cached_property
    def memberships(self) -> list[Membership]:
        """All present and past memberships, with their users and absences."""
        return list(selectors.memberships(self.campaign))

    @cached_property
    def places(self) -> list[Membership]:
        """The present memberships, the longest held first."""
        return [place for place in self.memberships if place.until is None]

    @cached_property
    def accounts_by_key(self) -> dict[str, Account]:
        """The title's accounts by their keys."""
        return {account.key: account for account in self.title.accounts}

    @cached_property
    def final_standings(self) -> Sequence[Standing] | None:
        """The final standings; None while the campaign runs."""
        return self.title.score(self.position)

    @property
    def has_clocks(self) -> bool:
        """Whether a clock can run."""
        return not self.past and not self.solo and clocks_may_run(self.campaign)

    @cached_property
    def clocks(self) -> Sequence[Clock]:
        """The running and the paused clocks; not read if no clock can run."""
        return running_clocks(self.campaign) if self.has_clocks else ()

    @cached_property
    def all_battles(self) -> Sequence[Battle]:
        """All battles in the order in which they began."""
        return battles_projection.listed(self.campaign)

    @cached_property
    def running_battles(self) -> Sequence[Battle]:
        """The battles that are not resolved."""
        if "all_battles" in self.__dict__:
            return [battle for battle in self.all_battles if battle.status != RESOLVED]
        return battles_projection.listed_running(self.campaign) if self.has_contests else ()

    @cached_property
    def live_claims(self) -> dict[int, Claim]:
        """The claims that have not been decided, by the number of their battle."""
        return battles_projection.live_claims(self.running_battles)

    @cached_property
    def has_contests(self) -> bool:
        """Whether a battle has not been resolved; unknown for the past."""
        contests = self.rows.contests.values()
        return self.past or any(facts["status"] != RESOLVED for facts in contests)

    @cached_property
    def solo_battles(self) -> dict[int, str]:
        """The seat that is away in each battle that is played solo, by number (RULES 11)."""
        return battles_projection.solos(self.running_battles)

    @cached_property
    def program_levels(self) -> dict[str, str]:
        """The levels of the programs that play among people, by seat."""
        return seats_selectors.program_levels(self.campaign)

    @cached_property
    def master_offers(self) -> Sequence[Offer]:
        """The game master's moves that are possible now, including those that are refused."""
        return self.title.offers(self.position, GAME_MASTER)

    @cached_property
    def waited_for(self) -> Sequence[Waiting]:
        """The seats that the table is waiting for, by the rules and by claims in battles."""
        waits = [] if self.final_standings is not None else self.title.waiting(self.position)
        if not any(wait.contest is not None for wait in waits):
            return waits
        return battles_projection.waiting(
            waits, self.live_claims, self.solo_battles, self.program_levels
        )

    @cached_property
    def absent(self) -> dict[str, list[tuple[str, ShownAbsence]]]:
        """The present and future absences by seat, those of game masters under `gm`."""
        return seats_selectors.by_place(self.places)

    @cached_property
    def substitutes(self) -> dict[tuple[int | None, str], str]:
        """The names of the substitutes in running battles, by battle and seat."""
        return {
            (place.contest, place.seat): place.user.username
            for place in campaign_access.in_force(self.campaign, self.places)
        }

    @cached_property
    def turn_times(self) -> TurnTimes:
        """The times of the moves of this turn, including hidden moves."""
        return turn_times.from_stored(self.campaign.turn_times)

    @cached_property
    def last_own(self) -> int | None:
        """In practice games, the number of the reader's last move, after which the film begins."""
        if not self.campaign.programs or not self.own_seats:
            return None
        own = self.campaign.entries.filter(
            kind=LogEntry.Kind.MOVE, seat__in=list(self.own_seats), struck_by=None
        )
        return own.order_by("-number").values_list("number", flat=True).first()

    @property
    def ref(self) -> str:
        """The part of this campaign's addresses after /c/."""
        return self.campaign.address

    @property
    def home(self) -> str:
        return self.url("table")

    @property
    def game_master(self) -> bool:
        return self.access.game_master

    @property
    def host(self) -> bool:
        """Whether the reader is a game master, even one who plays and may not see everything.

        Pages without hidden information use this.
        """
        return self.access.host

    @property
    def own_seats(self) -> tuple[str, ...]:
        return self.access.seats

    @cached_property
    def seen(self) -> int:
        """The reader's last entry, for the forms; never newer than the campaign's row."""
        return entries.last_seen(self.campaign, self.access)

    def holders(self, seat: str) -> list[str]:
        """Return the names of the holders of a seat, or of all game masters for `gm`."""
        if seat == GAME_MASTER:
            return [user.username for user in selectors.game_masters(self.campaign, self.places)]
        return [s.holder.username for s in self.seats if s.key == seat and s.holder is not None]

    def is_mine(self, seat: str) -> bool:
        """Return whether the reader holds this seat, rather than acting for it as game master."""
        return seat in self.access.voices

    def sentence(self, phrase: Phrase) -> str:
        return battles_projection.speak(self.title, self.scenario, phrase)

    def url(self, name: str, *args: object) -> str:
        """Return the address of a page of this campaign."""
        return reverse(name, args=(self.campaign.address, *args))

    def must_be_game_master(self) -> None:
        """Raise `PermissionDenied` unless the reader is a game master who may see everything."""
        if not self.game_master:
            raise PermissionDenied(
                _(campaign_access.NO_FULL_SIGHT)
                if self.host
                else _("Only the game master may do this.")
            )

    def must_be_host(self) -> None:
        """Raise `PermissionDenied` unless the reader is a game master."""
        if not self.host:
            raise PermissionDenied(_("Only the game master may do this."))


class CampaignRow(NamedTuple):
    """A campaign's row, and the facts about the reader that the key of its pages needs."""

    campaign: Campaign
    own_changes: int = 0
    """The counter of changes that only this reader sees (`Membership.own_changes`)."""
    unread: int = 0
    """The number of the reader's unread notices, in all campaigns, including muted notices."""
    newest_unread: int = 0
    """The primary key of the newest of them; 0 if there are none."""


def campaign_row(public_id: str, user: User | AnonymousUser) -> CampaignRow | None:
    """Return the campaign with this id; None if there is none. One query."""
    campaigns = Campaign.objects.filter(public_id=public_id)
    if not user.is_authenticated:
        campaign = campaigns.first()
        return None if campaign is None else CampaignRow(campaign)
    own_place = FilteredRelation("memberships", condition=Q(memberships__user=user.pk))
    unread = Notice.objects.filter(user_id=user.pk, read_at=None).order_by().values("user")
    counted = campaigns.annotate(
        own_place=own_place,
        own_changes=F("own_place__own_changes"),
        unread=Subquery(unread.annotate(number=Count("pk")).values("number")),
        newest_unread=Subquery(unread.annotate(newest=Max("pk")).values("newest")),
    )
    rows = [  # one row for each present or past place of the reader
        CampaignRow(
            campaign, **{name: vars(campaign).pop(name) or 0 for name in CampaignRow._fields[1:]}
        )
        for campaign in counted
    ]
    if not rows:
        return None
    return rows[0]._replace(own_changes=sum(row.own_changes for row in rows))


def clocks_may_run(campaign: Campaign) -> bool:
    """Return whether the campaign is played with clocks."""
    is_played = campaign.started and not campaign.ended
    return is_played and any(clock_selectors.terms_of(campaign).values())


def running_clocks(campaign: Campaign) -> Sequence[Clock]:
    """Return the running and the paused clocks; not read if no clock can run."""
    return clock_selectors.running(campaign) if clocks_may_run(campaign) else ()


def memberships_and_notes(
    campaign: Campaign, user: User | AnonymousUser, page: str, seat: str
) -> tuple[list[Membership], Notes]:
    """Return present and past memberships, and the page's facts about the reader. One query.

    Args:
        campaign: the campaign.
        user: the reader.
        page: the name of the page's address.
        seat: the seat in the page's address; empty if there is none.
    """
    places = selectors.memberships(campaign)
    if user.is_authenticated:
        is_seat = bool(seat) and is_clean_text(seat, plans.LONGEST_KEY)
        places = plans.with_plans(places, campaign, user, seat if is_seat else "")
        places = with_unread(places, campaign, user)
        if page in LEADING:
            places = seats_selectors.with_handovers(places, campaign, user)
        if page == "desk":
            places = with_desk_notes(places, campaign, user)
    memberships = list(places)
    read = [
        {name: vars(place).pop(name) for name in NOTED if name in vars(place)}
        for place in memberships
    ]
    return memberships, Notes(**(read[0] if read else {}))


def with_desk_notes(
    places: QuerySet[Membership], campaign: Campaign, user: User
) -> QuerySet[Membership]:
    """Annotate the memberships of a campaign with the facts of `Notes` for the desk."""
    factor = Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP)
    threads = Thread.objects.filter(campaign=campaign, removed_at=None)
    proposals = LogEntry.objects.filter(
        campaign=campaign, kind=LogEntry.Kind.TABLE, act=AMENDMENT.name
    )
    looks = AccessLogEntry.objects.filter(campaign=campaign, user_id=user.pk)
    return places.annotate(
        guarded=Exists(factor),
        thread=Exists(threads),
        amended=Exists(proposals),
        looked=Exists(looks),
    )
