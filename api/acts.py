"""Acts that are not moves: about battles, about entries, and messages among players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import read
from api.fields import FAR, number_if_needed, optional_text
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
    claim = number_if_needed("withdraw, confirm, dispute, judge: the claim's entry.")
    move = s.DictField(
        required=False,
        help_text=(
            "claim, dispute (if you like), judge, enter-unagreed: the game master's move that would"
            " enter the result."
        ),
    )
    seen = number_if_needed("confirm, judge, enter-unagreed: your last entry.")
    reason = optional_text(1000, "dispute, judge, enter-unagreed.")
    word = optional_text(1000, "claim: a word to it.")
    line = optional_text(1000, "claim: the line it was read from.")
    to = optional_text(60, "agree: to what.")
    yes = s.BooleanField(required=False, default=True, help_text="agree: or not any more.")
    url = optional_text(500, "link: evidence, https alone.")
    password = optional_text(60, "password: of the lobby in the game.")
    side = optional_text(40, "substitute, end-substitute: the seat; solo: that is away.")
    person = optional_text(60, "substitute: whose name.")

    def body(self) -> BattleActBody:
        return BattleActBody(**self.validated_data)


class Countersign(s.Serializer):
    """A countersigner's word: that they agree, or their objection, which everybody reads."""

    objection = optional_text(1000)

    def body(self) -> CountersignBody:
        return CountersignBody(**self.validated_data)


class Link(s.Serializer):
    """Where an entry stands on the forum; empty takes it back."""

    url = s.CharField(allow_blank=True, max_length=500)

    def body(self) -> LinkBody:
        return LinkBody(**self.validated_data)


class Talk(s.Serializer):
    text = s.CharField(max_length=2000)

    def body(self) -> TalkBody:
        return TalkBody(**self.validated_data)


# What the bodies say


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleActBody:
    """A body of `BattleAct`."""

    act: str
    claim: int | None = None
    move: RawMove | None = None
    seen: int | None = None
    reason: str
    word: str
    line: str
    to: str
    yes: bool
    url: str
    password: str
    side: str
    person: str


@dataclass(frozen=True, slots=True)
class CountersignBody:
    """A body of `Countersign`."""

    objection: str


@dataclass(frozen=True, slots=True)
class LinkBody:
    """A body of `Link`."""

    url: str


@dataclass(frozen=True, slots=True)
class TalkBody:
    """A body of `Talk`."""

    text: str


SAID = {201: Receipt}


class BattleActsView(Speaking):
    @extend_schema(summary="Say something at a battle", request=BattleAct, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Set up, claim a result and withdraw it, confirm, dispute or judge it, agree to fight
        otherwise, show evidence by a link, keep the lobby's password, name a substitute, let one
        side play solo: each by whom the pages let do it.
        """
        battle = battles.battle(self.here.campaign, number) if number <= FAR else None
        if battle is None:
            raise NoSuchEntry
        body = read(BattleAct, request)

        def act() -> None:
            self.acts(battle, body)[body.act]()

        return self.act(request, act)

    def acts(self, battle: Battle, body: BattleActBody) -> dict[str, Callable[[], object]]:
        """Return what each act does with this body at a battle."""
        place = (self.here.campaign, self.here.user, battle.number)

        def claim() -> int:
            return needed(body.claim, "claim")

        def seen() -> int:
            return needed(body.seen, "seen")

        return {
            "set-up": lambda: battle_services.set_up(*place),
            "claim": lambda: self.claim(battle, body),
            "withdraw": lambda: battle_services.withdraw(*place, claim()),
            "confirm": lambda: battle_services.confirm(*place, claim(), seen()),
            "dispute": lambda: battle_services.dispute(*place, claim(), body.reason, body.move),
            "judge": lambda: battle_services.judge(*place, claim(), seen(), body.move, body.reason),
            "agree": lambda: self.agree(battle, body),
            "enter-unagreed": lambda: self.enter(battle, body),
            "link": lambda: battle_services.add_link(*place, body.url),
            "password": lambda: battle_services.set_password(*place, body.password),
            "solo": lambda: battle_services.agree_solo(*place, body.side),
            "end-solo": lambda: battle_services.end_solo(*place),
            "substitute": lambda: battle_services.name_substitute(
                *place, body.side, called(body.person)
            ),
            "end-substitute": lambda: battle_services.end_substitute(*place, body.side),
        }

    def claim(self, battle: Battle, body: BattleActBody) -> LogEntry:
        title, move = self.here.title, needed(body.move, "move")
        if not isinstance(title, Agreeing) or not title.claimable(move):
            raise Refused("not-claimable", _("Enter the result first."))
        return battle_services.claim(
            self.here.campaign,
            self.here.user,
            battle.number,
            move,
            body.word,
            body.line,
            agreement=title.agreement_of(move),
        )

    def agree(self, battle: Battle, body: BattleActBody) -> LogEntry:
        title, user = self.here.title, self.here.user
        if not isinstance(title, Agreeing) or body.to not in title.agreeable(battle.known):
            raise Refused("nothing-to-agree", _("There is no such thing to agree to."))
        if body.yes and not (isinstance(user, User) and user.owns_mare_nostrum):
            raise Refused(
                "no-mare-nostrum",
                _("Confirm on your own page that you own Mare Nostrum, then agree."),
            )
        return battle_services.agree(self.here.campaign, user, battle.number, body.to, body.yes)

    def enter(self, battle: Battle, body: BattleActBody) -> LogEntry:
        title, move, seen = self.here.title, needed(body.move, "move"), needed(body.seen, "seen")
        agreement = title.agreement_of(move) if isinstance(title, Agreeing) else ""
        if not agreement:
            raise Refused("no-agreement", _("This result needs no agreement: send it as a move."))
        return battle_services.enter_unagreed(
            self.here.campaign, self.here.user, battle.number, move, agreement, body.reason, seen
        )


class CountersignView(Speaking):
    @extend_schema(
        summary="Countersign an entry, or object to it", request=Countersign, responses=SAID
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        body = read(Countersign, request)

        def act() -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            if number > FAR:
                raise NoSuchEntry
            if body.objection:
                return [services.object_to(campaign, user, number, body.objection)]
            return [services.countersign(campaign, user, number)]

        return self.act(request, act)


class LinkView(Speaking):
    @extend_schema(summary="Say where an entry stands on the forum", request=Link, responses=SAID)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Who said it, who holds its seat, and the game master."""
        body = read(Link, request)

        def act() -> list[LogEntry]:
            if number > FAR:
                raise NoSuchEntry
            entry = services.link(self.here.campaign, self.here.user, number, body.url)
            return [entry] if entry is not None else []

        return self.act(request, act)


class TalkView(Speaking):
    @extend_schema(summary="Say something to the others", request=Talk, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """Where a title is played on a page of its own; elsewhere the forum is for that: 404."""
        if not registry.has_board(self.here.campaign.title):
            raise Http404
        text = read(Talk, request).text
        return self.act(request, lambda: [talk(self.here.campaign, self.here.user, text)])
