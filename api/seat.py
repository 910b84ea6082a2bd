"""The private parts of a seat except standing orders: plan, access to its hand, notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import CampaignContext, CampaignResource, read
from api.fields import number, number_if_needed
from api.receipts import ActResource, Receipt, Refusal, RefusalFacts, needed, refusal_facts
from campaign import plans, review, services
from campaign.models import GAME_MASTER, AccessLogEntry, LogEntry
from campaign.plans import EARLIER, LATER, ForeseenMove
from campaign.seats import selectors
from games.contract.plain import RawMove
from people.models import User


class PlannedMove(s.Serializer):
    """A move of the plan, checked in the position after the moves before it."""

    move = s.JSONField()
    text = s.CharField()
    reached = s.BooleanField(help_text="False after a refusal or a die.")
    certain = s.BooleanField(help_text="Whether the effects of the move are known.")
    refusal = Refusal(allow_null=True)


class SeatPlan(s.Serializer):
    """The plan of a seat."""

    seat = s.CharField()
    version = s.IntegerField()
    changed_at = s.DateTimeField(allow_null=True)
    moves = PlannedMove(many=True)


class PlanChange(s.Serializer):
    """A change of a plan.

    `add` a move, `replace` the move at a place, swap it with its neighbour (`earlier`, `later`),
    `take-out`, `clear`.
    """

    act = s.ChoiceField(["add", "replace", "earlier", "later", "take-out", "clear"])
    move = s.DictField(required=False, help_text="For add and replace: the move in record form.")
    at = s.IntegerField(
        required=False,
        min_value=0,
        max_value=1000,
        help_text="The place in the plan, counted from 0.",
    )
    version = number_if_needed("The version of the plan that you have read; not needed for add.")

    def body(self) -> PlanChangeBody:
        """Return the validated body."""
        return PlanChangeBody(**self.validated_data)


class AnnouncementSent(s.Serializer):
    """The request to make the moves of a plan."""

    version = number()
    seen = number()
    most = s.IntegerField(required=False, min_value=1, max_value=30)

    def body(self) -> AnnouncementBody:
        """Return the validated body."""
        return AnnouncementBody(**self.validated_data)


class LookLine(s.Serializer):
    """The accesses of one user to a hidden hand within an hour."""

    person = s.CharField()
    first_at = s.DateTimeField()
    last_at = s.DateTimeField()
    times = s.IntegerField()
    ways = s.ListField(child=s.CharField())


class LookPage(s.Serializer):
    """One page of accesses to a hidden hand."""

    results = LookLine(many=True)
    next = s.CharField(allow_null=True)


class Handover(s.Serializer):
    """The things that were handed over with the seat."""

    person = s.CharField(allow_null=True, help_text="The previous holder.")
    at = s.DateTimeField()
    text = s.CharField(
        allow_blank=True, help_text="The notes of the previous holder, if they left them."
    )
    last = s.IntegerField(
        allow_null=True,
        help_text="The entry of the last move that the previous holder made for the seat.",
    )
    orders = s.ListField(
        child=s.CharField(), help_text="The standing orders that ended with the previous holder."
    )


class SeatNotes(s.Serializer):
    """The notes of a seat."""

    seat = s.CharField()
    text = s.CharField(allow_blank=True)
    left = s.BooleanField(help_text="Whether the notes go to the next holder of the seat.")
    version = s.IntegerField()
    handed = Handover(allow_null=True)


class NotesSent(s.Serializer):
    """A new text of the notes."""

    text = s.CharField(allow_blank=True, max_length=10_000)
    left = s.BooleanField(required=False, default=False)
    version = number("The version of the notes that you have read.")

    def body(self) -> NotesBody:
        """Return the validated body."""
        return NotesBody(**self.validated_data)


# Bodies of requests


@dataclass(frozen=True, slots=True)
class PlanChangeBody:
    """A body of `PlanChange`."""

    act: str
    move: RawMove | None = None
    at: int | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True)
class AnnouncementBody:
    """A body of `AnnouncementSent`."""

    version: int
    seen: int
    most: int = plans.MOST


@dataclass(frozen=True, slots=True)
class NotesBody:
    """A body of `NotesSent`."""

    text: str
    left: bool
    version: int


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class PlannedMoveFacts:
    """The facts of `PlannedMove`."""

    move: RawMove
    text: str
    reached: bool
    certain: bool
    refusal: RefusalFacts | None


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """The facts of `SeatPlan`."""

    seat: str
    version: int
    changed_at: datetime | None
    moves: list[PlannedMoveFacts]


@dataclass(frozen=True, slots=True)
class LookFacts:
    """The facts of `LookLine`."""

    person: str
    first_at: datetime
    last_at: datetime
    times: int
    ways: list[str]


@dataclass(frozen=True, slots=True)
class HandoverFacts:
    """The facts of `Handover`."""

    person: str | None
    at: datetime
    text: str
    last: int | None
    orders: Sequence[str]


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """The facts of `SeatNotes`."""

    seat: str
    text: str
    left: bool
    version: int
    handed: HandoverFacts | None


class SeatResource(CampaignResource):
    """An address below `campaigns/<ref>/seats/<seat>/`. It answers 404 if there is no such seat."""

    user: User

    def initial(self, request: Request, *args: object, **kwargs: str | int) -> None:
        """Check that there is such a seat before the request is handled."""
        super().initial(request, *args, **kwargs)
        if self.here.seat(str(kwargs["seat"])) == GAME_MASTER:
            raise Http404
        if not isinstance(request.user, User):
            raise PermissionDenied
        self.user = request.user


# The plan


class PlanView(SeatResource):
    """The plan of a seat."""

    @extend_schema(summary="The plan of your seat", responses=SeatPlan)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """Return the moves that you plan, with the refusals of the rules.

        No one else can read your plan.
        """
        return self.answer(SeatPlan, plan_facts(self.here, seat))

    @extend_schema(summary="Change your plan", request=PlanChange, responses=SeatPlan)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Change the plan and return it, or 409 if it has changed since the `version` you read."""
        change_plan(self.here, seat, read(PlanChange, request))
        return self.answer(SeatPlan, plan_facts(self.here, seat))


