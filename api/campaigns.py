"""Where to begin, who one is, which campaigns there are, and one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import cast

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import Here, OfCampaign, Resource, campaign_links
from api.standings import Wait, WaitFacts, waiting_facts
from api.table import Seat, SeatFacts, seats_facts
from battles import projection as battles
from campaign.access import Access
from campaign.log import selectors
from campaign.models import Campaign
from games import registry
from people.models import Token, User


class CampaignLine(s.Serializer):
    """A campaign as a list has it."""

    ref = s.CharField(
        help_text="Names the campaign in addresses. Only its first eight characters are read."
    )
    name = s.CharField()
    title = s.CharField(help_text="The game.")
    status = s.ChoiceField(Campaign.Status.choices)
    visibility = s.ChoiceField(Campaign.Visibility.choices)
    turn = s.IntegerField()
    active_seat = s.CharField(
        allow_blank=True, help_text="Whose slot is open; empty where nobody's is."
    )
    founded_at = s.DateTimeField()
    ended_at = s.DateTimeField(allow_null=True)
    url = s.CharField(help_text="The campaign in this interface.")
    page = s.CharField(help_text="The campaign as people read it.")


class Mine(s.Serializer):
    """What the reader is there."""

    viewer = s.CharField(
        allow_null=True,
        help_text="Through whose eyes the answer is seen: `gm`, a seat, null for a stranger.",
    )
    game_master = s.BooleanField(help_text="Sees all and speaks for all.")
    host = s.BooleanField(help_text="A game master, also one who plays and may not see all.")
    seats = s.ListField(child=s.CharField())
    member = s.BooleanField()


class CampaignWhole(CampaignLine):
    """One campaign as its reader knows it."""

    phase = s.CharField(allow_blank=True)
    time_zone = s.CharField()
    commitment = s.CharField(help_text="What was promised of the dice before the first fell.")
    by_hand = s.BooleanField(help_text="Every new die is thrown elsewhere.")
    game_masters = s.ListField(child=s.CharField())
    seats = Seat(many=True)
    mine = Mine()
    waiting = Wait(many=True)
    seen = s.IntegerField(help_text="The reader's last entry: what a move is said with.")
    links = s.DictField(child=s.CharField(), help_text="What there is of this campaign.")


class CampaignPage(s.Serializer):
    results = CampaignLine(many=True)
    next = s.CharField(allow_null=True)


class Me(s.Serializer):
    """The person of the token, and the token."""

    name = s.CharField()
    language = s.CharField(allow_blank=True)
    time_zone = s.CharField()
    token = s.CharField(help_text="The name they gave it.")
    scope = s.ChoiceField(Token.Scope.choices)
    ends_at = s.DateTimeField(allow_null=True)
    campaigns = CampaignLine(many=True, help_text="Where they have a place now, newest first.")


class Root(s.Serializer):
    """Where to begin."""

    version = s.CharField()
    links = s.DictField(child=s.CharField())


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class CampaignFacts:
    """The facts of `CampaignLine`: nothing but copies that everyone may read."""

    ref: str
    name: str
    title: str
    status: str
    visibility: str
    turn: int
    active_seat: str
    founded_at: datetime
    ended_at: datetime | None
    url: str
    page: str


@dataclass(frozen=True, slots=True)
class MineFacts:
    """The facts of `Mine`."""

    viewer: str | None
    game_master: bool
    host: bool
    seats: Sequence[str]
    member: bool


@dataclass(frozen=True, slots=True)
class CampaignWholeFacts(CampaignFacts):
    """The facts of `CampaignWhole`."""

    phase: str
    time_zone: str
    commitment: str
    by_hand: bool
    game_masters: list[str]
    seats: list[SeatFacts]
    mine: MineFacts
    waiting: list[WaitFacts]
    seen: int
    links: dict[str, str]


@dataclass(frozen=True, slots=True)
class MeFacts:
    """The facts of `Me`."""

    name: str
    language: str
    time_zone: str
    token: str
    scope: str
    ends_at: datetime | None
    campaigns: list[CampaignFacts]


@dataclass(frozen=True, slots=True)
class RootFacts:
    """The facts of `Root`."""

    version: str
    links: dict[str, str]


STARTS = (
    "me",
    "campaigns",
    "lobbies",
    "titles",
    "scenarios",
    "notices",
    "deadlines",
    "schema",
    "docs",
)
"""The names of the addresses with which a program begins."""


class RootView(Resource):
    @extend_schema(summary="Where to begin", responses=Root)
    def get(self, request: Request) -> Response:
        links = {name: reverse(f"api:{name}") for name in STARTS}
        return self.answer(Root, RootFacts("1", links))


class MeView(Resource):
    @extend_schema(summary="Who you are", responses=Me)
    def get(self, request: Request) -> Response:
        user, token = request.user, cast("Token | None", request.auth)
        if token is None or isinstance(user, AnonymousUser):
            raise NotAuthenticated
        return self.answer(Me, me_facts(user, token))


def me_facts(user: User, token: Token) -> MeFacts:
    return MeFacts(
        name=user.username,
        language=user.language,
        time_zone=user.time_zone,
        token=token.name,
        scope=token.scope,
        ends_at=token.ends_at,
        campaigns=[campaign_facts(campaign) for campaign in own_campaigns(user)],
    )


def own_campaigns(user: User) -> list[Campaign]:
    """Return the campaigns where a user has a place or is a substitute now."""
    held = list(selectors.campaigns_of_user(user))
    stood_in = [campaign for campaign in battles.stood_in(user) if campaign not in held]
    return [campaign for campaign in (*held, *stood_in) if campaign.title in registry.TITLES]


class CampaignsView(Resource):
    @extend_schema(
        summary="The campaigns that anybody finds",
        responses=CampaignPage,
        parameters=paging.PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Newest first. Those of your own, listed or not, are at `/api/v1/me/`. One who plays alone
        stands in no list, so that a page may have fewer than its limit.
        """
        for_several = [key for key, title in registry.TITLES.items() if registry.together(title)]
        campaigns = selectors.listed().filter(title__in=for_several)
        return paging.page(request, campaigns, CampaignLine, facts_of_several)


