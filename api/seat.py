"""What is a seat's own beside its standing orders: plan, looks at its hand, notes."""

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
from api.base import Here, OfCampaign, read
from api.fields import number, number_if_needed
from api.receipts import Receipt, RefusalFacts, Speaking, needed, refusal_facts
from campaign import plans, review, services
from campaign.models import GAME_MASTER, AccessLogEntry, LogEntry
from campaign.plans import EARLIER, LATER, Foreseen
from campaign.seats import selectors
from games.contract.plain import RawMove
from people.models import User


class Why(s.Serializer):
    code = s.CharField()
    rule = s.CharField(allow_blank=True)
    text = s.CharField()


class Planned(s.Serializer):
    """A move of the plan as it would be after those before it."""

    move = s.JSONField()
    text = s.CharField()
    reached = s.BooleanField(help_text="False behind a refusal or a die.")
    certain = s.BooleanField(help_text="Is it known what it does?")
    refusal = Why(allow_null=True)


class PlanTold(s.Serializer):
    seat = s.CharField()
    version = s.IntegerField()
    changed_at = s.DateTimeField(allow_null=True)
    moves = Planned(many=True)


class Planning(s.Serializer):
    """`add` a move, `replace` the one at a place, change it with its neighbour (`earlier`,
    `later`), `take-out`, `clear`.
    """

    act = s.ChoiceField(["add", "replace", "earlier", "later", "take-out", "clear"])
    move = s.DictField(required=False, help_text="In record form, to add or replace.")
    at = s.IntegerField(required=False, min_value=0, max_value=1000, help_text="Counted from 0.")
    version = number_if_needed("Of the plan you read; needed but to add.")

    def body(self) -> PlanningBody:
        return PlanningBody(**self.validated_data)


class Announcing(s.Serializer):
    version = number()
    seen = number()
    most = s.IntegerField(required=False, min_value=1, max_value=30)

    def body(self) -> AnnouncingBody:
        return AnnouncingBody(**self.validated_data)


class LookTold(s.Serializer):
    """A person's looks at a hidden hand within an hour."""

    person = s.CharField()
    first_at = s.DateTimeField()
    last_at = s.DateTimeField()
    times = s.IntegerField()
    ways = s.ListField(child=s.CharField())


class LookPage(s.Serializer):
    results = LookTold(many=True)
    next = s.CharField(allow_null=True)


class Handed(s.Serializer):
    """What came with the seat."""

    person = s.CharField(allow_null=True, help_text="Who held it before.")
    at = s.DateTimeField()
    text = s.CharField(allow_blank=True, help_text="Their notes, if they left them.")
    last = s.IntegerField(
        allow_null=True, help_text="The entry of the last move that they made for it."
    )
    orders = s.ListField(child=s.CharField(), help_text="The standing orders that ended with them.")


class NoteTold(s.Serializer):
    seat = s.CharField()
    text = s.CharField(allow_blank=True)
    left = s.BooleanField(help_text="Does it go to who holds the seat next?")
    version = s.IntegerField()
    handed = Handed(allow_null=True)


class Noting(s.Serializer):
    text = s.CharField(allow_blank=True, max_length=10_000)
    left = s.BooleanField(required=False, default=False)
    version = number("Of the notes that you read.")

    def body(self) -> NotingBody:
        return NotingBody(**self.validated_data)


# What the bodies say


@dataclass(frozen=True, slots=True)
class PlanningBody:
    """A body of `Planning`."""

    act: str
    move: RawMove | None = None
    at: int | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True)
class AnnouncingBody:
    """A body of `Announcing`."""

    version: int
    seen: int
    most: int = plans.MOST


@dataclass(frozen=True, slots=True)
class NotingBody:
    """A body of `Noting`."""

    text: str
    left: bool
    version: int


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class PlannedFacts:
    """The facts of `Planned`."""

    move: RawMove
    text: str
    reached: bool
    certain: bool
    refusal: RefusalFacts | None


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """The facts of `PlanTold`."""

    seat: str
    version: int
    changed_at: datetime | None
    moves: list[PlannedFacts]


@dataclass(frozen=True, slots=True)
class LookFacts:
    """The facts of `LookTold`."""

    person: str
    first_at: datetime
    last_at: datetime
    times: int
    ways: list[str]


@dataclass(frozen=True, slots=True)
class HandedFacts:
    """The facts of `Handed`."""

    person: str | None
    at: datetime
    text: str
    last: int | None
    orders: Sequence[str]


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """The facts of `NoteTold`."""

    seat: str
    text: str
    left: bool
    version: int
    handed: HandedFacts | None


class OfSeat(OfCampaign):
    """An address below `campaigns/<ref>/seats/<seat>/`. It answers 404 if there is no such seat."""

    user: User

    def initial(self, request: Request, *args: object, **kwargs: str | int) -> None:
        super().initial(request, *args, **kwargs)
        if self.here.seat(str(kwargs["seat"])) == GAME_MASTER:
            raise Http404
        if not isinstance(request.user, User):
            raise PermissionDenied
        self.user = request.user


