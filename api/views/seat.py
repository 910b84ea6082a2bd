"""What is a seat's own: its standing orders for holder and game master, its plan and notes for its holder alone."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers import seat as form
from api.views.base import Here, OfCampaign
from campaign import handovers, orders, plans, services
from campaign.audience import GAME_MASTER
from campaign.models_looked import Look
from campaign.plans import Foreseen
from engine.title import OrderKind


class OfSeat(OfCampaign):
    """An address below `campaigns/<ref>/seats/<seat>/`: 404 where there is no such seat."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.here.seat(str(kwargs["seat"])) == GAME_MASTER:
            raise Http404
        if not request.user.is_authenticated:
            raise PermissionDenied


class OrdersView(OfSeat):
    @extend_schema(summary="Standing orders of a seat", responses=form.Orders)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """For who holds the seat, and for the game master; 404 where the game has none, or nobody sits there."""
        here = self.here
        if not orders.takes(here.campaign) or len(here.seats) == 1:
            raise Http404
        kept = orders.of_seat(here.campaign, here.access, seat, here.places)
        if kept is None:
            raise Http404
        if seat not in here.access.seats:
            services.looked(here.campaign, here.user, seat, Look.Way.ORDERS)
        found = {
            "seat": seat, "version": kept.version,
            "results": [{**one, "text": orders.line(here.campaign, one["order"])} for one in kept.given],
            "skipped": [
                {"order": one.order, "text": orders.line(here.campaign, one.order), "rule": one.rule, "why": one.why,
                 "contest": one.contest, "at": one.at}
                for one in orders.skips(kept)
            ],
            "kinds": [kind(one) for one in orders.kinds(here.campaign, seat)] if seat in here.access.seats else [],
        }  # fmt: skip
        return self.told(form.Orders, found)


def kind(one: OrderKind) -> dict[str, Any]:
    parts = [{"key": part.key, "name": part.name, "values": dict(part.values), "several": part.several} for part in one.fields]
    return {"key": one.key, "name": one.name, "about": one.about, "rule": one.rule, "timed": one.timed, "parts": parts}


class PlanView(OfSeat):
    @extend_schema(summary="The plan of your seat", responses=form.PlanTold)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """The moves that you mean to make, and what the rules say to each. Nobody else reads it."""
        here = self.here
        plan = plans.mine(here.campaign, here.user, seat, here.access)
        found = {
            "seat": seat, "version": plan.version, "changed_at": plan.changed_at,
            "moves": [planned(here, one) for one in plans.foresee(here.title, here.position, plan.said)],
        }  # fmt: skip
        return self.told(form.PlanTold, found)


def planned(here: Here, one: Foreseen) -> dict[str, Any]:
    why = one.refusal
    return {
        "move": one.said, "text": here.title.move_line(here.scenario, one.said), "reached": one.reached, "certain": one.certain,
        "refusal": {"code": why.code, "rule": why.rule, "text": here.why_not(why)} if why is not None else None,
    }  # fmt: skip


class NotesView(OfSeat):
    @extend_schema(summary="Your notes for your seat", responses=form.NoteTold)
    def get(self, request: Request, ref: str, seat: str) -> Response:
        """Sealed, and nobody else's."""
        note = handovers.note_of(self.here.campaign, self.here.user, seat)
        return self.told(form.NoteTold, {"seat": seat, "text": handovers.text_of(note)})
