"""The table: what is played, the position, who sits there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import Here, OfCampaign
from api.fields import FAR
from campaign import access, rulebook
from campaign.log import history, positions
from campaign.models import Membership
from campaign.seats import selectors as seats_selectors
from engine.strict_json import read
from people.models import Absence


class Seat(s.Serializer):
    """A seat; `holder` is null while it is free."""

    key = s.CharField()
    name = s.CharField()
    colour = s.CharField(
        allow_blank=True, help_text="As #rrggbb; empty where the title gives none."
    )
    holder = s.CharField(allow_null=True)
    program = s.CharField(
        allow_null=True,
        help_text="Which program holds it among people, until a person does; null: none.",
    )


class HouseRule(s.Serializer):
    """A house rule: this campaign differs here from the printed rules."""

    name = s.CharField()
    here = s.CharField()
    usual = s.CharField()
    rule = s.CharField(allow_blank=True)


class Terms(s.Serializer):
    """What is played: the game, the edition of its rules, scenario and options as the record has
    them.
    """

    title = s.CharField()
    name = s.CharField(help_text="Of the game.")
    format = s.CharField(help_text="Of its records, with the edition of the rules.")
    scenario = s.JSONField()
    options = s.JSONField()
    drawing = s.JSONField(allow_null=True, help_text="Its own map; null where it has the title's.")
    rulebook = s.CharField()
    house_rules = HouseRule(many=True)


class Position(s.Serializer):
    """The position as its reader may see it."""

    entry = s.IntegerField(allow_null=True, help_text="After this entry; null before the first.")
    now = s.BooleanField(help_text="Was it asked for as it stands now?")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True, help_text="The seat whose slot is open.")
    state = s.JSONField(
        help_text=(
            "As the title tells it: RECORD.md of its rules. What is hidden from the reader is null"
            " or a count."
        )
    )


class Away(s.Serializer):
    """A person who is away, or will be. The days are in their own time zone."""

    person = s.CharField()
    seats = s.ListField(child=s.CharField())
    first = s.DateField()
    last = s.DateField()
    begun = s.BooleanField()
    note = s.CharField(allow_blank=True, help_text="Empty, too, where it is not for the reader.")


class Absences(s.Serializer):
    results = Away(many=True)


class Place(s.Serializer):
    """A role at the table, and the person who has it now."""

    person = s.CharField()
    role = s.ChoiceField(Membership.Role.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True, help_text="Of a substitute: the battle.")
    since = s.DateTimeField()


class People(s.Serializer):
    seats = Seat(many=True)
    people = Place(many=True)


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """The facts of `Seat`."""

    key: str
    name: str
    colour: str
    holder: str | None
    program: str | None


@dataclass(frozen=True, slots=True)
class HouseRuleFacts:
    """The facts of `HouseRule`."""

    name: str
    here: str
    usual: str
    rule: str


@dataclass(frozen=True, slots=True)
class TermsFacts:
    """The facts of `Terms`. `scenario`, `options` and `drawing` are JSON."""

    title: str
    name: str
    format: str
    scenario: object
    options: object
    drawing: object
    rulebook: str
    house_rules: list[HouseRuleFacts]


@dataclass(frozen=True, slots=True)
class PositionFacts:
    """The facts of `Position`."""

    entry: int | None
    now: bool
    turn: int
    phase: str
    slot: str | None
    state: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AwayFacts:
    """The facts of `Away`."""

    person: str
    seats: list[str]
    first: date
    last: date
    begun: bool
    note: str


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """The facts of `Place`."""

    person: str
    role: str
    seat: str
    contest: int | None
    since: datetime


@dataclass(frozen=True, slots=True)
class PeopleFacts:
    """The facts of `People`."""

    seats: list[SeatFacts]
    people: list[PlaceFacts]


# What is played, and the position

AT = OpenApiParameter(
    "at",
    {"type": "integer", "minimum": 0, "maximum": FAR},
    description="As it stood after this entry in force.",
)


class TermsView(OfCampaign):
    @extend_schema(summary="What is played", responses=Terms)
    def get(self, request: Request, ref: str) -> Response:
        return self.answer(Terms, terms_facts(self.here))


def terms_facts(here: Here) -> TermsFacts:
    campaign, title = here.campaign, here.title
    return TermsFacts(
        title=title.key,
        name=title.name,
        format=title.format,
        scenario=read(campaign.scenario),
        options=positions.record_options(campaign),
        drawing=read(campaign.drawing.text) if campaign.drawing else None,
        rulebook=reverse("api:rulebook", args=[title.key]),
        house_rules=[
            HouseRuleFacts(name, played, usual, rule)
            for name, played, usual, rule in rulebook.house_rules(
                campaign, positions.scenario(campaign)
            )
        ],
    )


class PositionView(OfCampaign):
    @extend_schema(summary="The position", responses=Position, parameters=[AT])
    def get(self, request: Request, ref: str) -> Response:
        """Now, or with `at` as it stood after an entry that is in force and that everybody sees."""
        asked = paging.whole_number(request, "at", -1)
        facts = position_now(self.here) if asked < 0 else position_after(self.here, asked)
        return self.answer(Position, facts)


def position_now(here: Here) -> PositionFacts:
    stops = history.trail(here.campaign).stops
    entry = stops[-1].number if stops else None
    return position_facts(here.title.view(here.position, here.access.viewer), entry, now=True)


def position_after(here: Here, number: int) -> PositionFacts:
    """Return the position after a public entry in force. Raises `Http404`."""
    trail = history.trail(here.campaign)
    place = trail.at(number)
    if place is None:
        raise Http404
    stop = trail.stops[place]
    position = history.after(here.campaign, stop.moves)
    return position_facts(here.title.view(position, here.access.viewer), stop.number, now=False)


def position_facts(state: dict[str, Any], entry: int | None, *, now: bool) -> PositionFacts:
    """Return a title's view of a position after an entry."""
    return PositionFacts(
        entry=entry,
        now=now,
        turn=state["turn"],
        phase=state["phase"],
        slot=state["slot"],
        state=state,
    )


