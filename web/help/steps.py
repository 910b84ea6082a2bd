"""The first steps of a game master and of a player, with their progress."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from battles.models import Claim
from campaign.log import positions
from campaign.log.acts.battles import CLAIM, CONFIRM
from campaign.models import Campaign, LogEntry, Membership
from forum.models import Post
from forum.posts.report_parts import WHOLE
from forum.posts.reports import ANNOUNCEMENT
from games import registry
from games.registry import together
from people.models import User

MOST_MOVES = 400
"""The largest number of a player's moves that are examined."""
POSTED = (Post.State.POSTED, Post.State.AWAITING, Post.State.SUPERSEDED)


@dataclass(frozen=True, slots=True)
class HelpStep:
    """A step: its task, its duration, its page, and whether it is done.

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
    """The steps in a campaign. Without a campaign, no step is done or marked as next."""

    key: str
    heading: str
    campaign_name: str
    steps: list[HelpStep]

    @property
    def done(self) -> int:
        return sum(step.is_done for step in self.steps)


def step_list(key: str, heading: str, campaign: Campaign | None, steps: list[HelpStep]) -> StepList:
    """Return the list. In a campaign the first step that is not done is marked as next."""
    if campaign is None:
        return StepList(key, heading, "", steps)
    following = next((step for step in steps if not step.is_done), None)
    marked = [replace(step, is_next=step is following) for step in steps]
    return StepList(key, heading, campaign.name, marked)


def newest_membership(user: User | AnonymousUser, roles: Iterable[str]) -> Membership | None:
    """Return the user's newest membership with one of these roles in a multiplayer campaign."""
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


# Game master


@dataclass(frozen=True, slots=True)
class MasterProgress:
    """The progress of a game master's campaign up to the report of turn 1."""

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
        commitments=Count("pk", filter=Q(report=ANNOUNCEMENT)),
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


def steps_before_start(campaign: Campaign | None, progress: MasterProgress) -> list[HelpStep]:
    return [
        HelpStep(
            name=pgettext("help", "Create the campaign"),
            text=_(
                "Choose the name, the clocks, the dice and the thread. The default settings work "
                "well together."
            ),
            time=_("5 min"),
            url=url_in(campaign, "about") or reverse("found"),
            verb=_("Create a campaign"),
            is_done=progress.is_founded,
        ),
        HelpStep(
            name=_("Post the commitment of the dice"),
            text=_(
                "You find the text in the Outbox, under Announcement. If you post it before the "
                "start, everyone can check that no roll was changed afterwards."
            ),
            time=_("2 min"),
            url=url_in(campaign, "posts"),
            verb=pgettext("button", "Outbox"),
            is_done=progress.has_commitment,
        ),
        HelpStep(
            name=_("Invite the players"),
            text=_("Send a separate link for each nation, or one link for any free seat."),
            time=_("5 min"),
            url=url_in(campaign, "seats"),
            verb=pgettext("button", "Seats"),
            is_done=progress.is_seated,
        ),
        HelpStep(
            name=pgettext("help", "Start the campaign"),
            text=_(
                "The site draws the order of play and the cards, and the first nation’s turn "
                "begins."
            ),
            time=_("1 min"),
            url=url_in(campaign, "desk"),
            verb=pgettext("button", "Desk"),
            is_done=progress.is_started,
        ),
    ]


