"""The players that the table is waiting for, the final standings, and the forecast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignContext, CampaignResource
from battles import projection as battles
from campaign import forecasts
from campaign.log import selectors
from games.contract.title import Standing as FinalStanding


class Wait(s.Serializer):
    """A seat that the table is waiting for."""

    seat = s.CharField()
    what = s.CharField()
    text = s.CharField()
    contest = s.IntegerField(allow_null=True)


class Standing(s.Serializer):
    """The final rank of a seat."""

    seat = s.CharField()
    name = s.CharField()
    rank = s.IntegerField()
    points = s.IntegerField()
    facts = s.JSONField()


class Standings(s.Serializer):
    """The final standings; `results` is null while the campaign runs."""

    results = Standing(many=True, allow_null=True)
    waiting = Wait(many=True)


class OutlookPoint(s.Serializer):
    """The chance of victory of each seat after an entry, from 0 to 1."""

    entry = s.IntegerField()
    chances = s.DictField(child=s.FloatField())


class OutlookSeat(s.Serializer):
    """The forecast for a seat.

    `chance` is its chance of victory; the true chance lies between `chance_low` and `chance_high`
    with 95% certainty. In eight of ten forecast campaigns the final points lie between `points_low`
    and `points_high`; in half of them they are above `points_middle`.
    """

    seat = s.CharField()
    name = s.CharField()
    chance = s.FloatField()
    chance_low = s.FloatField()
    chance_high = s.FloatField()
    points_low = s.FloatField()
    points_middle = s.FloatField()
    points_high = s.FloatField()


class OutlookSwing(s.Serializer):
    """An entry that changed a seat's chance."""

    entry = s.IntegerField()
    seat = s.CharField()
    before = s.FloatField()
    after = s.FloatField()


class Outlook(s.Serializer):
    """The forecast: programs play the campaign on from the end of each turn.

    It is empty before the first turn has ended, and while forecasts are off.
    """

    on = s.BooleanField(help_text="Whether forecasts are made and shown. The game master decides.")
    games = s.IntegerField(
        allow_null=True, help_text="The number of campaigns played from the end of the last turn."
    )
    results = OutlookSeat(
        many=True, help_text="The forecast after the last turn that has one, the best seat first."
    )
    points = OutlookPoint(many=True)
    swings = OutlookSwing(many=True)


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class WaitFacts:
    """The facts of `Wait`."""

    seat: str
    what: str
    text: str
    contest: int | None


@dataclass(frozen=True, slots=True)
class StandingFacts:
    """The facts of `Standing`."""

    seat: str
    name: str
    rank: int
    points: int
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class StandingsFacts:
    """The facts of `Standings`."""

    results: list[StandingFacts] | None
    waiting: list[WaitFacts]


@dataclass(frozen=True, slots=True)
class OutlookSeatFacts:
    """The facts of `OutlookSeat`."""

    seat: str
    name: str
    chance: float
    chance_low: float
    chance_high: float
    points_low: float
    points_middle: float
    points_high: float


@dataclass(frozen=True, slots=True)
class OutlookFacts:
    """The facts of `Outlook`."""

    on: bool
    games: int | None = None
    results: Sequence[OutlookSeatFacts] = ()
    points: Sequence[forecasts.Point] = ()
    swings: Sequence[forecasts.Swing] = ()


class StandingsView(CampaignResource):
    """The players that the table is waiting for, and the final standings."""

    @extend_schema(
        summary="Players that the table is waiting for, and final standings", responses=Standings
    )
    def get(self, request: Request, ref: str) -> Response:
        """Return the seats that the table is waiting for, and the final standings."""
        here = self.here
        final = selectors.standings(here.campaign)
        results = None if final is None else standings_facts(here, final)
        return self.answer(Standings, StandingsFacts(results, waiting_facts(here)))


def standings_facts(here: CampaignContext, final: Sequence[FinalStanding]) -> list[StandingFacts]:
    """Return the final standings, the best rank first."""
    return [
        StandingFacts(
            seat=standing.seat,
            name=here.name_of(standing.seat),
            rank=standing.rank,
            points=standing.points,
            facts=dict(standing.facts),
        )
        for standing in sorted(final, key=lambda standing: standing.rank)
    ]


def waiting_facts(here: CampaignContext) -> list[WaitFacts]:
    """Return the seats that the table is waiting for."""
    return [
        WaitFacts(
            seat=waiting.seat,
            what=waiting.what.id,
            text=battles.speak(here.title, here.scenario, waiting.what),
            contest=waiting.contest,
        )
        for waiting in battles.waits(here.campaign)
    ]


class ForecastView(CampaignResource):
    """The forecast of a campaign."""

    @extend_schema(summary="The forecast", responses=Outlook)
    def get(self, request: Request, ref: str) -> Response:
        """Return the forecast, which is the same for every reader.

        The page “Story” explains what it means.
        """
        return self.answer(Outlook, outlook_facts(self.here))


def outlook_facts(here: CampaignContext) -> OutlookFacts:
    """Return the forecast of a campaign; empty if there is none."""
    is_shown = forecasts.shown(here.campaign)
    course = forecasts.course(here.campaign) if here.campaign.forecasts else None
    if course is None:
        return OutlookFacts(is_shown)
    return OutlookFacts(
        on=is_shown,
        games=course.games,
        results=[outlook_of_seat(here, chance) for chance in course.chances],
        points=course.points,
        swings=course.swings,
    )


def outlook_of_seat(here: CampaignContext, chance: forecasts.Chance) -> OutlookSeatFacts:
    """Return the forecast for a seat."""
    return OutlookSeatFacts(
        seat=chance.seat,
        name=here.name_of(chance.seat),
        chance=chance.won.share,
        chance_low=chance.won.low,
        chance_high=chance.won.high,
        points_low=chance.low,
        points_middle=chance.middle,
        points_high=chance.high,
    )
