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
from api.base import Here, OfCampaign
from api.log import TURN
from nations import projection as nations
from nations.models import LedgerEntry


class Card(s.Serializer):
    """So many of an item in a zone; those in a hidden hand are told to who may see it alone."""

    zone = s.CharField()
    item = s.CharField()
    count = s.IntegerField()


class NationLine(s.Serializer):
    """A seat, or another holder of accounts or places."""

    key = s.CharField()
    name = s.CharField()
    seat = s.BooleanField()
    holder = s.CharField(allow_null=True, help_text="The person who holds the seat.")
    accounts = s.DictField(
        child=s.IntegerField(),
        help_text="Whole numbers in each account's own unit; see the title's `accounts`.",
    )
    facts = s.JSONField(help_text="Structures and the like, as the title tells them.")
    places = s.ListField(child=s.CharField())
    cards = Card(many=True)
    ledger = s.CharField()


class Nations(s.Serializer):
    results = NationLine(many=True)


class Province(s.Serializer):
    place = s.CharField()
    owner = s.CharField(allow_blank=True, help_text="Empty where nobody has it.")
    facts = s.JSONField(help_text="Fortification, fleet … as the title tells them.")


class Provinces(s.Serializer):
    results = Province(many=True)


class LedgerLine(s.Serializer):
    """One change of an account, and what it came to."""

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
    results = LedgerLine(many=True)
    next = s.CharField(allow_null=True)


class ActionLine(s.Serializer):
    """A move in force of a seat, and what it took from its actions, in that account's unit."""

    entry = s.IntegerField(source="entry.number", allow_null=True)
    turn = s.IntegerField()
    seat = s.CharField()
    move = s.CharField()
    cost = s.IntegerField()


class ActionPage(s.Serializer):
    results = ActionLine(many=True)
    next = s.CharField(allow_null=True)


TEXT = {"type": "string", "maxLength": 60}
HOLDER = OpenApiParameter("holder", TEXT, description="Of this holder alone.")
ACCOUNT = OpenApiParameter("account", TEXT, description="Of this account alone.")
OWNER = OpenApiParameter("owner", TEXT, description="Of this holder alone.")
SEAT = OpenApiParameter("seat", TEXT, description="Of this seat alone.")


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


def holders(here: Here) -> list[str]:
    """Return everyone who has an account: the seats first, also those without an account."""
    seats = [seat.key for seat in here.seats]
    others = {holder for holder, _account in here.rows.accounts} - set(seats)
    return [*seats, *sorted(others, key=lambda key: (len(key), key))]


def nation_facts(here: Here, keys: list[str]) -> list[NationFacts]:
    """Return these holders with all that the reader may see of them."""
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


def accounts_of(here: Here, key: str) -> dict[str, int]:
    accounts = here.rows.accounts.items()
    return {account: amount for (holder, account), amount in accounts if holder == key}


def places_of(here: Here, key: str) -> list[str]:
    holdings = here.rows.holdings.items()
    return sorted(place for place, facts in holdings if facts.get("owner") == key)


class NationsView(OfCampaign):
    @extend_schema(summary="Nations and other holders", responses=Nations)
    def get(self, request: Request, ref: str) -> Response:
        """With accounts, places, structures, and the cards that you may see."""
        return self.answer(Nations, {"results": nation_facts(self.here, holders(self.here))})


class NationView(OfCampaign):
    @extend_schema(summary="One nation", responses=NationLine)
    def get(self, request: Request, ref: str, holder: str) -> Response:
        if holder not in holders(self.here):
            raise Http404
        return self.answer(NationLine, nation_facts(self.here, [holder])[0])


class ProvincesView(OfCampaign):
    @extend_schema(summary="Places and who has them", responses=Provinces, parameters=[OWNER])
    def get(self, request: Request, ref: str) -> Response:
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


class LedgerView(OfCampaign):
    @extend_schema(
        summary="Lines of the ledgers",
        responses=LedgerPage,
        parameters=[*paging.PARAMETERS, HOLDER, ACCOUNT, TURN],
    )
    def get(self, request: Request, ref: str) -> Response:
        """The newest first; all lines of an account sum to what it stands at."""
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


def ledger_facts(here: Here, line: LedgerEntry) -> LedgerFacts:
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


class ActionsView(OfCampaign):
    @extend_schema(
        summary="What was done with actions",
        responses=ActionPage,
        parameters=[*paging.PARAMETERS, SEAT, TURN],
    )
    def get(self, request: Request, ref: str) -> Response:
        """The newest first, moves in force alone."""
        turn = paging.whole_number(request, "turn", 0) if "turn" in request.GET else None
        seat = request.GET.get("seat", "").replace("\0", "")
        rows = nations.actions(self.here.campaign, self.here.access, seat, turn=turn).reverse()
        return paging.page(request, rows, ActionLine, list)
