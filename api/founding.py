"""Beginnings by program: scenarios put on a user's shelf, campaigns founded, records taken over."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from celery import current_app
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Resource, must_be_signed_in, read
from api.campaigns import CampaignLine, CampaignsView, campaign_facts
from api.once import answer_once
from api.problems import problem
from api.titles import ShelfLine, ShelfView, shelf_facts
from campaign import imports, scenarios, services
from campaign.founding import SIGHTS, USUAL_SIGHT
from campaign.models import Campaign, ImportJob, Scenario
from campaign.scenarios import JudgedScenario
from engine.errors import MalformedRecord
from engine.strict_json import canonical
from engine.strict_json import read as read_json
from games import registry
from games.contract.title import Title, proposed_options

log = logging.getLogger(__name__)


LONGEST_NAME = 100


class ScenarioSent(s.Serializer):
    """A scenario for one's shelf, as the page “Bring a scenario” reads it."""

    title = s.CharField(max_length=40)
    scenario = s.DictField()
    drawing = s.DictField(required=False, allow_null=True)
    sharing = s.ChoiceField(Scenario.Sharing.choices, default=Scenario.Sharing.PRIVATE)

    def body(self) -> ScenarioBody:
        return ScenarioBody(**self.validated_data)


class CampaignSent(s.Serializer):
    """The terms of a new campaign. One of `scenario` and `shelf`."""

    title = s.CharField(max_length=40)
    name = s.CharField(max_length=LONGEST_NAME)
    scenario = s.JSONField(
        required=False, help_text="The key of a shipped one, or a scenario object."
    )
    shelf = s.CharField(
        required=False, max_length=8, help_text="`ref` of a scenario that you may see."
    )
    drawing = s.DictField(
        required=False, allow_null=True, help_text="The map of a scenario object."
    )
    options = s.DictField(
        required=False,
        help_text=(
            "As in a record. For options that you leave out, the proposals of the founding page"
            " apply."
        ),
    )
    time_zone = s.CharField(default="UTC", max_length=64)
    visibility = s.ChoiceField(Campaign.Visibility.choices, default=Campaign.Visibility.UNLISTED)
    chance = s.CharField(
        default="",
        allow_blank=True,
        max_length=8,
        help_text="Empty, `words`, `draw`, `both` or `manual`.",
    )
    amending = s.CharField(
        default="two-thirds", max_length=12, help_text="Who must agree before rules change in play."
    )
    sight = s.ChoiceField(
        list(SIGHTS),
        default=USUAL_SIGHT,
        help_text="What the game master reads of messages: all, reported, addressed.",
    )
    seat = s.CharField(required=False, max_length=40, help_text="Your own seat, if you play, too.")

    def body(self) -> CampaignBody:
        return CampaignBody(**self.validated_data)


class RecordSent(s.Serializer):
    record = s.DictField(help_text="As `record/` gives it.")
    name = s.CharField(max_length=LONGEST_NAME)
    time_zone = s.CharField(default="UTC", max_length=64)
    visibility = s.ChoiceField(Campaign.Visibility.choices, default=Campaign.Visibility.UNLISTED)

    def body(self) -> RecordBody:
        return RecordBody(**self.validated_data)


class ImportTold(s.Serializer):
    """A record that was sent, and how far it is."""

    id = s.IntegerField()
    state = s.CharField(
        help_text="waiting, reading, replaying, writing, founded, faulty, stopped or too-long."
    )
    ended_at = s.DateTimeField(allow_null=True)
    faults = s.ListField(child=s.CharField())
    campaign = s.CharField(allow_null=True, help_text="`ref` of the campaign that was founded.")


# What the bodies say


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioBody:
    """A body of `ScenarioSent`."""

    title: str
    scenario: Mapping[str, object]
    drawing: Mapping[str, object] | None = None
    sharing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignBody:
    """A body of `CampaignSent`. `scenario` is a key or an object."""

    title: str
    name: str
    scenario: object = None
    shelf: str | None = None
    drawing: Mapping[str, object] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    time_zone: str
    visibility: str
    chance: str
    amending: str
    sight: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class RecordBody:
    """A body of `RecordSent`."""

    record: Mapping[str, object]
    name: str
    time_zone: str
    visibility: str


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class ImportFacts:
    """The facts of `ImportTold`."""

    id: int
    state: str
    ended_at: datetime | None
    faults: list[str]
    campaign: str | None


@dataclass(frozen=True, slots=True)
class Terrain:
    """What a campaign is founded on: a scenario with its map, `""` for the title's own map.
    `scenario` is the key of a shipped one, or an object.
    """

    scenario: str | Mapping[str, object]
    drawing: str = ""


class FaultyScenario(Exception):
    """A scenario object that has faults."""

    def __init__(self, faults: Sequence[MalformedRecord]) -> None:
        super().__init__("The scenario has faults.")
        self.faults = faults

    def answer(self) -> Response:
        """Answer 422 with every fault under its place."""
        fields: dict[str, list[str]] = {}
        for fault in self.faults:
            fields.setdefault(fault.where, []).append(fault.why)
        return problem(422, "malformed", _("The scenario has faults."), fields=fields)


def known_title(key: str) -> Title:
    title = registry.TITLES.get(key)
    if title is None:
        raise ValidationError({"title": [_("This game is not played here.")]})
    return title


