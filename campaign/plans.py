"""A player's plan, read: nobody but who made it, and holds the seat, learns of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet, Subquery
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NotAllowed, NotNow, PlanChanged, Refused, TableError
from campaign.log import consequences, door, entries, positions
from campaign.log.consequences import Shown
from campaign.log.door import Result
from campaign.models import Campaign, Membership, Plan
from engine.errors import IllegalMove
from engine.strict_json import as_stored, canonical, clean_text
from games.contract.plain import RawMove
from games.contract.title import Branch, Title

MOST = 30
"""Moves in a plan."""
LONGEST = 2000
"""Characters of one move, as canonical JSON."""
LONGEST_KEY = 40


class Foreseen(NamedTuple):
    """A planned move as it would be after those before it.

    `before` is the position then, None where a move before it stops the plan. `branches` are its
    ways to turn out, empty where a refusal or a die that cannot be told beforehand stands.
    """

    content: RawMove
    before: Any = None
    branches: tuple[Branch, ...] = ()
    refusal: IllegalMove | None = None

    @property
    def reached(self) -> bool:
        return self.before is not None

    @property
    def certain(self) -> bool:
        """Is it known what it does, and so what stands after it? Not where a die falls."""
        return len(self.branches) == 1 and self.branches[0].what.id == "certain"

    @property
    def die(self) -> bool:
        return self.reached and self.refusal is None and not self.certain

    @property
    def after(self) -> Any:
        """The position after it, as far as that is known."""
        return self.branches[0].after if self.certain else self.before


def plan_of_user(
    campaign: Campaign, user: Any, seat: str, who: access.Access | None = None
) -> Plan:
    """This user's plan for a seat that they hold; an empty one, not stored, where they have none.
    Raises `NotAllowed`.

    `who` is their place at the table, where that has been asked for already.
    """
    if seat not in access.access_of(campaign, who or user).seats:
        raise NotAllowed(
            "not-your-seat",
            _("Only the holder of a seat makes plans for it, and nobody else sees them."),
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
    if not clean_text(seat, LONGEST_KEY):
        return places
    return places.annotate(planned=Subquery(own.filter(seat=seat).values("size")[:1]))


def foresee(title: Title, position: Any, moves: Iterable[RawMove]) -> list[Foreseen]:
    """Each move as it would be after those before it, to the first refusal or die; the rest is not
    reached.

    Nothing is thrown or written, the position stays as it is. Hidden things stand in what is made
    here: effects are for the reader's eyes to filter, as in a preview.
    """
    foreseen: list[Foreseen] = []
    for planned in moves:
        if foreseen and not foreseen[-1].certain:
            foreseen.append(Foreseen(planned))
            continue
        before = foreseen[-1].after if foreseen else position
        try:
            branches = tuple(title.branches(before, title.decode(dict(planned), before)))
        except IllegalMove as refusal:
            unknown = refusal.code == "no-dice"
            foreseen.append(Foreseen(planned, before, (), None if unknown else refusal))
        else:
            foreseen.append(Foreseen(planned, before, branches))
    return foreseen


# A plan written, and announced: each of its moves through the door that every move takes.

Moves = list[dict[str, Any]]
EARLIER, LATER = -1, 1


class Announced(NamedTuple):
    """What came of a plan: what was said, in order, the plan that is left, and what stopped it.

    `refused` is a rule's refusal with its `sentence`, or the table's own after something was said;
    `stopped` what a stop of the player's said. None of them, and a plan that is left: a die fell,
    or no more was asked for.
    """

    results: tuple[Result, ...]
    plan: Plan
    refused: IllegalMove | TableError | None = None
    stopped: str = ""


def plan_move(
    campaign: Campaign, user: Any, seat: str, raw_move: object, *, now: datetime | None = None
) -> Plan:
    """Add a move at the end. Of the rules only its form is asked: others before it may make it
    possible.

    Raises `NotAllowed`, `NotNow`, `Refused` where the plan or the move is too long, and the title's
    `IllegalMove`.
    """

    def add(table: Campaign, moves: Moves) -> None:
        if len(moves) >= MOST:
            raise Refused(
                "plan-full",
                _("A plan holds up to %(most)d moves. Announce some, or remove some.")
                % {"most": MOST},
            )
        moves.append(_formed(table, seat, raw_move))

    return _change(campaign, user, seat, None, add, now)


def replan(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    at: int,
    raw_move: object,
    *,
    now: datetime | None = None,
) -> Plan:
    """Put another move in the place of move `at`, counted from 0. Raises as `plan_move` does, and
    `PlanChanged`.
    """

    def put(table: Campaign, moves: Moves) -> None:
        moves[_place(moves, at)] = _formed(table, seat, raw_move)

    return _change(campaign, user, seat, version, put, now)


def shift(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    at: int,
    by: int,
    *,
    now: datetime | None = None,
) -> Plan:
    """Change places with the move before (`EARLIER`) or after (`LATER`); at an end it stays. Raises
    `PlanChanged`.
    """

    def move(table: Campaign, moves: Moves) -> None:
        here = _place(moves, at)
        there = here + by
        if 0 <= there < len(moves):
            moves[here], moves[there] = moves[there], moves[here]

    return _change(campaign, user, seat, version, move, now)


def unplan(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    at: int | None = None,
    *,
    now: datetime | None = None,
) -> Plan:
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
    most: int = MOST,
    *,
    stop: Callable[[Result], str] | None = None,
    now: datetime | None = None,
) -> Announced:
    """Announce the first `most` moves, one after the other, each as `play` does: an entry of its
    own.

    It stops at the first refusal, after the first die, and at a move that no longer means what it
    meant on the page, which showed it on the position after the moves before it (`door.play`). With
    `stop` it goes on over dice, to the first move after which `stop` says a word: why; it is asked
    after the last one, too. What was announced leaves the plan in the same transaction; what was
    not stays. Where not even the first was said, what the table refuses is raised: `PlanChanged`,
    `TableMovedOn`, `NotNow`; a rule's refusal is told in the answer.
    """
    results: list[Result] = []
    plan = plan_of_user(campaign, user, seat)
    shown = consequences.shown_before(campaign, access.access_of(campaign, user), seen)
    for _one in range(most):
        try:
            announced, plan, seen, refused = _first(campaign, user, seat, version, seen, shown, now)
        except TableError as error:
            if not results:
                raise
            return Announced(tuple(results), plan, error)
        if announced is None:
            return Announced(tuple(results), plan, refused)
        results.append(announced)
        version = plan.version
        shown = consequences.shown_after(shown, announced.entries)
        why = stop(announced) if stop is not None else ""
        if why:
            return Announced(tuple(results), plan, stopped=why)
        if (announced.rolls and stop is None) or not plan.size:
            break
    return Announced(tuple(results), plan)


def _first(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    seen: int,
    shown: Shown | None,
    now: datetime | None,
) -> tuple[Result | None, Plan, int, IllegalMove | None]:
    """Say the first move and take it out of the plan; the plan, the reader's last entry then, or
    the rule's refusal.
    """
    with transaction.atomic():
        table = entries.lock(campaign)
        plan = _current(table, user, seat, version)
        moves = plan.moves
        if not moves:
            raise Refused("plan-empty", _("The plan is empty: there is nothing to announce."))
        try:
            result = door.play(table, user, moves[0], seen, now=now, shown=shown)
        except IllegalMove as refusal:  # caught here, so that an entry whose die has fallen stands
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
    with transaction.atomic():
        table = entries.lock(campaign)
        plan = _current(table, user, seat, version)
        if not table.started or table.ended or table.abandoned or table.archived:
            raise NotNow(
                "no-plans", _("This campaign is not played now: there is nothing to plan.")
            )
        moves = list(plan.moves)
        change(table, moves)
        _keep(plan, moves, now)
    return plan


def _current(table: Campaign, user: Any, seat: str, version: int | None) -> Plan:
    plan = plan_of_user(table, user, seat)
    if version is not None and version != plan.version:
        raise PlanChanged
    return plan


def _place(moves: Moves, at: int) -> int:
    if not 0 <= at < len(moves):
        raise Refused("no-such-move", _("The plan has no such move."))
    return at


def _formed(table: Campaign, seat: str, raw: object) -> dict[str, Any]:
    """The move in the form in which the log would hold it. Raises the title's `IllegalMove` with
    its `sentence`.
    """
    try:
        move = entries.decoded(table, positions.current(table), raw)
    except IllegalMove as refusal:
        entries.render(table, refusal)
        raise
    if move.by != seat or move.seat != seat:
        raise NotAllowed("not-your-seat", _("A plan has moves of your own seat only."))
    if len(canonical(move.to_json())) > LONGEST:
        raise Refused("move-too-long", _("This move is too long to be planned."))
    return move.to_json()


def _keep(plan: Plan, moves: Moves, now: datetime | None) -> None:
    plan.moves, plan.size = as_stored(moves), len(moves)
    plan.version += 1
    plan.changed_at = entries.moment(now)
    plan.save()
    entries.note_own_change(Membership.objects.filter(campaign=plan.campaign_id, user=plan.user_id))
