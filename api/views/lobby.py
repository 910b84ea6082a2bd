"""Which campaigns seek players, and who has applied."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers import lobby as form
from api.views.base import OfCampaign, Resource, written
from api.views.campaigns import line
from campaign import selectors
from campaign.models import Campaign, Lobby
from campaign.services import lobby as lobbying
from games import registry


class LobbiesView(Resource):
    @extend_schema(summary="Campaigns that seek players", responses=form.SoughtPage, parameters=pages.PARAMETERS)
    def get(self, request: Request) -> Response:
        """The listed ones whose lobby is open, the latest first."""

        def told(some: list[Campaign]) -> list[dict[str, object]]:
            words = dict(Lobby.objects.filter(campaign__in=some, closed_at=None).values_list("campaign", "words"))
            return written(form.Sought, [{"campaign": line(one), "words": words.get(one.pk, "")} for one in some])

        return pages.page(request, selectors.seeking().filter(title__in=list(registry.TITLES)), told)


class LobbyView(OfCampaign):
    @extend_schema(summary="The lobby", responses=form.LobbyTold)
    def get(self, request: Request, ref: str) -> Response:
        """Open, or with the entry of its last draw. 404 where one plays alone."""
        here = self.here
        if len(here.seats) == 1:
            raise Http404
        found = lobbying.current(here.campaign)
        people = list(lobbying.applicants(found).select_related("user")) if found else []
        mine = next((one for one in people if one.user_id == here.user.pk), None)
        drawn = lobbying.last_draw(here.campaign)
        told = {
            "open": found is not None, "words": found.words if found else "", "commitment": found.commitment if found else None,
            "free": [seat.key for seat in here.seats if seat.holder is None],
            "applicants": [one.user.username for one in people], "wishes": mine.seats if mine else [],
            "drawn": drawn.number if drawn else None,
        }  # fmt: skip
        return self.told(form.LobbyTold, told)
