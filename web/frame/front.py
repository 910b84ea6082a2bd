"""The front page: the reader's campaigns and tasks, the listed campaigns, the titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from battles.models import Claim
from battles.projection import stood_in
from campaign import scenarios
from campaign.clocks.selectors import WORDS, clocks_of_user
from campaign.hosting.audit import find_fault
from campaign.log import positions, selectors
from campaign.models import GAME_MASTER, Campaign, Membership
from engine.errors import IllegalMove, MalformedRecord
from forum.models import Post
from forum.posts.reports import TEST
from games import registry
from games.contract.maps import FrontMap, WithMaps
from games.registry import TITLES, together, word
from notices.selectors import unread
from notices.wording import NoticeInWords, notices_in_words
from people import services as people_services
from people.models import User
from web.frame.campaign_lines import SEATED, CampaignLine, campaign_line
from web.frame.deadlines import Due, read_deadline
from web.frame.outlines import outlines_url
from web.frame.sharing import Share, own_address
from web.titles import Card, alone, cards

LISTED, NEWS = 50, 4
DUES = {
    "slot": (gettext_noop("Play your turn"), gettext_noop("Play")),
    "answer": (gettext_noop("Answer the attack of battle #%(number)s"), gettext_noop("Answer")),
    "battle": (gettext_noop("Play battle #%(number)s"), gettext_noop("View")),
    "claim": (
        gettext_noop("Confirm or dispute the result of battle #%(number)s"),
        gettext_noop("View"),
    ),
    WORDS: (gettext_noop("Add your words for the dice"), gettext_noop("Add")),
}
"""The task and the text of its button, by the kind of the deadline."""


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The front page; `at_home` is true for a reader who has campaigns."""

    at_home: bool
    own: list[CampaignLine]
    others: list[CampaignLine]
    archive: list[Campaign]
    waiting: list[Task]
    news: list[NoticeInWords]
    hero: Hero | None
    share: Share
    demo_people: list[DemoUser]

    @property
    def campaigns(self) -> list[CampaignLine]:
        return [*self.own, *self.others]

    @property
    def titles(self) -> list[Card]:
        """Every title that the site hosts."""
        return cards()

    @property
    def practised(self) -> list[Card]:
        """The titles that can be played with programs."""
        return [card for card in cards() if card.practised]

    @property
    def play(self) -> Card | None:
        """The title that can be played at once and alone."""
        return next(iter(alone()), None)


def front_page(request: HttpRequest) -> FrontPage:
    """Return the front page for this reader."""
    user = request.user
    held_in = own_campaigns(user) if user.is_authenticated else []
    own = [campaign for campaign in held_in if not campaign.archived]
    others = [campaign for campaign in listed_campaigns() if campaign not in own]
    held = memberships([*own, *others])
    dues = deadlines(user) if own else {}
    at_home = bool(own) and people_services.has_account(user)
    hero = hero_of([*own, *others] if at_home else [*others, *own])
    return FrontPage(
        at_home=at_home,
        own=lines(own, held, user, dues),
        others=lines(others, held, user, dues),
        archive=[campaign for campaign in held_in if campaign.archived],
        waiting=tasks(user, own, held, dues) if at_home else [],
        news=list(notices_in_words(unread(user)[:NEWS])) if at_home else [],
        hero=hero,
        share=share(request, hero),
        demo_people=demo_people() if settings.TABULA_DEMO else [],
    )


def listed_campaigns() -> list[Campaign]:
    """Return the newest listed campaigns for several players.

    Campaigns of one player are in the hall of fame.
    """
    titles = [key for key, title in TITLES.items() if together(title)]
    listed = selectors.listed().filter(title__in=titles)[:LISTED]
    return [campaign for campaign in listed if not selectors.alone_in(campaign)]


def lines(
    campaigns: Iterable[Campaign],
    held: Mapping[int, Sequence[Membership]],
    user: User | AnonymousUser,
    dues: Mapping[int, Sequence[Due]],
) -> list[CampaignLine]:
    """Return the lines of these campaigns, without titles that the site does not host."""
    return [
        campaign_line(campaign, held.get(campaign.pk, []), user, dues.get(campaign.pk, []))
        for campaign in campaigns
        if campaign.title in TITLES
    ]


