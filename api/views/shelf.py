"""Scenarios that people have brought: one's own, and those that are shared."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers import titles as form
from api.views.base import Resource, written
from campaign import scenarios
from campaign.models import Scenario
from engine.strict_json import read
from games import registry

MINE = OpenApiParameter("mine", {"type": "boolean"}, description="Your own in place of those of others.")


class ShelfView(Resource):
    @extend_schema(summary="Scenarios that people share", responses=form.ShelfPage, parameters=[*pages.PARAMETERS, MINE])
    def get(self, request: Request) -> Response:
        """The newest first. Shipped ones are with their titles."""
        mine = request.GET.get("mine") == "true"
        if mine and not request.user.is_authenticated:
            raise NotAuthenticated
        found = scenarios.mine(request.user) if mine else scenarios.public(request.user)
        found = found.filter(title__in=list(registry.TITLES)).order_by("-made_at", "-pk")
        return pages.page(request, found, lambda some: written(form.ShelfLine, [line(one) for one in some]))


class ShelvedView(Resource):
    @extend_schema(summary="A scenario that somebody shares", responses=form.ShelfWhole)
    def get(self, request: Request, scenario: str) -> Response:
        """With its drawing, if it has one: as a campaign is founded with it."""
        row = scenarios.seen(scenario, request.user)
        if row is None or row.title not in registry.TITLES:
            raise Http404
        drawing = read(row.drawing.text) if row.drawing else None
        return self.told(form.ShelfWhole, {**line(row), "scenario": read(row.text), "drawing": drawing})


def line(one: Scenario) -> dict[str, Any]:
    return {
        "ref": one.public_id, "name": one.name, "title": one.title, "owner": one.owner.username, "sharing": one.sharing,
        "drawn": one.drawing_id is not None, "made_at": one.made_at, "url": reverse("api:shelved", args=[one.public_id]),
    }  # fmt: skip
