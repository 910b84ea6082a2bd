"""What keeps a table going and is said at none of its battles: rulings, terms of clocks, its life, its people, its lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers import tending as forms
from api.serializers.moves import Receipt
from api.views.writing import Speaking, needed
from campaign import access, rulebook, rulings, services
from campaign.clocks.terms import Terms
from campaign.errors import Refused
from campaign.models import LogEntry, Membership
from campaign.services import timing
from campaign.services.rulings import rule_on
from people.models import User, called

SAID = {201: Receipt}


class RulingsView(Speaking):
    form = forms.Ruled

    @extend_schema(summary="The rulings in force", responses=forms.Rulings)
    def get(self, request: Request, ref: str) -> Response:
        """Each with what it replaced, the latest first."""
        return self.told(forms.Rulings, {"results": [ruling(one) for one in rulings.book(self.here.campaign)]})

    @extend_schema(summary="Rule on something", request=forms.Ruled, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. With `revises` in the place of a ruling, which stays readable."""

        def say(said: Mapping[str, Any]) -> list[LogEntry]:
            campaign, rule = self.here.campaign, said["rule"].removeprefix("§").strip()
            known = rulebook.numbers(campaign.title)
            if self.here.access.host and rule and known and rule not in known:
                raise Refused("no-rule", _("The rules have no paragraph %(rule)s. Choose one that is there.") % {"rule": rule})
            more = {"entry": said["entry"], "revises": said["revises"]}
            return [rule_on(campaign, self.here.user, said["text"], rule=rule, **more)]

        return self.act(request, say)


def version(one: rulings.Ruling) -> dict[str, Any]:
    return {"rule": one.rule, "text": one.text, "entry": one.entry, "about": one.about, "at": one.at, "person": one.by}


def ruling(one: rulings.Ruling) -> dict[str, Any]:
    return {"number": one.number, **version(one), "older": len(one.older), "replaced": [version(old) for old in one.older]}


class TermsOfClocksView(Speaking):
    form = forms.TermsOfClocks

    @extend_schema(summary="Set how long things may take", request=forms.TermsOfClocks, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. Kinds that are not named stay as they are; null: no such clock runs."""

        def say(said: Mapping[str, Any]) -> list[LogEntry]:
            wanted = {kind: None if one is None else Terms(**one) for kind, one in said["terms"].items()}
            return [timing.set_terms(self.here.campaign, self.here.user, wanted)]

        return self.act(request, say)


class LifeView(Speaking):
    form = forms.Life

    @extend_schema(summary="Pause a campaign, take it up again, end it before its end", request=forms.Life, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's."""

        def say(said: Mapping[str, Any]) -> None:
            services.live(self.here.campaign, self.here.user, said["how"], said["reason"])

        return self.act(request, say)


class PeopleActsView(Speaking):
    form = forms.PeopleAct

    @extend_schema(summary="Wait for a seat, seat somebody who waits, free a seat", request=forms.PeopleAct, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """Waiting is everybody's; a seat is freed by its holder or the game master; the rest is the game master's. Invitations
        are made on pages: a link opens a seat to whoever has it."""
        campaign, user = self.here.campaign, self.here.user

        def say(said: Mapping[str, Any]) -> None:
            acts: dict[str, Callable[[], Any]] = {
                "wait": lambda: services.wait(campaign, user),
                "stop-waiting": lambda: services.stop_waiting(campaign, user),
                "vacate": lambda: services.vacate(campaign, user, needed(said, "seat")),
                "seat": lambda: services.seat_reserve(campaign, user, self.waiting(said), needed(said, "seat")),
                "countersigner": lambda: services.name_countersigner(campaign, user, self.person(said)),
                "no-countersigner": lambda: services.dismiss_countersigner(campaign, user, self.person(said)),
            }
            acts[said["act"]]()

        return self.act(request, say)

    def person(self, said: Mapping[str, Any]) -> User:
        access.must_be_host(self.here.campaign, self.here.user)
        found: User | None = called(needed(said, "person"))
        if found is None:
            raise ValidationError({"person": [_("There is no such person here.")]})
        return found

    def waiting(self, said: Mapping[str, Any]) -> int:
        """The number of who waits under this name."""
        access.must_be_host(self.here.campaign, self.here.user)
        name = needed(said, "person")
        on_list = (one for one in self.here.places if one.role == Membership.Role.RESERVE and one.user.username == name)
        found = next(on_list, None)
        if found is None:
            raise ValidationError({"person": [_("There is no such person here.")]})
        return found.user_id


class LobbyActsView(Speaking):
    form = forms.LobbyAct

    @extend_schema(summary="Apply in the lobby; open it, draw", request=forms.LobbyAct, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """To apply is everybody's, with seats as they are liked; opening, its words and the draw are the game master's."""
        if len(self.here.seats) == 1:
            raise Http404
        campaign, user = self.here.campaign, self.here.user

        def say(said: Mapping[str, Any]) -> None:
            acts: dict[str, Callable[[], Any]] = {
                "open": lambda: services.open_lobby(campaign, user, said["words"]),
                "reword": lambda: services.reword(campaign, user, said["words"]),
                "apply": lambda: services.apply(campaign, user, list(dict.fromkeys(said["seats"]))),
                "withdraw": lambda: services.withdraw(campaign, user),
                "draw": lambda: services.draw(campaign, user),
            }
            acts[said["act"]]()

        return self.act(request, say)
