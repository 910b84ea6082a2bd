"""A player's plan: moves that are announced later.

Only its maker, who holds the seat, sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet, Subquery
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NotAllowed, NotNow, PlanChanged, Refused, TableError
from campaign.log import consequences, entries, move_service, positions
from campaign.log.consequences import PagePosition
from campaign.log.move_service import Result
from campaign.models import Campaign, Membership, Plan
from engine.errors import IllegalMove
from engine.strict_json import as_stored, canonical, is_clean_text
from games.contract.plain import RawMove
from games.contract.title import Branch, Title

MOST = 30
"""The maximum number of moves in a plan."""
LONGEST = 2000
"""The maximum number of characters in a move, as canonical JSON."""
LONGEST_KEY = 40


class ForeseenMove(NamedTuple):
    """A planned move as it would be after the moves before it.

    `before` is the position then; None if an earlier move stops the plan. `branches` are its
    possible outcomes; empty if it is refused or its dice cannot be foreseen.
    """

    content: RawMove
    before: Any = None
    branches: tuple[Branch, ...] = ()
    refusal: IllegalMove | None = None

    @property
    def reached(self) -> bool:
        """Whether the moves before it are possible and certain."""
        return self.before is not None

    @property
    def certain(self) -> bool:
        """Whether its outcome is known, so that a position after it exists.

        It is not if a die falls.
        """
        return len(self.branches) == 1 and self.branches[0].what.id == "certain"

    @property
    def die(self) -> bool:
        """Whether the move is possible and needs a die."""
        return self.reached and self.refusal is None and not self.certain

    @property
    def after(self) -> Any:
        """The position after it, if its outcome is known, otherwise the position before it."""
        return self.branches[0].after if self.certain else self.before


def plan_of_user(
    campaign: Campaign, user: Any, seat: str, who: access.Access | None = None
) -> Plan:
    """Return this user's plan for a seat that they hold; an unsaved, empty one if they have none.

    `who` are their rights, if they have been queried. Raises `NotAllowed`.
    """
    if seat not in access.access_of(campaign, who or user).seats:
        raise NotAllowed(
            "not-your-seat",
            _("Only the holder of a seat can make plans for it, and no one else can see them."),
        )
    kept = Plan.objects.filter(campaign=campaign, user_id=user.pk, seat=seat).first()
    return kept or Plan(campaign=campaign, user=user, seat=seat)


def with_plans(
    places: QuerySet[Membership], campaign: Campaign, user: Any, seat: str
) -> QuerySet[Membership]:
    """Annotate the places of a campaign with the plans of this user.

    With a seat, `planned` is the number of moves of the user's plan for it, None without a plan.
    Without a seat, `listed` is the time when the user last changed a plan.
    """
    own = Plan.objects.filter(campaign=campaign, user_id=user.pk)
    if not seat:
        newest = own.order_by("-changed_at")
        return places.annotate(listed=Subquery(newest.values("changed_at")[:1]))
    if not is_clean_text(seat, LONGEST_KEY):
        return places
    return places.annotate(planned=Subquery(own.filter(seat=seat).values("size")[:1]))


def foresee_moves(title: Title, position: Any, moves: Iterable[RawMove]) -> list[ForeseenMove]:
    """Return each move as it would be after the moves before it, up to the first refusal or die.

    The moves after that are not reached. Nothing is thrown or written. The result contains hidden
    facts: effects must be filtered for the reader, as in a preview.
    """
    foreseen: list[ForeseenMove] = []
    for planned in moves:
        if foreseen and not foreseen[-1].certain:
            foreseen.append(ForeseenMove(planned))
            continue
        before = foreseen[-1].after if foreseen else position
        try:
            branches = tuple(title.branches(before, title.decode(dict(planned), before)))
        except IllegalMove as refusal:
            unknown = refusal.code == "no-dice"
            foreseen.append(ForeseenMove(planned, before, (), None if unknown else refusal))
        else:
            foreseen.append(ForeseenMove(planned, before, branches))
    return foreseen


# Writing and announcing a plan. Each of its moves is played like any other move.

Moves = list[dict[str, Any]]
EARLIER, LATER = -1, 1


class AnnouncementResult(NamedTuple):
    """The result of announcing a plan: the moves played, the plan that is left, and why it stopped.

    `refused` is a refusal by the rules with its `sentence`, or by the table after a move was
    played; `stopped` is the answer of the caller's `stop`. If both are empty and a plan is left, a
    die fell or no more moves were requested.
    """

    results: tuple[Result, ...]
    plan: Plan
    refused: IllegalMove | TableError | None = None
    stopped: str = ""


def plan_move(
    campaign: Campaign, user: Any, seat: str, raw_move: object, *, now: datetime | None = None
) -> Plan:
    """Add a move at the end of the plan.

    Only its form is checked, because the moves before it may make it possible. Raises `NotAllowed`,
    `NotNow`, `Refused` if the plan or the move is too long, and the title's `IllegalMove`.
    """

    def add(table: Campaign, moves: Moves) -> None:
        if len(moves) >= MOST:
            raise Refused(
                "plan-full",
                _("A plan can hold up to %(most)d moves. Announce or remove some of them.")
                % {"most": MOST},
            )
        moves.append(_formed(table, seat, raw_move))

    return _change(campaign, user, seat, None, add, now)


def replace_planned_move(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    at: int,
    raw_move: object,
    *,
    now: datetime | None = None,
) -> Plan:
    """Replace move `at`, counted from 0, by another move.

    Raises as `plan_move` does, and `PlanChanged`.
    """

    def put(table: Campaign, moves: Moves) -> None:
        moves[_place(moves, at)] = _formed(table, seat, raw_move)

    return _change(campaign, user, seat, version, put, now)


def move_planned_move(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    at: int,
    by: int,
    *,
    now: datetime | None = None,
) -> Plan:
    """Swap a move with the one before (`EARLIER`) or after it (`LATER`), if there is one.

    Raises `PlanChanged`.
    """

    def move(table: Campaign, moves: Moves) -> None:
        here = _place(moves, at)
        there = here + by
        if 0 <= there < len(moves):
            moves[here], moves[there] = moves[there], moves[here]

    return _change(campaign, user, seat, version, move, now)


def remove_planned_move(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    at: int | None = None,
    *,
    now: datetime | None = None,
) -> Plan:
    """Remove move `at`, or all moves. Raises `PlanChanged`."""

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
    most: int = MOST,
    *,
    stop: Callable[[Result], str] | None = None,
    now: datetime | None = None,
) -> AnnouncementResult:
    """Announce the first `most` moves one after the other, each with an entry of its own.

    It stops at the first refusal, after the first die, and at a move that no longer means what it
    meant on the page (`move_service.play`). With `stop` it continues over dice, until `stop`
    returns a reason after a move; `stop` is called after the last move, too. An announced move
    leaves the plan in the same transaction. If not even the first move was played, a refusal by the
    table is raised: `PlanChanged`, `TableMovedOn`, `NotNow`. A refusal by the rules is in the
    result.
    """
    results: list[Result] = []
    plan = plan_of_user(campaign, user, seat)
    shown = consequences.page_position_before(campaign, access.access_of(campaign, user), seen)
    for _move in range(most):
        try:
            announced, plan, seen, refused = _first(campaign, user, seat, version, seen, shown, now)
        except TableError as error:
            if not results:
                raise
            return AnnouncementResult(tuple(results), plan, error)
        if announced is None:
            return AnnouncementResult(tuple(results), plan, refused)
        results.append(announced)
        version = plan.version
        shown = consequences.page_position_after(shown, announced.entries)
        why = stop(announced) if stop is not None else ""
        if why:
            return AnnouncementResult(tuple(results), plan, stopped=why)
        if (announced.rolls and stop is None) or not plan.size:
            break
    return AnnouncementResult(tuple(results), plan)


def _first(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    seen: int,
    shown: PagePosition | None,
    now: datetime | None,
) -> tuple[Result | None, Plan, int, IllegalMove | None]:
    """Play the first move and remove it from the plan.

    Returns the result, the plan, the reader's last entry, and the refusal by the rules.
    """
    with transaction.atomic():
        table = entries.lock(campaign)
        plan = _current(table, user, seat, version)
        moves = plan.moves
        if not moves:
            raise Refused("plan-empty", _("The plan is empty: there is nothing to announce."))
        try:
            result = move_service.play(table, user, moves[0], seen, now=now, shown=shown)
        # Caught within the transaction, so that an entry whose die has fallen is kept.
        except IllegalMove as refusal:
            return None, plan, seen, refusal
        _keep(plan, moves[1:], now)
        last = entries.last_seen(result.campaign, access.access_of(result.campaign, user))
    return result, plan, last, None


def _change(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int | None,
    change: Callable[[Campaign, Moves], None],
    now: datetime | None,
) -> Plan:
    """Change a plan with its campaign locked."""
    with transaction.atomic():
        table = entries.lock(campaign)
        plan = _current(table, user, seat, version)
        if not table.started or table.ended or table.abandoned or table.archived:
            raise NotNow(
                "no-plans",
                _("This campaign is not being played at present, so there is nothing to plan."),
            )
        moves = list(plan.moves)
        change(table, moves)
        _keep(plan, moves, now)
    return plan


def _current(table: Campaign, user: Any, seat: str, version: int | None) -> Plan:
    """Return the plan. Raises `PlanChanged` if it has another version."""
    plan = plan_of_user(table, user, seat)
    if version is not None and version != plan.version:
        raise PlanChanged
    return plan


def _place(moves: Moves, at: int) -> int:
    """Return the place if the plan has such a move. Raises `Refused`."""
    if not 0 <= at < len(moves):
        raise Refused("no-such-move", _("The plan has no such move."))
    return at


def _formed(table: Campaign, seat: str, raw: object) -> dict[str, Any]:
    """Return the move in the form in which the log would have it.

    Raises the title's `IllegalMove` with its `sentence`.
    """
    try:
        move = entries.reread_move(table, positions.current(table), raw)
    except IllegalMove as refusal:
        entries.set_sentence(table, refusal)
        raise
    if move.by != seat or move.seat != seat:
        raise NotAllowed("not-your-seat", _("A plan can contain only moves of your own seat."))
    if len(canonical(move.to_json())) > LONGEST:
        raise Refused("move-too-long", _("This move is too long for a plan."))
    return move.to_json()


def _keep(plan: Plan, moves: Moves, now: datetime | None) -> None:
    """Save the moves of a plan."""
    plan.moves, plan.size = as_stored(moves), len(moves)
    plan.version += 1
    plan.changed_at = entries.moment(now)
    plan.save()
    entries.note_own_change(Membership.objects.filter(campaign=plan.campaign_id, user=plan.user_id))
