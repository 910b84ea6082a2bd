"""Ratings of users by their battles against each other, and by the final ranks of campaigns.

Ratings are not stored (docs/play/ratings.md). They are computed from the results in force, in their
order. Users who have not switched them on (`people.models.User.rated`) are left out, together with
everything they have played. A process caches the result until one of the campaigns or the list of
users changes. The library openskill does the arithmetic.
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
from games.contract.players import RatedBattle, WithRatedBattles
from games.registry import TITLES
from people.models import User

BASE = 1000.0
"""The rating with which every user begins."""
UNIT = 200.0
"""The points that equal a standard deviation of a battle's luck, the unit of the model of battles.
"""
BETA = UNIT / sqrt(2)
SIGMA = 2 * BETA
CAMPAIGN_BETA = 4 * BETA
"""The luck of a campaign: it depends on dice and treaties, and all its pairs are compared as if
each were a contest of its own.
"""
TAU = SIGMA / 100
"""The uncertainty that a new result adds, as openskill proposes it: skills change."""
WIDTH = 2
"""Half the width of the interval, in standard deviations.

The true rating is in it 19 times of 20.
"""
SETTLED = {"battles": 5, "campaigns": 3}
"""The number of results below which a rating is provisional and has no rank."""
ROLES = (Membership.Role.SEAT, Membership.Role.SUBSTITUTE)
RANKS: Mapping[str, list[float]] = {"attacker": [1, 2], "defender": [2, 1], "draw": [1, 1]}


class Rating(NamedTuple):
    """The estimated skill of a user, and the standard deviation of the estimate."""

    mu: float = BASE
    sigma: float = SIGMA

    @property
    def value(self) -> int:
        """The rating as a whole number."""
        return round(self.mu)

    @property
    def low(self) -> int:
        """The lower end of the interval."""
        return round(self.mu - WIDTH * self.sigma)

    @property
    def high(self) -> int:
        """The upper end of the interval."""
        return round(self.mu + WIDTH * self.sigma)


class Share(NamedTuple):
    """A user's part in a result: the user, the seat, its rank, and the rating before and after."""

    user: int
    seat: str
    rank: int
    before: Rating
    after: Rating


class Counted(NamedTuple):
    """A result that counts for ratings.

    For a battle it has the number, how it was fought, and the attacker's share first. For the final
    ranks of a campaign it has the shares by rank, only of users who take part.
    """

    campaign: int
    at: datetime
    shares: tuple[Share, ...]
    number: int = 0
    fought: RatedBattle | None = None


class Line(NamedTuple):
    """A user's line of the table; `rank` is None for a provisional rating."""

    rank: int | None
    user: int
    rating: Rating
    results: int


class Half(NamedTuple):
    """The ratings of one kind, by user, and all results behind them, the oldest first."""

    ratings: Mapping[int, Rating]
    results: Sequence[Counted]
    settled: int

    def lines(self) -> list[Line]:
        """Return the lines of the table: ranked users by the lower end of their interval.

        Users with provisional ratings follow.
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
        """Return the results behind a user's rating, the latest first."""
        return [
            (result, share)
            for result in reversed(self.results)
            for share in result.shares
            if share.user == user
        ]


class Ratings(NamedTuple):
    """All ratings; `names` has all users who take part, with results or without."""

    names: Mapping[int, str]
    battles: Half
    campaigns: Half


def rated_titles() -> list[str]:
    """Return the keys of the titles whose battles and final ranks are rated."""
    return [key for key, title in TITLES.items() if isinstance(title.players, WithRatedBattles)]


