"""The log: its entries with their effects and rolls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import CampaignContext, CampaignResource
from campaign.log import selectors
from campaign.log.public_content import entry_json
from campaign.log.selectors import Line
from campaign.models import LogEntry
from campaign.seats.selectors import program_of
from engine.effects import Effect, Roll


class EffectLine(s.Serializer):
    """One effect of a move.

    `change` and `balance` are in the account's own unit, and 0 for an effect that is not on an
    account.
    """

    kind = s.CharField(
        help_text="account, holding, card, structure, attack, truce, turn, slot, seat …"
    )
    holder = s.CharField(allow_null=True)
    subject = s.CharField(allow_blank=True, help_text="The account, place, card … of the holder.")
    change = s.IntegerField()
    balance = s.IntegerField()
    facts = s.JSONField()
    cause = s.CharField()
    rule = s.CharField(allow_blank=True, help_text="The paragraph of the rules.")
    text = s.CharField(allow_blank=True, help_text="The cause in words.")


class EntryRoll(s.Serializer):
    """A die that was thrown."""

    purpose = s.CharField()
    sides = s.IntegerField()
    value = s.IntegerField()
    turn = s.IntegerField(help_text="The link from which it comes.")
    text = s.CharField()


class Objection(s.Serializer):
    """A countersigner's objection to an entry."""

    by = s.CharField()
    reason = s.CharField()


class EntryLine(s.Serializer):
    """A log entry as its reader may see it."""

    number = s.IntegerField(
        allow_null=True,
        help_text="Null for an entry that not everyone may see, which has no address.",
    )
    kind = s.ChoiceField(["move", "table"])
    act = s.CharField(allow_blank=True, help_text="The act; empty for a move.")
    seat = s.CharField(allow_blank=True)
    person = s.CharField(
        allow_null=True, help_text="The user who made it; null for a clock or a program."
    )
    program = s.CharField(
        allow_null=True,
        help_text="The program that made the move for a seat among people; otherwise null.",
    )
    at = s.DateTimeField()
    turn = s.IntegerField()
    text = s.CharField(help_text="The entry in words, in the language of the request.")
    said = s.JSONField(
        help_text=(
            "A move in record form, or the content of an act, without anything that the reader may"
            " not know. People are ids."
        )
    )
    effects = EffectLine(many=True)
    rolls = EntryRoll(many=True)
    struck = s.BooleanField()
    struck_by = s.IntegerField(allow_null=True, help_text="The undo that struck it.")
    concerns = s.ListField(
        child=s.CharField(),
        help_text="The game master's own seats that it concerns; it should be countersigned.",
    )
    countersigned = s.ListField(
        child=s.CharField(), help_text="The names of the users who have countersigned it."
    )
    objections = Objection(many=True)
    link = s.CharField(allow_null=True, help_text="The forum post about it, given by a user.")
    url = s.CharField(allow_null=True)


