"""Undos, and the position after each entry that an undo struck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import CampaignContext, CampaignResource
from api.fields import FAR
from api.log import EntryFacts, EntryLine, entries_with_rolls, entry_facts
from campaign.log import history, selectors, undo
from campaign.log.acts.undo import UNDO
from campaign.log.selectors import Line
from campaign.models import LogEntry


class Branch(s.Serializer):
    """The moves that one undo struck."""

    undo = EntryLine()
    own = s.BooleanField(help_text="Whether the seat took the moves back itself.")
    moves = s.ListField(
        child=s.IntegerField(), help_text="The moves that everyone can see, by log number."
    )
    restored_by = s.IntegerField(allow_null=True, help_text="The entry that restored the moves.")


class BranchPage(s.Serializer):
    """One page of undos."""

    results = Branch(many=True)
    next = s.CharField(allow_null=True)


class Step(s.Serializer):
    """One act with which a game master returns towards a branch."""

    restores = s.BooleanField(
        help_text=(
            "True: restore the moves that the undo `entry` struck. False: undo all moves"
            " after `entry`."
        )
    )
    entry = s.IntegerField(source="number")
    moves = s.IntegerField()


class BranchWhole(Branch):
    """One undo, with the position after one of the entries that it struck."""

    entries = s.ListField(
        child=s.IntegerField(),
        help_text="The values of `at`: the last entry that was kept, then the struck ones.",
    )
    way_back = Step(
        many=True,
        allow_null=True,
        help_text="Null if nothing leads back to these moves; empty if they have been restored.",
    )
    entry = s.IntegerField(help_text="The entry after which `state` is the position.")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True)
    state = s.JSONField(help_text="The position, in the form of `position/`.")


# Facts for the serializers. `Step` shows those of the domain.


@dataclass(frozen=True, slots=True)
class BranchFacts:
    """The facts of `Branch`."""

    undo: EntryFacts
    own: bool
    moves: list[int | None]
    restored_by: int | None


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A position as the title shows it to the reader."""

    turn: int
    phase: str
    slot: str | None
    state: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class BranchWholeFacts(BranchFacts):
    """The facts of `BranchWhole`."""

    turn: int
    phase: str
    slot: str | None
    state: Mapping[str, object]
    entries: list[int]
    entry: int
    way_back: Sequence[history.StepBack] | None


def branch_facts(here: CampaignContext, undos: list[LogEntry]) -> list[BranchFacts]:
    """Return each undo with the moves that it struck."""
    if not undos:
        return []
    turns = history.undo_acts(here.campaign, history.acts(here.campaign))
    moves = here.campaign.entries.filter(kind=LogEntry.Kind.MOVE, audience=None)
    numbers = dict(moves.values_list("sequence", "number"))
    return [
        branch_of(here, line, turns[line.entry.pk], numbers)
        for line in selectors.lines(here.campaign, here.access, undos)
        if line.entry.pk in turns
    ]


def branch_of(
    here: CampaignContext, line: Line, turn: history.UndoAct, numbers: Mapping[int, int | None]
) -> BranchFacts:
    """Return an undo with its moves. `numbers` are those of all public moves by sequence."""
    restored_by = line.entry.struck_by
    return BranchFacts(
        undo=entry_facts(here, line),
        own=bool(line.entry.content.get("own")),
        moves=[numbers[sequence] for sequence in turn.moves if sequence in numbers],
        restored_by=restored_by.number if restored_by else None,
    )


class BranchesView(CampaignResource):
    """The undos of a campaign."""

    @extend_schema(summary="Undos", responses=BranchPage, parameters=paging.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """Return each undo with the moves that it struck, the latest first.

        The log has the same moves, marked as struck.
        """
        here = self.here
        undos = entries_with_rolls(here).filter(kind=LogEntry.Kind.TABLE, act=UNDO.name)
        return paging.page(request, undos, Branch, lambda shown: branch_facts(here, shown))


def entry_parameter(name: str, description: str) -> OpenApiParameter:
    """Return a parameter of an address that is the number of an entry."""
    return OpenApiParameter(
        name, {"type": "integer", "minimum": 0, "maximum": FAR}, description=description
    )


AT = entry_parameter(
    "at", ("Return the position after this entry, one of `entries`; by default the last.")
)


class BranchView(CampaignResource):
    """One undo."""

    @extend_schema(
        summary="One undo, with the position after its moves",
        responses=BranchWhole,
        parameters=[AT],
    )
    def get(self, request: Request, ref: str, number: int) -> Response:
        """Return an undo with the position after one of the entries that it struck."""
        here = self.here
        turn, turns = undo.undo_act_of(here.campaign, number)
        trail = history.branch(here.campaign, turn)
        stop = stop_asked(request, trail)
        return self.answer(BranchWhole, branch_whole_facts(here, turn, turns, trail, stop))


def stop_asked(request: Request, trail: history.Trail) -> history.Stop:
    """Return the stop of a branch that the address asks for, or the last. Raises `Http404`."""
    place: int | None = len(trail.stops) - 1
    if "at" in request.GET:
        place = trail.at(paging.whole_number(request, "at", 0))
    if place is None or not trail.stops:
        raise Http404
    return trail.stops[place]


def branch_whole_facts(
    here: CampaignContext,
    turn: history.UndoAct,
    turns: dict[int, history.UndoAct],
    trail: history.Trail,
    stop: history.Stop,
) -> BranchWholeFacts:
    """Return an undo and the position at a stop of the moves that it struck."""
    (branch,) = branch_facts(here, [turn.act])
    shown = shown_position(here, history.after(here.campaign, stop.moves, trail))
    return BranchWholeFacts(
        undo=branch.undo,
        own=branch.own,
        moves=branch.moves,
        restored_by=branch.restored_by,
        turn=shown.turn,
        phase=shown.phase,
        slot=shown.slot,
        state=shown.state,
        entries=[known.number for known in trail.stops],
        entry=stop.number,
        way_back=way_back_of(here, turn, turns),
    )


def way_back_of(
    here: CampaignContext, turn: history.UndoAct, turns: dict[int, history.UndoAct]
) -> Sequence[history.StepBack] | None:
    """Return the acts that lead back to the moves that an undo struck.

    The list is empty if they have been restored, and None if no acts lead back to them.
    """
    if turn.act.struck_by_id is not None:
        return []
    return history.way_back(turns, turn.act, frozenset(history.trail(here.campaign).sequences))


def shown_position(here: CampaignContext, position: Any) -> ShownPosition:
    """Return a position as the title shows it to the reader."""
    state = here.title.view(position, here.access.viewer)
    return ShownPosition(state["turn"], state["phase"], state["slot"], state)
