"""What is said at the table and is no move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.moves import FAR, Receipt, Speaking, needed
from battles import projection as battles
from battles import services as battles_services
from battles import services as fought
from battles.models import Battle
from campaign import access, services
from campaign.clocks import selectors as clocks
from campaign.clocks import services as clocks_services
from campaign.dice import services as dice_services
from campaign.errors import NoSuchEntry, NotNow, Refused
from campaign.log.talk import talk
from campaign.models import Campaign, LogEntry
from games import registry
from games.contract.title import Agreeing
from people.models import called

ACTS = (
    "set-up",
    "claim",
    "withdraw",
    "confirm",
    "dispute",
    "judge",
    "agree",
    "enter-unagreed",
    "link",
    "password",
    "substitute",
    "end-substitute",
    "solo",
    "end-solo",
)


class BattleAct(s.Serializer):
    """What is said at a battle. Which parts it takes depends on `act`."""

    act = s.ChoiceField(ACTS)
    claim = s.IntegerField(
        min_value=0,
        max_value=FAR,
        required=False,
        help_text="withdraw, confirm, dispute, judge: the claim's entry.",
    )
    move = s.DictField(
        required=False,
        help_text=(
            "claim, dispute (if you like), judge, enter-unagreed: the game master's move that would"
            " enter the result."
        ),
    )
    seen = s.IntegerField(
        min_value=0,
        max_value=FAR,
        required=False,
        help_text="confirm, judge, enter-unagreed: your last entry.",
    )
    reason = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=1000,
        help_text="dispute, judge, enter-unagreed.",
    )
    word = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=1000,
        help_text="claim: a word to it.",
    )
    line = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=1000,
        help_text="claim: the line it was read from.",
    )
    to = s.CharField(
        required=False, allow_blank=True, default="", max_length=60, help_text="agree: to what."
    )
    yes = s.BooleanField(required=False, default=True, help_text="agree: or not any more.")
    url = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=500,
        help_text="link: evidence, https alone.",
    )
    password = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=60,
        help_text="password: of the lobby in the game.",
    )
    side = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=40,
        help_text="substitute, end-substitute: the seat; solo: that is away.",
    )
    person = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=60,
        help_text="substitute: whose name.",
    )


class Countersign(s.Serializer):
    """A countersigner's word: that they agree, or their objection, which everybody reads."""

    objection = s.CharField(required=False, allow_blank=True, default="", max_length=1000)


class Link(s.Serializer):
    """Where an entry stands on the forum; empty takes it back."""

    url = s.CharField(allow_blank=True, max_length=500)


class Extension(s.Serializer):
    """Another deadline for a clock that runs, and why: everybody reads it."""

    kind = s.CharField(max_length=20, help_text="As `clocks/` has it.")
    entry = s.IntegerField(
        min_value=0, max_value=FAR, allow_null=True, help_text="The entry that opened it."
    )
    seat = s.CharField(required=False, allow_blank=True, default="", max_length=40)
    contest = s.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=FAR
    )
    to = s.DateTimeField(help_text="With its zone.")
    reason = s.CharField(allow_blank=True, max_length=1000)
    seen = s.IntegerField(min_value=0, max_value=FAR)


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


class Talk(s.Serializer):
    text = s.CharField(max_length=2000)


# What is said at the table and is no move: at battles, under corrections, of dice thrown elsewhere,
# among players.

SAID = {201: Receipt}
Where = tuple[Campaign, Any, int]


