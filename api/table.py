"""The table: the game and its terms, the position, and the people."""

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
from api.base import CampaignContext, CampaignResource
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
        allow_blank=True, help_text="In the form #rrggbb; empty if the title gives none."
    )
    holder = s.CharField(allow_null=True)
    program = s.CharField(
        allow_null=True,
        help_text="The program that plays the seat until a person takes it; null if there is none.",
    )


class HouseRule(s.Serializer):
    """A house rule, in which this campaign differs from the printed rules."""

    name = s.CharField()
    here = s.CharField()
    usual = s.CharField()
    rule = s.CharField(allow_blank=True)


class Terms(s.Serializer):
    """The game of a campaign with its rules.

    These are the edition of the rules, and scenario and options as in a record.
    """

    title = s.CharField()
    name = s.CharField(help_text="The name of the game.")
    format = s.CharField(help_text="The format of its records, with the edition of the rules.")
    scenario = s.JSONField()
    options = s.JSONField()
    drawing = s.JSONField(
        allow_null=True, help_text="The campaign's own map; null if it uses the title's."
    )
    rulebook = s.CharField()
    house_rules = HouseRule(many=True)


class Position(s.Serializer):
    """The position as its reader may see it."""

    entry = s.IntegerField(
        allow_null=True,
        help_text="The entry after which this is the position; null before the first entry.",
    )
    now = s.BooleanField(help_text="Whether the request asked for the present position.")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True, help_text="The seat whose slot is open.")
    state = s.JSONField(
        help_text=(
            "The position in the form of the title (RECORD.md of its rules). Anything hidden from"
            " the reader is null or a count."
        )
    )


class AbsenceLine(s.Serializer):
    """A present or future absence of a player. The days are in the player's own time zone."""

    person = s.CharField()
    seats = s.ListField(child=s.CharField())
    first = s.DateField()
    last = s.DateField()
    begun = s.BooleanField()
    note = s.CharField(allow_blank=True, help_text="Empty also if the reader may not see it.")


class Absences(s.Serializer):
    """The absences of a campaign's players."""

    results = AbsenceLine(many=True)


class Place(s.Serializer):
    """A role in the campaign, and the user who has it now."""

    person = s.CharField()
    role = s.ChoiceField(Membership.Role.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True, help_text="For a substitute: the battle.")
    since = s.DateTimeField()


class People(s.Serializer):
    """The seats of a campaign, and the people with their roles."""

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
class AbsenceFacts:
    """The facts of `AbsenceLine`."""

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


# The game and its position

AT = OpenApiParameter(
    "at",
    {"type": "integer", "minimum": 0, "maximum": FAR},
    description="The position after this entry, which must be in force.",
)


class TermsView(CampaignResource):
    """The game of a campaign with its rules."""

    @extend_schema(summary="The game and its terms", responses=Terms)
    def get(self, request: Request, ref: str) -> Response:
        """Return the game, scenario, options and house rules of a campaign."""
        return self.answer(Terms, terms_facts(self.here))


def terms_facts(here: CampaignContext) -> TermsFacts:
    """Return the game, scenario, options and house rules of a campaign."""
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


class PositionView(CampaignResource):
    """The position of a campaign."""

    @extend_schema(summary="The position", responses=Position, parameters=[AT])
    def get(self, request: Request, ref: str) -> Response:
        """Return the position now, or with `at` the position after a public entry in force."""
        asked = paging.whole_number(request, "at", -1)
        facts = position_now(self.here) if asked < 0 else position_after(self.here, asked)
        return self.answer(Position, facts)


def position_now(here: CampaignContext) -> PositionFacts:
    """Return the present position as the reader may see it."""
    stops = history.trail(here.campaign).stops
    entry = stops[-1].number if stops else None
    return position_facts(here.title.view(here.position, here.access.viewer), entry, now=True)


def position_after(here: CampaignContext, number: int) -> PositionFacts:
    """Return the position after a public entry in force. Raises `Http404`."""
    trail = history.trail(here.campaign)
    place = trail.at(number)
    if place is None:
        raise Http404
    stop = trail.stops[place]
    position = history.after(here.campaign, stop.moves)
    return position_facts(here.title.view(position, here.access.viewer), stop.number, now=False)


def position_facts(state: dict[str, Any], entry: int | None, *, now: bool) -> PositionFacts:
    """Return a title's view of the position after an entry."""
    return PositionFacts(
        entry=entry,
        now=now,
        turn=state["turn"],
        phase=state["phase"],
        slot=state["slot"],
        state=state,
    )


# People and absences


class PeopleView(CampaignResource):
    """The people of a campaign."""

    @extend_schema(summary="Seats and people", responses=People)
    def get(self, request: Request, ref: str) -> Response:
        """Return the seats, and the people with their roles."""
        return self.answer(People, PeopleFacts(seats_facts(self.here), places_facts(self.here)))


def seats_facts(here: CampaignContext) -> list[SeatFacts]:
    """Return the seats with their holders or programs."""
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


def places_facts(here: CampaignContext) -> list[PlaceFacts]:
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


class AbsencesView(CampaignResource):
    """The absences of a campaign's players."""

    @extend_schema(summary="Absences", responses=Absences)
    def get(self, request: Request, ref: str) -> Response:
        """Return present and future absences."""
        here, now = self.here, timezone.now()
        absences = (
            [] if len(here.seats) == 1 else seats_selectors.absences_of_campaign(here.campaign, now)
        )
        results = [absence_facts(here, absence, now) for absence in absences]
        return self.answer(Absences, {"results": results})


def absence_facts(here: CampaignContext, absence: Absence, now: datetime) -> AbsenceFacts:
    """Return an absence. The note is empty if the reader may not see it."""
    may_read_note = seats_selectors.may_read_note(absence, here.access, here.user)
    return AbsenceFacts(
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