# The plan


class PlanView(OfSeat):
    @extend_schema(summary="The plan of your seat", responses=PlanTold)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """The moves that you mean to make, and what the rules say to each. Nobody else reads it."""
        return self.answer(PlanTold, plan_facts(self.here, seat))

    @extend_schema(summary="Change your plan", request=Planning, responses=PlanTold)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Answers the plan as it stands. 409 where it was changed since the `version` you read."""
        change_plan(self.here, seat, read(Planning, request))
        return self.answer(PlanTold, plan_facts(self.here, seat))


def change_plan(here: Here, seat: str, body: PlanningBody) -> None:
    """Add a move to a plan, replace, shift or take out one, or clear the plan."""
    campaign, user = here.campaign, here.user
    if body.act == "add":
        services.plan_move(campaign, user, seat, dict(needed(body.move, "move")))
        return
    version = needed(body.version, "version")
    if body.act == "clear":
        services.unplan(campaign, user, seat, version)
        return
    place = needed(body.at, "at")
    match body.act:
        case "replace":
            move = dict(needed(body.move, "move"))
            services.replan(campaign, user, seat, version, place, move)
        case "take-out":
            services.unplan(campaign, user, seat, version, place)
        case "earlier":
            services.shift(campaign, user, seat, version, place, EARLIER)
        case "later":
            services.shift(campaign, user, seat, version, place, LATER)


def plan_facts(here: Here, seat: str) -> PlanFacts:
    plan = plans.plan_of_user(here.campaign, here.user, seat, here.access)
    foreseen = plans.foresee(here.title, here.position, plan.move_list)
    return PlanFacts(
        seat=seat,
        version=plan.version,
        changed_at=plan.changed_at,
        moves=[planned_facts(here, planned) for planned in foreseen],
    )


def planned_facts(here: Here, planned: Foreseen) -> PlannedFacts:
    return PlannedFacts(
        move=planned.content,
        text=here.title.move_line(here.scenario, planned.content),
        reached=planned.reached,
        certain=planned.certain,
        refusal=refusal_facts(here, planned.refusal),
    )


class AnnounceView(OfSeat, Speaking):
    @extend_schema(summary="Announce your plan", request=Announcing, responses={201: Receipt})
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Its moves one after the other, to the first refusal or die; what was said leaves the
        plan. 422 where not even the first could be said.
        """
        body = read(Announcing, request)

        def act() -> list[LogEntry]:
            announced = services.announce_plan(
                self.here.campaign, self.here.user, seat, body.version, body.seen, body.most
            )
            if announced.refused is not None and not announced.results:
                raise announced.refused
            return [entry for result in announced.results for entry in result.entries]

        return self.act(request, act)


# Who looked at the hand


class LooksView(OfSeat):
    @extend_schema(
        summary="Who looked at a hidden hand", responses=LookPage, parameters=paging.PARAMETERS
    )
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """The latest first: all for the seat's holder, for a game master their own."""
        here = self.here
        if seat not in here.access.seats and not here.access.host:
            raise PermissionDenied
        looks = review.of_seat(here.campaign, self.user.pk, here.access, seat)
        return paging.page(request, looks, LookTold, looks_facts)


def looks_facts(looks: Iterable[AccessLogEntry]) -> list[LookFacts]:
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


class NotesView(OfSeat):
    @extend_schema(summary="Your notes for your seat", responses=NoteTold)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """Sealed, and nobody else's; and what was handed over with the seat."""
        return self.answer(NoteTold, note_facts(self.here, seat))

    @extend_schema(summary="Write your notes", request=Noting, responses=NoteTold)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """In the place of what stood there. 409 where it was changed since the `version`
        you read.
        """
        here, body = self.here, read(Noting, request)
        services.write_note(
            here.campaign,
            here.user,
            seat,
            body.text,
            left=body.left,
            version=body.version,
        )
        return self.answer(NoteTold, note_facts(here, seat))


def note_facts(here: Here, seat: str) -> NoteFacts:
    note = selectors.note_of(here.campaign, here.user, seat)
    return NoteFacts(
        seat=seat,
        text=selectors.text_of(note),
        left=note.for_successor,
        version=note.version,
        handed=handed_facts(here, seat),
    )


def handed_facts(here: Here, seat: str) -> HandedFacts | None:
    """Return what came with the seat; None if nothing did."""
    handover = selectors.handed(here.campaign, here.user, seat)
    if handover is None:
        return None
    return HandedFacts(
        person=handover.leaver.username if handover.leaver else None,
        at=handover.at,
        text=selectors.text_of(handover.note),
        last=handover.last_said,
        orders=selectors.ended_with(here.campaign, handover),
    )
