"""The game masters' rulings, and changes of the rules during play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignContext, read
from api.fields import optional_number, optional_text
from api.receipts import ActResource, Receipt
from campaign import rulebook, services
from campaign.errors import Refused
from campaign.models import LogEntry
from campaign.rulebook import NEEDS, rule_on


class RulingVersion(s.Serializer):
    """A version of a game master's ruling on a rule."""

    rule = s.CharField(allow_blank=True)
    text = s.CharField()
    entry = s.IntegerField(allow_null=True)
    about = s.IntegerField(allow_null=True, help_text="The entry that led to it.")
    at = s.DateTimeField()
    person = s.CharField(source="by", allow_blank=True)


class Ruling(RulingVersion):
    """The ruling in force; `replaced` are its earlier versions, the latest first."""

    number = s.IntegerField()
    older = s.IntegerField(help_text="The number of versions that it replaced.")
    replaced = RulingVersion(many=True)


class Rulings(s.Serializer):
    """The rulings in force."""

    results = Ruling(many=True)


class RulingSent(s.Serializer):
    """A new ruling, or a new version of a ruling."""

    text = s.CharField(max_length=2000)
    rule = optional_text(10, "The paragraph that the ruling is about.")
    entry = optional_number("The entry that led to the ruling.")
    revises = optional_number("The number of the ruling that this one replaces.")

    def body(self) -> RulingBody:
        """Return the validated body."""
        return RulingBody(**self.validated_data)


class AmendmentAnswer(s.Serializer):
    """A player's answer to a proposal."""

    seat = s.CharField()
    agrees = s.BooleanField()
    reason = s.CharField(allow_blank=True)
    person = s.CharField(source="by", allow_blank=True)
    at = s.DateTimeField()


class AmendmentLine(s.Serializer):
    """A proposal to change the rules, and the answers so far.

    After it is agreed, `move` puts it in force between turns. Make it as any other move.
    """

    number = s.IntegerField()
    rules = s.JSONField(help_text="Merged into the rules in force, key by key.")
    reason = s.CharField()
    need = s.ChoiceField(list(NEEDS), help_text="Who must agree.")
    turn = s.IntegerField(help_text="The first turn for which it is meant.")
    person = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    state = s.ChoiceField(["open", "agreed", "withdrawn", "in force"])
    entry = s.IntegerField(allow_null=True, help_text="The entry that put it in force.")
    answers = AmendmentAnswer(many=True)
    move = s.JSONField()


class Amendments(s.Serializer):
    """The proposals of a campaign."""

    results = AmendmentLine(many=True)
    asked = s.ListField(
        child=s.CharField(), help_text="The seats that are asked, which are those with a holder."
    )


class ProposalSent(s.Serializer):
    """A proposal to change numbers of the rules.

    `changes` is the open amendment that it replaces; everyone is then asked again.
    """

    rules = s.DictField(help_text="As in the move `amend`.")
    reason = s.CharField(max_length=1000)
    need = s.ChoiceField(
        list(NEEDS),
        required=False,
        default="",
        allow_blank=True,
        help_text="Empty: as set when the campaign was founded.",
    )
    changes = optional_number()

    def body(self) -> ProposalBody:
        """Return the validated body."""
        return ProposalBody(**self.validated_data)


class AmendmentAnswerSent(s.Serializer):
    """A player's answer, or the game master's withdrawal."""

    withdraw = s.BooleanField(required=False, default=False)
    agrees = s.BooleanField(required=False, default=False)
    reason = optional_text(1000)
    seat = optional_text(40)

    def body(self) -> AmendmentAnswerBody:
        """Return the validated body."""
        return AmendmentAnswerBody(**self.validated_data)


# Bodies of requests


@dataclass(frozen=True, slots=True)
class RulingBody:
    """A body of `RulingSent`."""

    text: str
    rule: str
    entry: int | None
    revises: int | None


@dataclass(frozen=True, slots=True)
class ProposalBody:
    """A body of `ProposalSent`."""

    rules: dict[str, object]
    reason: str
    need: str
    changes: int | None


@dataclass(frozen=True, slots=True)
class AmendmentAnswerBody:
    """A body of `AmendmentAnswerSent`."""

    withdraw: bool
    agrees: bool
    reason: str
    seat: str


# Facts for the serializers. `RulingVersion` and `AmendmentAnswer` show those of the domain.


@dataclass(frozen=True, slots=True)
class RulingFacts:
    """The facts of `Ruling`."""

    rule: str
    text: str
    entry: int | None
    about: int | None
    at: datetime
    by: str
    number: int
    older: int
    replaced: Sequence[rulebook.Ruling]


@dataclass(frozen=True, slots=True)
class AmendmentFacts:
    """The facts of `AmendmentLine`. `rules` and `move` are JSON."""

    number: int
    rules: Mapping[str, object]
    reason: str
    need: str
    turn: int
    person: str
    at: datetime
    state: str
    entry: int | None
    answers: list[rulebook.Answer]
    move: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AmendmentsFacts:
    """The facts of `Amendments`."""

    results: list[AmendmentFacts]
    asked: list[str]


