"""What keeps a table going: the life of a campaign, and its people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Content
from api.receipts import Receipt, Speaking, needed
from campaign import access, services
from campaign.models import Membership
from people.models import User, called

LIVES = ["paused", "resumed", "abandoned", "revived", "archived", "unarchived"]


class Life(s.Serializer):
    how = s.ChoiceField(LIVES)
    reason = s.CharField(required=False, allow_blank=True, default="", max_length=1000)


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


SAID = {201: Receipt}


class LifeView(Speaking):
    form = Life

    @extend_schema(
        summary="Pause a campaign, take it up again, end it before its end",
        request=Life,
        responses=SAID,
    )
    def post(self, request: Request, ref: str) -> Response:
        """The game master's."""
        return self.act(request, self.live)

    def live(self, content: Content) -> None:
        services.live(self.here.campaign, self.here.user, content["how"], content["reason"])


class PeopleActsView(Speaking):
    form = PeopleAct

    @extend_schema(
        summary="Wait for a seat, seat somebody who waits, free a seat",
        request=PeopleAct,
        responses=SAID,
    )
    def post(self, request: Request, ref: str) -> Response:
        """Waiting is everybody's; a seat is freed by its holder or the game master; the rest is the
        game master's. Invitations are made on pages: a link opens a seat to whoever has it.
        """

        def act(content: Content) -> None:
            self.acts(content)[content["act"]]()

        return self.act(request, act)

    def acts(self, content: Content) -> dict[str, Callable[[], object]]:
        """Return what each act does with this body."""
        campaign, user = self.here.campaign, self.here.user
        need = partial(needed, content)
        return {
            "wait": lambda: services.wait(campaign, user),
            "stop-waiting": lambda: services.stop_waiting(campaign, user),
            "vacate": lambda: services.vacate(campaign, user, need("seat")),
            "seat": lambda: services.seat_reserve(
                campaign, user, self.waiting(content), need("seat")
            ),
            "program": lambda: services.let_program(
                campaign, user, need("seat"), need("level"), need("reason")
            ),
            "no-program": lambda: services.take_program_away(campaign, user, need("seat")),
            "countersigner": lambda: services.name_countersigner(
                campaign, user, self.person(content)
            ),
            "no-countersigner": lambda: services.dismiss_countersigner(
                campaign, user, self.person(content)
            ),
        }

    def person(self, content: Content) -> User:
        """Return the person that a body names. Raises `ValidationError`."""
        access.must_be_host(self.here.campaign, self.here.user)
        user = called(needed(content, "person"))
        if user is None:
            raise ValidationError({"person": [_("There is no such person here.")]})
        return user

    def waiting(self, content: Content) -> int:
        """Return the number of the person who waits under this name. Raises `ValidationError`."""
        access.must_be_host(self.here.campaign, self.here.user)
        name = needed(content, "person")
        for place in self.here.places:
            if place.role == Membership.Role.RESERVE and place.user.username == name:
                return place.user_id
        raise ValidationError({"person": [_("There is no such person here.")]})
