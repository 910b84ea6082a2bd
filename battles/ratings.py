"""Ratings of people (docs/ratings.md): by battles that they fought with each other, and by the
final ranks of their campaigns.

Nothing of it is stored. Ratings are a reading of the results in force, in their order; whoever has
not switched them on (`people.models.User.rated`) takes no part in it, and neither does what they
played. A process keeps the last reading until one of the campaigns goes on, or somebody comes or
goes. The arithmetic is the library openskill's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from django.db.models import Q
from openskill.models import BradleyTerryFull, ThurstoneMostellerFull

from battles.models import Battle
from battles.projection import RESOLVED
from campaign.models import Campaign, ContestEntry, LogEntry, Membership
from engine.strict_json import read
from games.contract.players import Fought, Rated
from games.registry import TITLES
from people.models import User

BASE = 1000.0
"""With this everybody begins."""
UNIT = 200.0
"""So many points are one standard deviation of a battle's luck, the unit of the model of
battles.
"""
BETA = UNIT / sqrt(2)
SIGMA = 2 * BETA
CAMPAIGN_BETA = 4 * BETA
"""A campaign turns on dice and treaties, and all its pairs are compared as if each were a contest
of its own.
"""
TAU = SIGMA / 100
"""What a new result adds to the uncertainty, as openskill proposes it: people change."""
WIDTH = 2
"""The interval is so many standard deviations to either side: the true rating lies in it 19 times
of 20.
"""
SETTLED = {"battles": 5, "campaigns": 3}
"""With fewer results a rating is provisional and has no rank."""
ROLES = (Membership.Role.SEAT, Membership.Role.SUBSTITUTE)
RANKS: Mapping[str, list[float]] = {"attacker": [1, 2], "defender": [2, 1], "draw": [1, 1]}


class Rating(NamedTuple):
    """How good somebody seems to be, and the standard deviation of this."""

    mu: float = BASE
    sigma: float = SIGMA

    @property
    def value(self) -> int:
        return round(self.mu)

    @property
    def low(self) -> int:
        return round(self.mu - WIDTH * self.sigma)

    @property
    def high(self) -> int:
        return round(self.mu + WIDTH * self.sigma)


class Share(NamedTuple):
    """One person's part in a result: whose, for which seat, which rank of the result, the rating
    before and after it.
    """

    user: int
    seat: str
    rank: int
    before: Rating
    after: Rating


class Counted(NamedTuple):
    """A result that counts. Of a battle: its number, how it was fought, the attacker's share first.
    Of a campaign's final ranks: the shares by rank, those of people alone who take part.
    """

    campaign: int
    at: datetime
    shares: tuple[Share, ...]
    number: int = 0
    fought: Fought | None = None


class Line(NamedTuple):
    """Somebody's place in the table; without a rank where the rating is provisional."""

    rank: int | None
    user: int
    rating: Rating
    results: int


class Half(NamedTuple):
    """The ratings of one kind, by user, and all that they come from, the oldest first."""

    ratings: Mapping[int, Rating]
    results: Sequence[Counted]
    settled: int

    def lines(self) -> list[Line]:
        """Those with enough results by the lower end of their interval, then the
        provisional ones.
        """
        many = dict.fromkeys(self.ratings, 0)
        for result in self.results:
            for share in result.shares:
                many[share.user] += 1
        order = sorted(
            self.ratings,
            key=lambda user: (many[user] < self.settled, -self.ratings[user].low, user),
        )
        ranks: list[Line] = []
        for place, user in enumerate(order, 1):
            rating, same = self.ratings[user], ranks[-1] if ranks else None
            rank = same.rank if same is not None and same.rating.low == rating.low else place
            ranks.append(
                Line(rank if many[user] >= self.settled else None, user, rating, many[user])
            )
        return ranks

    def results_of(self, user: int) -> list[tuple[Counted, Share]]:
        """What somebody's rating comes from, the latest first."""
        return [
            (one, share)
            for one in reversed(self.results)
            for share in one.shares
            if share.user == user
        ]


class Ratings(NamedTuple):
    """All ratings; `names` are those who take part, with results or without."""

    names: Mapping[int, str]
    battles: Half
    campaigns: Half


def rated_titles() -> list[str]:
    """Return the keys of the titles whose battles between users, and final ranks, make ratings."""
    return [key for key, title in TITLES.items() if isinstance(title.players, Rated)]


