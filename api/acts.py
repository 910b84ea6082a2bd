"""Acts that are not moves: about battles, about log entries, and messages among players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import read
from api.fields import FAR, number_if_needed, optional_text
from api.receipts import ActResource, Receipt, needed
from battles import projection as battles
from battles import services as battle_services
from battles.models import Battle
from campaign import services
from campaign.errors import NoSuchEntry, Refused
from campaign.log.talk import talk
from campaign.models import LogEntry
from games import registry
from games.contract.plain import RawMove
from games.contract.title import WithAgreements
from people.models import User, find_by_name

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
    """An act about a battle. `act` decides which fields it needs."""

    act = s.ChoiceField(ACTS)
    claim = number_if_needed("withdraw, confirm, dispute, judge: the entry of the claim.")
    move = s.DictField(
        required=False,
        help_text=(
            "claim, judge, enter-unagreed, optional for dispute: the game master's move that would"
            " enter the result."
        ),
    )
    seen = number_if_needed("confirm, judge, enter-unagreed: the number of your last entry.")
    reason = optional_text(1000, "dispute, judge, enter-unagreed.")
    word = optional_text(1000, "claim: a comment.")
    line = optional_text(1000, "claim: the pasted line from which the result was read.")
    to = optional_text(60, "agree: the kind of battle to which you agree.")
    yes = s.BooleanField(
        required=False, default=True, help_text="agree: false withdraws the agreement."
    )
    url = optional_text(500, "link: the address of the evidence (https only).")
    password = optional_text(60, "password: the password of the lobby in the computer game.")
    side = optional_text(40, "substitute, end-substitute: the seat; solo: the seat that is away.")
    person = optional_text(60, "substitute: the user name of the substitute.")

    def body(self) -> BattleActBody:
        """Return the validated body."""
        return BattleActBody(**self.validated_data)


class Countersign(s.Serializer):
    """A countersigner's agreement; with `objection` it is an objection, which everyone can read."""

    objection = optional_text(1000)

    def body(self) -> CountersignBody:
        """Return the validated body."""
        return CountersignBody(**self.validated_data)


class Link(s.Serializer):
    """The address of the forum post about an entry. An empty address removes the link."""

    url = s.CharField(allow_blank=True, max_length=500)

    def body(self) -> LinkBody:
        """Return the validated body."""
        return LinkBody(**self.validated_data)


class Talk(s.Serializer):
    """A message to the other players of a board game."""

    text = s.CharField(max_length=2000)

    def body(self) -> TalkBody:
        """Return the validated body."""
        return TalkBody(**self.validated_data)


# Bodies of requests


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


RECEIPT = {201: Receipt}


class BattleActsView(ActResource):
    """The acts about a battle."""

    @extend_schema(summary="Act on a battle", request=BattleAct, responses=RECEIPT)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Do something about a battle: set it up, claim a result, confirm it and so on.

        The acts: set the battle up; claim a result or withdraw the claim; confirm, dispute or judge
        a claim; agree to another kind of battle; add a link as evidence; store the lobby password;
        name a substitute; let one side play solo. Each act is open to the same people as on the web
        pages.
        """
        battle = battles.battle(self.here.campaign, number) if number <= FAR else None
        if battle is None:
            raise NoSuchEntry
        body = read(BattleAct, request)

        def act() -> None:
            self.acts(battle, body)[body.act]()

        return self.act(request, act)

    def acts(self, battle: Battle, body: BattleActBody) -> dict[str, Callable[[], object]]:
        """Return a function for each act, which does the act with this body."""
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
                *place, body.side, find_by_name(body.person)
            ),
            "end-substitute": lambda: battle_services.end_substitute(*place, body.side),
        }

    def claim(self, battle: Battle, body: BattleActBody) -> LogEntry:
        """Claim the result that the body contains. Raises `Refused` if it cannot be claimed."""
        title, move = self.here.title, needed(body.move, "move")
        if not isinstance(title, WithAgreements) or not title.claimable(move):
            raise Refused("not-claimable", pgettext("error", "Enter the result first."))
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
        """Agree to another kind of battle, or withdraw the agreement.

        Raises `Refused` if this battle offers no such choice, or if a user who agrees has not
        confirmed that they own Mare Nostrum.
        """
        title, user = self.here.title, self.here.user
        if not isinstance(title, WithAgreements) or body.to not in title.agreeable(battle.facts):
            raise Refused("nothing-to-agree", _("There is nothing here to agree to."))
        if body.yes and not (isinstance(user, User) and user.owns_mare_nostrum):
            raise Refused(
                "no-mare-nostrum",
                _("First confirm on your account page that you own Mare Nostrum, then agree."),
            )
        return battle_services.agree(self.here.campaign, user, battle.number, body.to, body.yes)

    def enter(self, battle: Battle, body: BattleActBody) -> LogEntry:
        """Enter a result that needs an agreement which the players have not made."""
        title, move, seen = self.here.title, needed(body.move, "move"), needed(body.seen, "seen")
        agreement = title.agreement_of(move) if isinstance(title, WithAgreements) else ""
        if not agreement:
            raise Refused("no-agreement", _("This result needs no agreement: send it as a move."))
        return battle_services.enter_unagreed(
            self.here.campaign, self.here.user, battle.number, move, agreement, body.reason, seen
        )


class CountersignView(ActResource):
    """The countersignature of a log entry."""

    @extend_schema(
        summary="Countersign an entry, or object to it", request=Countersign, responses=RECEIPT
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Countersign an entry that concerns the game master's own seats, or object to it."""
        body = read(Countersign, request)

        def act() -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            if number > FAR:
                raise NoSuchEntry
            if body.objection:
                return [services.object_to(campaign, user, number, body.objection)]
            return [services.countersign(campaign, user, number)]

        return self.act(request, act)


class LinkView(ActResource):
    """The forum link of a log entry."""

    @extend_schema(summary="Set the forum link of an entry", request=Link, responses=RECEIPT)
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Set or remove the forum link of an entry.

        Open to the author of the entry, the holder of its seat, and the game master.
        """
        body = read(Link, request)

        def act() -> list[LogEntry]:
            if number > FAR:
                raise NoSuchEntry
            entry = services.link(self.here.campaign, self.here.user, number, body.url)
            return [entry] if entry is not None else []

        return self.act(request, act)


class TalkView(ActResource):
    """Messages among the players of a board game."""

    @extend_schema(summary="Send a message to the other players", request=Talk, responses=RECEIPT)
    def post(self, request: Request, ref: str) -> Response:
        """Send a message to the other players.

        Only for games that are played on a page of their own. Others answer 404, because their
        players talk on the forum.
        """
        if not registry.has_board(self.here.campaign.title):
            raise Http404
        text = read(Talk, request).text
        return self.act(request, lambda: [talk(self.here.campaign, self.here.user, text)])