def own_campaigns(user: User | AnonymousUser) -> list[Campaign]:
    """Return the campaigns in which the user has a place, then those in which they substitute."""
    held = list(selectors.campaigns_of_user(user))
    return [*held, *(campaign for campaign in stood_in(user) if campaign not in held)]


def memberships(campaigns: Iterable[Campaign]) -> dict[int, list[Membership]]:
    """Return the present memberships by campaign. One query."""
    places = Membership.objects.filter(campaign__in=list(campaigns), until=None)
    by_campaign: dict[int, list[Membership]] = {}
    for place in places.select_related("user").order_by("since", "pk"):
        by_campaign.setdefault(place.campaign_id, []).append(place)
    return by_campaign


def deadlines(user: User | AnonymousUser) -> dict[int, list[Due]]:
    """Return the user's deadlines by campaign, the earliest first. One query."""
    by_campaign: dict[int, list[Due]] = {}
    for clock in clocks_of_user(user):
        by_campaign.setdefault(clock.campaign_id, []).append(read_deadline(clock))
    return by_campaign


# The reader's tasks


@dataclass(frozen=True, slots=True)
class Task:
    """Something that a campaign is waiting for the reader to do."""

    campaign: Campaign
    text: str
    url: str
    verb: str
    due: Due | None = None


def tasks_of(user: User | AnonymousUser) -> list[Task]:
    """Return the tasks of a user in all their campaigns."""
    own = [campaign for campaign in own_campaigns(user) if not campaign.archived]
    return tasks(user, own, memberships(own), deadlines(user)) if own else []


def tasks(
    user: User | AnonymousUser,
    own: Iterable[Campaign],
    held: Mapping[int, Sequence[Membership]],
    dues: Mapping[int, Sequence[Due]],
) -> list[Task]:
    """Return the tasks of a user in these campaigns: disputes, deadlines, then posts.

    Tasks that delay others come first. Takes two queries for a game master, none for others.
    """
    campaigns = {campaign.pk: campaign for campaign in own}
    run = {
        pk: campaign
        for pk, campaign in campaigns.items()
        if any(is_master(place, user) for place in held.get(pk, []))
    }
    return [
        *(disputes(run) if run else ()),
        *due_tasks(campaigns, dues),
        *(posts_to_copy(run) if run else ()),
    ]


def is_master(place: Membership, user: User | AnonymousUser) -> bool:
    return place.user_id == user.pk and place.role in Membership.MASTERS


def disputes(run: Mapping[int, Campaign]) -> Iterator[Task]:
    """Yield a task for each disputed result that the game master is to judge."""
    disputed = Claim.objects.filter(
        campaign__in=run, state=Claim.State.DISPUTED, entry__struck_by=None
    )
    for claim in disputed.order_by("pk"):
        campaign = run[claim.campaign_id]
        yield Task(
            campaign,
            _("Make a ruling on battle #%(number)s") % {"number": claim.number},
            reverse("battle", args=[campaign.address, claim.number]) + "#claim",
            pgettext("front", "Make a ruling"),
        )


def due_tasks(
    campaigns: Mapping[int, Campaign], dues: Mapping[int, Sequence[Due]]
) -> Iterator[Task]:
    """Yield a task for each deadline, the earliest first."""
    waiting = [
        (campaigns[pk], due)
        for pk, some in dues.items()
        if pk in campaigns
        for due in some
        if not due.held and due.kind in DUES
    ]
    for campaign, due in sorted(waiting, key=lambda pair: pair[1].at):
        text, verb = DUES[due.kind]
        facts = {"number": due.clock.contest}
        yield Task(campaign, _(text) % facts, page_of_due(campaign, due), _(verb), due)


def page_of_due(campaign: Campaign, due: Due) -> str:
    """Return the address of the page on which the reader does the task."""
    if due.clock.contest is not None:
        return reverse("battle", args=[campaign.address, due.clock.contest])
    if due.kind == WORDS:
        return reverse("dice", args=[campaign.address]) + "#h-mix"
    if registry.has_board(campaign.title) or not due.clock.seat:
        return reverse("table", args=[campaign.address])
    return reverse("nation", args=[campaign.address, due.clock.seat])