def facts_of_several(campaigns: list[Campaign]) -> list[CampaignFacts]:
    """Return the campaigns without those that are played alone."""
    return [campaign_facts(campaign) for campaign in campaigns if not selectors.alone_in(campaign)]


class CampaignView(OfCampaign):
    @extend_schema(summary="One campaign", responses=CampaignWhole)
    def get(self, request: Request, ref: str) -> Response:
        return self.answer(CampaignWhole, whole_campaign_facts(self.here))


def campaign_facts(campaign: Campaign) -> CampaignFacts:
    return CampaignFacts(
        ref=campaign.address,
        name=campaign.name,
        title=campaign.title,
        status=campaign.status,
        visibility=campaign.visibility,
        turn=campaign.turn,
        active_seat=campaign.active_seat,
        founded_at=campaign.founded_at,
        ended_at=campaign.ended_at,
        url=reverse("api:campaign", args=[campaign.address]),
        page=f"/c/{campaign.address}/",
    )


def whole_campaign_facts(here: Here) -> CampaignWholeFacts:
    campaign = here.campaign
    masters = selectors.game_masters(campaign, here.places)
    return CampaignWholeFacts(
        **asdict(campaign_facts(campaign)),
        phase=campaign.phase,
        time_zone=campaign.time_zone,
        commitment=campaign.commitment,
        by_hand=campaign.by_hand,
        game_masters=[master.username for master in masters],
        seats=seats_facts(here),
        mine=mine_facts(here.access),
        waiting=waiting_facts(here),
        seen=here.seen,
        links=campaign_links(campaign.address),
    )


def mine_facts(access: Access) -> MineFacts:
    return MineFacts(
        viewer=access.viewer,
        game_master=access.game_master,
        host=access.host,
        seats=access.seats,
        member=access.member,
    )
