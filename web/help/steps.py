"""The first steps of a game master and of a player, with those that are done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from battles.models import Claim
from campaign.log import positions
from campaign.log.acts.battles import CLAIM, CONFIRM
from campaign.models import Campaign, LogEntry, Membership
from forum.models import Post
from forum.posts.report_parts import WHOLE
from forum.posts.reports import KEY
from games import registry
from games.registry import together
from people.models import User

MOST_MOVES = 400
"""The number of a player's moves that are looked at."""
POSTED = (Post.State.POSTED, Post.State.AWAITING, Post.State.SUPERSEDED)


@dataclass(frozen=True, slots=True)
class Step:
    """A step: what to do, how long it takes, where, and whether it is done.

    `url` is empty if the reader has no campaign in which to do it.
    """

    name: str
    text: str
    time: str
    url: str
    verb: str
    is_done: bool
    is_next: bool = False


@dataclass(frozen=True, slots=True)
class StepList:
    """The steps in one campaign, or in none: then nothing is done and no step is the next."""

    key: str
    heading: str
    campaign_name: str
    steps: list[Step]

    @property
    def done(self) -> int:
        return sum(step.is_done for step in self.steps)


def step_list(key: str, heading: str, campaign: Campaign | None, steps: list[Step]) -> StepList:
    """Return the list. In a campaign the first step that is not done is the next."""
    if campaign is None:
        return StepList(key, heading, "", steps)
    following = next((step for step in steps if not step.is_done), None)
    marked = [replace(step, is_next=step is following) for step in steps]
    return StepList(key, heading, campaign.name, marked)


def newest_membership(user: User | AnonymousUser, roles: Iterable[str]) -> Membership | None:
    """Return the user's newest place with one of these roles in a campaign for several players."""
    if not user.is_authenticated:
        return None
    titles = [
        key for key, title in registry.TITLES.items() if together(title) and title.pages is None
    ]
    held = Membership.objects.filter(
        user=user, role__in=roles, until=None, campaign__title__in=titles
    )
    return held.select_related("campaign").order_by("-pk").first()


def url_in(campaign: Campaign | None, name: str, *args: object) -> str:
    """Return the address of a page of the campaign; empty without a campaign."""
    return reverse(name, args=[campaign.address, *args]) if campaign is not None else ""


# The game master


@dataclass(frozen=True, slots=True)
class MasterProgress:
    """What has happened in a game master's campaign up to the report of turn 1."""

    is_founded: bool = False
    has_commitment: bool = False
    is_seated: bool = False
    is_started: bool = False
    is_played: bool = False
    is_judged: bool = False
    is_closed: bool = False
    is_reported: bool = False


def master_steps(user: User | AnonymousUser) -> StepList:
    """Return the steps from the founding to the posted report of turn 1."""
    membership = newest_membership(user, Membership.MASTERS)
    campaign = membership.campaign if membership is not None else None
    progress = master_progress(campaign) if campaign is not None else MasterProgress()
    steps = [*steps_before_start(campaign, progress), *steps_of_turn(campaign, progress)]
    return step_list("gm", _("Your first turn as a game master"), campaign, steps)


def master_progress(campaign: Campaign) -> MasterProgress:
    posts = Post.objects.filter(campaign=campaign, state__in=POSTED).aggregate(
        commitments=Count("pk", filter=Q(report=KEY)),
        reports=Count("pk", filter=Q(kind__in=WHOLE)),
    )
    seated = campaign.memberships.filter(role=Membership.Role.SEAT, until=None).count()
    disputed = Claim.objects.filter(
        campaign=campaign, state=Claim.State.DISPUTED, entry__struck_by=None
    ).count()
    is_started = campaign.started
    is_closed = campaign.turn > 1 or campaign.phase in ("closed", "finished")
    return MasterProgress(
        is_founded=True,
        has_commitment=posts["commitments"] > 0 or is_started,
        is_seated=seated >= number_of_seats(campaign),
        is_started=is_started,
        is_played=is_started and (is_closed or not campaign.active_seat),
        is_judged=is_closed and not disputed,
        is_closed=is_closed,
        is_reported=posts["reports"] > 0,
    )


def number_of_seats(campaign: Campaign) -> int:
    scenario, options = positions.scenario(campaign), positions.options(campaign)
    return len(campaign.game.seats(scenario, options))


def steps_before_start(campaign: Campaign | None, progress: MasterProgress) -> list[Step]:
    return [
        Step(
            name=_("Found the campaign"),
            text=_("Name, clocks, dice, thread. The defaults fit together."),
            time=_("5 min"),
            url=url_in(campaign, "about") or reverse("found"),
            verb=_("Found"),
            is_done=progress.is_founded,
        ),
        Step(
            name=_("Post the commitment of the dice"),
            text=_(
                "The Outbox has the text: Announcement. If it is posted before the start, it binds"
                " every roll to come."
            ),
            time=_("2 min"),
            url=url_in(campaign, "posts"),
            verb=_("Outbox"),
            is_done=progress.has_commitment,
        ),
        Step(
            name=_("Invite the players"),
            text=_("A link for each nation, or one link for any seat."),
            time=_("5 min"),
            url=url_in(campaign, "seats"),
            verb=_("Seats"),
            is_done=progress.is_seated,
        ),
        Step(
            name=_("Start"),
            text=_("The order of play and the cards are drawn, the first slot opens."),
            time=_("1 min"),
            url=url_in(campaign, "desk"),
            verb=_("Desk"),
            is_done=progress.is_started,
        ),
    ]