# Who sits at the table, and who is away


class PeopleView(OfCampaign):
    @extend_schema(summary="Who sits at the table", responses=People)
    def get(self, request: Request, ref: str) -> Response:
        return self.answer(People, PeopleFacts(seats_facts(self.here), places_facts(self.here)))


def seats_facts(here: Here) -> list[SeatFacts]:
    programs = seats_selectors.program_levels(here.campaign)
    return [
        SeatFacts(
            key=seat.key,
            name=seat.name,
            colour=seat.info.colour,
            holder=seat.holder.username if seat.holder else None,
            program=programs.get(seat.key),
        )
        for seat in here.seats
    ]


def places_facts(here: Here) -> list[PlaceFacts]:
    """Return the roles that people have now, substitutes only while their battle runs."""
    in_force = {place.pk for place in access.in_force(here.campaign, here.places)}
    return [
        PlaceFacts(
            person=place.user.username,
            role=place.role,
            seat=place.seat,
            contest=place.contest,
            since=place.since,
        )
        for place in here.places
        if place.role != Membership.Role.SUBSTITUTE or place.pk in in_force
    ]


class AbsencesView(OfCampaign):
    @extend_schema(summary="Who is away", responses=Absences)
    def get(self, request: Request, ref: str) -> Response:
        here, now = self.here, timezone.now()
        absences = [] if len(here.seats) == 1 else seats_selectors.of_campaign(here.campaign, now)
        results = [absence_facts(here, absence, now) for absence in absences]
        return self.answer(Absences, {"results": results})


def absence_facts(here: Here, absence: Absence, now: datetime) -> AwayFacts:
    may_read_note = seats_selectors.may_read_note(absence, here.access, here.user)
    return AwayFacts(
        person=absence.user.username,
        seats=[
            seat.key
            for seat in here.seats
            if seat.holder is not None and seat.holder.pk == absence.user_id
        ],
        first=absence.first,
        last=absence.last,
        begun=absence.begins_at <= now,
        note=absence.note if may_read_note else "",
    )
