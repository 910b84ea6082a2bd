"""The ratings of players."""

from __future__ import annotations

from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Resource
from battles import ratings


class RatedPerson(s.Serializer):
    """The rating of a player."""

    rank = s.IntegerField(
        allow_null=True, help_text="Null while the rating is provisional, with too few results."
    )
    name = s.CharField()
    rating = s.IntegerField()
    low = s.IntegerField(
        help_text="With 95% certainty the true rating lies between `low` and `high`."
    )
    high = s.IntegerField()
    results = s.IntegerField(help_text="The number of battles or campaigns.")


class RatingTables(s.Serializer):
    """The ratings by battles and by campaigns."""

    battles = RatedPerson(many=True)
    campaigns = RatedPerson(many=True)


class RatingsView(Resource):
    """The ratings of players."""

    @extend_schema(summary="Ratings of players", responses=RatingTables)
    def get(self, request: Request) -> Response:
        """Return ratings by battles between two players, and by final ranks in campaigns.

        Only users who have switched ratings on are included.
        """
        now = ratings.ratings()
        facts = RatingFacts(
            battles=rated_people(now, now.battles), campaigns=rated_people(now, now.campaigns)
        )
        return self.answer(RatingTables, facts)


@dataclass(frozen=True, slots=True)
class RatedPersonFacts:
    """The facts of `RatedPerson`; `rank` is None while the rating is provisional."""

    rank: int | None
    name: str
    rating: int
    low: int
    high: int
    results: int


@dataclass(frozen=True, slots=True)
class RatingFacts:
    """The facts of `RatingTables`."""

    battles: list[RatedPersonFacts]
    campaigns: list[RatedPersonFacts]


def rated_people(now: ratings.Ratings, half: ratings.Half) -> list[RatedPersonFacts]:
    """Return the players in one of the two rankings."""
    return [
        RatedPersonFacts(
            rank=line.rank,
            name=now.names[line.user],
            rating=line.rating.value,
            low=line.rating.low,
            high=line.rating.high,
            results=line.results,
        )
        for line in half.lines()
    ]
