"""What is a seat's own: standing orders, plan, notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from api import base
from api.base import Here, OfCampaign, written
from api.moves import FAR, Receipt, Speaking, fresh, needed
from campaign import plans, review, services
from campaign.models import GAME_MASTER, LogEntry, Look, StandingOrders
from campaign.plans import EARLIER, LATER, Foreseen
from campaign.seats import selectors
from games.contract.title import OrderKind


class Order(s.Serializer):
    order = s.JSONField()
    when = s.ChoiceField([StandingOrders.AT_ONCE, StandingOrders.CLOCK])
    text = s.CharField()


class Skipped(s.Serializer):
    """An order that would have acted and was forbidden."""

    order = s.JSONField()
    text = s.CharField()
    rule = s.CharField(allow_blank=True)
    why = s.CharField()
    contest = s.IntegerField(allow_null=True)
    at = s.DateTimeField()


class OrderPart(s.Serializer):
    key = s.CharField()
    name = s.CharField()
    values = s.DictField(child=s.CharField())
    several = s.BooleanField()


class OrderKindTold(s.Serializer):
    """A kind of standing order that may be given now."""

    key = s.CharField()
    name = s.CharField()
    about = s.CharField(allow_blank=True)
    rule = s.CharField(allow_blank=True)
    timed = s.BooleanField()
    parts = OrderPart(many=True)


class Orders(s.Serializer):
    seat = s.CharField()
    version = s.IntegerField()
    results = Order(many=True)
    skipped = Skipped(many=True)
    kinds = OrderKindTold(many=True)


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
    version = s.IntegerField(
        required=False,
        min_value=0,
        max_value=FAR,
        help_text="Of the plan you read; needed but to add.",
    )


class Announcing(s.Serializer):
    version = s.IntegerField(min_value=0, max_value=FAR)
    seen = s.IntegerField(min_value=0, max_value=FAR)
    most = s.IntegerField(required=False, min_value=1, max_value=30)


class Ordering(s.Serializer):
    """`give` an order, `change` the one at a place, `take-out`, `clear`."""

    act = s.ChoiceField(["give", "change", "take-out", "clear"])
    order = s.DictField(required=False, help_text="`kind` and its parts, as `kinds` has them.")
    when = s.ChoiceField([StandingOrders.AT_ONCE, StandingOrders.CLOCK], required=False)
    at = s.IntegerField(required=False, min_value=0, max_value=1000)
    version = s.IntegerField(min_value=0, max_value=FAR)


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
    version = s.IntegerField(min_value=0, max_value=FAR, help_text="Of the notes that you read.")


# What is a seat's own: its standing orders for holder and game master, its plan and notes for its
# holder alone.


class OfSeat(OfCampaign):
    """An address below `campaigns/<ref>/seats/<seat>/`: 404 where there is no such seat."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.here.seat(str(kwargs["seat"])) == GAME_MASTER:
            raise Http404
        if not request.user.is_authenticated:
            raise PermissionDenied


def read(kind: type[BaseSerializer[Any]], request: Request) -> dict[str, Any]:
    sent = kind(data=request.data)
    sent.is_valid(raise_exception=True)
    return dict(sent.validated_data)


class OrdersView(OfSeat):
    @extend_schema(summary="Standing orders of a seat", responses=Orders)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """For who holds the seat, and for the game master; 404 where the game has none, or nobody
        sits there.
        """
        here = self.here
        if not selectors.knows_orders(here.campaign) or len(here.seats) == 1:
            raise Http404
        return self.answer(Orders, self.data_of(seat))

    @extend_schema(summary="Give and take back standing orders", request=Ordering, responses=Orders)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """For who holds the seat. Answers the orders as they stand; one that speaks at once to an
        open question is in the log.
        """
        here, sent = self.here, read(Ordering, request)
        if not selectors.knows_orders(here.campaign) or len(here.seats) == 1:
            raise Http404
        version = sent["version"]
        if sent["act"] in ("take-out", "clear"):
            place = needed(sent, "at") if sent["act"] == "take-out" else None
            services.countermand(here.campaign, here.user, seat, version, place)
        else:
            place = needed(sent, "at") if sent["act"] == "change" else None
            when = sent.get("when", StandingOrders.AT_ONCE)
            services.order(
                here.campaign, here.user, seat, version, needed(sent, "order"), when, place
            )
        self.here = fresh(here)
        return self.answer(Orders, self.data_of(seat))

    def data_of(self, seat: str) -> dict[str, Any]:
        here = self.here
        kept = selectors.of_seat(here.campaign, here.access, seat, here.places)
        if kept is None:
            raise Http404
        if seat not in here.access.seats:
            services.log_access(here.campaign, here.user, seat, Look.Way.ORDERS)
        return {
            "seat": seat,
            "version": kept.version,
            "results": [
                {**one, "text": selectors.order_sentence(here.campaign, one["order"])}
                for one in kept.given
            ],
            "skipped": [
                {
                    "order": one.order,
                    "text": selectors.order_sentence(here.campaign, one.order),
                    "rule": one.rule,
                    "why": one.why,
                    "contest": one.contest,
                    "at": one.at,
                }
                for one in selectors.skips(kept)
            ],
            "kinds": (
                [kind(one) for one in selectors.kinds(here.campaign, seat)]
                if seat in here.access.seats
                else []
            ),
        }


