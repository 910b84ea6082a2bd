"""What is said at the table and is no move: at battles, under corrections, of dice thrown elsewhere, among players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers import acts as forms
from api.serializers.moves import FAR, Receipt
from api.views.writing import Speaking, needed
from battles import selectors as battles
from battles import services as fought
from battles import solo, substitutes
from battles.models import Battle
from campaign import access, services
from campaign.clocks import selectors as clocks
from campaign.errors import NoSuchEntry, NotNow, Refused
from campaign.models import Campaign, LogEntry
from campaign.services import timing
from campaign.services.talking import talk
from engine.title import Agreeing
from games import registry
from people.models import called

SAID = {201: Receipt}
Where = tuple[Campaign, Any, int]


class BattleActsView(Speaking):
    form = forms.BattleAct

    @extend_schema(summary="Say something at a battle", request=forms.BattleAct, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Set up, claim a result and withdraw it, confirm, dispute or judge it, agree to fight otherwise, show evidence by a
        link, keep the lobby's password, name a substitute, let one side play solo: each by whom the pages let do it."""
        found = battles.battle(self.here.campaign, number) if number <= FAR else None
        if found is None:
            raise NoSuchEntry

        def say(said: Mapping[str, Any]) -> None:
            self.acts(found, said)[said["act"]]()

        return self.act(request, say)

    def acts(self, found: Battle, said: Mapping[str, Any]) -> dict[str, Callable[[], Any]]:
        here: Where = (self.here.campaign, self.here.user, found.number)

        need = partial(needed, said)

        return {
            "set-up": lambda: fought.set_up(*here),
            "claim": lambda: self.claim(here, need("move"), said),
            "withdraw": lambda: fought.withdraw(*here, need("claim")),
            "confirm": lambda: fought.confirm(*here, need("claim"), need("seen")),
            "dispute": lambda: fought.dispute(*here, need("claim"), said["reason"]),
            "judge": lambda: fought.judge(*here, need("claim"), need("seen"), said.get("move"), said["reason"]),
            "agree": lambda: self.agree(here, found, said),
            "enter-unagreed": lambda: self.enter(here, need("move"), said["reason"], need("seen")),
            "link": lambda: fought.add_link(*here, said["url"]),
            "password": lambda: fought.set_password(*here, said["password"]),
            "solo": lambda: solo.agree(*here, said["side"]),
            "end-solo": lambda: solo.end(*here),
            "substitute": lambda: substitutes.name(*here, said["side"], called(said["person"])),
            "end-substitute": lambda: substitutes.end(*here, said["side"]),
        }

    def claim(self, here: Where, move: Mapping[str, Any], said: Mapping[str, Any]) -> LogEntry:
        title = self.here.title
        if not isinstance(title, Agreeing) or not title.claimable(move):
            raise Refused("not-claimable", _("Say what the result was first."))
        return fought.claim(*here, move, said["word"], said["line"], agreement=title.agreement_of(move))

    def agree(self, here: Where, found: Battle, said: Mapping[str, Any]) -> LogEntry:
        title = self.here.title
        if not isinstance(title, Agreeing) or said["to"] not in title.agreeable(found.known):
            raise Refused("nothing-to-agree", _("There is nothing of the kind to agree to."))
        if said["yes"] and not getattr(self.here.user, "owns_mare_nostrum", False):
            raise Refused("no-mare-nostrum", _("Say on your own page that you own Mare Nostrum, then agree."))
        return fought.agree(*here, said["to"], said["yes"])

    def enter(self, here: Where, move: Mapping[str, Any], reason: str, seen: int) -> LogEntry:
        title = self.here.title
        agreement = title.agreement_of(move) if isinstance(title, Agreeing) else ""
        if not agreement:
            raise Refused("no-agreement", _("This result needs no agreement: say it as a move."))
        return fought.enter_unagreed(*here, move, agreement, reason, seen)


class CountersignView(Speaking):
    form = forms.Countersign

    @extend_schema(summary="Countersign an entry, or object to it", request=forms.Countersign, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        def say(said: Mapping[str, Any]) -> Iterable[LogEntry]:
            here = (self.here.campaign, self.here.user, number)
            if number > FAR:
                raise NoSuchEntry
            return [services.object_to(*here, said["objection"]) if said["objection"] else services.countersign(*here)]

        return self.act(request, say)


class LinkView(Speaking):
    form = forms.Link

    @extend_schema(summary="Say where an entry stands on the forum", request=forms.Link, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Who said it, who holds its seat, and the game master."""

        def say(said: Mapping[str, Any]) -> Iterable[LogEntry]:
            if number > FAR:
                raise NoSuchEntry
            made = services.link(self.here.campaign, self.here.user, number, said["url"])
            return [made] if made is not None else []

        return self.act(request, say)


class ExtendView(Speaking):
    form = forms.Extension

    @extend_schema(summary="Give a clock more time", request=forms.Extension, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's, with a reason, at the latest to twice its length."""

        def say(said: Mapping[str, Any]) -> Iterable[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            access.must_be_host(campaign, user)
            named = (said["kind"], said["entry"], said["seat"], said["contest"])
            found = (one for one in clocks.running(campaign) if (one.kind, one.entry.number, one.seat, one.contest) == named)
            clock = next(found, None)
            if clock is None:
                raise NotNow("clock-ended", _("This clock runs no more."))
            return [timing.extend(campaign, user, clock, said["to"], said["reason"], said["seen"])]

        return self.act(request, say)


class DieView(Speaking):
    form = forms.Die

    @extend_schema(summary="Enter a die that was thrown elsewhere", request=forms.Die, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. The announcement that waited for it is played."""
        return self.act(
            request,
            lambda said: services.give_die(self.here.campaign, self.here.user, said["purpose"], said["value"], said["url"]),
        )


class ByHandView(Speaking):
    form = forms.ByHand

    @extend_schema(summary="Throw every new die elsewhere, or by the program again", request=forms.ByHand, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        def say(said: Mapping[str, Any]) -> None:
            services.throw_by(self.here.campaign, self.here.user, said["by_hand"])

        return self.act(request, say)


class DropView(Speaking):
    form = forms.Drop

    @extend_schema(summary="Take back an announcement that waits for a die", request=forms.Drop, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        return self.act(request, lambda said: [services.drop(self.here.campaign, self.here.user, said["reason"])])


class TalkView(Speaking):
    form = forms.Talk

    @extend_schema(summary="Say something to the others", request=forms.Talk, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """Where a title is played on a page of its own; elsewhere the forum is for that: 404."""
        if self.here.campaign.title not in registry.PAGES:
            raise Http404
        return self.act(request, lambda said: [talk(self.here.campaign, self.here.user, said["text"])])
