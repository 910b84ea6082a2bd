"""The ratings of people."""

from __future__ import annotations

from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Resource
from battles import ratings


class RatedPerson(s.Serializer):
    rank = s.IntegerField(allow_null=True, help_text="Null: provisional, with too few results.")
    name = s.CharField()
    rating = s.IntegerField()
    low = s.IntegerField(help_text="The true rating lies between `low` and `high` 19 times of 20.")
    high = s.IntegerField()
    results = s.IntegerField(help_text="How many battles or campaigns it comes from.")


class RatingTables(s.Serializer):
    battles = RatedPerson(many=True)
    campaigns = RatedPerson(many=True)


class RatingsView(Resource):
    @extend_schema(summary="Ratings of people", responses=RatingTables)
    def get(self, request: Request) -> Response:
        """By battles that two people fought, and by final ranks; of those who have switched them
        on.
        """
        now = ratings.ratings()
        facts = RatingFacts(
            battles=rated_people(now, now.battles), campaigns=rated_people(now, now.campaigns)
        )
        return self.answer(RatingTables, facts)


@dataclass(frozen=True, slots=True)
class RatedPersonFacts:
    """The rating of a person; `rank` is None while it is provisional."""

    rank: int | None
    name: str
    rating: int
    low: int
    high: int
    results: int


@dataclass(frozen=True, slots=True)
class RatingFacts:
    """The ratings by battles and by campaigns."""

    battles: list[RatedPersonFacts]
    campaigns: list[RatedPersonFacts]


def rated_people(now: ratings.Ratings, half: ratings.Half) -> list[RatedPersonFacts]:
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