RECEIPT = {201: Receipt}


class RulingsView(ActResource):
    """The rulings of a campaign."""

    @extend_schema(summary="The rulings in force", responses=Rulings)
    def get(self, request: Request, ref: str) -> Response:
        """Return the rulings in force with their earlier versions, the latest first."""
        rulings = rulebook.ruling_book(self.here.campaign)
        return self.answer(Rulings, {"results": [ruling_facts(ruling) for ruling in rulings]})

    @extend_schema(summary="Make a ruling", request=RulingSent, responses=RECEIPT)
    def post(self, request: Request, ref: str) -> Response:
        """Make a ruling, for the game master.

        With `revises` it replaces another ruling, which remains readable.
        """
        body = read(RulingSent, request)
        return self.act(request, lambda: self.rule_on(body))

    def rule_on(self, body: RulingBody) -> list[LogEntry]:
        """Make the ruling of a body. Raises `Refused` if the rules have no such paragraph."""
        rule = body.rule.removeprefix("§").strip()
        if self.here.access.host and not is_rule(self.here, rule):
            text = _("The rules have no paragraph %(rule)s. Choose an existing one.")
            raise Refused("no-rule", text % {"rule": rule})
        return [
            rule_on(
                self.here.campaign,
                self.here.user,
                body.text,
                rule=rule,
                entry=body.entry,
                revises=body.revises,
            )
        ]


def is_rule(here: CampaignContext, rule: str) -> bool:
    """Return whether the rules have a paragraph of this number.

    An empty number is accepted. All numbers are accepted if the site does not have the title's
    rules.
    """
    known = rulebook.numbers(here.campaign.title)
    return not rule or not known or rule in known


def ruling_facts(ruling: rulebook.Ruling) -> RulingFacts:
    """Return a ruling with its earlier versions."""
    return RulingFacts(
        rule=ruling.rule,
        text=ruling.text,
        entry=ruling.entry,
        about=ruling.about,
        at=ruling.at,
        by=ruling.by,
        number=ruling.number,
        older=len(ruling.older),
        replaced=ruling.older,
    )


class AmendmentsView(ActResource):
    """The amendments of a campaign."""

    @extend_schema(summary="Proposed changes of the rules", responses=Amendments)
    def get(self, request: Request, ref: str) -> Response:
        """Return all amendments by number: open, agreed, withdrawn or in force."""
        asked = rulebook.voters(self.here.campaign)
        amendments = rulebook.amendment_book(self.here.campaign)
        results = [amendment_facts(amendment, asked) for amendment in amendments]
        return self.answer(Amendments, AmendmentsFacts(results, asked))

    @extend_schema(summary="Propose a change of the rules", request=ProposalSent, responses=RECEIPT)
    def post(self, request: Request, ref: str) -> Response:
        """Propose a change of the rules, for the game master.

        The players are asked; nothing changes yet.
        """
        body = read(ProposalSent, request)
        return self.act(request, lambda: self.propose(body))

    def propose(self, body: ProposalBody) -> list[LogEntry]:
        """Make the proposal of a body."""
        return [
            services.propose_amendment(
                self.here.campaign,
                self.here.user,
                body.rules,
                body.reason,
                need=body.need,
                changes=body.changes,
            )
        ]


class AmendmentView(ActResource):
    """One amendment."""

    @extend_schema(
        summary="Answer a proposed change of the rules, or withdraw it",
        request=AmendmentAnswerSent,
        responses=RECEIPT,
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Answer an amendment, or withdraw it as the game master.

        The last answer of each seat counts, until the amendment is in force.
        """
        body = read(AmendmentAnswerSent, request)

        def act() -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            if body.withdraw:
                return [services.withdraw_amendment(campaign, user, number)]
            return [
                services.answer_amendment(
                    campaign, user, number, body.agrees, body.reason, seat=body.seat
                )
            ]

        return self.act(request, act)


def amendment_facts(amendment: rulebook.Amendment, asked: Sequence[str]) -> AmendmentFacts:
    """Return an amendment. `asked` are the seats that are asked."""
    return AmendmentFacts(
        number=amendment.number,
        rules=amendment.rules,
        reason=amendment.reason,
        need=amendment.need,
        turn=amendment.turn,
        person=amendment.by,
        at=amendment.at,
        state=state_of(amendment, asked),
        entry=amendment.entry,
        answers=list(amendment.answers.values()),
        move=amendment.move,
    )


def state_of(amendment: rulebook.Amendment, asked: Sequence[str]) -> str:
    """Return the state of an amendment. `asked` are the seats that are asked."""
    if amendment.withdrawn:
        return "withdrawn"
    if not amendment.open:
        return "in force"
    return "agreed" if amendment.agreed(asked) else "open"
