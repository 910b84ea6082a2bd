"""The log as its reader may know it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers.log import Branch, BranchPage, EntryLine, EntryPage
from api.views.base import Here, OfCampaign, written
from campaign import selectors, told, undone
from campaign.models import LogEntry
from campaign.selectors import Line

KINDS = list(LogEntry.Kind.values)
TURN = OpenApiParameter("turn", {"type": "integer", "minimum": 0, "maximum": 999999999}, description="Of this turn alone.")
KIND = OpenApiParameter("kind", {"type": "string", "enum": KINDS}, description="Moves of the game, or acts of the table.")


class LogView(OfCampaign):
    @extend_schema(summary="The log", responses=EntryPage, parameters=[*pages.PARAMETERS, TURN, KIND])
    def get(self, request: Request, ref: str) -> Response:
        """The newest first, what is struck among them: each as you may know it, in words of the language you ask for."""
        here = self.here
        found = selectors.entries(here.campaign, here.access).prefetch_related("rolls")
        if "turn" in request.GET:
            found = found.filter(turn=pages.asked(request, "turn", 0))
        if "kind" in request.GET:
            if request.GET["kind"] not in KINDS:
                raise ValidationError({"kind": ["move, table"]})
            found = found.filter(kind=request.GET["kind"])
        return pages.page(request, found, lambda some: written(EntryLine, lines(here, some)))


class EntryView(OfCampaign):
    @extend_schema(summary="One entry of the log", responses=EntryLine)
    def get(self, request: Request, ref: str, number: int) -> Response:
        here = self.here
        return self.told(EntryLine, line(here, selectors.entry(here.campaign, here.access, number)))


class BranchesView(OfCampaign):
    @extend_schema(summary="What was undone", responses=BranchPage, parameters=pages.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """Each undo with the moves it took out of force, the latest first. The log has these moves, struck."""
        here = self.here
        found = selectors.entries(here.campaign, here.access).prefetch_related("rolls")
        undos = found.filter(kind=LogEntry.Kind.TABLE, act=undone.UNDO)
        return pages.page(request, undos, lambda some: written(Branch, branches(here, some)))


def branches(here: Here, undos: list[LogEntry]) -> list[dict[str, Any]]:
    if not undos:
        return []
    turns = undone.turns(here.campaign, undone.acts(here.campaign))
    moves = here.campaign.entries.filter(kind=LogEntry.Kind.MOVE, audience=None)
    numbers = dict(moves.values_list("sequence", "number"))
    return [
        {
            "undo": line(here, one), "own": bool(one.entry.said.get("own")),
            "moves": [numbers[place] for place in turns[one.entry.pk].moves if place in numbers],
            "restored_by": one.entry.struck_by.number if one.entry.struck_by else None,
        }
        for one in selectors.lines(here.campaign, here.access, undos)
        if one.entry.pk in turns
    ]  # fmt: skip


def lines(here: Here, some: list[LogEntry]) -> list[dict[str, Any]]:
    """Entries that this reader may see."""
    return [line(here, one) for one in selectors.lines(here.campaign, here.access, some)]


def line(here: Here, one: Line) -> dict[str, Any]:
    entry = one.entry
    return {
        "number": entry.number, "kind": entry.kind, "act": entry.table_act, "seat": entry.seat,
        "at": entry.at, "turn": entry.turn, "person": entry.actor.username if entry.actor else None, "text": one.text,
        "said": told.told(here.title, entry, one.effects), "effects": here.effects(one.effects), "rolls": here.rolls(one.rolls),
        "struck": one.struck, "struck_by": entry.struck_by.number if entry.struck_by else None,
        "concerns": list(one.mark.own), "countersigned": list(one.mark.signed),
        "objections": [{"by": by, "reason": reason} for by, reason in one.mark.objections],
        "link": one.url or None,
        "url": None if entry.number is None else reverse("api:entry", args=[here.campaign.address, entry.number]),
    }  # fmt: skip
