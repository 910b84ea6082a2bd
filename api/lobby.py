"""Which campaigns seek players, who has applied, and the draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import Here, OfCampaign, Resource, read
from api.campaigns import CampaignFacts, CampaignLine, campaign_facts
from api.fields import optional_text
from api.receipts import Receipt, Speaking
from campaign import founding, services
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
    """Whoever applies is known; their wishes are their own until the draw, whose entry of the log
    tells all.
    """

    open = s.BooleanField()
    words = s.CharField(allow_blank=True)
    commitment = s.CharField(allow_null=True, help_text="Of the draw's dice.")
    free = s.ListField(child=s.CharField(), help_text="The seats that nobody holds.")
    applicants = s.ListField(child=s.CharField())
    wishes = s.ListField(child=s.CharField(), help_text="Yours, the best liked first.")
    drawn = s.IntegerField(allow_null=True, help_text="The log's entry of the last draw.")


class LobbyAct(s.Serializer):
    """Which parts it takes depends on `act`."""

    act = s.ChoiceField(["open", "reword", "apply", "withdraw", "draw"])
    words = optional_text(2000, "open, reword.")
    seats = s.ListField(
        child=s.CharField(max_length=40),
        required=False,
        default=list,
        max_length=60,
        help_text="apply: the best liked first.",
    )

    def body(self) -> LobbyActBody:
        return LobbyActBody(**self.validated_data)


# What the body says


@dataclass(frozen=True, slots=True)
class LobbyActBody:
    """A body of `LobbyAct`."""

    act: str
    words: str
    seats: list[str]


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class SoughtFacts:
    """The facts of `Sought`."""

    campaign: CampaignFacts
    words: str


@dataclass(frozen=True, slots=True)
class LobbyFacts:
    """The facts of `LobbyTold`; the defaults are those of a campaign without an open lobby."""

    free: list[str]
    drawn: int | None
    open: bool = False
    words: str = ""
    commitment: str | None = None
    applicants: Sequence[str] = ()
    wishes: Sequence[str] = ()


class LobbiesView(Resource):
    @extend_schema(
        summary="Campaigns that seek players", responses=SoughtPage, parameters=paging.PARAMETERS
    )
    def get(self, request: Request) -> Response:
        """The listed ones whose lobby is open, the latest first."""
        campaigns = selectors.seeking().filter(title__in=list(registry.TITLES))
        return paging.page(request, campaigns, Sought, sought_facts)


def sought_facts(campaigns: list[Campaign]) -> list[SoughtFacts]:
    """Return campaigns with the words of their open lobbies."""
    lobbies = Lobby.objects.filter(campaign__in=campaigns, closed_at=None)
    words = dict(lobbies.values_list("campaign", "words"))
    return [
        SoughtFacts(campaign_facts(campaign), words.get(campaign.pk, "")) for campaign in campaigns
    ]


class LobbyView(OfCampaign):
    @extend_schema(summary="The lobby", responses=LobbyTold)
    def get(self, request: Request, ref: str) -> Response:
        """Open, or with the entry of its last draw. 404 where one plays alone."""
        if len(self.here.seats) == 1:
            raise Http404
        return self.answer(LobbyTold, lobby_facts(self.here))


def lobby_facts(here: Here) -> LobbyFacts:
    free = [seat.key for seat in here.seats if seat.holder is None]
    lobby = founding.current(here.campaign)
    last_draw = founding.last_draw(here.campaign)
    drawn = last_draw.number if last_draw else None
    if lobby is None:
        return LobbyFacts(free, drawn)
    applicants = list(founding.applicants(lobby).select_related("user"))
    own = [applicant for applicant in applicants if applicant.user_id == here.user.pk]
    return LobbyFacts(
        free=free,
        drawn=drawn,
        open=True,
        words=lobby.words,
        commitment=lobby.commitment,
        applicants=[applicant.user.username for applicant in applicants],
        wishes=own[0].preferences if own else [],
    )


class LobbyActsView(Speaking):
    @extend_schema(
        summary="Apply in the lobby; open it, draw", request=LobbyAct, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """To apply is everybody's, with seats as they are liked; opening, its words and the draw
        are the game master's.
        """
        if len(self.here.seats) == 1:
            raise Http404
        body = read(LobbyAct, request)

        def act() -> None:
            self.acts(body)[body.act]()

        return self.act(request, act)

    def acts(self, body: LobbyActBody) -> dict[str, Callable[[], object]]:
        """Return what each act does with this body."""
        campaign, user = self.here.campaign, self.here.user
        seats = list(dict.fromkeys(body.seats))
        return {
            "open": lambda: services.open_lobby(campaign, user, body.words),
            "reword": lambda: services.reword(campaign, user, body.words),
            "apply": lambda: services.apply(campaign, user, seats),
            "withdraw": lambda: services.withdraw(campaign, user),
            "draw": lambda: services.draw(campaign, user),
        }
