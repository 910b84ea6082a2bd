"""The log: what was said, what it did, what it threw."""

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
from api.base import Here, OfCampaign
from campaign.log import selectors
from campaign.log.public_content import entry_json
from campaign.log.selectors import Line
from campaign.models import LogEntry
from campaign.seats.selectors import program_of
from engine.effects import Effect, Roll


class EffectTold(s.Serializer):
    """One consequence of a move. `change` and `balance` are in the account's own unit and 0 where
    none is changed.
    """

    kind = s.CharField(
        help_text="account, holding, card, structure, attack, truce, turn, slot, seat …"
    )
    holder = s.CharField(allow_null=True)
    subject = s.CharField(allow_blank=True, help_text="The account, place, card … within it.")
    change = s.IntegerField()
    balance = s.IntegerField()
    facts = s.JSONField()
    cause = s.CharField()
    rule = s.CharField(allow_blank=True, help_text="The paragraph that brought it about.")
    text = s.CharField(allow_blank=True, help_text="The cause in words.")


class RollTold(s.Serializer):
    """A die that was thrown."""

    purpose = s.CharField()
    sides = s.IntegerField()
    value = s.IntegerField()
    turn = s.IntegerField(help_text="The link that it comes from.")
    text = s.CharField()


class Objection(s.Serializer):
    by = s.CharField()
    reason = s.CharField()


class EntryLine(s.Serializer):
    """An entry of the log as its reader knows it."""

    number = s.IntegerField(
        allow_null=True, help_text="Null of what not everybody may see: it has no address."
    )
    kind = s.ChoiceField(["move", "table"])
    act = s.CharField(allow_blank=True, help_text="What the table's act is; empty of a move.")
    seat = s.CharField(allow_blank=True)
    person = s.CharField(
        allow_null=True, help_text="Who said it; null where the clock or a program did."
    )
    program = s.CharField(
        allow_null=True,
        help_text="The program whose move it is, in a seat among people; else null.",
    )
    at = s.DateTimeField()
    turn = s.IntegerField()
    text = s.CharField(help_text="The entry in words, in the language that was asked for.")
    said = s.JSONField(
        help_text=(
            "A move in the form of the record, or the act; without what the reader may not know."
            " People are numbers."
        )
    )
    effects = EffectTold(many=True)
    rolls = RollTold(many=True)
    struck = s.BooleanField()
    struck_by = s.IntegerField(allow_null=True, help_text="The undo that took it out of force.")
    concerns = s.ListField(
        child=s.CharField(),
        help_text="The game master's own seats that it concerns: it asks for a countersignature.",
    )
    countersigned = s.ListField(child=s.CharField(), help_text="Who has, by name.")
    objections = Objection(many=True)
    link = s.CharField(allow_null=True, help_text="Where it stands on the forum, as somebody said.")
    url = s.CharField(allow_null=True)


class EntryPage(s.Serializer):
    results = EntryLine(many=True)
    next = s.CharField(allow_null=True)


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class EffectFacts:
    """The facts of `EffectTold`."""

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
    """The facts of `RollTold`."""

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


def effect_facts(here: Here, effect: Effect) -> EffectFacts:
    """Return a consequence of a move. The caller checks whether the reader may see it."""
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


def visible_effects(here: Here, effects: Iterable[Effect]) -> list[EffectFacts]:
    """Return the effects that the reader may see."""
    return [effect_facts(here, effect) for effect in effects if here.access.sees(effect.audience)]


def visible_rolls(here: Here, rolls: Iterable[Roll]) -> list[RollFacts]:
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


def visible_entries(here: Here, entries: list[LogEntry]) -> list[EntryFacts]:
    """Return the entries as the reader may see them."""
    lines = selectors.lines(here.campaign, here.access, entries)
    return [entry_facts(here, line) for line in lines]


def entry_facts(here: Here, line: Line) -> EntryFacts:
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


def address_of_entry(here: Here, entry: LogEntry) -> str | None:
    """Return the address of an entry; None if not everyone may see it."""
    if entry.number is None:
        return None
    return reverse("api:entry", args=[here.campaign.address, entry.number])


# The log as its reader may know it.


KINDS = list(LogEntry.Kind.values)


TURN = OpenApiParameter(
    "turn",
    {"type": "integer", "minimum": 0, "maximum": 999999999},
    description="Of this turn alone.",
)


KIND = OpenApiParameter(
    "kind",
    {"type": "string", "enum": KINDS},
    description="Moves of the game, or acts of the table.",
)


class LogView(OfCampaign):
    @extend_schema(
        summary="The log", responses=EntryPage, parameters=[*paging.PARAMETERS, TURN, KIND]
    )
    def get(self, request: Request, ref: str) -> Response:
        """The newest first, what is struck among them: each as you may know it, in words of the
        language you ask for.
        """
        here = self.here
        entries = chosen_entries(request, entries_with_rolls(here))
        return paging.page(request, entries, EntryLine, lambda shown: visible_entries(here, shown))


def entries_with_rolls(here: Here) -> QuerySet[LogEntry]:
    return selectors.entries(here.campaign, here.access).prefetch_related("rolls")


def chosen_entries(request: Request, entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Return the entries of the turn and the kind that an address asks for. Raises
    `ValidationError`.
    """
    if "turn" in request.GET:
        entries = entries.filter(turn=paging.whole_number(request, "turn", 0))
    if "kind" in request.GET:
        if request.GET["kind"] not in KINDS:
            raise ValidationError({"kind": ["move, table"]})
        entries = entries.filter(kind=request.GET["kind"])
    return entries


class EntryView(OfCampaign):
    @extend_schema(summary="One entry of the log", responses=EntryLine)
    def get(self, request: Request, ref: str, number: int) -> Response:
        here = self.here
        line = selectors.entry(here.campaign, here.access, number)
        return self.answer(EntryLine, entry_facts(here, line))
