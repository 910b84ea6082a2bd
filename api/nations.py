"""Accounts, places, cards and ledgers of nations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import CampaignContext, CampaignResource
from api.log import TURN
from nations import projection as nations
from nations.models import LedgerEntry


class Card(s.Serializer):
    """The number of cards of one kind in a zone.

    Only readers who may see a hidden hand get its cards.
    """

    zone = s.CharField()
    item = s.CharField()
    count = s.IntegerField()


class NationLine(s.Serializer):
    """A seat, or another holder of accounts or places."""

    key = s.CharField()
    name = s.CharField()
    seat = s.BooleanField()
    holder = s.CharField(allow_null=True, help_text="The user who holds the seat.")
    accounts = s.DictField(
        child=s.IntegerField(),
        help_text="Whole numbers in the unit of each account; see `accounts` of the title.",
    )
    facts = s.JSONField(help_text="Structures and other facts, in the form of the title.")
    places = s.ListField(child=s.CharField())
    cards = Card(many=True)
    ledger = s.CharField()


class Nations(s.Serializer):
    """The nations and other holders of a campaign."""

    results = NationLine(many=True)


class Province(s.Serializer):
    """A place on the map with its owner."""

    place = s.CharField()
    owner = s.CharField(allow_blank=True, help_text="Empty if no one owns it.")
    facts = s.JSONField(help_text="Fortification, fleet …, in the form of the title.")


class Provinces(s.Serializer):
    """The places on the map."""

    results = Province(many=True)


class LedgerLine(s.Serializer):
    """One change of an account, with the balance after it."""

    entry = s.IntegerField(allow_null=True)
    turn = s.IntegerField()
    holder = s.CharField()
    account = s.CharField()
    change = s.IntegerField()
    balance = s.IntegerField()
    cause = s.CharField()
    rule = s.CharField(allow_blank=True)
    text = s.CharField(allow_blank=True)


class LedgerPage(s.Serializer):
    """One page of ledger lines."""

    results = LedgerLine(many=True)
    next = s.CharField(allow_null=True)


class ActionLine(s.Serializer):
    """A move in force with its cost, in the unit of the actions account."""

    entry = s.IntegerField(source="entry.number", allow_null=True)
    turn = s.IntegerField()
    seat = s.CharField()
    move = s.CharField()
    cost = s.IntegerField()


class ActionPage(s.Serializer):
    """One page of moves that cost actions."""

    results = ActionLine(many=True)
    next = s.CharField(allow_null=True)


TEXT = {"type": "string", "maxLength": 60}
HOLDER = OpenApiParameter("holder", TEXT, description="Only this holder.")
ACCOUNT = OpenApiParameter("account", TEXT, description="Only this account.")
OWNER = OpenApiParameter("owner", TEXT, description="Only places of this holder.")
SEAT = OpenApiParameter("seat", TEXT, description="Only this seat.")


@dataclass(frozen=True, slots=True)
class CardFacts:
    """Cards of one kind in a zone that the reader may see."""

    zone: str
    item: str
    count: int


@dataclass(frozen=True, slots=True)
class NationFacts:
    """The facts of `NationLine`."""

    key: str
    name: str
    seat: bool
    holder: str | None
    accounts: dict[str, int]
    facts: Mapping[str, object]
    places: list[str]
    cards: list[CardFacts]
    ledger: str


@dataclass(frozen=True, slots=True)
class ProvinceFacts:
    """The facts of `Province`."""

    place: str
    owner: str
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LedgerFacts:
    """The facts of `LedgerLine`."""

    entry: int | None
    turn: int
    holder: str
    account: str
    change: int
    balance: int
    cause: str
    rule: str
    text: str


def holders(here: CampaignContext) -> list[str]:
    """Return all holders: the seats, also those without an account, then others with accounts."""
    seats = [seat.key for seat in here.seats]
    others = {holder for holder, _account in here.rows.accounts} - set(seats)
    return [*seats, *sorted(others, key=lambda key: (len(key), key))]


def nation_facts(here: CampaignContext, keys: list[str]) -> list[NationFacts]:
    """Return these holders with everything that the reader may see of them."""
    cards = list(nations.cards(here.campaign, here.access))
    people = {seat.key: seat.holder.username for seat in here.seats if seat.holder is not None}
    address = reverse("api:ledger", args=[here.campaign.address])
    return [
        NationFacts(
            key=key,
            name=here.name_of(key),
            seat=key in here.names,
            holder=people.get(key),
            accounts=accounts_of(here, key),
            facts=here.rows.holders.get(key, {}),
            places=places_of(here, key),
            cards=[
                CardFacts(card.zone, card.item, card.count) for card in cards if card.holder == key
            ],
            ledger=f"{address}?holder={key}",
        )
        for key in keys
    ]


def accounts_of(here: CampaignContext, key: str) -> dict[str, int]:
    """Return the accounts of a holder with their balances."""
    accounts = here.rows.accounts.items()
    return {account: amount for (holder, account), amount in accounts if holder == key}


def places_of(here: CampaignContext, key: str) -> list[str]:
    """Return the places that a holder owns."""
    holdings = here.rows.holdings.items()
    return sorted(place for place, facts in holdings if facts.get("owner") == key)


class NationsView(CampaignResource):
    """The nations of a campaign."""

    @extend_schema(summary="Nations and other holders", responses=Nations)
    def get(self, request: Request, ref: str) -> Response:
        """Return all holders with accounts, places, structures, and the cards that you may see."""
        return self.answer(Nations, {"results": nation_facts(self.here, holders(self.here))})


class NationView(CampaignResource):
    """One nation or other holder."""

    @extend_schema(summary="One nation", responses=NationLine)
    def get(self, request: Request, ref: str, holder: str) -> Response:
        """Return one holder with accounts, places, structures, and the cards that you may see."""
        if holder not in holders(self.here):
            raise Http404
        return self.answer(NationLine, nation_facts(self.here, [holder])[0])


class ProvincesView(CampaignResource):
    """The places on the map."""

    @extend_schema(summary="Places and their owners", responses=Provinces, parameters=[OWNER])
    def get(self, request: Request, ref: str) -> Response:
        """Return the places with their owners and structures."""
        owner = request.GET.get("owner")
        provinces = [
            province_facts(place, holding)
            for place, holding in sorted(self.here.rows.holdings.items())
        ]
        results = [province for province in provinces if owner is None or province.owner == owner]
        return self.answer(Provinces, {"results": results})


def province_facts(place: str, holding: Mapping[str, object]) -> ProvinceFacts:
    """Return a place; the owner is empty if no one has it."""
    return ProvinceFacts(
        place=place,
        owner=str(holding.get("owner") or ""),
        facts={key: fact for key, fact in holding.items() if key != "owner"},
    )


class LedgerView(CampaignResource):
    """The ledgers of a campaign."""

    @extend_schema(
        summary="Lines of the ledgers",
        responses=LedgerPage,
        parameters=[*paging.PARAMETERS, HOLDER, ACCOUNT, TURN],
    )
    def get(self, request: Request, ref: str) -> Response:
        """Return ledger lines, the newest first.

        The changes of an account add up to its balance.
        """
        here = self.here
        turn = paging.whole_number(request, "turn", 0) if "turn" in request.GET else None
        rows = nations.ledgers(here.campaign, here.access, turn=turn)
        for name in ("holder", "account"):
            if name in request.GET:
                rows = rows.filter(**{name: request.GET[name].replace("\0", "")})
        return paging.page(
            request,
            rows.reverse(),
            LedgerLine,
            lambda shown: [ledger_facts(here, line) for line in shown],
        )


def ledger_facts(here: CampaignContext, line: LedgerEntry) -> LedgerFacts:
    """Return a change of an account with its cause in words."""
    phrase = line.cause_said
    return LedgerFacts(
        entry=line.entry.number,
        turn=line.turn,
        holder=line.holder,
        account=line.account,
        change=line.change,
        balance=line.balance,
        cause=phrase.id,
        rule=phrase.rule,
        text=here.sentence(phrase),
    )


class ActionsView(CampaignResource):
    """The moves that cost actions."""

    @extend_schema(
        summary="Moves that cost actions",
        responses=ActionPage,
        parameters=[*paging.PARAMETERS, SEAT, TURN],
    )
    def get(self, request: Request, ref: str) -> Response:
        """Return moves in force with their costs, the newest first."""
        turn = paging.whole_number(request, "turn", 0) if "turn" in request.GET else None
        seat = request.GET.get("seat", "").replace("\0", "")
        rows = nations.actions(self.here.campaign, self.here.access, seat, turn=turn).reverse()
        return paging.page(request, rows, ActionLine, list)
