"""Dice that are thrown elsewhere, and the randomness that is mixed into the dice of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import read
from api.fields import FAR, optional_text
from api.receipts import ActResource, Receipt
from campaign import services
from campaign.dice import services as dice_services
from campaign.errors import Refused
from campaign.models import LogEntry


class Die(s.Serializer):
    """A die that was thrown elsewhere, and the address where others can check it."""

    purpose = s.CharField(max_length=200)
    value = s.IntegerField(min_value=1, max_value=FAR)
    url = optional_text(500)

    def body(self) -> DieBody:
        """Return the validated body."""
        return DieBody(**self.validated_data)


class ByHand(s.Serializer):
    """The choice whether new dice are thrown elsewhere or by this site."""

    by_hand = s.BooleanField()

    def body(self) -> ByHandBody:
        """Return the validated body."""
        return ByHandBody(**self.validated_data)


class MixingAct(s.Serializer):
    """An act about the randomness of the next turn. `act` decides which fields it needs."""

    act = s.ChoiceField(["words", "close", "name", "draw", "fetch", "without", "object"])
    seat = s.CharField(required=False, default="", max_length=40, help_text="words.")
    text = s.CharField(
        required=False,
        default="",
        max_length=2000,
        trim_whitespace=False,
        help_text="words: 1 to 200 characters; draw: the result, for a lottery as it is printed.",
    )
    origin = s.ChoiceField(
        dice_services.SOURCES,
        required=False,
        default="other",
        help_text="name: the source of the draw.",
    )
    falls = s.DateTimeField(
        required=False, allow_null=True, default=None, help_text="name: the time of the draw."
    )
    name = optional_text(200, "name: the name of a source that is not listed.")
    wheels = s.DictField(
        child=s.CharField(max_length=40),
        required=False,
        default=dict,
        help_text="name: the nations by wheel.",
    )
    numbers = s.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=dice_services.MOST_NUMBERS,
        help_text="name, required for a source that is not listed: how many numbers it draws.",
    )
    url = optional_text(500, "draw: the address where everyone can see it.")
    reason = optional_text(1000, "without, object.")

    def body(self) -> MixingBody:
        """Return the validated body."""
        return MixingBody(**self.validated_data)


class Drop(s.Serializer):
    """The reason for dropping a move that waits for a die."""

    reason = optional_text(1000)

    def body(self) -> DropBody:
        """Return the validated body."""
        return DropBody(**self.validated_data)


# Bodies of requests


@dataclass(frozen=True, slots=True)
class DieBody:
    """A body of `Die`."""

    purpose: str
    value: int
    url: str


@dataclass(frozen=True, slots=True)
class ByHandBody:
    """A body of `ByHand`."""

    by_hand: bool


@dataclass(frozen=True, slots=True)
class MixingBody:
    """A body of `MixingAct`."""

    act: str
    seat: str
    text: str
    origin: str
    falls: datetime | None
    name: str
    wheels: dict[str, str]
    numbers: int | None
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class DropBody:
    """A body of `Drop`."""

    reason: str


RECEIPT = {201: Receipt}


class DieView(ActResource):
    """The entry of a die that was thrown elsewhere."""

    @extend_schema(summary="Enter a die that was thrown elsewhere", request=Die, responses=RECEIPT)
    def post(self, request: Request, ref: str) -> Response:
        """Enter a die, for the game master. The move that waited for it is then played."""
        body = read(Die, request)

        def act() -> Iterable[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            return services.give_die(campaign, user, body.purpose, body.value, body.url)

        return self.act(request, act)


class ByHandView(ActResource):
    """The choice whether new dice are thrown elsewhere."""

    @extend_schema(
        summary="Choose where new dice are thrown",
        request=ByHand,
        responses=RECEIPT,
    )
    def post(self, request: Request, ref: str) -> Response:
        """Choose whether every new die is thrown elsewhere, or by this site."""
        by_hand = read(ByHand, request).by_hand

        def act() -> None:
            services.set_manual_dice(self.here.campaign, self.here.user, by_hand)

        return self.act(request, act)


class MixingView(ActResource):
    """The randomness that is mixed into the dice of the next turn."""

    @extend_schema(summary="Add to the dice of the next turn", request=MixingAct, responses=RECEIPT)
    def post(self, request: Request, ref: str) -> Response:
        """Add to the dice of the next turn.

        A seat's holder may send `words` and `object`; only the game master may send the other acts.

        `fetch` asks the worker for the round of drand. The answer then has no entry.
        """
        body = read(MixingAct, request)
        return self.act(request, lambda: self.mix(body))

    def mix(self, body: MixingBody) -> list[LogEntry]:
        """Do the act of a body and return its entries."""
        campaign, user = self.here.campaign, self.here.user
        match body.act:
            case "words":
                entry = services.add_words(campaign, user, body.seat, body.text)
            case "close":
                entry = services.close_words(campaign, user)
            case "name":
                entry = self.name_draw(body)
            case "draw":
                entry = services.enter_draw(campaign, user, body.text, body.url)
            case "fetch":
                services.fetch_draw(campaign, user)
                return []
            case "without":
                entry = services.skip_draw(campaign, user, body.reason)
            case _object:
                entry = services.object_to_draw(campaign, user, body.reason)
        return [entry]

    def name_draw(self, body: MixingBody) -> LogEntry:
        """Name the draw whose result will be mixed in. Raises `Refused` without a date."""
        if body.falls is None:
            raise Refused("bad-date", _("Enter the day and time of the draw."))
        is_other = body.origin == dice_services.OTHER
        return services.name_draw(
            self.here.campaign,
            self.here.user,
            body.origin,
            body.falls,
            body.name,
            body.wheels,
            body.numbers if is_other else None,
        )


class DropView(ActResource):
    """The withdrawal of a move that waits for a die."""

    @extend_schema(summary="Drop a move that waits for a die", request=Drop, responses=RECEIPT)
    def post(self, request: Request, ref: str) -> Response:
        """Drop the move that waits for a die."""
        reason = read(Drop, request).reason
        return self.act(
            request, lambda: [services.drop_parked_move(self.here.campaign, self.here.user, reason)]
        )