def judged(title: Title, scenario: object, drawing: object) -> JudgedScenario:
    """Return a scenario object with its map, as the page reads it. Raises `FaultyScenario`."""
    result = imports.judge_scenario(
        title.key, canonical(scenario), canonical(drawing) if drawing else ""
    )
    if result.faults:
        raise FaultyScenario(result.faults)
    return result


class BringScenarioView(ShelfView):
    @extend_schema(
        summary="Put a scenario on your shelf", request=ScenarioSent, responses={201: ShelfLine}
    )
    def post(self, request: Request) -> Response:
        """What stands there already, letter by letter, is given back. 422 with every fault."""
        must_be_signed_in(request)
        body = read(ScenarioSent, request)
        title = known_title(body.title)

        def make() -> Response:
            try:
                result = judged(title, body.scenario, body.drawing)
            except FaultyScenario as faulty:
                return faulty.answer()
            shelved = scenarios.put(
                request.user, title.key, result.scenario, result.drawing, body.sharing
            )
            return self.answer(ShelfLine, shelf_facts(shelved), 201)

        return answer_once(request, make)


class FoundView(CampaignsView):
    @extend_schema(summary="Found a campaign", request=CampaignSent, responses={201: CampaignLine})
    def post(self, request: Request) -> Response:
        """You are its game master; its clocks are the usual ones until `clocks/terms/` says
        otherwise.
        """
        must_be_signed_in(request)
        body = read(CampaignSent, request)
        title = known_title(body.title)
        if (body.scenario is None) == (body.shelf is None):
            raise ValidationError(
                {"scenario": [_("Send a scenario, or say which of a shelf, one of them.")]}
            )

        def make() -> Response:
            try:
                terrain = terrain_of(request, title, body)
            except FaultyScenario as faulty:
                return faulty.answer()
            campaign = found_campaign(request, title, terrain, body)
            return self.answer(CampaignLine, campaign_facts(campaign), 201)

        return answer_once(request, make)


def terrain_of(request: Request, title: Title, body: CampaignBody) -> Terrain:
    """Return the scenario that a body names or contains. Raises `ValidationError` and
    `FaultyScenario`.
    """
    if body.shelf is not None:
        return shelved_terrain(request, title, body.shelf)
    if isinstance(body.scenario, dict):
        result = judged(title, body.scenario, body.drawing)
        return Terrain(result.scenario, result.drawing)
    if not isinstance(body.scenario, str) or body.scenario not in title.scenarios():
        raise ValidationError({"scenario": [_("Choose one of the scenarios.")]})
    return Terrain(body.scenario)


def shelved_terrain(request: Request, title: Title, ref: str) -> Terrain:
    """Return a scenario of a shelf that the reader may see. Raises `ValidationError`."""
    shelved = scenarios.seen(ref, request.user)
    if shelved is None or shelved.title != title.key:
        raise ValidationError({"shelf": [_("There is no such scenario.")]})
    return Terrain(read_json(shelved.text), shelved.drawing.text if shelved.drawing else "")


def found_campaign(
    request: Request, title: Title, terrain: Terrain, body: CampaignBody
) -> Campaign:
    """Return a new campaign, in which the user plays if the body names a seat."""
    campaign = services.found_campaign(
        request.user,
        title.key,
        body.name,
        terrain.scenario,
        {**proposed_options(title), **body.options},
        body.time_zone,
        body.visibility,
        drawing=terrain.drawing,
        chance=body.chance,
        amending=body.amending,
        sight=body.sight,
    )
    if body.seat is not None:
        services.play_too(campaign, request.user, body.seat)
    campaign.refresh_from_db()
    return campaign


class ImportsView(Resource):
    @extend_schema(summary="Take a record over", request=RecordSent, responses={202: ImportTold})
    def post(self, request: Request) -> Response:
        """It is replayed whole before anything is founded; `imports/<id>/` says how far it is."""
        must_be_signed_in(request)
        body = read(RecordSent, request)

        def make() -> Response:
            text = json.dumps(body.record, default=float, ensure_ascii=False).encode()
            job, is_new = imports.store_upload(
                request.user, text, body.name, body.time_zone, body.visibility
            )
            if is_new:
                send_to_worker(job)
            return self.answer(ImportTold, import_facts(job), 202)

        return answer_once(request, make)


def send_to_worker(job: ImportJob) -> None:
    """Ask a worker to take a record over. If the broker does not answer, the pulse takes it."""
    try:
        current_app.send_task("take-over-record", (job.pk,), retry=False)
    except Exception as error:  # brokers raise errors of many kinds
        log.warning("Nobody takes what programs send: %s", error)


class ImportView(Resource):
    @extend_schema(summary="How far a record is", responses=ImportTold)
    def get(self, request: Request, number: int) -> Response:
        if not request.user.is_authenticated:
            raise NotAuthenticated
        job = ImportJob.objects.filter(
            user=request.user, pk=number, kind=ImportJob.Kind.RECORD
        ).first()
        if job is None:
            raise Http404
        return self.answer(ImportTold, import_facts(job))


def import_facts(job: ImportJob) -> ImportFacts:
    return ImportFacts(
        id=job.pk,
        state=job.state,
        ended_at=job.ended_at,
        faults=job.faults if job.state == ImportJob.State.FAULTY else [],
        campaign=job.campaign.address if job.campaign else None,
    )
