"""The start of campaigns by program: scenarios for a shelf, new campaigns, imported records."""

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
from api.idempotency import answer_once
from api.problems import problem
from api.titles import ShelfLine, ShelfView, shelf_facts
from campaign import imports, scenarios, services
from campaign.founding import SIGHTS, USUAL_SIGHT
from campaign.models import Campaign, ImportJob, Scenario
from campaign.scenarios import CheckedScenario
from engine.errors import MalformedRecord
from engine.strict_json import canonical
from engine.strict_json import read as read_json
from games import registry
from games.contract.title import Title, proposed_options

log = logging.getLogger(__name__)


LONGEST_NAME = 100


class ScenarioSent(s.Serializer):
    """A scenario for your shelf, in the form that the page “Bring a scenario” reads."""

    title = s.CharField(max_length=40)
    scenario = s.DictField()
    drawing = s.DictField(required=False, allow_null=True)
    sharing = s.ChoiceField(Scenario.Sharing.choices, default=Scenario.Sharing.PRIVATE)

    def body(self) -> ScenarioBody:
        """Return the validated body."""
        return ScenarioBody(**self.validated_data)


class CampaignSent(s.Serializer):
    """The terms of a new campaign. Give either `scenario` or `shelf`."""

    title = s.CharField(max_length=40)
    name = s.CharField(max_length=LONGEST_NAME)
    scenario = s.JSONField(
        required=False, help_text="The key of a shipped scenario, or a scenario object."
    )
    shelf = s.CharField(
        required=False, max_length=8, help_text="The `ref` of a scenario that you may see."
    )
    drawing = s.DictField(
        required=False, allow_null=True, help_text="The map of a scenario object."
    )
    options = s.DictField(
        required=False,
        help_text=(
            "As in a record. Options that you leave out have the values that the founding page"
            " suggests."
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
        default="two-thirds",
        max_length=12,
        help_text="Who must agree before the rules can change during play.",
    )
    sight = s.ChoiceField(
        list(SIGHTS),
        default=USUAL_SIGHT,
        help_text="The messages that the game master can read: all, reported, addressed.",
    )
    seat = s.CharField(required=False, max_length=40, help_text="Your own seat, if you also play.")

    def body(self) -> CampaignBody:
        """Return the validated body."""
        return CampaignBody(**self.validated_data)


class RecordSent(s.Serializer):
    """A record that is to become a campaign."""

    record = s.DictField(help_text="As `record/` returns it.")
    name = s.CharField(max_length=LONGEST_NAME)
    time_zone = s.CharField(default="UTC", max_length=64)
    visibility = s.ChoiceField(Campaign.Visibility.choices, default=Campaign.Visibility.UNLISTED)

    def body(self) -> RecordBody:
        """Return the validated body."""
        return RecordBody(**self.validated_data)


class ImportStatus(s.Serializer):
    """The progress of an imported record."""

    id = s.IntegerField()
    state = s.CharField(
        help_text="waiting, reading, replaying, writing, founded, faulty, stopped or too-long."
    )
    ended_at = s.DateTimeField(allow_null=True)
    faults = s.ListField(child=s.CharField())
    campaign = s.CharField(allow_null=True, help_text="The `ref` of the new campaign.")


# Bodies of requests


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
    """The facts of `ImportStatus`."""

    id: int
    state: str
    ended_at: datetime | None
    faults: list[str]
    campaign: str | None


@dataclass(frozen=True, slots=True)
class Terrain:
    """The scenario of a new campaign with its map.

    `scenario` is the key of a shipped scenario, or an object. `drawing` is empty for the title's
    own map.
    """

    scenario: str | Mapping[str, object]
    drawing: str = ""


class FaultyScenario(Exception):
    """An error for a scenario object that has faults."""

    def __init__(self, faults: Sequence[MalformedRecord]) -> None:
        super().__init__("The scenario has faults.")
        self.faults = faults

    def answer(self) -> Response:
        """Answer 422 with each fault under its place."""
        fields: dict[str, list[str]] = {}
        for fault in self.faults:
            fields.setdefault(fault.where, []).append(fault.why)
        return problem(422, "malformed", _("The scenario contains errors."), fields=fields)


def known_title(key: str) -> Title:
    """Return the title of this key. Raises `ValidationError`."""
    title = registry.TITLES.get(key)
    if title is None:
        raise ValidationError({"title": [_("This site does not offer this game.")]})
    return title


def checked_scenario(title: Title, scenario: object, drawing: object) -> CheckedScenario:
    """Return a checked scenario object with its map. Raises `FaultyScenario`."""
    result = imports.check_scenario_at_once(
        title.key, canonical(scenario), canonical(drawing) if drawing else ""
    )
    if result.faults:
        raise FaultyScenario(result.faults)
    return result


class BringScenarioView(ShelfView):
    """The scenarios that users share, and the addition of a scenario."""

    @extend_schema(
        summary="Put a scenario on your shelf", request=ScenarioSent, responses={201: ShelfLine}
    )
    def post(self, request: Request) -> Response:
        """Put a scenario on your shelf.

        If the shelf already has exactly this scenario, the existing scenario is returned. A
        scenario with faults gets 422 with all of them.
        """
        must_be_signed_in(request)
        body = read(ScenarioSent, request)
        title = known_title(body.title)

        def make() -> Response:
            try:
                result = checked_scenario(title, body.scenario, body.drawing)
            except FaultyScenario as faulty:
                return faulty.answer()
            shelved = scenarios.save_scenario(
                request.user, title.key, result.scenario, result.drawing, body.sharing
            )
            return self.answer(ShelfLine, shelf_facts(shelved), 201)

        return answer_once(request, make)


class FoundView(CampaignsView):
    """The listed campaigns, and the founding of a new campaign."""

    @extend_schema(summary="Found a campaign", request=CampaignSent, responses={201: CampaignLine})
    def post(self, request: Request) -> Response:
        """Found a campaign, with you as its game master.

        Its clocks have the usual terms; change them at `clocks/terms/`.
        """
        must_be_signed_in(request)
        body = read(CampaignSent, request)
        title = known_title(body.title)
        if (body.scenario is None) == (body.shelf is None):
            raise ValidationError(
                {"scenario": [_("Send either a scenario or the name of one from the library.")]}
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
    """Return the scenario that a body names or contains.

    Raises `ValidationError` and `FaultyScenario`.
    """
    if body.shelf is not None:
        return shelved_terrain(request, title, body.shelf)
    if isinstance(body.scenario, dict):
        result = checked_scenario(title, body.scenario, body.drawing)
        return Terrain(result.scenario, result.drawing)
    if not isinstance(body.scenario, str) or body.scenario not in title.scenarios():
        raise ValidationError({"scenario": [_("Choose one of the scenarios.")]})
    return Terrain(body.scenario)


def shelved_terrain(request: Request, title: Title, ref: str) -> Terrain:
    """Return a scenario from a shelf that the reader may see. Raises `ValidationError`."""
    shelved = scenarios.visible_scenario(ref, request.user)
    if shelved is None or shelved.title != title.key:
        raise ValidationError({"shelf": [_("This scenario does not exist.")]})
    return Terrain(read_json(shelved.text), shelved.drawing.text if shelved.drawing else "")


def found_campaign(
    request: Request, title: Title, terrain: Terrain, body: CampaignBody
) -> Campaign:
    """Found a campaign and return it. If the body names a seat, the user takes it."""
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
        services.take_seat_as_master(campaign, request.user, body.seat)
    campaign.refresh_from_db()
    return campaign


class ImportsView(Resource):
    """The import of records."""

    @extend_schema(summary="Import a record", request=RecordSent, responses={202: ImportStatus})
    def post(self, request: Request) -> Response:
        """Import a record as a new campaign.

        The whole record is replayed before the campaign is founded; `imports/<id>/` shows the
        progress.
        """
        must_be_signed_in(request)
        body = read(RecordSent, request)

        def make() -> Response:
            text = json.dumps(body.record, default=float, ensure_ascii=False).encode()
            job, is_new = imports.store_upload(
                request.user, text, body.name, body.time_zone, body.visibility
            )
            if is_new:
                send_to_worker(job)
            return self.answer(ImportStatus, import_facts(job), 202)

        return answer_once(request, make)


def send_to_worker(job: ImportJob) -> None:
    """Ask a worker to import a record. If the broker does not answer, the pulse takes the job."""
    try:
        current_app.send_task("take-over-record", (job.pk,), retry=False)
    except Exception as error:  # brokers raise errors of many kinds
        log.warning("No worker was asked to import a record: %s", error)


class ImportView(Resource):
    """The progress of one import."""

    @extend_schema(summary="The progress of an import", responses=ImportStatus)
    def get(self, request: Request, number: int) -> Response:
        """Return the state of an import that you started, with its faults or its campaign."""
        if not request.user.is_authenticated:
            raise NotAuthenticated
        job = ImportJob.objects.filter(
            user=request.user, pk=number, kind=ImportJob.Kind.RECORD
        ).first()
        if job is None:
            raise Http404
        return self.answer(ImportStatus, import_facts(job))


def import_facts(job: ImportJob) -> ImportFacts:
    """Return the state of an import, with its faults or its campaign."""
    return ImportFacts(
        id=job.pk,
        state=job.state,
        ended_at=job.ended_at,
        faults=job.faults if job.state == ImportJob.State.FAULTY else [],
        campaign=job.campaign.address if job.campaign else None,
    )
