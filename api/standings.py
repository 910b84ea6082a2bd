"""Whom the table waits for, how a campaign ended, and how it may end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Here, OfCampaign
from battles import projection as battles
from campaign import forecasts
from campaign.log import selectors
from games.contract.title import Standing as FinalStanding


class Wait(s.Serializer):
    """A person for whom the table waits."""

    seat = s.CharField()
    what = s.CharField()
    text = s.CharField()
    contest = s.IntegerField(allow_null=True)


class Standing(s.Serializer):
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
    """The chance of victory of each seat after an entry, 0 to 1."""

    entry = s.IntegerField()
    chances = s.DictField(child=s.FloatField())


class OutlookSeat(s.Serializer):
    """How a seat may end: its chance of victory, with what is 95% certain of it; between which
    points eight campaigns of ten lie, and over which half of them.
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
    """The forecast: programs play the campaign on from the end of each turn. Empty before the
    first, and where it is off.
    """

    on = s.BooleanField(help_text="Is one made and shown? The game master's switch.")
    games = s.IntegerField(
        allow_null=True, help_text="Campaigns that were played from the end of the last turn."
    )
    results = OutlookSeat(many=True, help_text="After the last turn that has one, the best first.")
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


class StandingsView(OfCampaign):
    @extend_schema(summary="Whom the table waits for, and how it ended", responses=Standings)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        final = selectors.standings(here.campaign)
        results = None if final is None else standings_facts(here, final)
        return self.answer(Standings, StandingsFacts(results, waiting_facts(here)))


def standings_facts(here: Here, final: Sequence[FinalStanding]) -> list[StandingFacts]:
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


def waiting_facts(here: Here) -> list[WaitFacts]:
    """Return whom the table waits for."""
    return [
        WaitFacts(
            seat=waiting.seat,
            what=waiting.what.id,
            text=battles.speak(here.title, here.scenario, waiting.what),
            contest=waiting.contest,
        )
        for waiting in battles.waits(here.campaign)
    ]


class ForecastView(OfCampaign):
    @extend_schema(summary="How it may end, if programs played on", responses=Outlook)
    def get(self, request: Request, ref: str) -> Response:
        """The same for every reader; the story page says what it is and is not."""
        return self.answer(Outlook, outlook_facts(self.here))


def outlook_facts(here: Here) -> OutlookFacts:
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


def outlook_of_seat(here: Here, chance: forecasts.Chance) -> OutlookSeatFacts:
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
