"""Acts that keep a campaign going: pauses and ends, seats and people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import read
from api.fields import optional_text
from api.receipts import ActResource, Receipt, needed
from campaign import access, services
from campaign.models import Membership
from people.models import User, find_by_name

LIVES = ["paused", "resumed", "abandoned", "revived", "archived", "unarchived"]


class Life(s.Serializer):
    """A pause, a resumption or an end of a campaign."""

    how = s.ChoiceField(LIVES)
    reason = optional_text(1000)

    def body(self) -> LifeBody:
        """Return the validated body."""
        return LifeBody(**self.validated_data)


class PeopleAct(s.Serializer):
    """An act about seats and people. `act` decides which fields it needs."""

    act = s.ChoiceField(
        [
            "wait",
            "stop-waiting",
            "vacate",
            "seat",
            "countersigner",
            "no-countersigner",
            "program",
            "no-program",
        ]
    )
    seat = s.CharField(
        required=False, max_length=40, help_text="vacate, seat, program, no-program."
    )
    person = s.CharField(
        required=False,
        max_length=60,
        help_text="seat, countersigner, no-countersigner: a user name.",
    )
    level = s.CharField(
        required=False, max_length=20, help_text="program: the level, for example bold."
    )
    reason = s.CharField(
        required=False, max_length=1000, help_text="program: the reason, which everyone can read."
    )

    def body(self) -> PeopleActBody:
        """Return the validated body."""
        return PeopleActBody(**self.validated_data)


# Bodies of requests


@dataclass(frozen=True, slots=True)
class LifeBody:
    """A body of `Life`."""

    how: str
    reason: str


@dataclass(frozen=True, slots=True)
class PeopleActBody:
    """A body of `PeopleAct`."""

    act: str
    seat: str | None = None
    person: str | None = None
    level: str | None = None
    reason: str | None = None


RECEIPT = {201: Receipt}


class LifeView(ActResource):
    """The pauses and the end of a campaign."""

    @extend_schema(
        summary="Pause, resume, abandon or archive a campaign",
        request=Life,
        responses=RECEIPT,
    )
    def post(self, request: Request, ref: str) -> Response:
        """Pause, resume, abandon or archive a campaign, for the game master."""
        body = read(Life, request)

        def act() -> None:
            services.change_life(self.here.campaign, self.here.user, body.how, body.reason)

        return self.act(request, act)


class PeopleActsView(ActResource):
    """The acts about seats and people."""

    @extend_schema(
        summary="Act on seats and people",
        request=PeopleAct,
        responses=RECEIPT,
    )
    def post(self, request: Request, ref: str) -> Response:
        """Do something about a seat.

        Everyone may wait for a seat. The holder of a seat and the game master may free it. The
        other acts are for the game master. Invitations are at `invitations/`.
        """
        body = read(PeopleAct, request)

        def act() -> None:
            self.acts(body)[body.act]()

        return self.act(request, act)

    def acts(self, body: PeopleActBody) -> dict[str, Callable[[], object]]:
        """Return a function for each act, which does the act with this body."""
        campaign, user = self.here.campaign, self.here.user

        def seat() -> str:
            return needed(body.seat, "seat")

        return {
            "wait": lambda: services.join_waiting_list(campaign, user),
            "stop-waiting": lambda: services.leave_waiting_list(campaign, user),
            "vacate": lambda: services.vacate(campaign, user, seat()),
            "seat": lambda: services.seat_reserve(campaign, user, self.waiting(body), seat()),
            "program": lambda: services.let_program(
                campaign, user, seat(), needed(body.level, "level"), needed(body.reason, "reason")
            ),
            "no-program": lambda: services.take_program_away(campaign, user, seat()),
            "countersigner": lambda: services.name_countersigner(campaign, user, self.person(body)),
            "no-countersigner": lambda: services.dismiss_countersigner(
                campaign, user, self.person(body)
            ),
        }

    def person(self, body: PeopleActBody) -> User:
        """Return the user whom a body names. Raises `ValidationError`."""
        access.must_be_host(self.here.campaign, self.here.user)
        user = find_by_name(needed(body.person, "person"))
        if user is None:
            raise ValidationError({"person": [_("This person is not a member of the campaign.")]})
        return user

    def waiting(self, body: PeopleActBody) -> int:
        """Return the id of the waiting user whom a body names. Raises `ValidationError`."""
        access.must_be_host(self.here.campaign, self.here.user)
        name = needed(body.person, "person")
        for place in self.here.places:
            if place.role == Membership.Role.RESERVE and place.user.username == name:
                return place.user_id
        raise ValidationError({"person": [_("This person is not a member of the campaign.")]})