class BattleActsView(Speaking):
    form = BattleAct

    @extend_schema(summary="Say something at a battle", request=BattleAct, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Set up, claim a result and withdraw it, confirm, dispute or judge it, agree to fight
        otherwise, show evidence by a link, keep the lobby's password, name a substitute, let one
        side play solo: each by whom the pages let do it.
        """
        fight = battles.battle(self.here.campaign, number) if number <= FAR else None
        if fight is None:
            raise NoSuchEntry

        def act(content: Mapping[str, Any]) -> None:
            self.acts(fight, content)[content["act"]]()

        return self.act(request, act)

    def acts(self, fight: Battle, content: Mapping[str, Any]) -> dict[str, Callable[[], Any]]:
        here: Where = (self.here.campaign, self.here.user, fight.number)

        need = partial(needed, content)

        return {
            "set-up": lambda: fought.set_up(*here),
            "claim": lambda: self.claim(here, need("move"), content),
            "withdraw": lambda: fought.withdraw(*here, need("claim")),
            "confirm": lambda: fought.confirm(*here, need("claim"), need("seen")),
            "dispute": lambda: fought.dispute(
                *here, need("claim"), content["reason"], content.get("move")
            ),
            "judge": lambda: fought.judge(
                *here, need("claim"), need("seen"), content.get("move"), content["reason"]
            ),
            "agree": lambda: self.agree(here, fight, content),
            "enter-unagreed": lambda: self.enter(
                here, need("move"), content["reason"], need("seen")
            ),
            "link": lambda: fought.add_link(*here, content["url"]),
            "password": lambda: fought.set_password(*here, content["password"]),
            "solo": lambda: battles_services.agree_solo(*here, content["side"]),
            "end-solo": lambda: battles_services.end_solo(*here),
            "substitute": lambda: battles_services.name_substitute(
                *here, content["side"], called(content["person"])
            ),
            "end-substitute": lambda: battles_services.end_substitute(*here, content["side"]),
        }

    def claim(self, here: Where, move: Mapping[str, Any], content: Mapping[str, Any]) -> LogEntry:
        title = self.here.title
        if not isinstance(title, Agreeing) or not title.claimable(move):
            raise Refused("not-claimable", _("Enter the result first."))
        return fought.claim(
            *here, move, content["word"], content["line"], agreement=title.agreement_of(move)
        )

    def agree(self, here: Where, fight: Battle, content: Mapping[str, Any]) -> LogEntry:
        title = self.here.title
        if not isinstance(title, Agreeing) or content["to"] not in title.agreeable(fight.known):
            raise Refused("nothing-to-agree", _("There is no such thing to agree to."))
        if content["yes"] and not getattr(self.here.user, "owns_mare_nostrum", False):
            raise Refused(
                "no-mare-nostrum",
                _("Confirm on your own page that you own Mare Nostrum, then agree."),
            )
        return fought.agree(*here, content["to"], content["yes"])

    def enter(self, here: Where, move: Mapping[str, Any], reason: str, seen: int) -> LogEntry:
        title = self.here.title
        agreement = title.agreement_of(move) if isinstance(title, Agreeing) else ""
        if not agreement:
            raise Refused("no-agreement", _("This result needs no agreement: send it as a move."))
        return fought.enter_unagreed(*here, move, agreement, reason, seen)


class CountersignView(Speaking):
    form = Countersign

    @extend_schema(
        summary="Countersign an entry, or object to it", request=Countersign, responses=SAID
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        def act(content: Mapping[str, Any]) -> Iterable[LogEntry]:
            here = (self.here.campaign, self.here.user, number)
            if number > FAR:
                raise NoSuchEntry
            return [
                (
                    services.object_to(*here, content["objection"])
                    if content["objection"]
                    else services.countersign(*here)
                )
            ]

        return self.act(request, act)


class LinkView(Speaking):
    form = Link

    @extend_schema(summary="Say where an entry stands on the forum", request=Link, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Who said it, who holds its seat, and the game master."""

        def act(content: Mapping[str, Any]) -> Iterable[LogEntry]:
            if number > FAR:
                raise NoSuchEntry
            entry = services.link(self.here.campaign, self.here.user, number, content["url"])
            return [entry] if entry is not None else []

        return self.act(request, act)


class ExtendView(Speaking):
    form = Extension

    @extend_schema(summary="Give a clock more time", request=Extension, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's, with a reason, at the latest to twice its length."""

        def act(content: Mapping[str, Any]) -> Iterable[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            access.must_be_host(campaign, user)
            named = (content["kind"], content["entry"], content["seat"], content["contest"])
            matching = (
                one
                for one in clocks.running(campaign)
                if (one.kind, one.entry.number, one.seat, one.contest) == named
            )
            clock = next(matching, None)
            if clock is None:
                raise NotNow("clock-ended", _("This clock no longer runs."))
            return [
                clocks_services.extend(
                    campaign, user, clock, content["to"], content["reason"], content["seen"]
                )
            ]

        return self.act(request, act)


class DieView(Speaking):
    form = Die

    @extend_schema(summary="Enter a die that was thrown elsewhere", request=Die, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. The announcement that waited for it is played."""
        return self.act(
            request,
            lambda content: services.give_die(
                self.here.campaign,
                self.here.user,
                content["purpose"],
                content["value"],
                content["url"],
            ),
        )


class ByHandView(Speaking):
    form = ByHand

    @extend_schema(
        summary="Throw every new die elsewhere, or by the program again",
        request=ByHand,
        responses=SAID,
    )
    def post(self, request: Request, ref: str) -> Response:
        def act(content: Mapping[str, Any]) -> None:
            services.throw_by(self.here.campaign, self.here.user, content["by_hand"])

        return self.act(request, act)


class MixingView(Speaking):
    form = MixingAct

    @extend_schema(summary="Add to the dice of the next turn", request=MixingAct, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """A seat's holder may send `words` and `object`; only the game master may send the other
        acts.

        `fetch` asks the worker for the round of drand. The answer then has no entry.
        """

        def act(content: Mapping[str, Any]) -> list[LogEntry]:
            here = self.here.campaign, self.here.user
            match content["act"]:
                case "words":
                    return [services.add_words(*here, content["seat"], content["text"])]
                case "close":
                    return [services.close_words(*here)]
                case "name":
                    if content["falls"] is None:
                        raise Refused(
                            "bad-date", _("Give the day and the time at which it is drawn.")
                        )
                    origin, falls, name = content["origin"], content["falls"], content["name"]
                    numbers = content["numbers"] if origin == dice_services.OTHER else None
                    return [
                        services.name_draw(*here, origin, falls, name, content["wheels"], numbers)
                    ]
                case "draw":
                    return [services.enter_draw(*here, content["text"], content["url"])]
                case "fetch":
                    services.fetch_draw(*here)
                    return []
                case "without":
                    return [services.go_without(*here, content["reason"])]
            return [services.object_to_draw(*here, content["reason"])]

        return self.act(request, act)


class DropView(Speaking):
    form = Drop

    @extend_schema(
        summary="Take back an announcement that waits for a die", request=Drop, responses=SAID
    )
    def post(self, request: Request, ref: str) -> Response:
        return self.act(
            request,
            lambda content: [services.drop(self.here.campaign, self.here.user, content["reason"])],
        )


class TalkView(Speaking):
    form = Talk

    @extend_schema(summary="Say something to the others", request=Talk, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """Where a title is played on a page of its own; elsewhere the forum is for that: 404."""
        if self.here.campaign.title not in registry.PAGES:
            raise Http404
        return self.act(
            request, lambda content: [talk(self.here.campaign, self.here.user, content["text"])]
        )
