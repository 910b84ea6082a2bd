"""What keeps a table going: rulings, terms of clocks, its life, its people, its lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.moves import FAR, Receipt, Speaking, needed
from campaign import access, rulebook, services
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import KINDS, REMINDERS, Terms
from campaign.errors import Refused
from campaign.models import LogEntry, Membership
from campaign.rulebook import NEEDS, Amendment, rule_on
from people.models import User, called

LIVES = ["paused", "resumed", "abandoned", "revived", "archived", "unarchived"]


class Version(s.Serializer):
    """A reading of a rule by a game master."""

    rule = s.CharField(allow_blank=True)
    text = s.CharField()
    entry = s.IntegerField(allow_null=True)
    about = s.IntegerField(allow_null=True, help_text="The entry that gave rise to it.")
    at = s.DateTimeField()
    person = s.CharField(allow_blank=True)


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
    rule = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=10,
        help_text="The paragraph that it reads.",
    )
    entry = s.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=FAR,
        help_text="Which gave rise to it.",
    )
    revises = s.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=FAR,
        help_text="The number of the ruling.",
    )


class AmendmentAnswer(s.Serializer):
    seat = s.CharField()
    agrees = s.BooleanField()
    reason = s.CharField(allow_blank=True)
    person = s.CharField(allow_blank=True)
    at = s.DateTimeField()


class AmendmentOne(s.Serializer):
    """A proposal as it stands. `move` puts it in force between turns, once it is agreed: announce
    it as any other move.
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
    changes = s.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=FAR
    )


class AmendmentAnswered(s.Serializer):
    """A player's answer, or the game master's withdrawal."""

    withdraw = s.BooleanField(required=False, default=False)
    agrees = s.BooleanField(required=False, default=False)
    reason = s.CharField(required=False, allow_blank=True, default="", max_length=1000)
    seat = s.CharField(required=False, allow_blank=True, default="", max_length=40)


class TermsOfOne(s.Serializer):
    """How long; what is left after that before the clock does it by itself, where it does."""

    length = s.CharField(max_length=10, help_text="Days or hours: `3d`, `12h`.")
    grace = s.CharField(required=False, default="1d", max_length=10)
    acts = s.BooleanField(required=False, default=False)
    asks = s.BooleanField(
        required=False, default=True, help_text="Are game masters told when it is over?"
    )
    reminds = s.ChoiceField(
        REMINDERS,
        required=False,
        default=REMINDERS[0],
        help_text=(
            "both: with a fifth of the time left and on the last day; day: on the last day; none."
        ),
    )


class TermsOfKinds(s.Serializer):
    """A kind that is left out stays as it is; null: no such clock runs."""

    def get_fields(self) -> dict[str, s.Field]:
        return {kind: TermsOfOne(required=False, allow_null=True) for kind in KINDS}


class TermsOfClocks(s.Serializer):
    terms = TermsOfKinds()


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


class LobbyAct(s.Serializer):
    """Which parts it takes depends on `act`."""

    act = s.ChoiceField(["open", "reword", "apply", "withdraw", "draw"])
    words = s.CharField(
        required=False, allow_blank=True, default="", max_length=2000, help_text="open, reword."
    )
    seats = s.ListField(
        child=s.CharField(max_length=40),
        required=False,
        default=list,
        max_length=60,
        help_text="apply: the best liked first.",
    )


# What keeps a table going and is said at none of its battles: rulings, terms of clocks, its life,
# its people, its lobby.

SAID = {201: Receipt}