def ratings() -> Ratings:
    """As they are now. Two queries where nothing has changed since they were asked for, six where
    something has.
    """
    taking_part = User.objects.filter(rated=True, is_active=True, guest=False)
    names = dict(taking_part.values_list("pk", "username"))
    places = Membership.objects.filter(user__in=list(names), role__in=ROLES)
    played = Campaign.objects.filter(
        title__in=rated_titles(),
        programs__isnull=True,
        imported=False,
        suspended=False,
        hidden=False,
    )
    known = (
        played.filter(pk__in=places.values("campaign"))
        .order_by("pk")
        .values_list("pk", "last_hash", "abandoned")
    )
    return Ratings(names, *_read(tuple(sorted(names)), tuple(known)))


@lru_cache(maxsize=4)
def _read(
    users: tuple[int, ...], campaigns: tuple[tuple[int, str, bool], ...]
) -> tuple[Half, Half]:
    """The ratings of these users; a campaign's last hash changes with everything that is played,
    struck or restored in it.
    """
    numbers = [pk for pk, _hash, _abandoned in campaigns]
    places = Places(
        Membership.objects.filter(campaign__in=numbers, role__in=ROLES).order_by("since", "pk"),
        users,
    )
    ended = {pk for pk, _hash, abandoned in campaigns if not abandoned}
    return _battles(numbers, places), _campaigns(ended, places)


class Places:
    """Who played what: seats and substitutes' battles, from when until when."""

    def __init__(self, rows: Iterable[Membership], users: Iterable[int]) -> None:
        self.users = frozenset(users)
        self._held: dict[tuple[int, str, int | None, int | None], list[Membership]] = {}
        for row in rows:
            self._held.setdefault(
                (row.campaign_id, row.seat, row.launch_id, row.contest), []
            ).append(row)

    def holder(
        self,
        campaign: int,
        seat: str,
        at: datetime,
        launch: int | None = None,
        contest: int | None = None,
    ) -> int | None:
        """Who held the seat then, if they take part; of a battle, whoever stood in for its holder
        there.
        """
        held = self._held.get((campaign, seat, launch, contest), ())
        then = [
            row.user_id for row in held if row.since <= at and (row.until is None or row.until > at)
        ]
        if not then and launch is not None:
            return self.holder(campaign, seat, at)
        return then[-1] if then and then[-1] in self.users else None


def _battles(campaigns: Sequence[int], places: Places) -> Half:
    """By the battles that were fought by two people who take part, in the order of their
    results.
    """
    rows = Battle.objects.filter(
        campaign__in=campaigns, campaign__lesson="", status=RESOLVED, solo=""
    ).select_related("campaign")
    rows = rows.only(
        "campaign__title", "entry_id", "number", "attacker", "defender", "facts", "resolved_at"
    )
    entered = _results(campaigns)
    counted: list[tuple[tuple[Any, ...], Battle, tuple[int, int], Fought]] = []
    for battle in rows:
        assert battle.resolved_at is not None
        sequence, raw = entered.get(
            (battle.campaign_id, battle.number, battle.resolved_at), (0, "")
        )
        sides = [
            places.holder(
                battle.campaign_id, seat, battle.resolved_at, battle.entry_id, battle.number
            )
            for seat in battle.parties
        ]
        players = battle.campaign.game.players
        if not raw or None in sides or sides[0] == sides[1] or not isinstance(players, Rated):
            continue
        fought = players.contest_fought(battle.facts, read(raw))
        if fought is not None:
            key = (battle.resolved_at, battle.campaign_id, sequence, battle.number)
            counted.append((key, battle, (sides[0] or 0, sides[1] or 0), fought))
    known: dict[int, Rating] = {}
    results = []
    for key, battle, people, fought in sorted(counted, key=lambda one: one[0]):
        before = [known.get(user, Rating()) for user in people]
        after = after_battle(before[0], before[1], fought)
        known.update(zip(people, after, strict=True))
        ranks = [int(rank) for rank in RANKS[fought.winner]]
        shares = tuple(map(Share, people, battle.parties, ranks, before, after))
        results.append(Counted(battle.campaign_id, key[0], shares, battle.number, fought))
    return Half(known, results, SETTLED["battles"])


def _results(campaigns: Sequence[int]) -> dict[tuple[int, int, datetime], tuple[int, str]]:
    """The last move in force of each moment that tells of a contest: its place in the log, its
    text.
    """
    rows = ContestEntry.objects.filter(
        campaign__in=campaigns, entry__kind=LogEntry.Kind.MOVE, entry__struck_by=None
    )
    columns = ("campaign", "contest", "entry__at", "entry__sequence", "entry__content_json")
    entered = {}
    for campaign, number, at, sequence, content in rows.order_by(
        "campaign", "entry__sequence"
    ).values_list(*columns):
        entered[campaign, number, at] = sequence, content
    return entered


