"""The log: what was said, what it did, what it threw."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import Here, OfCampaign, written
from campaign.log import history, selectors, texts
from campaign.log.selectors import Line
from campaign.models import LogEntry
from campaign.seats.selectors import program_of


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


class Branch(s.Serializer):
    """Moves that an undo took out of force, together."""

    undo = EntryLine()
    own = s.BooleanField(help_text="Did the seat take them back itself?")
    moves = s.ListField(
        child=s.IntegerField(), help_text="Those that everybody sees, by the log's numbers."
    )
    restored_by = s.IntegerField(
        allow_null=True, help_text="The entry that put them in force again."
    )


class BranchPage(s.Serializer):
    results = Branch(many=True)
    next = s.CharField(allow_null=True)


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
        summary="The log", responses=EntryPage, parameters=[*base.PARAMETERS, TURN, KIND]
    )
    def get(self, request: Request, ref: str) -> Response:
        """The newest first, what is struck among them: each as you may know it, in words of the
        language you ask for.
        """
        here = self.here
        rows = selectors.entries(here.campaign, here.access).prefetch_related("rolls")
        if "turn" in request.GET:
            rows = rows.filter(turn=base.whole_number(request, "turn", 0))
        if "kind" in request.GET:
            if request.GET["kind"] not in KINDS:
                raise ValidationError({"kind": ["move, table"]})
            rows = rows.filter(kind=request.GET["kind"])
        return base.page(
            request, rows, lambda some: written(EntryLine, visible_entries(here, some))
        )


class EntryView(OfCampaign):
    @extend_schema(summary="One entry of the log", responses=EntryLine)
    def get(self, request: Request, ref: str, number: int) -> Response:
        here = self.here
        return self.answer(
            EntryLine, entry_row(here, selectors.entry(here.campaign, here.access, number))
        )


class BranchesView(OfCampaign):
    @extend_schema(summary="What was undone", responses=BranchPage, parameters=base.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """Each undo with the moves it took out of force, the latest first. The log has these moves,
        struck.
        """
        here = self.here
        rows = selectors.entries(here.campaign, here.access).prefetch_related("rolls")
        undos = rows.filter(kind=LogEntry.Kind.TABLE, act=history.UNDO_TEXT)
        return base.page(request, undos, lambda some: written(Branch, branches(here, some)))


def branches(here: Here, undos: list[LogEntry]) -> list[dict[str, Any]]:
    if not undos:
        return []
    turns = history.turns(here.campaign, history.acts(here.campaign))
    moves = here.campaign.entries.filter(kind=LogEntry.Kind.MOVE, audience=None)
    numbers = dict(moves.values_list("sequence", "number"))
    return [
        {
            "undo": entry_row(here, one),
            "own": bool(one.entry.content.get("own")),
            "moves": [numbers[place] for place in turns[one.entry.pk].moves if place in numbers],
            "restored_by": one.entry.struck_by.number if one.entry.struck_by else None,
        }
        for one in selectors.lines(here.campaign, here.access, undos)
        if one.entry.pk in turns
    ]


def visible_entries(here: Here, some: list[LogEntry]) -> list[dict[str, Any]]:
    """Entries that this reader may see."""
    return [entry_row(here, one) for one in selectors.lines(here.campaign, here.access, some)]


def entry_row(here: Here, one: Line) -> dict[str, Any]:
    entry = one.entry
    return {
        "number": entry.number,
        "kind": entry.kind,
        "act": entry.table_act,
        "seat": entry.seat,
        "at": entry.at,
        "turn": entry.turn,
        "person": entry.actor.username if entry.actor else None,
        "program": program_of(here.campaign, entry) or None,
        "text": one.text,
        "said": texts.entry_json(here.title, entry, one.effects),
        "effects": here.effects(one.effects),
        "rolls": here.rolls(one.rolls),
        "struck": one.struck,
        "struck_by": entry.struck_by.number if entry.struck_by else None,
        "concerns": list(one.mark.own),
        "countersigned": list(one.mark.signed),
        "objections": [{"by": by, "reason": reason} for by, reason in one.mark.objections],
        "link": one.url or None,
        "url": (
            None
            if entry.number is None
            else reverse("api:entry", args=[here.campaign.address, entry.number])
        ),
    }
