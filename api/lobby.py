"""Which campaigns seek players, and the draw."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import OfCampaign, Resource, written
from api.campaigns import CampaignLine, campaign_row
from campaign.lifecycle import lobby as lobbying
from campaign.log import selectors
from campaign.models import Campaign, Lobby
from games import registry


class Sought(s.Serializer):
    """A campaign whose lobby is open."""

    campaign = CampaignLine()
    words = s.CharField(allow_blank=True, help_text="The game master's.")


class SoughtPage(s.Serializer):
    results = Sought(many=True)
    next = s.CharField(allow_null=True)


class LobbyTold(s.Serializer):
    """Whoever applies is known; his wishes are his own until the draw, whose entry of the log tells all."""

    open = s.BooleanField()
    words = s.CharField(allow_blank=True)
    commitment = s.CharField(allow_null=True, help_text="Of the draw's dice.")
    free = s.ListField(child=s.CharField(), help_text="The seats that nobody holds.")
    applicants = s.ListField(child=s.CharField())
    wishes = s.ListField(child=s.CharField(), help_text="Yours, the best liked first.")
    drawn = s.IntegerField(allow_null=True, help_text="The log's entry of the last draw.")


# Which campaigns seek players, and who has applied.


class LobbiesView(Resource):
    @extend_schema(summary="Campaigns that seek players", responses=SoughtPage, parameters=base.PARAMETERS)
    def get(self, request: Request) -> Response:
        """The listed ones whose lobby is open, the latest first."""

        def lines_of(some: list[Campaign]) -> list[dict[str, object]]:
            words = dict(Lobby.objects.filter(campaign__in=some, closed_at=None).values_list("campaign", "words"))
            return written(Sought, [{"campaign": campaign_row(one), "words": words.get(one.pk, "")} for one in some])

        return base.page(request, selectors.seeking().filter(title__in=list(registry.TITLES)), lines_of)


class LobbyView(OfCampaign):
    @extend_schema(summary="The lobby", responses=LobbyTold)
    def get(self, request: Request, ref: str) -> Response:
        """Open, or with the entry of its last draw. 404 where one plays alone."""
        here = self.here
        if len(here.seats) == 1:
            raise Http404
        current = lobbying.current(here.campaign)
        people = list(lobbying.applicants(current).select_related("user")) if current else []
        mine = next((one for one in people if one.user_id == here.user.pk), None)
        drawn = lobbying.last_draw(here.campaign)
        facts = {
            "open": current is not None, "words": current.words if current else "",
            "commitment": current.commitment if current else None,
            "free": [seat.key for seat in here.seats if seat.holder is None],
            "applicants": [one.user.username for one in people], "wishes": mine.seats if mine else [],
            "drawn": drawn.number if drawn else None,
        }  # fmt: skip
        return self.answer(LobbyTold, facts)