def _campaigns(numbers: Iterable[int], places: Places) -> Half:
    """By the final ranks of campaigns that have ended: of those who held a seat at the end and take
    part, two at least. Where somebody held several, the best counts.
    """
    known: dict[int, Rating] = {}
    results = []
    rows = Campaign.objects.filter(
        pk__in=list(numbers), ended=True, helped=False, lesson=""
    ).order_by("ended_at", "pk")
    for pk, at, result in rows.values_list("pk", "ended_at", "result"):
        assert at is not None
        assert result is not None
        best: dict[int, tuple[int, str]] = {}
        for seat, _points, rank, _facts in result:
            user = places.holder(pk, seat, at)
            if user is not None and (user not in best or rank < best[user][0]):
                best[user] = rank, seat
        if len(best) < 2:
            continue
        people = sorted(best, key=lambda user: (best[user][0], user))
        before = [known.get(user, Rating()) for user in people]
        after = after_campaign(before, [best[user][0] for user in people])
        known.update(zip(people, after, strict=True))
        shares = (
            Share(user, best[user][1], best[user][0], *two)
            for user, *two in zip(people, before, after, strict=True)
        )
        results.append(Counted(pk, at, tuple(shares)))
    return Half(known, results, SETTLED["campaigns"])


# The arithmetic


def after_battle(attacker: Rating, defender: Rating, fought: Fought) -> tuple[Rating, Rating]:
    """Both ratings after a battle. What the attacker had before it began is added to their rating
    while it is compared, and the winner was better by the lead at least: with a large one a victory
    says more. (openskill's own `margin` changes nothing between equals.)
    """
    head = fought.edge * UNIT
    model = ThurstoneMostellerFull(
        mu=BASE, sigma=SIGMA, beta=BETA, tau=TAU, epsilon=fought.lead * UNIT
    )
    teams = [[model.rating(attacker.mu + head, attacker.sigma)], [model.rating(*defender)]]
    (first,), (second,) = model.rate(teams, ranks=list(RANKS[fought.winner]))
    return Rating(first.mu - head, first.sigma), Rating(second.mu, second.sigma)


def after_campaign(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings of all after a campaign, by their final ranks, each compared with each.
    (openskill's Plackett-Luce gives less to a shared first rank than to the third.)
    """
    model = BradleyTerryFull(mu=BASE, sigma=SIGMA, beta=CAMPAIGN_BETA, tau=TAU)
    teams = model.rate(
        [[model.rating(*one)] for one in before], ranks=[float(rank) for rank in ranks]
    )
    return [Rating(one.mu, one.sigma) for (one,) in teams]


def expected(attacker: Rating, defender: Rating, edge: float) -> float:
    """The attacker's chance to be the better one, from both ratings with their uncertainty and the
    edge; draws apart.
    """
    model = ThurstoneMostellerFull(mu=BASE, sigma=SIGMA, beta=BETA)
    teams = [[model.rating(attacker.mu + edge * UNIT, attacker.sigma)], [model.rating(*defender)]]
    return model.predict_win(teams)[0]


def skill_difference(attacker: int, defender: int) -> float:
    """By how much one user fights better than another, in standard deviations of a battle's luck,
    as the model of battles wants it (docs/battle-model.md); 0 where one of them is not rated. What
    is uncertain counts for less: with equal armies the model gives the chance that the ratings do.
    """
    known = ratings().battles.ratings
    if attacker not in known or defender not in known:
        return 0.0
    first, second = known[attacker], known[defender]
    unsure = (first.sigma**2 + second.sigma**2) / UNIT**2
    return (first.mu - second.mu) / UNIT / sqrt(1 + unsure)


def open_campaigns(numbers: Iterable[int], user: Any) -> dict[int, Campaign]:
    """Of these campaigns those that a page may name to this reader: listed ones, and those where
    they have a place. An address of another is given to nobody. One query.
    """
    open_to = Q(visibility=Campaign.Visibility.LISTED)
    if user is not None and user.is_authenticated:
        open_to |= Q(
            pk__in=Membership.objects.filter(user_id=user.pk, until=None).values("campaign")
        )
    return {one.pk: one for one in Campaign.objects.filter(open_to, pk__in=set(numbers))}
