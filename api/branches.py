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
from api.base import Here, OfCampaign
from api.fields import FAR
from api.log import EntryFacts, EntryLine, entries_with_rolls, entry_facts
from campaign.log import history, selectors, undo
from campaign.log.acts.undo import UNDO
from campaign.log.selectors import Line
from campaign.models import LogEntry


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


class Step(s.Serializer):
    """One act of a game master on the way back to a branch."""

    restores = s.BooleanField(
        help_text="Restore what the undo `entry` struck; else undo all after `entry`."
    )
    entry = s.IntegerField(source="number")
    moves = s.IntegerField()


class BranchWhole(Branch):
    """One undo, and how the table stood in what it struck."""

    entries = s.ListField(
        child=s.IntegerField(),
        help_text="Where `at` may stop: the last that stayed, then those struck.",
    )
    way_back = Step(
        many=True,
        allow_null=True,
        help_text="Null where nothing leads back to it; empty once it is restored.",
    )
    entry = s.IntegerField(help_text="The state is that after this one.")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True)
    state = s.JSONField(help_text="As `position/` tells it.")


# Facts for the serializers. `Step` writes those of the domain.


@dataclass(frozen=True, slots=True)
class BranchFacts:
    """The facts of `Branch`."""

    undo: EntryFacts
    own: bool
    moves: list[int | None]
    restored_by: int | None


@dataclass(frozen=True, slots=True)
class Stood:
    """The table at one position, as the title shows it to the reader."""

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
    way_back: Sequence[history.Step] | None


def branch_facts(here: Here, undos: list[LogEntry]) -> list[BranchFacts]:
    """Return each undo with the moves that it took out of force."""
    if not undos:
        return []
    turns = history.turns(here.campaign, history.acts(here.campaign))
    moves = here.campaign.entries.filter(kind=LogEntry.Kind.MOVE, audience=None)
    numbers = dict(moves.values_list("sequence", "number"))
    return [
        branch_of(here, line, turns[line.entry.pk], numbers)
        for line in selectors.lines(here.campaign, here.access, undos)
        if line.entry.pk in turns
    ]


def branch_of(
    here: Here, line: Line, turn: history.Turn, numbers: Mapping[int, int | None]
) -> BranchFacts:
    """Return an undo with its moves. `numbers` are those of all public moves by sequence."""
    restored_by = line.entry.struck_by
    return BranchFacts(
        undo=entry_facts(here, line),
        own=bool(line.entry.content.get("own")),
        moves=[numbers[sequence] for sequence in turn.moves if sequence in numbers],
        restored_by=restored_by.number if restored_by else None,
    )


class BranchesView(OfCampaign):
    @extend_schema(summary="What was undone", responses=BranchPage, parameters=paging.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """Each undo with the moves it took out of force, the latest first. The log has these moves,
        struck.
        """
        here = self.here
        undos = entries_with_rolls(here).filter(kind=LogEntry.Kind.TABLE, act=UNDO.name)
        return paging.page(request, undos, Branch, lambda shown: branch_facts(here, shown))


def entry_parameter(name: str, description: str) -> OpenApiParameter:
    """Return a parameter of an address that is the number of an entry."""
    return OpenApiParameter(
        name, {"type": "integer", "minimum": 0, "maximum": FAR}, description=description
    )


AT = entry_parameter("at", "As it stood after this entry, one of `entries`; the last without it.")


class BranchView(OfCampaign):
    @extend_schema(
        summary="What one undo struck, and how it stood there",
        responses=BranchWhole,
        parameters=[AT],
    )
    def get(self, request: Request, ref: str, number: int) -> Response:
        here = self.here
        turn, turns = undo.rewind_of(here.campaign, number)
        trail = history.branch(here.campaign, turn)
        stop = stop_asked(request, trail)
        return self.answer(BranchWhole, branch_whole_facts(here, turn, turns, trail, stop))


def stop_asked(request: Request, trail: history.Trail) -> history.Stop:
    """Return the stop of a branch that an address asks for, or the last. Raises `Http404`."""
    place: int | None = len(trail.stops) - 1
    if "at" in request.GET:
        place = trail.at(paging.whole_number(request, "at", 0))
    if place is None or not trail.stops:
        raise Http404
    return trail.stops[place]


def branch_whole_facts(
    here: Here,
    turn: history.Turn,
    turns: dict[int, history.Turn],
    trail: history.Trail,
    stop: history.Stop,
) -> BranchWholeFacts:
    """Return an undo and the position at a stop of the moves that it struck."""
    (branch,) = branch_facts(here, [turn.act])
    stood = stood_at(here, history.after(here.campaign, stop.moves, trail))
    return BranchWholeFacts(
        undo=branch.undo,
        own=branch.own,
        moves=branch.moves,
        restored_by=branch.restored_by,
        turn=stood.turn,
        phase=stood.phase,
        slot=stood.slot,
        state=stood.state,
        entries=[known.number for known in trail.stops],
        entry=stop.number,
        way_back=way_back_of(here, turn, turns),
    )


def way_back_of(
    here: Here, turn: history.Turn, turns: dict[int, history.Turn]
) -> Sequence[history.Step] | None:
    """Return the acts that lead back to what an undo struck: none once it is restored, None if
    nothing leads back.
    """
    if turn.act.struck_by_id is not None:
        return []
    return history.way_back(turns, turn.act, frozenset(history.trail(here.campaign).sequences))


def stood_at(here: Here, position: Any) -> Stood:
    state = here.title.view(position, here.access.viewer)
    return Stood(state["turn"], state["phase"], state["slot"], state)