def change_plan(here: CampaignContext, seat: str, body: PlanChangeBody) -> None:
    """Add, replace, shift or remove a move of a plan, or clear the plan."""
    campaign, user = here.campaign, here.user
    if body.act == "add":
        services.plan_move(campaign, user, seat, dict(needed(body.move, "move")))
        return
    version = needed(body.version, "version")
    if body.act == "clear":
        services.remove_planned_move(campaign, user, seat, version)
        return
    place = needed(body.at, "at")
    match body.act:
        case "replace":
            move = dict(needed(body.move, "move"))
            services.replace_planned_move(campaign, user, seat, version, place, move)
        case "take-out":
            services.remove_planned_move(campaign, user, seat, version, place)
        case "earlier":
            services.move_planned_move(campaign, user, seat, version, place, EARLIER)
        case "later":
            services.move_planned_move(campaign, user, seat, version, place, LATER)


def plan_facts(here: CampaignContext, seat: str) -> PlanFacts:
    """Return the reader's plan for a seat, checked against the position."""
    plan = plans.plan_of_user(here.campaign, here.user, seat, here.access)
    foreseen = plans.foresee_moves(here.title, here.position, plan.moves)
    return PlanFacts(
        seat=seat,
        version=plan.version,
        changed_at=plan.changed_at,
        moves=[planned_facts(here, planned) for planned in foreseen],
    )


def planned_facts(here: CampaignContext, planned: ForeseenMove) -> PlannedMoveFacts:
    """Return a move of a plan with the result of its check."""
    return PlannedMoveFacts(
        move=planned.content,
        text=here.title.move_line(here.scenario, planned.content),
        reached=planned.reached,
        certain=planned.certain,
        refusal=refusal_facts(here, planned.refusal),
    )


class AnnounceView(SeatResource, ActResource):
    """The announcement of a plan."""

    @extend_schema(
        summary="Make the moves of your plan", request=AnnouncementSent, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Make the moves of the plan one after the other, up to the first refusal or die.

        Moves that have been made leave the plan. The answer is 422 if even the first move is
        refused.
        """
        body = read(AnnouncementSent, request)

        def act() -> list[LogEntry]:
            announced = services.announce_plan(
                self.here.campaign, self.here.user, seat, body.version, body.seen, body.most
            )
            if announced.refused is not None and not announced.results:
                raise announced.refused
            return [entry for result in announced.results for entry in result.entries]

        return self.act(request, act)


# Accesses to the hand


class LooksView(SeatResource):
    """The accesses to the hidden hand of a seat."""

    @extend_schema(
        summary="Accesses to a hidden hand", responses=LookPage, parameters=paging.PARAMETERS
    )
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """Return the accesses to a hand, the latest first.

        The holder of the seat sees all accesses, a game master only their own.
        """
        here = self.here
        if seat not in here.access.seats and not here.access.host:
            raise PermissionDenied
        looks = review.looks_at_seat(here.campaign, self.user.pk, here.access, seat)
        return paging.page(request, looks, LookLine, looks_facts)


def looks_facts(looks: Iterable[AccessLogEntry]) -> list[LookFacts]:
    """Return accesses to a hand with the users' names."""
    return [
        LookFacts(
            person=look.user.username,
            first_at=look.first_at,
            last_at=look.last_at,
            times=look.count,
            ways=look.ways.split(","),
        )
        for look in looks
    ]


# Notes


class NotesView(SeatResource):
    """The notes of a seat."""

    @extend_schema(summary="Your notes for your seat", responses=SeatNotes)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """Return your notes, and the things that were handed over with the seat.

        Notes are stored encrypted, and no one else can read them.
        """
        return self.answer(SeatNotes, note_facts(self.here, seat))

    @extend_schema(summary="Replace your notes", request=NotesSent, responses=SeatNotes)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Replace your notes and return them, or 409 if they have changed since your `version`."""
        here, body = self.here, read(NotesSent, request)
        services.write_note(
            here.campaign,
            here.user,
            seat,
            body.text,
            left=body.left,
            version=body.version,
        )
        return self.answer(SeatNotes, note_facts(here, seat))


def note_facts(here: CampaignContext, seat: str) -> NoteFacts:
    """Return the reader's notes for a seat."""
    note = selectors.note_of(here.campaign, here.user, seat)
    return NoteFacts(
        seat=seat,
        text=selectors.text_of(note),
        left=note.for_successor,
        version=note.version,
        handed=handover_facts(here, seat),
    )


def handover_facts(here: CampaignContext, seat: str) -> HandoverFacts | None:
    """Return the things that were handed over with the seat; None if there are none."""
    handover = selectors.handover_of(here.campaign, here.user, seat)
    if handover is None:
        return None
    return HandoverFacts(
        person=handover.leaver.username if handover.leaver else None,
        at=handover.at,
        text=selectors.text_of(handover.note),
        last=handover.last_said,
        orders=selectors.ended_orders(here.campaign, handover),
    )
