"""Standing orders, given, and heeded when a seat is asked something and its holder is away.

What an order says is the seat's own move and goes the way of every move: read, checked, played, logged, an act before it
saying that a standing order speaks, both as secret as the move is. Nobody is its actor. It is heeded once a question:
when the question comes up (`at once`), or when its clock has run out. What the rules forbid then is skipped, and its
holder alone is told which rule; the next order that fits is tried.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, hooks
from campaign.errors import NotAllowed, NotNow, OrdersChanged, Refused
from campaign.lifecycle import status
from campaign.log import entries, moving, positions
from campaign.log.texts import STANDING
from campaign.models import Campaign, Heeded, LogEntry, StandingOrders
from campaign.seats import selectors
from campaign.seats.seating import free_seats, seat_keys
from engine.errors import IllegalMove
from engine.log import canonical
from engine.strict_json import read
from games.contract.title import Ordered
from games.contract.title import StandingOrders as Takes

logger = logging.getLogger(__name__)
Given = list[dict[str, Any]]
MOST_AT_ONCE = 20


# Given ---------------------------------------------------------------------------------------------------------------


def order(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    raw: Mapping[str, Any],
    when: str,
    at: int | None = None,
    *,
    now: datetime | None = None,
) -> StandingOrders:
    """One order more, or another in the place `at`, counted from 0. One for at once answers also what waits already.

    Raises `OrdersChanged` where another window changed them, the title's `IllegalMove` with its `sentence`, `NotAllowed`
    for everybody but the seat's holder, `NotNow`, `Refused` where there are too many or it is too long.
    """
    if when not in selectors.WHEN:
        raise Refused("bad-when", _("Choose when the order acts."))

    def put(table: Campaign, given: Given) -> None:
        formed = _formed(table, seat, raw)
        timed = {kind.key for kind in selectors.kinds(table, seat) if kind.timed}
        if when == StandingOrders.CLOCK and formed["kind"] not in timed:
            raise Refused("bad-when", _("This order acts at once, or not at all."))
        one = {"order": formed, "when": when}
        if at is None and len(given) >= selectors.MOST:
            raise Refused("many-orders", _("A seat has up to %(most)d orders. Remove one first.") % {"most": selectors.MOST})
        if at is None:
            given.append(one)
        else:
            given[_place(given, at)] = one

    return _change(campaign, user, seat, version, put, now)


def countermand(
    campaign: Campaign, user: Any, seat: str, version: int, at: int | None = None, *, now: datetime | None = None
) -> StandingOrders:
    """Take the order in place `at` out, or all of them. Raises as `order` does."""

    def take(table: Campaign, given: Given) -> None:
        if at is None:
            given.clear()
        else:
            del given[_place(given, at)]

    return _change(campaign, user, seat, version, take, now)


def _change(
    campaign: Campaign, user: Any, seat: str, version: int, change: Callable[[Campaign, Given], None], now: datetime | None
) -> StandingOrders:
    at = entries.moment(now)
    with transaction.atomic():
        table = entries.lock(campaign)
        if seat not in access.access_of(table, user).seats:
            raise NotAllowed("not-your-seat", _("Only the holder of a seat gives it orders."))
        if not selectors.knows_orders(table) or table.ended or table.abandoned or table.archived:
            raise NotNow("no-orders", _("No orders are given here now."))
        kept = StandingOrders.objects.filter(campaign=table, user_id=user.pk, seat=seat).first()
        kept = kept or StandingOrders(campaign=table, user=user, seat=seat)
        if kept.version != version:
            raise OrdersChanged
        given = kept.given
        change(table, given)
        kept.orders, kept.size = canonical(given), len(given)
        kept.timed = any(one["when"] == StandingOrders.CLOCK for one in given)
        kept.version += 1
        kept.changed_at = at
        kept.save()
        if not table.paused and table.started:
            Hearing(table, _last(table), at, opened=False).hear(kept, lambda one: True)
    return kept


def _formed(table: Campaign, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The order as the title reads it, as it will be read again."""
    game = table.game
    assert isinstance(game, Takes)
    try:
        order = dict(game.read_order(positions.current(table), seat, raw))
    except IllegalMove as refusal:
        moving.render(table, refusal)
        raise
    text = canonical(order)
    if len(text) > selectors.LONGEST:
        raise Refused("long-order", _("This order is too long."))
    return dict(read(text))


def _place(given: Given, at: int) -> int:
    if not 0 <= at < len(given):
        raise OrdersChanged
    return at


# Heeded --------------------------------------------------------------------------------------------------------------

Asked = Callable[[Ordered], bool]


def at_once(table: Campaign, entry: LogEntry, before: Any, at: datetime) -> None:
    """What orders say to the questions that the move of this entry brought up. Asks for a transaction that holds the row."""
    if not selectors.knows_orders(table):
        return
    in_force = selectors.in_force(table)  # asked whether there are any or not
    if table.paused or table.ended:
        return
    here = Hearing(table, entry, at)
    for kept in in_force:
        old = {one.question for one in here.orders_for(kept, before)}
        here.hear(kept, lambda one, old=old: one.question not in old)  # type: ignore[misc]


def when_time_is_up(table: Campaign, entry: LogEntry, seats: tuple[str, ...], contest: int | None, at: datetime) -> bool:
    """What orders say to what these seats have let run out: to a contest, where the clock was of one. `entry` opened it.

    `contest` None: to what is asked of them beside contests. Did any speak? Asks for a transaction that holds the row.
    """
    if not selectors.knows_orders(table) or table.paused or table.ended:
        return False
    here = Hearing(table, entry, at, timed=True)
    for kept in selectors.in_force(table):
        if kept.seat in seats:
            here.hear(kept, lambda one: one.contest == contest)
    return here.spoke


