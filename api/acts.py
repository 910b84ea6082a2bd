"""Acts that are not moves: about battles, about entries, and messages among players."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import FAR, Content
from api.receipts import Receipt, Speaking, needed
from battles import projection as battles
from battles import services as battle_services
from battles.models import Battle
from campaign import services
from campaign.errors import NoSuchEntry, Refused
from campaign.log.talk import talk
from campaign.models import LogEntry
from games import registry
from games.contract.plain import RawMove
from games.contract.title import Agreeing
from people.models import User, called

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


class Talk(s.Serializer):
    text = s.CharField(max_length=2000)


SAID = {201: Receipt}


class BattleActsView(Speaking):
    form = BattleAct

    @extend_schema(summary="Say something at a battle", request=BattleAct, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Set up, claim a result and withdraw it, confirm, dispute or judge it, agree to fight
        otherwise, show evidence by a link, keep the lobby's password, name a substitute, let one
        side play solo: each by whom the pages let do it.
        """
        battle = battles.battle(self.here.campaign, number) if number <= FAR else None
        if battle is None:
            raise NoSuchEntry

        def act(content: Content) -> None:
            self.acts(battle, content)[content["act"]]()

        return self.act(request, act)

    def acts(self, battle: Battle, content: Content) -> dict[str, Callable[[], object]]:
        """Return what each act does with this body at a battle."""
        place = (self.here.campaign, self.here.user, battle.number)
        need = partial(needed, content)
        return {
            "set-up": lambda: battle_services.set_up(*place),
            "claim": lambda: self.claim(battle, need("move"), content),
            "withdraw": lambda: battle_services.withdraw(*place, need("claim")),
            "confirm": lambda: battle_services.confirm(*place, need("claim"), need("seen")),
            "dispute": lambda: battle_services.dispute(
                *place, need("claim"), content["reason"], content.get("move")
            ),
            "judge": lambda: battle_services.judge(
                *place, need("claim"), need("seen"), content.get("move"), content["reason"]
            ),
            "agree": lambda: self.agree(battle, content),
            "enter-unagreed": lambda: self.enter(
                battle, need("move"), content["reason"], need("seen")
            ),
            "link": lambda: battle_services.add_link(*place, content["url"]),
            "password": lambda: battle_services.set_password(*place, content["password"]),
            "solo": lambda: battle_services.agree_solo(*place, content["side"]),
            "end-solo": lambda: battle_services.end_solo(*place),
            "substitute": lambda: battle_services.name_substitute(
                *place, content["side"], called(content["person"])
            ),
            "end-substitute": lambda: battle_services.end_substitute(*place, content["side"]),
        }

    def claim(self, battle: Battle, move: RawMove, content: Content) -> LogEntry:
        title = self.here.title
        if not isinstance(title, Agreeing) or not title.claimable(move):
            raise Refused("not-claimable", _("Enter the result first."))
        return battle_services.claim(
            self.here.campaign,
            self.here.user,
            battle.number,
            move,
            content["word"],
            content["line"],
            agreement=title.agreement_of(move),
        )

    def agree(self, battle: Battle, content: Content) -> LogEntry:
        title, user = self.here.title, self.here.user
        if not isinstance(title, Agreeing) or content["to"] not in title.agreeable(battle.known):
            raise Refused("nothing-to-agree", _("There is no such thing to agree to."))
        if content["yes"] and not (isinstance(user, User) and user.owns_mare_nostrum):
            raise Refused(
                "no-mare-nostrum",
                _("Confirm on your own page that you own Mare Nostrum, then agree."),
            )
        return battle_services.agree(
            self.here.campaign, user, battle.number, content["to"], content["yes"]
        )

    def enter(self, battle: Battle, move: RawMove, reason: str, seen: int) -> LogEntry:
        title = self.here.title
        agreement = title.agreement_of(move) if isinstance(title, Agreeing) else ""
        if not agreement:
            raise Refused("no-agreement", _("This result needs no agreement: send it as a move."))
        return battle_services.enter_unagreed(
            self.here.campaign, self.here.user, battle.number, move, agreement, reason, seen
        )


class CountersignView(Speaking):
    form = Countersign

    @extend_schema(
        summary="Countersign an entry, or object to it", request=Countersign, responses=SAID
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        def act(content: Content) -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            if number > FAR:
                raise NoSuchEntry
            if content["objection"]:
                return [services.object_to(campaign, user, number, content["objection"])]
            return [services.countersign(campaign, user, number)]

        return self.act(request, act)


class LinkView(Speaking):
    form = Link

    @extend_schema(summary="Say where an entry stands on the forum", request=Link, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Who said it, who holds its seat, and the game master."""

        def act(content: Content) -> list[LogEntry]:
            if number > FAR:
                raise NoSuchEntry
            entry = services.link(self.here.campaign, self.here.user, number, content["url"])
            return [entry] if entry is not None else []

        return self.act(request, act)


class TalkView(Speaking):
    form = Talk

    @extend_schema(summary="Say something to the others", request=Talk, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """Where a title is played on a page of its own; elsewhere the forum is for that: 404."""
        if self.here.campaign.title not in registry.PAGES:
            raise Http404
        return self.act(request, self.talk)

    def talk(self, content: Content) -> list[LogEntry]:
        return [talk(self.here.campaign, self.here.user, content["text"])]
