"""How game masters read the rules, and how the rules are changed in play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Here, read
from api.fields import optional_number, optional_text
from api.receipts import Receipt, Speaking
from campaign import rulebook, services
from campaign.errors import Refused
from campaign.models import LogEntry
from campaign.rulebook import NEEDS, rule_on


class Version(s.Serializer):
    """A reading of a rule by a game master."""

    rule = s.CharField(allow_blank=True)
    text = s.CharField()
    entry = s.IntegerField(allow_null=True)
    about = s.IntegerField(allow_null=True, help_text="The entry that gave rise to it.")
    at = s.DateTimeField()
    person = s.CharField(source="by", allow_blank=True)


class Ruling(Version):
    """The reading in force; `replaced` is what it took the place of, the latest first."""

    number = s.IntegerField()
    older = s.IntegerField(help_text="How many versions it replaced.")
    replaced = Version(many=True)


class Rulings(s.Serializer):
    results = Ruling(many=True)


class Ruled(s.Serializer):
    """A ruling, new or in the place of another."""

    text = s.CharField(max_length=2000)
    rule = optional_text(10, "The paragraph that it reads.")
    entry = optional_number("Which gave rise to it.")
    revises = optional_number("The number of the ruling.")

    def body(self) -> RuledBody:
        return RuledBody(**self.validated_data)


class AmendmentAnswer(s.Serializer):
    seat = s.CharField()
    agrees = s.BooleanField()
    reason = s.CharField(allow_blank=True)
    person = s.CharField(source="by", allow_blank=True)
    at = s.DateTimeField()


class AmendmentOne(s.Serializer):
    """A proposal and its answers so far.

    Once it is agreed, `move` puts it in force between turns. Announce it as any other move.
    """

    number = s.IntegerField()
    rules = s.JSONField(help_text="Merged over the rules in force, key by key.")
    reason = s.CharField()
    need = s.ChoiceField(list(NEEDS), help_text="Who must agree.")
    turn = s.IntegerField(help_text="The first turn that it is meant for.")
    person = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    state = s.ChoiceField(["open", "agreed", "withdrawn", "in force"])
    entry = s.IntegerField(allow_null=True, help_text="Which put it in force.")
    answers = AmendmentAnswer(many=True)
    move = s.JSONField()


class Amendments(s.Serializer):
    results = AmendmentOne(many=True)
    asked = s.ListField(
        child=s.CharField(), help_text="The seats that are asked: those that somebody holds."
    )


class Proposed(s.Serializer):
    """Other numbers. `changes`: the open amendment in whose place it comes; everybody is asked
    again.
    """

    rules = s.DictField(help_text="As in the move `amend`.")
    reason = s.CharField(max_length=1000)
    need = s.ChoiceField(
        list(NEEDS),
        required=False,
        default="",
        allow_blank=True,
        help_text="Empty: as the founding says.",
    )
    changes = optional_number()

    def body(self) -> ProposedBody:
        return ProposedBody(**self.validated_data)


class AmendmentAnswered(s.Serializer):
    """A player's answer, or the game master's withdrawal."""

    withdraw = s.BooleanField(required=False, default=False)
    agrees = s.BooleanField(required=False, default=False)
    reason = optional_text(1000)
    seat = optional_text(40)

    def body(self) -> AnsweredBody:
        return AnsweredBody(**self.validated_data)


# What the bodies say


@dataclass(frozen=True, slots=True)
class RuledBody:
    """A body of `Ruled`."""

    text: str
    rule: str
    entry: int | None
    revises: int | None


@dataclass(frozen=True, slots=True)
class ProposedBody:
    """A body of `Proposed`."""

    rules: dict[str, object]
    reason: str
    need: str
    changes: int | None


@dataclass(frozen=True, slots=True)
class AnsweredBody:
    """A body of `AmendmentAnswered`."""

    withdraw: bool
    agrees: bool
    reason: str
    seat: str


# Facts for the serializers. `Version` and `AmendmentAnswer` write those of the domain.


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
    """The facts of `AmendmentOne`. `rules` and `move` are JSON."""

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


SAID = {201: Receipt}


class RulingsView(Speaking):
    @extend_schema(summary="The rulings in force", responses=Rulings)
    def get(self, request: Request, ref: str) -> Response:
        """Each with what it replaced, the latest first."""
        rulings = rulebook.ruling_book(self.here.campaign)
        return self.answer(Rulings, {"results": [ruling_facts(ruling) for ruling in rulings]})

    @extend_schema(summary="Rule on something", request=Ruled, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. With `revises` in the place of a ruling, which stays readable."""
        body = read(Ruled, request)
        return self.act(request, lambda: self.rule_on(body))

    def rule_on(self, body: RuledBody) -> list[LogEntry]:
        rule = body.rule.removeprefix("§").strip()
        if self.here.access.host and not is_rule(self.here, rule):
            text = _("The rules have no paragraph %(rule)s. Choose one that is there.")
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


def is_rule(here: Here, rule: str) -> bool:
    """Return whether the rules have a paragraph of this number. No number is one, too, and each is
    if the title's rules are not here.
    """
    known = rulebook.numbers(here.campaign.title)
    return not rule or not known or rule in known


def ruling_facts(ruling: rulebook.Ruling) -> RulingFacts:
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


class AmendmentsView(Speaking):
    @extend_schema(summary="Changes of the rules", responses=Amendments)
    def get(self, request: Request, ref: str) -> Response:
        """Every amendment by number: proposed, agreed, withdrawn, in force."""
        asked = rulebook.voters(self.here.campaign)
        amendments = rulebook.amendment_book(self.here.campaign)
        results = [amendment_facts(amendment, asked) for amendment in amendments]
        return self.answer(Amendments, AmendmentsFacts(results, asked))

    @extend_schema(summary="Propose a change of the rules", request=Proposed, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. The players are asked; nothing changes yet."""
        body = read(Proposed, request)
        return self.act(request, lambda: self.propose(body))

    def propose(self, body: ProposedBody) -> list[LogEntry]:
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


class AmendmentView(Speaking):
    @extend_schema(
        summary="Answer a change of the rules, or withdraw it",
        request=AmendmentAnswered,
        responses=SAID,
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Of each seat the last answer counts, until the amendment is in force."""
        body = read(AmendmentAnswered, request)

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
    if amendment.withdrawn:
        return "withdrawn"
    if not amendment.open:
        return "in force"
    return "agreed" if amendment.agreed(asked) else "open"
