"""What keeps a table going: the life of a campaign, and its people."""

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
from api.receipts import Receipt, Speaking, needed
from campaign import access, services
from campaign.models import Membership
from people.models import User, called

LIVES = ["paused", "resumed", "abandoned", "revived", "archived", "unarchived"]


class Life(s.Serializer):
    how = s.ChoiceField(LIVES)
    reason = optional_text(1000)

    def body(self) -> LifeBody:
        return LifeBody(**self.validated_data)


class PeopleAct(s.Serializer):
    """Which parts it takes depends on `act`."""

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
        required=False, max_length=60, help_text="seat, countersigner, no-countersigner: a name."
    )
    level = s.CharField(
        required=False, max_length=20, help_text="program: which one, such as bold."
    )
    reason = s.CharField(required=False, max_length=1000, help_text="program: for all to read.")

    def body(self) -> PeopleActBody:
        return PeopleActBody(**self.validated_data)


# What the bodies say


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


SAID = {201: Receipt}


class LifeView(Speaking):
    @extend_schema(
        summary="Pause a campaign, take it up again, end it before its end",
        request=Life,
        responses=SAID,
    )
    def post(self, request: Request, ref: str) -> Response:
        """The game master's."""
        body = read(Life, request)

        def act() -> None:
            services.live(self.here.campaign, self.here.user, body.how, body.reason)

        return self.act(request, act)


class PeopleActsView(Speaking):
    @extend_schema(
        summary="Wait for a seat, seat somebody who waits, free a seat",
        request=PeopleAct,
        responses=SAID,
    )
    def post(self, request: Request, ref: str) -> Response:
        """Waiting is everybody's; a seat is freed by its holder or the game master; the rest is the
        game master's. Invitations are made on pages: a link opens a seat to whoever has it.
        """
        body = read(PeopleAct, request)

        def act() -> None:
            self.acts(body)[body.act]()

        return self.act(request, act)

    def acts(self, body: PeopleActBody) -> dict[str, Callable[[], object]]:
        """Return what each act does with this body."""
        campaign, user = self.here.campaign, self.here.user

        def seat() -> str:
            return needed(body.seat, "seat")

        return {
            "wait": lambda: services.wait(campaign, user),
            "stop-waiting": lambda: services.stop_waiting(campaign, user),
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
        """Return the person that a body names. Raises `ValidationError`."""
        access.must_be_host(self.here.campaign, self.here.user)
        user = called(needed(body.person, "person"))
        if user is None:
            raise ValidationError({"person": [_("There is no such person here.")]})
        return user

    def waiting(self, body: PeopleActBody) -> int:
        """Return the number of the person who waits under this name. Raises `ValidationError`."""
        access.must_be_host(self.here.campaign, self.here.user)
        name = needed(body.person, "person")
        for place in self.here.places:
            if place.role == Membership.Role.RESERVE and place.user.username == name:
                return place.user_id
        raise ValidationError({"person": [_("There is no such person here.")]})
