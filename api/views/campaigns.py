"""Where to begin, who one is, the campaigns one finds, and one of them."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages, urls_of
from api.serializers.campaigns import CampaignLine, CampaignPage, CampaignWhole, Me, Root
from api.views.base import Here, OfCampaign, Resource, written
from api.views.table import seats, waiting
from battles import selectors as battles
from campaign import selectors
from campaign.models import Campaign
from games import registry
from people.models import Token


class RootView(Resource):
    @extend_schema(summary="Where to begin", responses=Root)
    def get(self, request: Request) -> Response:
        links = {
            name: reverse(f"api:{name}")
            for name in ("me", "campaigns", "lobbies", "titles", "scenarios", "notices", "deadlines", "schema", "docs")
        }
        return self.told(Root, {"version": "1", "links": links})


class MeView(Resource):
    @extend_schema(summary="Who you are", responses=Me)
    def get(self, request: Request) -> Response:
        user, token = request.user, cast("Token | None", request.auth)
        if token is None or isinstance(user, AnonymousUser):
            raise NotAuthenticated
        held = list(selectors.mine(user))
        own = [*held, *(campaign for campaign in battles.stood_in(user) if campaign not in held)]
        found = {
            "name": user.username, "language": user.language, "time_zone": user.time_zone, "token": token.name,
            "scope": token.scope, "ends_at": token.ends_at,
            "campaigns": [line(one) for one in own if one.title in registry.TITLES],
        }  # fmt: skip
        return self.told(Me, found)


class CampaignsView(Resource):
    @extend_schema(summary="The campaigns that anybody finds", responses=CampaignPage, parameters=pages.PARAMETERS)
    def get(self, request: Request) -> Response:
        """Newest first. Those of your own, listed or not, are at `/api/v1/me/`. One who plays alone stands in no list, so that a
        page may have fewer than its limit."""
        for_several = [key for key, title in registry.TITLES.items() if registry.together(title)]
        found = selectors.listed().filter(title__in=for_several)

        def told(some: list[Campaign]) -> list[Any]:
            return written(CampaignLine, [line(one) for one in some if not selectors.alone_in(one)])

        return pages.page(request, found, told)


class CampaignView(OfCampaign):
    @extend_schema(summary="One campaign", responses=CampaignWhole)
    def get(self, request: Request, ref: str) -> Response:
        return self.told(CampaignWhole, whole(self.here))


def line(campaign: Campaign) -> dict[str, Any]:
    """A campaign as a list has it: nothing but copies that everybody may read."""
    names = ("name", "title", "status", "visibility", "turn", "active_seat", "founded_at", "ended_at")
    return {
        **{name: getattr(campaign, name) for name in names}, "ref": campaign.address,
        "url": reverse("api:campaign", args=[campaign.address]), "page": f"/c/{campaign.address}/",
    }  # fmt: skip


def whole(here: Here) -> dict[str, Any]:
    campaign, who = here.campaign, here.access
    return {
        **line(campaign), "phase": campaign.phase, "time_zone": campaign.time_zone, "commitment": campaign.commitment,
        "by_hand": campaign.by_hand, "seen": here.seen,
        "game_masters": [one.username for one in selectors.game_masters(campaign, here.places)],
        "seats": seats(here), "waiting": waiting(here),
        "mine": {"viewer": who.viewer, "game_master": who.game_master, "host": who.host, "seats": list(who.seats),
                 "member": who.member},
        "links": urls_of.campaign(campaign.address),
    }  # fmt: skip
