"""Dice that are thrown elsewhere, and what is mixed into the dice of a turn."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import FAR, Content
from api.receipts import Receipt, Speaking
from campaign import services
from campaign.dice import services as dice_services
from campaign.errors import Refused
from campaign.models import LogEntry


class Die(s.Serializer):
    """A die that was thrown elsewhere, and where to see it."""

    purpose = s.CharField(max_length=200)
    value = s.IntegerField(min_value=1, max_value=FAR)
    url = s.CharField(required=False, allow_blank=True, default="", max_length=500)


class ByHand(s.Serializer):
    """Who throws every new die: a hand elsewhere, or the program."""

    by_hand = s.BooleanField()


class MixingAct(s.Serializer):
    """Which parts it takes depends on `act`."""

    act = s.ChoiceField(["words", "close", "name", "draw", "fetch", "without", "object"])
    seat = s.CharField(required=False, default="", max_length=40, help_text="words.")
    text = s.CharField(
        required=False,
        default="",
        max_length=2000,
        trim_whitespace=False,
        help_text=(
            "words: 1 to 200 characters; draw: what was drawn, of the lottery as it is printed."
        ),
    )
    origin = s.ChoiceField(
        dice_services.SOURCES, required=False, default="other", help_text="name: where it is drawn."
    )
    falls = s.DateTimeField(
        required=False, allow_null=True, default=None, help_text="name: when it is drawn."
    )
    name = s.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=200,
        help_text="name, of another source.",
    )
    wheels = s.DictField(
        child=s.CharField(max_length=40),
        required=False,
        default=dict,
        help_text="name: nations by wheel.",
    )
    numbers = s.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=dice_services.MOST_NUMBERS,
        help_text="name, of another source, which needs it: how many numbers it draws.",
    )
    url = s.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=500,
        help_text="draw: where everybody can see it.",
    )
    reason = s.CharField(
        required=False, default="", allow_blank=True, max_length=1000, help_text="without, object."
    )


class Drop(s.Serializer):
    reason = s.CharField(required=False, allow_blank=True, default="", max_length=1000)


SAID = {201: Receipt}


class DieView(Speaking):
    form = Die

    @extend_schema(summary="Enter a die that was thrown elsewhere", request=Die, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. The announcement that waited for it is played."""
        return self.act(request, self.give_die)

    def give_die(self, content: Content) -> Iterable[LogEntry]:
        return services.give_die(
            self.here.campaign,
            self.here.user,
            content["purpose"],
            content["value"],
            content["url"],
        )


class ByHandView(Speaking):
    form = ByHand

    @extend_schema(
        summary="Throw every new die elsewhere, or by the program again",
        request=ByHand,
        responses=SAID,
    )
    def post(self, request: Request, ref: str) -> Response:
        return self.act(request, self.throw_by)

    def throw_by(self, content: Content) -> None:
        services.throw_by(self.here.campaign, self.here.user, content["by_hand"])


class MixingView(Speaking):
    form = MixingAct

    @extend_schema(summary="Add to the dice of the next turn", request=MixingAct, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """A seat's holder may send `words` and `object`; only the game master may send the other
        acts.

        `fetch` asks the worker for the round of drand. The answer then has no entry.
        """
        return self.act(request, self.mix)

    def mix(self, content: Content) -> list[LogEntry]:
        campaign, user = self.here.campaign, self.here.user
        match content["act"]:
            case "words":
                entry = services.add_words(campaign, user, content["seat"], content["text"])
            case "close":
                entry = services.close_words(campaign, user)
            case "name":
                entry = self.name_draw(content)
            case "draw":
                entry = services.enter_draw(campaign, user, content["text"], content["url"])
            case "fetch":
                services.fetch_draw(campaign, user)
                return []
            case "without":
                entry = services.go_without(campaign, user, content["reason"])
            case _object:
                entry = services.object_to_draw(campaign, user, content["reason"])
        return [entry]

    def name_draw(self, content: Content) -> LogEntry:
        if content["falls"] is None:
            raise Refused("bad-date", _("Give the day and the time at which it is drawn."))
        is_other = content["origin"] == dice_services.OTHER
        return services.name_draw(
            self.here.campaign,
            self.here.user,
            content["origin"],
            content["falls"],
            content["name"],
            content["wheels"],
            content["numbers"] if is_other else None,
        )


class DropView(Speaking):
    form = Drop

    @extend_schema(
        summary="Take back an announcement that waits for a die", request=Drop, responses=SAID
    )
    def post(self, request: Request, ref: str) -> Response:
        return self.act(request, self.drop)

    def drop(self, content: Content) -> list[LogEntry]:
        return [services.drop(self.here.campaign, self.here.user, content["reason"])]