def posts_to_copy(run: Mapping[int, Campaign]) -> Iterator[Task]:
    """Yield a task for each outbox of the game master with waiting posts."""
    states = (Post.State.DRAFT, Post.State.FAILED, Post.State.DOUBTFUL)
    waiting = Post.objects.filter(
        campaign__in=run, state__in=states, first=None, thread__removed_at=None
    ).exclude(Q(report="") | Q(report=TEST))
    for pk, count in Counter(waiting.values_list("campaign_id", flat=True)).items():
        text = ngettext("%(count)s post for the thread", "%(count)s posts for the thread", count)
        yield Task(
            run[pk],
            text % {"count": count},
            reverse("posts", args=[run[pk].address]),
            pgettext("post", "Copy"),
        )


# The map


class Hero(NamedTuple):
    """A map with its caption. It has addresses if it is the map of a campaign."""

    map: FrontMap
    name: str
    caption: str
    url: str = ""
    picture: str = ""


def hero_of(campaigns: Iterable[Campaign]) -> Hero | None:
    """Return the map of the first listed, running campaign that has one.

    Without such a campaign, return the opening map of the first title that has one.
    """
    for campaign in campaigns:
        if (hero := map_of(campaign)) is not None:
            return hero
    for title in TITLES.values():
        if isinstance(title, WithMaps):
            opening = title.maps.opening(outlines_url)
            return Hero(opening, title.name, opening.caption)
    return None


def map_of(campaign: Campaign) -> Hero | None:
    """Return the map of a campaign; None if it has none, is not listed or does not run."""
    listed = campaign.visibility == Campaign.Visibility.LISTED
    running = campaign.status == Campaign.Status.RUNNING
    if not (listed and running) or campaign.fault:
        return None
    picture = front_map(campaign)
    if picture is None:
        return None
    turn = word(campaign.title, "turn_number").format(n=campaign.turn)
    return Hero(
        map=picture,
        name=campaign.name,
        caption=f"{turn}: {picture.caption}" if picture.caption else turn,
        url=reverse("story", args=[campaign.address]),
        picture=reverse("map_picture", args=[campaign.address]),
    )


def front_map(campaign: Campaign) -> FrontMap | None:
    """Return the map of a campaign; None if it has none, or if its log cannot be replayed."""
    if not isinstance(campaign.game, WithMaps):
        return None
    try:
        position = selectors.position(campaign)
    except (IllegalMove, MalformedRecord):
        if not find_fault(campaign):
            raise
        return None
    return campaign.game.maps.front(
        position, scenarios.text_of(campaign), partial(outlines_url, campaign=campaign)
    )


def share(request: HttpRequest, hero: Hero | None) -> Share:
    """Return the preview of a link to the site, with the front page's map if it is a campaign's."""
    picture, alt = "", ""
    if hero is not None and hero.picture:
        picture = request.build_absolute_uri(hero.picture)
        alt = pgettext("front", "Map of {campaign}").format(campaign=hero.name)
    text = _("The map, the ledgers and the dice of campaigns that last for months, in one place.")
    return Share("Tabula", text, own_address(request), picture, alt)


# The demonstration


class DemoUser(NamedTuple):
    """A user of the demonstration, with the seat that they play or `gm`."""

    user: User
    nation: str
    label: str


def demo_people() -> list[DemoUser]:
    """Return the users of the demonstration, the game master first."""
    people = list(User.objects.filter(demo=True, is_active=True).order_by("pk"))
    seated = Membership.objects.filter(user__in=people, until=None, role__in=SEATED)
    seats: dict[int, tuple[str, str]] = {}
    for place in seated.select_related("campaign"):
        campaign = place.campaign
        infos = campaign.game.seats(positions.scenario(campaign), positions.options(campaign))
        names = {info.key: info.name for info in infos}
        key = place.seat or GAME_MASTER
        seats.setdefault(place.user_id, (key, names.get(key, "Game master")))
    rows = [DemoUser(user, *seats.get(user.pk, ("", ""))) for user in people]
    return sorted(rows, key=lambda row: row.nation != GAME_MASTER)