def steps_of_turn(campaign: Campaign | None, progress: MasterProgress) -> list[HelpStep]:
    return [
        HelpStep(
            name=_("Follow the turn"),
            text=_(
                "The players make their moves. The Desk shows whom the campaign is waiting for."
            ),
            time=_("a few minutes a day"),
            url=url_in(campaign, "desk"),
            verb=pgettext("button", "Desk"),
            is_done=progress.is_played,
        ),
        HelpStep(
            name=_("Settle disputes"),
            text=_(
                "You see both versions and the evidence, and make a ruling with a reason. "
                "Disputes come first on the Desk."
            ),
            time=_("5 min each"),
            url=url_in(campaign, "desk"),
            verb=pgettext("button", "Desk"),
            is_done=progress.is_judged,
        ),
        HelpStep(
            name=_("Close the turn"),
            text=_(
                "You can do this on the Desk when every nation has played and all battles are "
                "resolved."
            ),
            time=_("1 min"),
            url=url_in(campaign, "desk"),
            verb=pgettext("button", "Desk"),
            is_done=progress.is_closed,
        ),
        HelpStep(
            name=_("Post the turn report"),
            text=_(
                "Copy the text, paste it into your forum, and enter the link to the post here. "
                "The report contains everything that happened in the turn."
            ),
            time=_("3 min"),
            url=url_in(campaign, "posts"),
            verb=pgettext("button", "Outbox"),
            is_done=progress.is_reported,
        ),
    ]


# Player


@dataclass(frozen=True, slots=True)
class PlayerProgress:
    """A player's progress with their seat."""

    has_acted: bool = False
    has_attacked: bool = False
    """Whether they have attacked, or ended their slot without an attack."""
    has_ended_slot: bool = False
    has_claimed: bool = False


def player_steps(user: User | AnonymousUser) -> StepList:
    """Return the steps of a player's first slot and battles."""
    membership = newest_membership(user, (Membership.Role.SEAT,))
    campaign = membership.campaign if membership is not None else None
    seat = membership.seat if membership is not None else ""
    progress = player_progress(membership) if membership is not None else PlayerProgress()
    steps = [*steps_of_slot(campaign, seat, progress), battle_step(campaign, progress)]
    return step_list("player", _("Your first turn as a player"), campaign, steps)


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


def steps_of_slot(campaign: Campaign | None, seat: str, progress: PlayerProgress) -> list[HelpStep]:
    nation_url = url_in(campaign, "nation", seat)
    return [
        HelpStep(
            name=_("Read what has changed"),
            text=_(
                "Your page shows five values and what each threshold means. If you have been "
                "attacked, answer first."
            ),
            time=_("5 min"),
            url=nation_url,
            verb=pgettext("button", "Your nation"),
            is_done=progress.has_acted,
        ),
        HelpStep(
            name=_("Make a plan"),
            text=_(
                "Choose “Plan” next to a move to put it on a list that only you can see. The list "
                "adds up the costs."
            ),
            time=_("10 min"),
            url=url_in(campaign, "plan", seat),
            verb=pgettext("button", "Plan"),
            is_done=progress.has_acted,
        ),
        HelpStep(
            name=pgettext("help", "Announce"),
            text=_(
                "Announce your moves one by one or all at once. You can undo your last move until "
                "someone else moves."
            ),
            time=_("2 min"),
            url=nation_url,
            verb=pgettext("button", "Announce"),
            is_done=progress.has_acted,
        ),
        HelpStep(
            name=_("Attack if you like"),
            text=_(
                "Choose where you attack from, the target and the kind of battle. You see the "
                "consequences before you confirm."
            ),
            time=_("5 min"),
            url=nation_url,
            verb=pgettext("button", "Your nation"),
            is_done=progress.has_attacked,
        ),
        HelpStep(
            name=_("End your turn"),
            text=_(
                "You lose unused actions, and the next player is notified. Your attacks continue."
            ),
            time=_("1 min"),
            url=nation_url,
            verb=pgettext("button", "End turn"),
            is_done=progress.has_ended_slot,
        ),
    ]


def battle_step(campaign: Campaign | None, progress: PlayerProgress) -> HelpStep:
    return HelpStep(
        name=_("Play your battles"),
        text=_(
            "The page of the battle has the set-up sheet. When you have played, one side reports "
            "the result, and the other confirms or disputes it."
        ),
        time=_("an evening each"),
        url=url_in(campaign, "battles"),
        verb=pgettext("button", "Battles"),
        is_done=progress.has_claimed,
    )
