"""The standing orders of a seat, for its holder and the game master."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignContext, read
from api.fields import number
from api.receipts import needed, reloaded
from api.seat import SeatResource
from campaign import services
from campaign.models import AccessLogEntry, StandingOrders
from campaign.seats import selectors
from games.contract.title import OrderField, OrderKind


class Order(s.Serializer):
    """A standing order."""

    order = s.JSONField()
    when = s.ChoiceField([StandingOrders.AT_ONCE, StandingOrders.CLOCK])
    text = s.CharField()


class Skipped(s.Serializer):
    """A standing order that should have acted, but was illegal."""

    order = s.JSONField()
    text = s.CharField()
    rule = s.CharField(allow_blank=True)
    why = s.CharField()
    contest = s.IntegerField(allow_null=True)
    at = s.DateTimeField()


class OrderPart(s.Serializer):
    """A field of a kind of standing order."""

    key = s.CharField()
    name = s.CharField()
    values = s.DictField(child=s.CharField())
    several = s.BooleanField()


class OrderKindLine(s.Serializer):
    """A kind of standing order that may be given now."""

    key = s.CharField()
    name = s.CharField()
    about = s.CharField(allow_blank=True)
    rule = s.CharField(allow_blank=True)
    timed = s.BooleanField()
    parts = OrderPart(many=True)


class Orders(s.Serializer):
    """The standing orders of a seat."""

    seat = s.CharField()
    version = s.IntegerField()
    results = Order(many=True)
    skipped = Skipped(many=True)
    kinds = OrderKindLine(many=True)


class OrderChange(s.Serializer):
    """A change of standing orders.

    `give` an order, `change` the order at a place, `take-out`, `clear`.
    """

    act = s.ChoiceField(["give", "change", "take-out", "clear"])
    order = s.DictField(required=False, help_text="`kind` and its fields, as in `kinds`.")
    when = s.ChoiceField([StandingOrders.AT_ONCE, StandingOrders.CLOCK], required=False)
    at = s.IntegerField(required=False, min_value=0, max_value=1000)
    version = number()

    def body(self) -> OrderChangeBody:
        """Return the validated body."""
        return OrderChangeBody(**self.validated_data)


# Body of the request


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderChangeBody:
    """A body of `OrderChange`."""

    act: str
    order: Mapping[str, Any] | None = None
    when: str = StandingOrders.AT_ONCE
    at: int | None = None
    version: int


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """The facts of `Order`. `order` is JSON."""

    order: Mapping[str, object]
    when: str
    text: str


@dataclass(frozen=True, slots=True)
class SkippedFacts:
    """The facts of `Skipped`."""

    order: Mapping[str, object]
    text: str
    rule: str
    why: str
    contest: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class OrderPartFacts:
    """The facts of `OrderPart`. `values` are the names of the values."""

    key: str
    name: str
    values: Mapping[str, str]
    several: bool


@dataclass(frozen=True, slots=True)
class OrderKindFacts:
    """The facts of `OrderKindLine`."""

    key: str
    name: str
    about: str
    rule: str
    timed: bool
    parts: list[OrderPartFacts]


@dataclass(frozen=True, slots=True)
class OrdersFacts:
    """The facts of `Orders`."""

    seat: str
    version: int
    results: list[OrderFacts]
    skipped: list[SkippedFacts]
    kinds: list[OrderKindFacts]


class OrdersView(SeatResource):
    """The standing orders of a seat."""

    @extend_schema(summary="Standing orders of a seat", responses=Orders)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """Return the standing orders of a seat, for its holder and the game master.

        404 if the game has no standing orders, or no one holds the seat.
        """
        must_know_orders(self.here)
        return self.answer(Orders, orders_facts(self.here, seat))

    @extend_schema(summary="Change standing orders", request=OrderChange, responses=Orders)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Change the standing orders of your seat, and return them.

        An order that answers an open question at once does so in the log.
        """
        body = read(OrderChange, request)
        must_know_orders(self.here)
        change_orders(self.here, seat, body)
        self.here = reloaded(self.here)
        return self.answer(Orders, orders_facts(self.here, seat))


def must_know_orders(here: CampaignContext) -> None:
    """Raise `Http404` if the game has no standing orders, or one person plays it alone."""
    if not selectors.knows_orders(here.campaign) or len(here.seats) == 1:
        raise Http404


def change_orders(here: CampaignContext, seat: str, body: OrderChangeBody) -> None:
    """Give, change or remove an order of a seat, or clear all of them."""
    campaign, user, version = here.campaign, here.user, body.version
    match body.act:
        case "clear":
            services.remove_order(campaign, user, seat, version, None)
        case "take-out":
            services.remove_order(campaign, user, seat, version, needed(body.at, "at"))
        case act:
            place = needed(body.at, "at") if act == "change" else None
            order = needed(body.order, "order")
            services.give_order(campaign, user, seat, version, order, body.when, place)


def orders_facts(here: CampaignContext, seat: str) -> OrdersFacts:
    """Return the standing orders of a seat. Raises `Http404` if the reader may not see any.

    If a user other than the holder reads them, the access is logged for the holder.
    """
    campaign = here.campaign
    kept = selectors.orders_of_seat(campaign, here.access, seat, here.places)
    if kept is None:
        raise Http404
    is_own = seat in here.access.seats
    if not is_own:
        services.log_access(campaign, here.user, seat, AccessLogEntry.Way.ORDERS)
    return OrdersFacts(
        seat=seat,
        version=kept.version,
        results=[order_facts(here, given) for given in kept.orders],
        skipped=[skipped_facts(here, skip) for skip in selectors.skips(kept)],
        kinds=[kind_facts(kind) for kind in selectors.order_kinds(campaign, seat)]
        if is_own
        else [],
    )


def order_facts(here: CampaignContext, given: Mapping[str, Any]) -> OrderFacts:
    """Return a stored order with its time and its sentence."""
    order = given["order"]
    return OrderFacts(order, given["when"], selectors.order_sentence(here.campaign, order))


def skipped_facts(here: CampaignContext, skip: selectors.Skip) -> SkippedFacts:
    """Return an order that was illegal when it should have acted."""
    return SkippedFacts(
        order=skip.order,
        text=selectors.order_sentence(here.campaign, skip.order),
        rule=skip.rule,
        why=skip.why,
        contest=skip.contest,
        at=skip.at,
    )


def kind_facts(kind: OrderKind) -> OrderKindFacts:
    """Return a kind of standing order with its fields."""
    return OrderKindFacts(
        key=kind.key,
        name=kind.name,
        about=kind.about,
        rule=kind.rule,
        timed=kind.timed,
        parts=[part_facts(field) for field in kind.fields],
    )


def part_facts(field: OrderField) -> OrderPartFacts:
    """Return a field of a kind of standing order."""
    return OrderPartFacts(field.key, field.name, dict(field.values), field.several)
