"""The table: what was agreed, how it stands now or stood, who sits there, what is due; its files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers import table as form
from api.views.base import Here, OfCampaign, Resource, by_pages
from battles import selectors as battles
from campaign import absences, access, moments, record, selectors, services
from campaign.clocks import selectors as clocks
from campaign.clocks import terms
from campaign.clocks.models import Clock
from campaign.models import Membership
from campaign.models_looked import Look
from engine.strict_json import read
from games import registry

AT = OpenApiParameter(
    "at", {"type": "integer", "minimum": 0, "maximum": 999999999}, description="As it stood after this entry in force."
)


class TermsView(OfCampaign):
    @extend_schema(summary="What is played", responses=form.Terms)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        scenario, options = selectors.terms(here.campaign)
        found = {
            "title": here.title.key, "name": here.title.name, "format": here.title.format, "scenario": scenario,
            "options": options, "drawing": read(here.campaign.drawing.text) if here.campaign.drawing else None,
            "rulebook": reverse("api:rulebook", args=[here.title.key]),
            "house_rules": [
                {"name": name, "here": played, "usual": usual, "rule": rule}
                for name, played, usual, rule in by_pages("house_rules")(here.campaign)
            ],
        }  # fmt: skip
        return self.told(form.Terms, found)


class PositionView(OfCampaign):
    @extend_schema(summary="How it stands", responses=form.Position, parameters=[AT])
    def get(self, request: Request, ref: str) -> Response:
        """Now, or with `at` as it stood after an entry that is in force and that everybody sees."""
        here, asked = self.here, pages.asked(request, "at", -1)
        road = moments.trail(here.campaign)
        if asked < 0:
            number, position = (road.stops[-1].number if road.stops else None), here.position
        else:
            place = road.at(asked)
            if place is None:
                raise Http404
            stop = road.stops[place]
            number, position = stop.number, moments.after(here.campaign, stop.moves)
        state = here.title.view(position, here.access.viewer)
        found = {
            "entry": number, "now": asked < 0, "turn": state["turn"], "phase": state["phase"], "slot": state["slot"],
            "state": state,
        }  # fmt: skip
        return self.told(form.Position, found)


class StandingsView(OfCampaign):
    @extend_schema(summary="Whom the table waits for, and how it ended", responses=form.Standings)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        final = selectors.standings(here.campaign)
        results = None if final is None else [
            {"seat": one.seat, "name": here.name_of(one.seat), "rank": one.rank, "points": one.points, "facts": dict(one.facts)}
            for one in sorted(final, key=lambda one: one.rank)
        ]  # fmt: skip
        return self.told(form.Standings, {"results": results, "waiting": waiting(here)})


def waiting(here: Here) -> list[dict[str, Any]]:
    return [
        {"seat": one.seat, "what": one.what.id, "contest": one.contest,
         "text": battles.speak(here.title, here.scenario, one.what)}
        for one in battles.waits(here.campaign)
    ]  # fmt: skip


def seats(here: Here) -> list[dict[str, Any]]:
    return [
        {"key": one.key, "name": one.name, "colour": one.info.colour, "holder": one.holder.username if one.holder else None}
        for one in here.seats
    ]


class PeopleView(OfCampaign):
    @extend_schema(summary="Who sits at the table", responses=form.People)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        bound = {one.pk for one in access.in_force(here.campaign, here.places)}
        people = [
            {"person": one.user.username, "role": one.role, "seat": one.seat, "contest": one.contest, "since": one.since}
            for one in here.places
            if one.role != Membership.Role.SUBSTITUTE or one.pk in bound
        ]
        return self.told(form.People, {"seats": seats(here), "people": people})


class AbsencesView(OfCampaign):
    @extend_schema(summary="Who is away", responses=form.Absences)
    def get(self, request: Request, ref: str) -> Response:
        here, now = self.here, timezone.now()
        found = [
            {
                "person": one.user.username, "first": one.first, "last": one.last, "begun": one.begins_at <= now,
                "seats": [seat.key for seat in here.seats if seat.holder is not None and seat.holder.pk == one.user_id],
                "note": one.note if absences.may_read_note(one, here.access, here.user) else "",
            }
            for one in ([] if len(here.seats) == 1 else absences.of_campaign(here.campaign, now))
        ]  # fmt: skip
        return self.told(form.Absences, {"results": found})


class ClocksView(OfCampaign):
    @extend_schema(summary="Deadlines", responses=form.Clocks)
    def get(self, request: Request, ref: str) -> Response:
        """Those that run or stand still, the earliest first, and what was agreed of each kind."""
        here, now = self.here, timezone.now()
        running = [clock(one, now) for one in ([] if len(here.seats) == 1 else clocks.running(here.campaign))]
        agreed = [
            {"kind": kind, "runs": one is not None, "length": one.length if one else None, "grace": one.grace if one else None,
             "acts": bool(one and one.acts)}
            for kind, one in terms.of(here.campaign).items()
        ]  # fmt: skip
        return self.told(form.Clocks, {"results": running, "terms": agreed})


def clock(one: Clock, now: datetime) -> dict[str, Any]:
    return {
        "kind": one.kind, "seat": one.seat, "contest": one.contest, "waits": list(one.seats), "entry": one.entry.number,
        "started_at": one.started_at, "due_at": one.due_at, "first_due_at": one.first_due_at, "latest": one.latest,
        "acts_at": None if one.held or one.acted_id is not None else one.acts_at, "held": one.held, "overdue": one.overdue(now),
    }  # fmt: skip


class DeadlinesView(Resource):
    @extend_schema(summary="Your deadlines", responses=form.Deadlines)
    def get(self, request: Request) -> Response:
        """All that waits for you, over your campaigns, the earliest first."""
        if not request.user.is_authenticated:
            raise NotAuthenticated
        now, found = timezone.now(), clocks.of_person(request.user)
        return self.told(form.Deadlines, {"results": [{**clock(one, now), "campaign": one.campaign.address} for one in found]})


class RecordView(OfCampaign):
    @extend_schema(summary="The record", responses=form.Record)
    def get(self, request: Request, ref: str) -> Response:
        """With hidden hands for the game master only, until the campaign has finished; that he took it is kept for their
        holders."""
        here = self.here
        made = record.export(here.campaign, here.access)
        if here.access.game_master:
            services.looked_at_all(here.campaign, here.user, Look.Way.RECORD)
        return self.told(form.Record, made)


class FilesView(OfCampaign):
    @extend_schema(summary="Addresses of files and pictures", responses=form.Files)
    def get(self, request: Request, ref: str) -> Response:
        campaign = self.here.campaign

        def address(name: str, *more: Any) -> str:
            return request.build_absolute_uri(reverse(name, args=[campaign.address, *more]))

        draws = by_pages("pictures")(campaign)
        turns = selectors.turns(campaign) if draws else ()
        found = {
            "record": address("record"), "pack": address("pack"), "log": address("log_sheet"), "dice": address("dice_sheet"),
            "ledgers": address("ledger_file"), "rolls": address("rolls_file"),
            "story": None if campaign.title in registry.PAGES else address("story"),
            "picture": address("map_picture") if draws else None,
            "pictures": [
                {"turn": turn, "entry": last, "url": address("map_picture_at", last, get_language() or "en")}
                for turn, _first, last in turns
            ],
        }  # fmt: skip
        return self.told(form.Files, found)
