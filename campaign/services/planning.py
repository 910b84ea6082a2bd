"""A plan written, and announced: each of its moves through the door that every move takes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, plans, positions
from campaign.errors import NotAllowed, NotNow, PlanChanged, Refused, TableError
from campaign.models import Campaign, Plan
from campaign.services import door, log, moving
from campaign.services.door import Result
from engine.errors import IllegalMove
from engine.log import canonical

Moves = list[dict[str, Any]]
EARLIER, LATER = -1, 1


class Announced(NamedTuple):
    """What came of a plan: what was said, in order, the plan that is left, and what stopped it.

    `refused` is a rule's refusal with its `sentence`, or the table's own after something was said; `stopped` what a stop of
    the player's said. None of them, and a plan that is left: a die fell, or no more was asked for.
    """

    results: tuple[Result, ...]
    plan: Plan
    refused: IllegalMove | TableError | None = None
    stopped: str = ""


def plan_move(campaign: Campaign, user: Any, seat: str, raw_move: object, *, now: datetime | None = None) -> Plan:
    """Add a move at the end. Of the rules only its form is asked: others before it may make it possible.

    Raises `NotAllowed`, `NotNow`, `Refused` where the plan or the move is too long, and the title's `IllegalMove`.
    """

    def add(table: Campaign, moves: Moves) -> None:
        if len(moves) >= plans.MOST:
            raise Refused("plan-full", _("A plan holds %(most)d moves. Announce some, or take some out.") % {"most": plans.MOST})
        moves.append(_formed(table, seat, raw_move))

    return _change(campaign, user, seat, None, add, now)


def replan(
    campaign: Campaign, user: Any, seat: str, version: int, at: int, raw_move: object, *, now: datetime | None = None
) -> Plan:
    """Put another move in the place of move `at`, counted from 0. Raises as `plan_move` does, and `PlanChanged`."""

    def put(table: Campaign, moves: Moves) -> None:
        moves[_place(moves, at)] = _formed(table, seat, raw_move)

    return _change(campaign, user, seat, version, put, now)


def shift(campaign: Campaign, user: Any, seat: str, version: int, at: int, by: int, *, now: datetime | None = None) -> Plan:
    """Change places with the move before (`EARLIER`) or after (`LATER`); at an end it stays. Raises `PlanChanged`."""

    def move(table: Campaign, moves: Moves) -> None:
        here = _place(moves, at)
        there = here + by
        if 0 <= there < len(moves):
            moves[here], moves[there] = moves[there], moves[here]

    return _change(campaign, user, seat, version, move, now)


def unplan(campaign: Campaign, user: Any, seat: str, version: int, at: int | None = None, *, now: datetime | None = None) -> Plan:
    """Take move `at` out, or all of them. Raises `PlanChanged`."""

    def take(table: Campaign, moves: Moves) -> None:
        if at is None:
            moves.clear()
        else:
            del moves[_place(moves, at)]

    return _change(campaign, user, seat, version, take, now)


def announce_plan(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    seen: int,
    most: int = plans.MOST,
    *,
    stop: Callable[[Result], str] | None = None,
    now: datetime | None = None,
) -> Announced:
    """Announce the first `most` moves, one after the other, each as `play` does: an entry of its own.

    It stops at the first refusal, after the first die, and where the table moves on meanwhile. With `stop` it goes on over
    dice, to the first move after which `stop` says a word: why; it is asked after the last one, too. What was announced leaves
    the plan in the same transaction; what was not stays. Where not even the first was said, what the table refuses is
    raised: `PlanChanged`, `TableMovedOn`, `NotNow`; a rule's refusal is told in the answer.
    """
    results: list[Result] = []
    plan = plans.mine(campaign, user, seat)
    for _one in range(most):
        try:
            said, plan, seen, refused = _first(campaign, user, seat, version, seen, now)
        except TableError as error:
            if not results:
                raise
            return Announced(tuple(results), plan, error)
        if said is None:
            return Announced(tuple(results), plan, refused)
        results.append(said)
        version = plan.version
        why = stop(said) if stop is not None else ""
        if why:
            return Announced(tuple(results), plan, stopped=why)
        if (said.rolls and stop is None) or not plan.size:
            break
    return Announced(tuple(results), plan)


def _first(
    campaign: Campaign, user: Any, seat: str, version: int, seen: int, now: datetime | None
) -> tuple[Result | None, Plan, int, IllegalMove | None]:
    """Say the first move and take it out of the plan; the plan, the reader's last entry then, or the rule's refusal."""
    with transaction.atomic():
        table = log.lock(campaign)
        plan = _current(table, user, seat, version)
        moves = plan.said
        if not moves:
            raise Refused("plan-empty", _("The plan is empty: there is nothing to announce."))
        try:
            result = door.play(table, user, moves[0], seen, now=now)
        except IllegalMove as refusal:  # caught here, so that an entry whose die has fallen stands
            return None, plan, seen, refusal
        _keep(plan, moves[1:], now)
        last = log.visible_entries(result.campaign, access.of(result.campaign, user)).count() - 1
    return result, plan, last, None


def _change(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int | None,
    change: Callable[[Campaign, Moves], None],
    now: datetime | None,
) -> Plan:
    with transaction.atomic():
        table = log.lock(campaign)
        plan = _current(table, user, seat, version)
        if not table.started or table.ended or table.abandoned or table.archived:
            raise NotNow("no-plans", _("This campaign is not played now: there is nothing to plan."))
        moves = plan.said
        change(table, moves)
        _keep(plan, moves, now)
    return plan


def _current(table: Campaign, user: Any, seat: str, version: int | None) -> Plan:
    plan = plans.mine(table, user, seat)
    if version is not None and version != plan.version:
        raise PlanChanged
    return plan


def _place(moves: Moves, at: int) -> int:
    if not 0 <= at < len(moves):
        raise Refused("no-such-move", _("The plan has no such move."))
    return at


def _formed(table: Campaign, seat: str, raw: object) -> dict[str, Any]:
    """The move in the form in which the log would hold it. Raises the title's `IllegalMove` with its `sentence`."""
    try:
        move = moving.decoded(table, positions.current(table), raw)
    except IllegalMove as refusal:
        moving.render(table, refusal)
        raise
    if move.by != seat or move.seat != seat:
        raise NotAllowed("not-your-seat", _("A plan is of moves of your own seat."))
    if len(canonical(move.to_json())) > plans.LONGEST:
        raise Refused("move-too-long", _("This move is too long to be planned."))
    return move.to_json()


def _keep(plan: Plan, moves: Moves, now: datetime | None) -> None:
    plan.moves, plan.size = canonical(moves), len(moves)
    plan.version += 1
    plan.changed_at = log.moment(now)
    plan.save()