class EntryPage(s.Serializer):
    """One page of log entries."""

    results = EntryLine(many=True)
    next = s.CharField(allow_null=True)


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class EffectFacts:
    """The facts of `EffectLine`."""

    kind: str
    holder: str | None
    subject: str
    change: int
    balance: int
    facts: Mapping[str, object]
    cause: str
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class RollFacts:
    """The facts of `EntryRoll`."""

    purpose: str
    sides: int
    value: int
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class ObjectionFacts:
    """The facts of `Objection`."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """The facts of `EntryLine`."""

    number: int | None
    kind: str
    act: str
    seat: str
    person: str | None
    program: str | None
    at: datetime
    turn: int
    text: str
    said: Mapping[str, object]
    effects: list[EffectFacts]
    rolls: list[RollFacts]
    struck: bool
    struck_by: int | None
    concerns: Sequence[str]
    countersigned: Sequence[str]
    objections: list[ObjectionFacts]
    link: str | None
    url: str | None


def effect_facts(here: CampaignContext, effect: Effect) -> EffectFacts:
    """Return an effect. The caller checks whether the reader may see it."""
    return EffectFacts(
        kind=effect.kind,
        holder=effect.holder,
        subject=effect.subject,
        change=effect.change,
        balance=effect.balance,
        facts=dict(effect.facts),
        cause=effect.cause.id,
        rule=effect.cause.rule,
        text=here.sentence(effect.cause),
    )


def visible_effects(here: CampaignContext, effects: Iterable[Effect]) -> list[EffectFacts]:
    """Return the effects that the reader may see."""
    return [effect_facts(here, effect) for effect in effects if here.access.sees(effect.audience)]


def visible_rolls(here: CampaignContext, rolls: Iterable[Roll]) -> list[RollFacts]:
    """Return the rolls that the reader may see."""
    return [
        RollFacts(
            purpose=roll.purpose,
            sides=roll.sides,
            value=roll.value,
            turn=roll.turn,
            text=here.title.roll_line(here.scenario, roll),
        )
        for roll in rolls
        if here.access.sees(roll.audience)
    ]


def visible_entries(here: CampaignContext, entries: list[LogEntry]) -> list[EntryFacts]:
    """Return the entries as the reader may see them."""
    lines = selectors.lines(here.campaign, here.access, entries)
    return [entry_facts(here, line) for line in lines]


def entry_facts(here: CampaignContext, line: Line) -> EntryFacts:
    """Return a log entry as the reader may see it."""
    entry, mark = line.entry, line.mark
    return EntryFacts(
        number=entry.number,
        kind=entry.kind,
        act=entry.table_act,
        seat=entry.seat,
        person=entry.actor.username if entry.actor else None,
        program=program_of(here.campaign, entry) or None,
        at=entry.at,
        turn=entry.turn,
        text=line.text,
        said=entry_json(here.title, entry, line.effects),
        effects=visible_effects(here, line.effects),
        rolls=visible_rolls(here, line.rolls),
        struck=line.struck,
        struck_by=entry.struck_by.number if entry.struck_by else None,
        concerns=mark.own,
        countersigned=mark.signed,
        objections=[ObjectionFacts(by, reason) for by, reason in mark.objections],
        link=line.url or None,
        url=address_of_entry(here, entry),
    )


def address_of_entry(here: CampaignContext, entry: LogEntry) -> str | None:
    """Return the address of an entry; None if not everyone may see it."""
    if entry.number is None:
        return None
    return reverse("api:entry", args=[here.campaign.address, entry.number])


# The log as its reader may see it


KINDS = list(LogEntry.Kind.values)


TURN = OpenApiParameter(
    "turn",
    {"type": "integer", "minimum": 0, "maximum": 999999999},
    description="Only entries of this turn.",
)


KIND = OpenApiParameter(
    "kind",
    {"type": "string", "enum": KINDS},
    description="Only moves of the game, or only acts of the table.",
)


class LogView(CampaignResource):
    """The log of a campaign."""

    @extend_schema(
        summary="The log", responses=EntryPage, parameters=[*paging.PARAMETERS, TURN, KIND]
    )
    def get(self, request: Request, ref: str) -> Response:
        """Return log entries, the newest first, including struck entries.

        Each entry contains only what you may see. Its text is in the language that you ask for.
        """
        here = self.here
        entries = chosen_entries(request, entries_with_rolls(here))
        return paging.page(request, entries, EntryLine, lambda shown: visible_entries(here, shown))


def entries_with_rolls(here: CampaignContext) -> QuerySet[LogEntry]:
    """Return the entries that the reader may see, with their rolls."""
    return selectors.entries(here.campaign, here.access).prefetch_related("rolls")


def chosen_entries(request: Request, entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Return the entries of the turn and the kind that the address asks for.

    Raises `ValidationError`.
    """
    if "turn" in request.GET:
        entries = entries.filter(turn=paging.whole_number(request, "turn", 0))
    if "kind" in request.GET:
        if request.GET["kind"] not in KINDS:
            raise ValidationError({"kind": ["move, table"]})
        entries = entries.filter(kind=request.GET["kind"])
    return entries


class EntryView(CampaignResource):
    """One log entry."""

    @extend_schema(summary="One entry of the log", responses=EntryLine)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """Return one log entry as you may see it."""
        here = self.here
        line = selectors.entry(here.campaign, here.access, number)
        return self.answer(EntryLine, entry_facts(here, line))