def steps_of_turn(campaign: Campaign | None, progress: MasterProgress) -> list[Step]:
    return [
        Step(
            name=_("Watch the slots"),
            text=_("Players play. The Desk shows whom the turn waits for."),
            time=_("views in a day"),
            url=url_in(campaign, "desk"),
            verb=_("Desk"),
            is_done=progress.is_played,
        ),
        Step(
            name=_("Judge what is disputed"),
            text=_(
                "Two versions, the evidence, your ruling with a reason. This comes first on the"
                " Desk."
            ),
            time=_("5 min each"),
            url=url_in(campaign, "desk"),
            verb=_("Desk"),
            is_done=progress.is_judged,
        ),
        Step(
            name=_("Close the turn"),
            text=_("When all slots have ended and all battles are resolved. The Desk shows it."),
            time=_("1 min"),
            url=url_in(campaign, "desk"),
            verb=_("Desk"),
            is_done=progress.is_closed,
        ),
        Step(
            name=_("Post the turn report"),
            text=_("Copy, paste, bring back its link. Everything else is posted with it."),
            time=_("3 min"),
            url=url_in(campaign, "posts"),
            verb=_("Outbox"),
            is_done=progress.is_reported,
        ),
    ]


# The player


@dataclass(frozen=True, slots=True)
class PlayerProgress:
    """What a player has done with their seat."""

    has_acted: bool = False
    has_attacked: bool = False
    """Whether they have attacked, or ended their slot without an attack."""
    has_ended_slot: bool = False
    has_claimed: bool = False


def player_steps(user: User | AnonymousUser) -> StepList:
    """Return the steps of a player's first slot and of their battles."""
    membership = newest_membership(user, (Membership.Role.SEAT,))
    campaign = membership.campaign if membership is not None else None
    seat = membership.seat if membership is not None else ""
    progress = player_progress(membership) if membership is not None else PlayerProgress()
    steps = [*steps_of_slot(campaign, seat, progress), battle_step(campaign, progress)]
    return step_list("player", _("Your first slot as a player"), campaign, steps)


def player_progress(membership: Membership) -> PlayerProgress:
    own = membership.campaign.entries.filter(
        actor=membership.user_id, seat=membership.seat, struck_by=None
    )
    rows = own.filter(kind=LogEntry.Kind.MOVE).values_list("act", flat=True)
    moves = set(rows[:MOST_MOVES])
    return PlayerProgress(
        has_acted=bool(moves - {"end-slot"}),
        has_attacked=bool(moves & {"attack", "end-slot"}),
        has_ended_slot="end-slot" in moves,
        has_claimed=own.filter(act__in=(CLAIM.name, CONFIRM.name)).exists(),
    )


def steps_of_slot(campaign: Campaign | None, seat: str, progress: PlayerProgress) -> list[Step]:
    nation_url = url_in(campaign, "nation", seat)
    return [
        Step(
            name=_("Read what changed"),
            text=_(
                "Your page shows five numbers and what each threshold means. Answer attacks first."
            ),
            time=_("5 min"),
            url=nation_url,
            verb=_("Your nation"),
            is_done=progress.has_acted,
        ),
        Step(
            name=_("Make a plan"),
            text=_("“Plan” beside a move puts it on a list that only you see, with its sum."),
            time=_("10 min"),
            url=url_in(campaign, "plan", seat),
            verb=_("Plan"),
            is_done=progress.has_acted,
        ),
        Step(
            name=_("Announce"),
            text=_(
                "One by one or all at once. Until somebody else moves, you can undo your last move."
            ),
            time=_("2 min"),
            url=nation_url,
            verb=_("Announce"),
            is_done=progress.has_acted,
        ),
        Step(
            name=_("Attack, if you like"),
            text=_(
                "Choose from where, the target and the kind of battle. What follows is shown"
                " before."
            ),
            time=_("5 min"),
            url=nation_url,
            verb=_("Your nation"),
            is_done=progress.has_attacked,
        ),
        Step(
            name=_("End the slot"),
            text=_("Unused actions lapse. The next player is notified. Your attacks go on."),
            time=_("1 min"),
            url=nation_url,
            verb=_("End slot"),
            is_done=progress.has_ended_slot,
        ),
    ]


def battle_step(campaign: Campaign | None, progress: PlayerProgress) -> Step:
    return Step(
        name=_("Play your battles"),
        text=_(
            "Its page has the set-up sheet. Afterwards one of you claims the result, the other"
            " confirms or disputes it."
        ),
        time=_("an evening each"),
        url=url_in(campaign, "battles"),
        verb=_("Battles"),
        is_done=progress.has_claimed,
    )
