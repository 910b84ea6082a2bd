"""What is a seat's own: its standing orders for holder and game master, its plan and notes for its holder alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from api import pages
from api.serializers import seat as form
from api.serializers.moves import Receipt
from api.serializers.seat import Announcing
from api.views.base import Here, OfCampaign, written
from api.views.writing import Speaking, fresh, needed
from campaign import handovers, looks, orders, plans, services
from campaign.audience import GAME_MASTER
from campaign.models import LogEntry, StandingOrders
from campaign.models_looked import Look
from campaign.plans import Foreseen
from campaign.services.planning import EARLIER, LATER
from engine.title import OrderKind


class OfSeat(OfCampaign):
    """An address below `campaigns/<ref>/seats/<seat>/`: 404 where there is no such seat."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.here.seat(str(kwargs["seat"])) == GAME_MASTER:
            raise Http404
        if not request.user.is_authenticated:
            raise PermissionDenied


def read(kind: type[BaseSerializer[Any]], request: Request) -> dict[str, Any]:
    said = kind(data=request.data)
    said.is_valid(raise_exception=True)
    return dict(said.validated_data)


class OrdersView(OfSeat):
    @extend_schema(summary="Standing orders of a seat", responses=form.Orders)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """For who holds the seat, and for the game master; 404 where the game has none, or nobody sits there."""
        here = self.here
        if not orders.takes(here.campaign) or len(here.seats) == 1:
            raise Http404
        return self.told(form.Orders, self.found(seat))

    @extend_schema(summary="Give and take back standing orders", request=form.Ordering, responses=form.Orders)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """For who holds the seat. Answers the orders as they stand; one that speaks at once to an open question is in the log."""
        here, said = self.here, read(form.Ordering, request)
        if not orders.takes(here.campaign) or len(here.seats) == 1:
            raise Http404
        version = said["version"]
        if said["act"] in ("take-out", "clear"):
            place = needed(said, "at") if said["act"] == "take-out" else None
            services.countermand(here.campaign, here.user, seat, version, place)
        else:
            place = needed(said, "at") if said["act"] == "change" else None
            when = said.get("when", StandingOrders.AT_ONCE)
            services.order(here.campaign, here.user, seat, version, needed(said, "order"), when, place)
        self.here = fresh(here)
        return self.told(form.Orders, self.found(seat))

    def found(self, seat: str) -> dict[str, Any]:
        here = self.here
        kept = orders.of_seat(here.campaign, here.access, seat, here.places)
        if kept is None:
            raise Http404
        if seat not in here.access.seats:
            services.looked(here.campaign, here.user, seat, Look.Way.ORDERS)
        return {
            "seat": seat, "version": kept.version,
            "results": [{**one, "text": orders.line(here.campaign, one["order"])} for one in kept.given],
            "skipped": [
                {"order": one.order, "text": orders.line(here.campaign, one.order), "rule": one.rule, "why": one.why,
                 "contest": one.contest, "at": one.at}
                for one in orders.skips(kept)
            ],
            "kinds": [kind(one) for one in orders.kinds(here.campaign, seat)] if seat in here.access.seats else [],
        }  # fmt: skip


def kind(one: OrderKind) -> dict[str, Any]:
    parts = [{"key": part.key, "name": part.name, "values": dict(part.values), "several": part.several} for part in one.fields]
    return {"key": one.key, "name": one.name, "about": one.about, "rule": one.rule, "timed": one.timed, "parts": parts}


