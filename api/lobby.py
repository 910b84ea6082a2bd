"""Lobbies: campaigns that look for players, applications, and the draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import CampaignContext, CampaignResource, Resource, read
from api.campaigns import CampaignFacts, CampaignLine, campaign_facts
from api.fields import optional_text
from api.receipts import ActResource, Receipt
from campaign import founding, services
from campaign.log import selectors
from campaign.models import Campaign, Lobby
from games import registry


class OpenLobby(s.Serializer):
    """A campaign whose lobby is open."""

    campaign = CampaignLine()
    words = s.CharField(allow_blank=True, help_text="The game master's text.")


class OpenLobbyPage(s.Serializer):
    """One page of campaigns with an open lobby."""

    results = OpenLobby(many=True)
    next = s.CharField(allow_null=True)


class LobbyState(s.Serializer):
    """The lobby of a campaign.

    The names of applicants are public. Their preferences stay private until the draw, whose log
    entry shows them all.
    """

    open = s.BooleanField()
    words = s.CharField(allow_blank=True)
    commitment = s.CharField(allow_null=True, help_text="The commitment to the dice of the draw.")
    free = s.ListField(child=s.CharField(), help_text="The seats without a holder.")
    applicants = s.ListField(child=s.CharField())
    wishes = s.ListField(child=s.CharField(), help_text="Your preferences, the best first.")
    drawn = s.IntegerField(allow_null=True, help_text="The log entry of the last draw.")


class LobbyAct(s.Serializer):
    """An act in a lobby. `act` decides which fields it needs."""

    act = s.ChoiceField(["open", "reword", "apply", "withdraw", "draw"])
    words = optional_text(2000, "open, reword.")
    seats = s.ListField(
        child=s.CharField(max_length=40),
        required=False,
        default=list,
        max_length=60,
        help_text="apply: the seats, the best first.",
    )

    def body(self) -> LobbyActBody:
        """Return the validated body."""
        return LobbyActBody(**self.validated_data)


# Body of the request


@dataclass(frozen=True, slots=True)
class LobbyActBody:
    """A body of `LobbyAct`."""

    act: str
    words: str
    seats: list[str]


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class OpenLobbyFacts:
    """The facts of `OpenLobby`."""

    campaign: CampaignFacts
    words: str


@dataclass(frozen=True, slots=True)
class LobbyFacts:
    """The facts of `LobbyState`; the defaults are those of a campaign without an open lobby."""

    free: list[str]
    drawn: int | None
    open: bool = False
    words: str = ""
    commitment: str | None = None
    applicants: Sequence[str] = ()
    wishes: Sequence[str] = ()


class LobbiesView(Resource):
    """The open lobbies."""

    @extend_schema(
        summary="Campaigns that are looking for players",
        responses=OpenLobbyPage,
        parameters=paging.PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Return listed campaigns with an open lobby, the latest first."""
        campaigns = selectors.open_lobbies().filter(title__in=list(registry.TITLES))
        return paging.page(request, campaigns, OpenLobby, open_lobby_facts)


def open_lobby_facts(campaigns: list[Campaign]) -> list[OpenLobbyFacts]:
    """Return campaigns with the texts of their open lobbies."""
    lobbies = Lobby.objects.filter(campaign__in=campaigns, closed_at=None)
    words = dict(lobbies.values_list("campaign", "words"))
    return [
        OpenLobbyFacts(campaign_facts(campaign), words.get(campaign.pk, ""))
        for campaign in campaigns
    ]


class LobbyView(CampaignResource):
    """The lobby of a campaign."""

    @extend_schema(summary="The lobby", responses=LobbyState)
    def get(self, request: Request, ref: str) -> Response:
        """Return the lobby, open or closed, with the log entry of its last draw.

        Campaigns that one person plays alone answer 404.
        """
        if len(self.here.seats) == 1:
            raise Http404
        return self.answer(LobbyState, lobby_facts(self.here))


def lobby_facts(here: CampaignContext) -> LobbyFacts:
    """Return the lobby of a campaign, with the reader's own preferences."""
    free = [seat.key for seat in here.seats if seat.holder is None]
    lobby = founding.current_lobby(here.campaign)
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


class LobbyActsView(ActResource):
    """The acts in a lobby."""

    @extend_schema(summary="Act in the lobby", request=LobbyAct, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """Apply in the lobby or withdraw, open the lobby, change its text, or draw.

        Everyone may apply, with seats in order of preference. Only the game master may open the
        lobby, change its text and draw.
        """
        if len(self.here.seats) == 1:
            raise Http404
        body = read(LobbyAct, request)

        def act() -> None:
            self.acts(body)[body.act]()

        return self.act(request, act)

    def acts(self, body: LobbyActBody) -> dict[str, Callable[[], object]]:
        """Return a function for each act, which does the act with this body."""
        campaign, user = self.here.campaign, self.here.user
        seats = list(dict.fromkeys(body.seats))
        return {
            "open": lambda: services.open_lobby(campaign, user, body.words),
            "reword": lambda: services.change_lobby_text(campaign, user, body.words),
            "apply": lambda: services.apply_for_seat(campaign, user, seats),
            "withdraw": lambda: services.withdraw_application(campaign, user),
            "draw": lambda: services.draw_seats(campaign, user),
        }