def ratings() -> Ratings:
    """Return the current ratings.

    Makes two queries if nothing has changed since the last call, six otherwise.
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
    """Return the ratings of these users.

    The last hash of a campaign changes with everything that is played, struck or restored in it.
    """
    numbers = [pk for pk, _hash, _abandoned in campaigns]
    places = Places(
        Membership.objects.filter(campaign__in=numbers, role__in=ROLES).order_by("since", "pk"),
        users,
    )
    ended = {pk for pk, _hash, abandoned in campaigns if not abandoned}
    return _battles(numbers, places), _campaigns(ended, places)


class Places:
    """The seats and substitutes of campaigns over time."""

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
        """Return the user who held the seat at that time, if they take part.

        With `launch` and `contest` it is the substitute at that battle, if there was one.
        """
        held = self._held.get((campaign, seat, launch, contest), ())
        then = [
            row.user_id for row in held if row.since <= at and (row.until is None or row.until > at)
        ]
        if not then and launch is not None:
            return self.holder(campaign, seat, at)
        return then[-1] if then and then[-1] in self.users else None


def _battles(campaigns: Sequence[int], places: Places) -> Half:
    """Return the ratings by battles between two users who take part, in the order of results."""
    rows = Battle.objects.filter(
        campaign__in=campaigns, campaign__lesson="", status=RESOLVED, solo=""
    ).select_related("campaign")
    rows = rows.only(
        "campaign__title", "entry_id", "number", "attacker", "defender", "facts", "resolved_at"
    )
    entered = _results(campaigns)
    counted: list[tuple[tuple[Any, ...], Battle, tuple[int, int], RatedBattle]] = []
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
        if (
            not raw
            or None in sides
            or sides[0] == sides[1]
            or not isinstance(players, WithRatedBattles)
        ):
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
    """Return sequence and text of the move in force that concerns a contest, by time.

    Of several moves at the same time it is the last one.
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
    """Return the ratings by final ranks of campaigns that have ended.

    A campaign counts if at least two of the users who held a seat at its end take part. The best
    seat of a user counts.
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


def after_battle(attacker: Rating, defender: Rating, fought: RatedBattle) -> tuple[Rating, Rating]:
    """Return both ratings after a battle.

    The attacker's advantage before the battle is added to their rating for the comparison. The
    winner was better by at least the lead: a large one makes the victory count more. (The `margin`
    of openskill changes nothing between equals.)
    """
    head = fought.edge * UNIT
    model = ThurstoneMostellerFull(
        mu=BASE, sigma=SIGMA, beta=BETA, tau=TAU, epsilon=fought.lead * UNIT
    )
    teams = [[model.rating(attacker.mu + head, attacker.sigma)], [model.rating(*defender)]]
    (first,), (second,) = model.rate(teams, ranks=list(RANKS[fought.winner]))
    return Rating(first.mu - head, first.sigma), Rating(second.mu, second.sigma)


def after_campaign(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return all ratings after a campaign, by their final ranks, comparing each pair.

    (The Plackett-Luce model of openskill gives less to a shared first rank than to the third.)
    """
    model = BradleyTerryFull(mu=BASE, sigma=SIGMA, beta=CAMPAIGN_BETA, tau=TAU)
    teams = model.rate(
        [[model.rating(*rating)] for rating in before], ranks=[float(rank) for rank in ranks]
    )
    return [Rating(rating.mu, rating.sigma) for (rating,) in teams]


def expected(attacker: Rating, defender: Rating, edge: float) -> float:
    """Return the attacker's chance to win, not counting draws.

    It follows from both ratings with their uncertainty, and the advantage before the battle.
    """
    model = ThurstoneMostellerFull(mu=BASE, sigma=SIGMA, beta=BETA)
    teams = [[model.rating(attacker.mu + edge * UNIT, attacker.sigma)], [model.rating(*defender)]]
    return model.predict_win(teams)[0]


def skill_difference(attacker: int, defender: int) -> float:
    """Return how much better a user fights than another, for the model of battles.

    The unit is a standard deviation of a battle's luck (docs/contribute/battle-model.md); it is 0
    if one of the users is not rated. Uncertainty reduces it: with equal armies the model gives the
    chance that the ratings give.
    """
    known = ratings().battles.ratings
    if attacker not in known or defender not in known:
        return 0.0
    first, second = known[attacker], known[defender]
    unsure = (first.sigma**2 + second.sigma**2) / UNIT**2
    return (first.mu - second.mu) / UNIT / sqrt(1 + unsure)


def open_campaigns(numbers: Iterable[int], user: Any) -> dict[int, Campaign]:
    """Return those of these campaigns that a page may name to this reader.

    They are listed campaigns, and those in which the reader is a member. Makes one query.
    """
    open_to = Q(visibility=Campaign.Visibility.LISTED)
    if user is not None and user.is_authenticated:
        open_to |= Q(
            pk__in=Membership.objects.filter(user_id=user.pk, until=None).values("campaign")
        )
    return {
        campaign.pk: campaign for campaign in Campaign.objects.filter(open_to, pk__in=set(numbers))
    }
