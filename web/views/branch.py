"""A struck branch as it stood: its moves one by one, how it ended, what differs from now, and how it comes back."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from campaign import moments, rewinds, undone
from campaign.undone import Step, Turn
from campaign.words import act_line
from engine.strict_json import whole
from web.otherwise import otherwise
from web.views.common import TableContext, campaign_page, show
from web.views.history import PART, parts, player
from web.views.moment import TURNS, Moment, as_of
from web.views.table import alone


@require_safe
@campaign_page
def branch(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    """What the undo of this number struck, for everybody who reads its entry. `?at=` one of its entries, without it the last;
    `?by=turns` and `?stop=` as in the history."""
    turn, told = rewinds.of(table.campaign, number)
    if not table.remembers:
        raise Http404
    road, by = moments.branch(table.campaign, turn), TURNS if request.GET.get("by") == TURNS else ""
    if not road.stops:
        raise Http404
    moment = Moment(table, road, place_of(request, road), by, number)
    context: dict[str, Any] = {"moment": moment, **parts(moment, moving=request.headers.get("HX-Target") == PART)}
    if request.headers.get("HX-Target") == PART:
        return alone(request, table, "campaign/_moment.html", context)
    context |= player(moment) | ways(table, turn, told)
    context |= {"text": act_line(turn.act.said, table.name_of(turn.act.seat)), "person": turn.act.actor, "at": turn.act.at}
    context["other"] = otherwise(table, as_of(table, len(road.sequences), road))
    context["number"] = number
    context["struck"] = sum(1 for stop in road.stops if stop.sequence in turn.moves)
    answer = show(request, table, "campaign/branch.html", context, here="log")
    patch_vary_headers(answer, ["HX-Target"])
    return answer


def place_of(request: HttpRequest, road: moments.Trail) -> int:
    """Which stop is asked for. Raises `Http404` for none of the branch's."""
    last = len(road.stops) - 1
    if nth := request.GET.get("stop", ""):
        place = whole(nth)
        if place is None or not 1 <= place <= last + 1:
            raise Http404
        return place - 1
    if asked := request.GET.get("at", ""):
        number = whole(asked.strip())
        found = None if number is None else road.at(number)
        if found is None:
            raise Http404
        return found
    return last


def ways(table: TableContext, turn: Turn, told: dict[int, Turn]) -> dict[str, Any]:
    """How the branch comes back: by which steps, or that it has, or cannot."""
    by = turn.act.struck_by_id
    if by is not None:
        back = next((one.act.number for one in told.values() if one.act.pk == by), None)
        return {"back": back, "back_url": table.url("entry", back) if back is not None else ""}
    steps = undone.way_back(told, turn.act, frozenset(moments.trail(table.campaign).sequences))
    return {
        "steps_back": [(step, _url(table, step)) for step in steps or ()],
        "since": len(frozenset(moments.trail(table.campaign).sequences) - turn.stands),
        "gone": steps is None,
    }


def _url(table: TableContext, step: Step) -> str:
    return f"{table.url('rewind')}?{'undo' if step.restores else 'entry'}={step.number}"