class PlanView(OfSeat):
    @extend_schema(summary="The plan of your seat", responses=form.PlanTold)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """The moves that you mean to make, and what the rules say to each. Nobody else reads it."""
        return self.told(form.PlanTold, plan_of(self.here, seat))

    @extend_schema(summary="Change your plan", request=form.Planning, responses=form.PlanTold)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Answers the plan as it stands. 409 where it was changed since the `version` you read."""
        here, said = self.here, read(form.Planning, request)
        whose = (here.campaign, here.user, seat)
        match said["act"]:
            case "add":
                services.plan_move(*whose, dict(needed(said, "move")))
            case "replace":
                services.replan(*whose, needed(said, "version"), needed(said, "at"), dict(needed(said, "move")))
            case "take-out":
                services.unplan(*whose, needed(said, "version"), needed(said, "at"))
            case "clear":
                services.unplan(*whose, needed(said, "version"))
            case way:
                services.shift(*whose, needed(said, "version"), needed(said, "at"), EARLIER if way == "earlier" else LATER)
        return self.told(form.PlanTold, plan_of(here, seat))


def plan_of(here: Here, seat: str) -> dict[str, Any]:
    plan = plans.mine(here.campaign, here.user, seat, here.access)
    return {
        "seat": seat, "version": plan.version, "changed_at": plan.changed_at,
        "moves": [planned(here, one) for one in plans.foresee(here.title, here.position, plan.said)],
    }  # fmt: skip


class AnnounceView(OfSeat, Speaking):
    form = Announcing

    @extend_schema(summary="Announce your plan", request=Announcing, responses={201: Receipt})
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """Its moves one after the other, to the first refusal or die; what was said leaves the plan. 422 where not even the first
        could be said."""

        def say(said: Mapping[str, Any]) -> list[LogEntry]:
            most = said.get("most", plans.MOST)
            done = services.announce_plan(self.here.campaign, self.here.user, seat, said["version"], said["seen"], most)
            if done.refused is not None and not done.results:
                raise done.refused
            return [entry for result in done.results for entry in result.entries]

        return self.act(request, say)


class LooksView(OfSeat):
    @extend_schema(summary="Who looked at a hidden hand", responses=form.LookPage, parameters=pages.PARAMETERS)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """The latest first: all for who holds the seat, for a game master his own."""
        here = self.here
        if seat not in here.access.seats and not here.access.host:
            raise PermissionDenied
        found = looks.of_seat(here.campaign, here.user.pk, here.access, seat)
        return pages.page(request, found, lambda some: written(form.LookTold, [
            {"person": one.user.username, "first_at": one.first_at, "last_at": one.last_at, "times": one.times,
             "ways": one.ways.split(",")}
            for one in some
        ]))  # fmt: skip


def planned(here: Here, one: Foreseen) -> dict[str, Any]:
    why = one.refusal
    return {
        "move": one.said, "text": here.title.move_line(here.scenario, one.said), "reached": one.reached, "certain": one.certain,
        "refusal": {"code": why.code, "rule": why.rule, "text": here.why_not(why)} if why is not None else None,
    }  # fmt: skip


class NotesView(OfSeat):
    @extend_schema(summary="Your notes for your seat", responses=form.NoteTold)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """Sealed, and nobody else's; and what was handed over with the seat."""
        return self.told(form.NoteTold, self.found(seat))

    @extend_schema(summary="Write your notes", request=form.Noting, responses=form.NoteTold)
    def post(self, request: Request, ref: str, seat: str) -> Response:
        """In the place of what stood there. 409 where it was changed since the `version` you read."""
        here, said = self.here, read(form.Noting, request)
        services.write_note(here.campaign, here.user, seat, said["text"], left=said["left"], version=said["version"])
        return self.told(form.NoteTold, self.found(seat))

    def found(self, seat: str) -> dict[str, Any]:
        campaign, user = self.here.campaign, self.here.user
        note = handovers.note_of(campaign, user, seat)
        came = handovers.handed(campaign, user, seat)
        handed = came and {
            "person": came.leaver.username if came.leaver else None, "at": came.at, "text": handovers.text_of(came.note),
            "last": came.last_said, "orders": orders.ended_with(campaign, came),
        }  # fmt: skip
        return {"seat": seat, "text": handovers.text_of(note), "left": note.left, "version": note.version, "handed": handed}