class RulingsView(Speaking):
    form = Ruled

    @extend_schema(summary="The rulings in force", responses=Rulings)
    def get(self, request: Request, ref: str) -> Response:
        """Each with what it replaced, the latest first."""
        return self.answer(
            Rulings, {"results": [ruling(one) for one in rulebook.ruling_book(self.here.campaign)]}
        )

    @extend_schema(summary="Rule on something", request=Ruled, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. With `revises` in the place of a ruling, which stays readable."""

        def act(content: Mapping[str, Any]) -> list[LogEntry]:
            campaign, rule = self.here.campaign, content["rule"].removeprefix("§").strip()
            known = rulebook.numbers(campaign.title)
            if self.here.access.host and rule and known and rule not in known:
                raise Refused(
                    "no-rule",
                    _("The rules have no paragraph %(rule)s. Choose one that is there.")
                    % {"rule": rule},
                )
            more = {"entry": content["entry"], "revises": content["revises"]}
            return [rule_on(campaign, self.here.user, content["text"], rule=rule, **more)]

        return self.act(request, act)


def version(one: rulebook.Ruling) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "text": one.text,
        "entry": one.entry,
        "about": one.about,
        "at": one.at,
        "person": one.by,
    }


def ruling(one: rulebook.Ruling) -> dict[str, Any]:
    return {
        "number": one.number,
        **version(one),
        "older": len(one.older),
        "replaced": [version(old) for old in one.older],
    }


class AmendmentsView(Speaking):
    form = Proposed

    @extend_schema(summary="Changes of the rules", responses=Amendments)
    def get(self, request: Request, ref: str) -> Response:
        """Every amendment by number: proposed, agreed, withdrawn, in force."""
        asked = rulebook.voters(self.here.campaign)
        results = [amendment(one, asked) for one in rulebook.amendment_book(self.here.campaign)]
        return self.answer(Amendments, {"results": results, "asked": asked})

    @extend_schema(summary="Propose a change of the rules", request=Proposed, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. The players are asked; nothing changes yet."""

        def act(content: Mapping[str, Any]) -> list[LogEntry]:
            more = {"need": content["need"], "changes": content["changes"]}
            return [
                services.propose_amendment(
                    self.here.campaign, self.here.user, content["rules"], content["reason"], **more
                )
            ]

        return self.act(request, act)


class AmendmentView(Speaking):
    form = AmendmentAnswered

    @extend_schema(
        summary="Answer a change of the rules, or withdraw it",
        request=AmendmentAnswered,
        responses=SAID,
    )
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Of each seat the last answer counts, until the amendment is in force."""

        def act(content: Mapping[str, Any]) -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            if content["withdraw"]:
                return [services.withdraw_amendment(campaign, user, number)]
            agrees, reason = content["agrees"], content["reason"]
            return [
                services.answer_amendment(
                    campaign, user, number, agrees, reason, seat=content["seat"]
                )
            ]

        return self.act(request, act)


def amendment(one: Amendment, asked: Sequence[str]) -> dict[str, Any]:
    state = (
        "withdrawn"
        if one.withdrawn
        else "in force"
        if not one.open
        else "agreed"
        if one.agreed(asked)
        else "open"
    )
    answers = [
        {"seat": a.seat, "agrees": a.agrees, "reason": a.reason, "person": a.by, "at": a.at}
        for a in one.answers.values()
    ]
    return {
        "number": one.number,
        "rules": one.rules,
        "reason": one.reason,
        "need": one.need,
        "turn": one.turn,
        "person": one.by,
        "at": one.at,
        "state": state,
        "entry": one.entry,
        "answers": answers,
        "move": one.move,
    }


class TermsOfClocksView(Speaking):
    form = TermsOfClocks

    @extend_schema(summary="Set how long things may take", request=TermsOfClocks, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """The game master's. Kinds that are not named stay as they are; null: no such clock
        runs.
        """

        def act(content: Mapping[str, Any]) -> list[LogEntry]:
            wanted = {
                kind: None if one is None else Terms(**one)
                for kind, one in content["terms"].items()
            }
            return [clocks_services.set_terms(self.here.campaign, self.here.user, wanted)]

        return self.act(request, act)


class LifeView(Speaking):
    form = Life

    @extend_schema(
        summary="Pause a campaign, take it up again, end it before its end",
        request=Life,
        responses=SAID,
    )
    def post(self, request: Request, ref: str) -> Response:
        """The game master's."""

        def act(content: Mapping[str, Any]) -> None:
            services.live(self.here.campaign, self.here.user, content["how"], content["reason"])

        return self.act(request, act)


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
        campaign, user = self.here.campaign, self.here.user

        def act(content: Mapping[str, Any]) -> None:
            acts: dict[str, Callable[[], Any]] = {
                "wait": lambda: services.wait(campaign, user),
                "stop-waiting": lambda: services.stop_waiting(campaign, user),
                "vacate": lambda: services.vacate(campaign, user, needed(content, "seat")),
                "seat": lambda: services.seat_reserve(
                    campaign, user, self.waiting(content), needed(content, "seat")
                ),
                "program": lambda: services.let_program(
                    campaign,
                    user,
                    needed(content, "seat"),
                    needed(content, "level"),
                    needed(content, "reason"),
                ),
                "no-program": lambda: services.take_program_away(
                    campaign, user, needed(content, "seat")
                ),
                "countersigner": lambda: services.name_countersigner(
                    campaign, user, self.person(content)
                ),
                "no-countersigner": lambda: services.dismiss_countersigner(
                    campaign, user, self.person(content)
                ),
            }
            acts[content["act"]]()

        return self.act(request, act)

    def person(self, content: Mapping[str, Any]) -> User:
        access.must_be_host(self.here.campaign, self.here.user)
        user: User | None = called(needed(content, "person"))
        if user is None:
            raise ValidationError({"person": [_("There is no such person here.")]})
        return user

    def waiting(self, content: Mapping[str, Any]) -> int:
        """The number of who waits under this name."""
        access.must_be_host(self.here.campaign, self.here.user)
        name = needed(content, "person")
        on_list = (
            one
            for one in self.here.places
            if one.role == Membership.Role.RESERVE and one.user.username == name
        )
        place = next(on_list, None)
        if place is None:
            raise ValidationError({"person": [_("There is no such person here.")]})
        return place.user_id


class LobbyActsView(Speaking):
    form = LobbyAct

    @extend_schema(summary="Apply in the lobby; open it, draw", request=LobbyAct, responses=SAID)
    def post(self, request: Request, ref: str) -> Response:
        """To apply is everybody's, with seats as they are liked; opening, its words and the draw
        are the game master's.
        """
        if len(self.here.seats) == 1:
            raise Http404
        campaign, user = self.here.campaign, self.here.user

        def act(content: Mapping[str, Any]) -> None:
            acts: dict[str, Callable[[], Any]] = {
                "open": lambda: services.open_lobby(campaign, user, content["words"]),
                "reword": lambda: services.reword(campaign, user, content["words"]),
                "apply": lambda: services.apply(
                    campaign, user, list(dict.fromkeys(content["seats"]))
                ),
                "withdraw": lambda: services.withdraw(campaign, user),
                "draw": lambda: services.draw(campaign, user),
            }
            acts[content["act"]]()

        return self.act(request, act)