def kind(one: OrderKind) -> dict[str, Any]:
    parts = [
        {"key": part.key, "name": part.name, "values": dict(part.values), "several": part.several}
        for part in one.fields
    ]
    return {
        "key": one.key,
        "name": one.name,
        "about": one.about,
        "rule": one.rule,
        "timed": one.timed,
        "parts": parts,
    }


class PlanView(OfSeat):
    @extend_schema(summary="The plan of your seat", responses=PlanTold)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """The moves that you mean to make, and what the rules say to each. Nobody else reads it."""
        return self.answer(PlanTold, plan_of(self.here, seat))

    @extend_schema(summary="Change your plan", request=Planning, responses=PlanTold)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Answers the plan as it stands. 409 where it was changed since the `version` you read."""
        here, sent = self.here, read(Planning, request)
        whose = (here.campaign, here.user, seat)
        match sent["act"]:
            case "add":
                services.plan_move(*whose, dict(needed(sent, "move")))
            case "replace":
                services.replan(
                    *whose, needed(sent, "version"), needed(sent, "at"), dict(needed(sent, "move"))
                )
            case "take-out":
                services.unplan(*whose, needed(sent, "version"), needed(sent, "at"))
            case "clear":
                services.unplan(*whose, needed(sent, "version"))
            case way:
                services.shift(
                    *whose,
                    needed(sent, "version"),
                    needed(sent, "at"),
                    EARLIER if way == "earlier" else LATER,
                )
        return self.answer(PlanTold, plan_of(here, seat))


def plan_of(here: Here, seat: str) -> dict[str, Any]:
    plan = plans.plan_of_user(here.campaign, here.user, seat, here.access)
    return {
        "seat": seat,
        "version": plan.version,
        "changed_at": plan.changed_at,
        "moves": [
            planned(here, one) for one in plans.foresee(here.title, here.position, plan.move_list)
        ],
    }


class AnnounceView(OfSeat, Speaking):
    form = Announcing

    @extend_schema(summary="Announce your plan", request=Announcing, responses={201: Receipt})
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Its moves one after the other, to the first refusal or die; what was said leaves the
        plan. 422 where not even the first could be said.
        """

        def act(content: Mapping[str, Any]) -> list[LogEntry]:
            most = content.get("most", plans.MOST)
            done = services.announce_plan(
                self.here.campaign, self.here.user, seat, content["version"], content["seen"], most
            )
            if done.refused is not None and not done.results:
                raise done.refused
            return [entry for result in done.results for entry in result.entries]

        return self.act(request, act)


class LooksView(OfSeat):
    @extend_schema(
        summary="Who looked at a hidden hand", responses=LookPage, parameters=base.PARAMETERS
    )
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """The latest first: all for the seat's holder, for a game master their own."""
        here = self.here
        if seat not in here.access.seats and not here.access.host:
            raise PermissionDenied
        looks = review.of_seat(here.campaign, here.user.pk, here.access, seat)
        return base.page(
            request,
            looks,
            lambda some: written(
                LookTold,
                [
                    {
                        "person": one.user.username,
                        "first_at": one.first_at,
                        "last_at": one.last_at,
                        "times": one.times,
                        "ways": one.ways.split(","),
                    }
                    for one in some
                ],
            ),
        )


def planned(here: Here, one: Foreseen) -> dict[str, Any]:
    why = one.refusal
    return {
        "move": one.content,
        "text": here.title.move_line(here.scenario, one.content),
        "reached": one.reached,
        "certain": one.certain,
        "refusal": (
            {"code": why.code, "rule": why.rule, "text": here.why_not(why)}
            if why is not None
            else None
        ),
    }


class NotesView(OfSeat):
    @extend_schema(summary="Your notes for your seat", responses=NoteTold)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """Sealed, and nobody else's; and what was handed over with the seat."""
        return self.answer(NoteTold, self.data_of(seat))

    @extend_schema(summary="Write your notes", request=Noting, responses=NoteTold)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """In the place of what stood there. 409 where it was changed since the `version`
        you read.
        """
        here, sent = self.here, read(Noting, request)
        services.write_note(
            here.campaign, here.user, seat, sent["text"], left=sent["left"], version=sent["version"]
        )
        return self.answer(NoteTold, self.data_of(seat))

    def data_of(self, seat: str) -> dict[str, Any]:
        campaign, user = self.here.campaign, self.here.user
        note = selectors.note_of(campaign, user, seat)
        came = selectors.handed(campaign, user, seat)
        handed = came and {
            "person": came.leaver.username if came.leaver else None,
            "at": came.at,
            "text": selectors.text_of(came.note),
            "last": came.last_said,
            "orders": selectors.ended_with(campaign, came),
        }
        return {
            "seat": seat,
            "text": selectors.text_of(note),
            "left": note.left,
            "version": note.version,
            "handed": handed,
        }
