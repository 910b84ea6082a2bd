"""The root of the interface, the user of the token, the list of campaigns, and one campaign."""

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
from api.base import CampaignContext, CampaignResource, Resource, campaign_links
from api.standings import Wait, WaitFacts, waiting_facts
from api.table import Seat, SeatFacts, seats_facts
from battles import projection as battles
from campaign.access import Access
from campaign.log import selectors
from campaign.models import Campaign
from games import registry
from people.models import Token, User


class CampaignLine(s.Serializer):
    """A campaign as a list shows it."""

    ref = s.CharField(help_text="The campaign in addresses. Only its first eight characters count.")
    name = s.CharField()
    title = s.CharField(help_text="The game.")
    status = s.ChoiceField(Campaign.Status.choices)
    visibility = s.ChoiceField(Campaign.Visibility.choices)
    turn = s.IntegerField()
    active_seat = s.CharField(
        allow_blank=True, help_text="The seat whose slot is open; empty if there is none."
    )
    founded_at = s.DateTimeField()
    ended_at = s.DateTimeField(allow_null=True)
    url = s.CharField(help_text="The address of the campaign in this interface.")
    page = s.CharField(help_text="The address of the campaign's web page.")


class ReaderRole(s.Serializer):
    """The reader's role in a campaign."""

    viewer = s.CharField(
        allow_null=True,
        help_text="The view that the answer shows: `gm`, a seat, or null for outsiders.",
    )
    game_master = s.BooleanField(help_text="Whether the reader may see and do everything.")
    host = s.BooleanField(
        help_text=(
            "Whether the reader is a game master, including one who plays and may not see"
            " everything."
        )
    )
    seats = s.ListField(child=s.CharField())
    member = s.BooleanField()


class CampaignWhole(CampaignLine):
    """One campaign, with what its reader may see of it."""

    phase = s.CharField(allow_blank=True)
    time_zone = s.CharField()
    commitment = s.CharField(
        help_text="The commitment to the dice, published before the first roll."
    )
    by_hand = s.BooleanField(help_text="Whether every new die is thrown elsewhere.")
    game_masters = s.ListField(child=s.CharField())
    seats = Seat(many=True)
    mine = ReaderRole()
    waiting = Wait(many=True)
    seen = s.IntegerField(help_text="The number of your last entry; send it with a move.")
    links = s.DictField(child=s.CharField(), help_text="Addresses below this campaign by name.")


class CampaignPage(s.Serializer):
    """One page of campaigns."""

    results = CampaignLine(many=True)
    next = s.CharField(allow_null=True)


class Me(s.Serializer):
    """The user of the token, and the token."""

    name = s.CharField()
    language = s.CharField(allow_blank=True)
    time_zone = s.CharField()
    token = s.CharField(help_text="The name of the token.")
    scope = s.ChoiceField(Token.Scope.choices)
    ends_at = s.DateTimeField(allow_null=True)
    campaigns = CampaignLine(
        many=True, help_text="The campaigns in which you have a place now, the newest first."
    )


class Root(s.Serializer):
    """The addresses with which a program begins."""

    version = s.CharField()
    links = s.DictField(child=s.CharField())


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class CampaignFacts:
    """The facts of `CampaignLine`, all of which everyone may read."""

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
class ReaderRoleFacts:
    """The facts of `ReaderRole`."""

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
    mine: ReaderRoleFacts
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
    """The root of the interface."""

    @extend_schema(summary="Where to begin", responses=Root)
    def get(self, request: Request) -> Response:
        """Return the addresses with which a program begins."""
        links = {name: reverse(f"api:{name}") for name in STARTS}
        return self.answer(Root, RootFacts("1", links))


class MeView(Resource):
    """The user of the token."""

    @extend_schema(summary="The user of the token", responses=Me)
    def get(self, request: Request) -> Response:
        """Return the user of the token with their campaigns, or 401 without a token."""
        user, token = request.user, cast("Token | None", request.auth)
        if token is None or isinstance(user, AnonymousUser):
            raise NotAuthenticated
        return self.answer(Me, me_facts(user, token))


def me_facts(user: User, token: Token) -> MeFacts:
    """Return a user and their token, with the campaigns in which they have a place."""
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
    """Return the campaigns in which a user has a place or is a substitute now."""
    held = list(selectors.campaigns_of_user(user))
    stood_in = [campaign for campaign in battles.stood_in(user) if campaign not in held]
    return [campaign for campaign in (*held, *stood_in) if campaign.title in registry.TITLES]


class CampaignsView(Resource):
    """The listed campaigns."""

    @extend_schema(
        summary="The listed campaigns",
        responses=CampaignPage,
        parameters=paging.PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Return the listed campaigns, the newest first.

        Your own campaigns, listed or not, are at `/api/v1/me/`. Campaigns that one person plays
        alone are left out, so a page may have fewer results than its limit.
        """
        for_several = [key for key, title in registry.TITLES.items() if registry.together(title)]
        campaigns = selectors.listed().filter(title__in=for_several)
        return paging.page(request, campaigns, CampaignLine, facts_of_several)


def facts_of_several(campaigns: list[Campaign]) -> list[CampaignFacts]:
    """Return the campaigns without those that are played alone."""
    return [campaign_facts(campaign) for campaign in campaigns if not selectors.alone_in(campaign)]


class CampaignView(CampaignResource):
    """One campaign."""

    @extend_schema(summary="One campaign", responses=CampaignWhole)
    def get(self, request: Request, ref: str) -> Response:
        """Return a campaign with its seats, your role, and the players it is waiting for."""
        return self.answer(CampaignWhole, whole_campaign_facts(self.here))


def campaign_facts(campaign: Campaign) -> CampaignFacts:
    """Return the public facts of a campaign."""
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


def whole_campaign_facts(here: CampaignContext) -> CampaignWholeFacts:
    """Return a campaign as its reader may see it."""
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
        mine=reader_role_facts(here.access),
        waiting=waiting_facts(here),
        seen=here.seen,
        links=campaign_links(campaign.address),
    )


def reader_role_facts(access: Access) -> ReaderRoleFacts:
    """Return the reader's role in a campaign."""
    return ReaderRoleFacts(
        viewer=access.viewer,
        game_master=access.game_master,
        host=access.host,
        seats=access.seats,
        member=access.member,
    )