@dataclass
class Hearing:
    """Orders heard at one moment: `timed` where time is up; `entry` has `opened` what is asked, but where somebody gives
    an order for what waits already. What breaks here stops no move: it is logged, and the questions wait for their seats.
    """

    table: Campaign
    entry: LogEntry
    at: datetime
    timed: bool = False
    opened: bool = True
    spoke: bool = False

    def orders_for(self, kept: StandingOrders, position: Any) -> list[Ordered]:
        """What they say to each question; nothing is asked of the database."""
        game = self.table.game
        assert isinstance(game, Takes)
        try:
            return list(game.said_by_orders(position, kept.seat, [one["order"] for one in kept.given]))
        except Exception as error:
            self._broken(error)
            return []

    def hear(self, kept: StandingOrders, asked: Asked) -> None:
        """Let them speak to the questions that are `asked`, one after the other, each in the position that the last left."""
        heard: set[str] = set()
        for _once in range(MOST_AT_ONCE):
            fitting = [] if self.table.parked else self._fitting(kept, asked, heard)
            if not fitting:
                return
            heard.add(fitting[0].question)
            try:
                with transaction.atomic():
                    self._answer(kept, fitting)
            except Exception as error:
                self._broken(error)
                self.table.refresh_from_db()
                return

    def _fitting(self, kept: StandingOrders, asked: Asked, heard: set[str]) -> list[Ordered]:
        """What is said to the next question that is not heard yet, the order that governs first: one that waits for the
        clock is none before time is up, and none after it is."""
        by_question: dict[str, list[Ordered]] = {}
        for one in self.orders_for(kept, positions.current(self.table)):
            if one.question not in heard and asked(one):
                by_question.setdefault(one.question, []).append(one)
        for fitting in by_question.values():
            if self.timed or kept.given[fitting[0].order]["when"] == StandingOrders.AT_ONCE:
                return fitting
        return []

    def _answer(self, kept: StandingOrders, fitting: list[Ordered]) -> None:
        """Say the first that the rules allow. Each question of an entry is answered once, and no order refused twice."""
        before = list(Heeded.objects.filter(orders=kept, entry=self.entry, question=fitting[0].question))
        if any(one.acted for one in before):
            return
        refused = {one.place for one in before if one.version == kept.version}
        for one in fitting:
            waits = kept.given[one.order]["when"] != StandingOrders.AT_ONCE
            if waits and not self.timed:
                return
            if one.order not in refused and self._play_order(kept, one):
                self.spoke = True
                return

    def _play_order(self, kept: StandingOrders, one: Ordered) -> bool:
        """Say it, if the rules allow it now; else its holder is told."""
        table, given, position = self.table, kept.given[one.order], positions.current(self.table)
        note = Heeded(
            orders=kept, entry=self.entry, question=one.question, version=kept.version, place=one.order, contest=one.contest,
            content=canonical(given["order"]), at=self.at,
        )  # fmt: skip
        try:
            move = moving.allowed(table, position, dict(one.move))
            if move.by != kept.seat or move.seat != kept.seat:
                raise IllegalMove("not-allowed", "", "bad-argument")
        except IllegalMove as refusal:
            facts = {"code": refusal.code, "rule": refusal.rule, "message": refusal.message, "facts": dict(refusal.facts)}
            note.refusal = canonical(facts)
            note.save()
            hooks.tell_of_order(note, self.at)
            return False
        note.save()
        what: dict[str, Any] = {"act": STANDING, "question": one.question, "when": given["when"]}
        if one.contest is not None:
            what["battle"] = one.contest
        audience = table.game.audience(position, move)
        about = self.entry if self.opened and one.contest is not None else None
        entries.append_act(table, None, what, seat=kept.seat, audience=audience, target=about, now=self.at)
        announced = moving.announce(table, None, position, move, positions.dice(table, new=True), self.at)
        if announced.refused is not None:
            raise announced.refused
        moving.save_campaign(table, announced.position)
        return True

    def _broken(self, error: Exception) -> None:
        # Its words may hold what is secret: where it broke is enough.
        logger.error("Standing orders of campaign %s failed: %s", self.table.pk, type(error).__name__)


def _last(table: Campaign) -> LogEntry:
    """The last move in force: what opened the questions that wait now cannot be later."""
    last = positions.moves_in_force(table).last()
    assert last is not None
    return last


# A program chooses for a seat: said in the log before it does, so that nobody takes its moves for a player's own.

HOW = ("now", "end")
"""For the turn that runs, or to the end."""


@transaction.atomic
def deputize(campaign: Campaign, user: Any, seat: str, how: str, seen: int, *, now: datetime | None = None) -> LogEntry:
    """Log that a program chooses the moves of the seat that follow: the user's own, any for the game master, for one who
    plays where hands are hidden any that nobody holds. It stays: an undo strikes the moves, not this.

    Raises `TableMovedOn`, `NotAllowed` and `NotNow` as `services.play` does.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    others = seat_keys(table) if who.game_master else free_seats(table) if who.host else ()
    if seat not in (*who.seats, *others):
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    if how not in HOW:
        raise Refused("unknown-act", _("A program chooses for now or to the end."))
    status.must_be_played(table, by_master=False)  # what follows are the seat's moves, whoever lets them be chosen
    entries.must_be_current(table, who, seen)
    return entries.append_act(table, user, {"act": entries.DEPUTY, "how": how}, seat=seat, now=at)
