"""Standing orders, programs that choose for a seat, and absences.

A standing order makes the seat's own move, in the same way as every move: it is read, checked,
played and logged. An act before it says that a standing order acts; both are as secret as the move.
The entries have no actor. An order acts once for each question: when the question comes up
(`at-once`), or when its clock has run out. If the rules forbid the move, the order is skipped, only
its holder is notified of the rule, and the next matching order is tried.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import access, hooks, status
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, OrdersChanged, Refused
from campaign.log import entries, positions
from campaign.log.acts.programs import ABSENCE, DEPUTY, STANDING
from campaign.models import AbsenceCampaign, Campaign, LogEntry, StandingOrderResult, StandingOrders
from campaign.seats import selectors
from campaign.seats.seating import free_seats, seat_keys
from engine.errors import IllegalMove
from engine.strict_json import as_stored, canonical, is_clean_text, read
from games.contract.title import Ordered
from games.contract.title import StandingOrders as Takes
from people.models import Absence, User
from people.validators import one_line

logger = logging.getLogger(__name__)
GivenOrders = list[dict[str, Any]]
MOST_AT_ONCE = 20


# Giving orders.


def give_order(
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
    """Add an order, or replace the order in place `at`, counted from 0.

    An order that acts at once also answers questions that are open already. Raises `OrdersChanged`
    if another window has changed the orders, the title's `IllegalMove` with its `sentence`,
    `NotAllowed` for users who do not hold the seat, `NotNow`, and `Refused` if there are too many
    orders or it is too long.
    """
    if when not in selectors.WHEN:
        raise Refused("bad-when", _("Choose when the order acts."))

    def put(table: Campaign, given: GivenOrders) -> None:
        formed = _formed(table, seat, raw)
        timed = {kind.key for kind in selectors.order_kinds(table, seat) if kind.timed}
        if when == StandingOrders.CLOCK and formed["kind"] not in timed:
            raise Refused("bad-when", _("This order can only act at once."))
        new_order = {"order": formed, "when": when}
        if at is None and len(given) >= selectors.MOST:
            raise Refused(
                "many-orders",
                _("A seat can have up to %(most)d orders. Remove one first.")
                % {"most": selectors.MOST},
            )
        if at is None:
            given.append(new_order)
        else:
            given[_place(given, at)] = new_order

    return _change(campaign, user, seat, version, put, now)


def remove_order(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    at: int | None = None,
    *,
    now: datetime | None = None,
) -> StandingOrders:
    """Remove the order in place `at`, or all orders if it is None. Raises as `give_order` does."""

    def take(table: Campaign, given: GivenOrders) -> None:
        if at is None:
            given.clear()
        else:
            del given[_place(given, at)]

    return _change(campaign, user, seat, version, take, now)


def _change(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    change: Callable[[Campaign, GivenOrders], None],
    now: datetime | None,
) -> StandingOrders:
    """Change the orders of a seat, and let them act on questions that are open already."""
    at = entries.moment(now)
    with transaction.atomic():
        table = entries.lock(campaign)
        if seat not in access.access_of(table, user).seats:
            raise NotAllowed("not-your-seat", _("Only the holder of a seat can give it orders."))
        if not selectors.knows_orders(table) or table.ended or table.abandoned or table.archived:
            raise NotNow("no-orders", _("No orders can be given here at present."))
        kept = StandingOrders.objects.filter(campaign=table, user_id=user.pk, seat=seat).first()
        kept = kept or StandingOrders(campaign=table, user=user, seat=seat)
        if kept.version != version:
            raise OrdersChanged
        given = list(kept.orders)
        change(table, given)
        kept.orders, kept.size = given, len(given)
        kept.timed = any(given_order["when"] == StandingOrders.CLOCK for given_order in given)
        kept.version += 1
        kept.changed_at = at
        kept.save()
        if not table.paused and table.started:
            OrderExecution(table, _last(table), at, opened=False).carry_out(
                kept, lambda _ordered: True
            )
    return kept


def _formed(table: Campaign, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the order as the title reads it and as it will be read again."""
    game = table.game
    assert isinstance(game, Takes)
    try:
        order = dict(game.read_order(positions.current(table), seat, raw))
    except IllegalMove as refusal:
        entries.set_sentence(table, refusal)
        raise
    text = canonical(order)
    if len(text) > selectors.LONGEST:
        raise Refused("long-order", _("This order is too long."))
    return dict(read(text))


def _place(given: GivenOrders, at: int) -> int:
    """Return the place if it exists. Raises `OrdersChanged`."""
    if not 0 <= at < len(given):
        raise OrdersChanged
    return at


# Carrying out orders.

QuestionFilter = Callable[[Ordered], bool]


def _is_new(old: Collection[str], ordered: Ordered) -> bool:
    """Return whether the question was not open before."""
    return ordered.question not in old


def carry_out_at_once(table: Campaign, entry: LogEntry, before: Any, at: datetime) -> None:
    """Carry out the orders that answer questions opened by the move of this entry.

    The caller holds the campaign's row.
    """
    if not selectors.knows_orders(table):
        return
    # Read in any case, so that the number of queries is always the same.
    in_force = selectors.orders_in_force(table)
    if table.paused or table.ended:
        return
    here = OrderExecution(table, entry, at)
    for kept in in_force:
        old = {ordered.question for ordered in here.orders_for(kept, before)}
        here.carry_out(kept, partial(_is_new, old))


def carry_out_when_due(
    table: Campaign, entry: LogEntry, seats: tuple[str, ...], contest: int | None, at: datetime
) -> bool:
    """Carry out the orders of these seats when a clock has run out; return whether any acted.

    `contest` is the contest of the clock; None for questions outside contests. `entry` opened the
    question. The caller holds the campaign's row.
    """
    if not selectors.knows_orders(table) or table.paused or table.ended:
        return False
    here = OrderExecution(table, entry, at, timed=True)
    for kept in selectors.orders_in_force(table):
        if kept.seat in seats:
            here.carry_out(kept, lambda ordered: ordered.contest == contest)
    return here.acted


@dataclass
class OrderExecution:
    """The execution of standing orders at one moment.

    `timed` means that a clock has run out. `opened` means that `entry` opened the questions; it is
    False when a user gives an order for questions that are open already. An exception here stops no
    move: it is logged, and the questions wait for their seats.
    """

    table: Campaign
    entry: LogEntry
    at: datetime
    timed: bool = False
    opened: bool = True
    acted: bool = False

    def orders_for(self, kept: StandingOrders, position: Any) -> list[Ordered]:
        """Return the moves that these orders would make for each question. No query."""
        game = self.table.game
        assert isinstance(game, Takes)
        try:
            return list(
                game.answers_by_orders(
                    position, kept.seat, [given["order"] for given in kept.orders]
                )
            )
        except Exception as error:
            self._broken(error)
            return []

    def carry_out(self, kept: StandingOrders, question_filter: QuestionFilter) -> None:
        """Carry out these orders for the questions that the filter accepts, one by one.

        Each acts on the position that the one before has left.
        """
        handled: set[str] = set()
        for _once in range(MOST_AT_ONCE):
            fitting = [] if self.table.parked else self._fitting(kept, question_filter, handled)
            if not fitting:
                return
            handled.add(fitting[0].question)
            try:
                with transaction.atomic():
                    self._answer(kept, fitting)
            except Exception as error:
                self._broken(error)
                self.table.refresh_from_db()
                return

    def _fitting(
        self, kept: StandingOrders, question_filter: QuestionFilter, handled: set[str]
    ) -> list[Ordered]:
        """Return the orders for the next question that has not been handled, by priority.

        If the first one waits for the clock, the question is skipped until time is up.
        """
        by_question: dict[str, list[Ordered]] = {}
        for ordered in self.orders_for(kept, positions.current(self.table)):
            if ordered.question not in handled and question_filter(ordered):
                by_question.setdefault(ordered.question, []).append(ordered)
        for fitting in by_question.values():
            if self.timed or kept.orders[fitting[0].order]["when"] == StandingOrders.AT_ONCE:
                return fitting
        return []

    def _answer(self, kept: StandingOrders, fitting: list[Ordered]) -> None:
        """Carry out the first of these orders that the rules allow.

        Each question of an entry is answered once, and no order is refused twice.
        """
        before = list(
            StandingOrderResult.objects.filter(
                orders=kept, entry=self.entry, question=fitting[0].question
            )
        )
        if any(result.acted for result in before):
            return
        refused = {result.place for result in before if result.version == kept.version}
        for ordered in fitting:
            waits = kept.orders[ordered.order]["when"] != StandingOrders.AT_ONCE
            if waits and not self.timed:
                return
            if ordered.order not in refused and self._play_order(kept, ordered):
                self.acted = True
                return

    def _play_order(self, kept: StandingOrders, ordered: Ordered) -> bool:
        """Make the move of an order if the rules allow it now; otherwise notify its holder."""
        table, given, position = (
            self.table,
            kept.orders[ordered.order],
            positions.current(self.table),
        )
        note = StandingOrderResult(
            orders=kept,
            entry=self.entry,
            question=ordered.question,
            version=kept.version,
            place=ordered.order,
            contest=ordered.contest,
            content=given["order"],
            at=self.at,
        )
        try:
            move = entries.allowed_move(table, position, dict(ordered.move))
            if move.by != kept.seat or move.seat != kept.seat:
                raise IllegalMove("not-allowed", "", "bad-argument")
        except IllegalMove as refusal:
            facts = {
                "code": refusal.code,
                "rule": refusal.rule,
                "message": refusal.message,
                "facts": dict(refusal.facts),
            }
            note.refusal = as_stored(facts)
            note.save()
            hooks.order_refused(note, self.at)
            return False
        note.save()
        what: dict[str, Any] = {
            "act": STANDING.name,
            "question": ordered.question,
            "when": given["when"],
        }
        if ordered.contest is not None:
            what["battle"] = ordered.contest
        audience = table.game.audience(position, move)
        about = self.entry if self.opened and ordered.contest is not None else None
        entries.append_act(
            table, None, what, seat=kept.seat, audience=audience, target=about, now=self.at
        )
        announced = entries.announce(
            table, None, position, move, positions.dice(table, new=True), self.at
        )
        if announced.refused is not None:
            raise announced.refused
        entries.save_campaign(table, announced.position)
        return True

    def _broken(self, error: Exception) -> None:
        # The text of the exception may contain secrets; its type is enough.
        """Log an exception without its text."""
        logger.error(
            "Standing orders of campaign %s failed: %s", self.table.pk, type(error).__name__
        )


def _last(table: Campaign) -> LogEntry:
    """Return the last move in force.

    The questions that are open now were opened by it or earlier.
    """
    last = positions.moves_in_force(table).last()
    assert last is not None
    return last


# A program that chooses for a seat. This is logged before, so that its moves are not mistaken for a
# player's own.

HOW = ("now", "end")
"""How long a program chooses for a seat: for the running turn, or to the end."""


@transaction.atomic
def deputize(
    campaign: Campaign, user: Any, seat: str, how: str, seen: int, *, now: datetime | None = None
) -> LogEntry:
    """Log that a program chooses the next moves of a seat.

    Users may do this for their own seats, game masters for any seat, and game masters who play
    where hands are hidden for any free seat. The act stays: an undo strikes the moves, not the act.
    Raises `TableMovedOn`, `NotAllowed` and `NotNow` as `services.play` does.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    others = seat_keys(table) if who.game_master else free_seats(table) if who.host else ()
    if seat not in (*who.seats, *others):
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    if how not in HOW:
        raise Refused(
            "unknown-act",
            _("Choose whether the program decides for this turn only or until the end."),
        )
    # The following entries are moves of the seat, even if the game master has a program choose
    # them.
    status.must_be_played(table, by_master=False)
    entries.must_be_current(table, who, seen)
    return entries.append_act(table, user, {"act": DEPUTY.name, "how": how}, seat=seat, now=at)


# Absences: a user announces when they are away, and each of their campaigns logs an act.

MOST = 12
LONGEST = timedelta(days=366)
AHEAD = timedelta(days=2 * 366)


@transaction.atomic
def announce_absence(
    user: Any,
    first: date,
    last: date,
    *,
    note: str = "",
    masters_only: bool = False,
    campaigns: Iterable[Campaign] | None = None,
    now: datetime | None = None,
) -> Absence:
    """Announce that the user is away from the first to the last day, in their own time zone.

    `campaigns` are those to inform; None for all of theirs. Raises `Refused` if the days are
    invalid or overlap another absence, and `NotAllowed` for a guest.
    """
    access.must_have_account(user)
    at = entries.moment(now)
    _one_at_a_time(user)
    kept = Absence(user=user, announced_at=at)
    if selectors.valid_absences().filter(user=user, ends_at__gt=at).count() >= MOST:
        raise Refused(
            "many",
            _("You have already announced %(most)d absences. Take one back first.")
            % {"most": MOST},
        )
    _write(kept, first, last, note, masters_only, campaigns, at)
    for table in _tables(kept):
        _write_absence(table, kept, "announced", at)
    _note_before_start(user)
    return kept


@transaction.atomic
def change_absence(
    user: Any,
    number: int,
    first: date,
    last: date,
    *,
    note: str = "",
    masters_only: bool = False,
    campaigns: Iterable[Campaign] | None = None,
    now: datetime | None = None,
) -> Absence:
    """Change the days, the note or the campaigns of an absence.

    A campaign logs an act if its days change, or if it is newly informed or no longer informed.
    Raises as `announce_absence` does, and `NoSuchEntry` if the user has no such absence.
    """
    at = entries.moment(now)
    kept = _absence_of_user(user, number)
    days = kept.first, kept.last
    before = {table.pk: table for table in _tables(kept)}
    _write(kept, first, last, note, masters_only, campaigns, at)
    after = {table.pk: table for table in _tables(kept)}
    for key, table in sorted((before | after).items()):
        if key not in after:
            _write_absence(table, kept, "taken-back", at)
        elif key not in before:
            _write_absence(table, kept, "announced", at)
        elif days != (kept.first, kept.last):
            _write_absence(table, kept, "changed", at)
    _note_before_start(user)
    return kept


@transaction.atomic
def take_back_absence(user: Any, number: int, *, now: datetime | None = None) -> None:
    """Take an absence back, because the user is not away after all or has returned.

    Raises `NoSuchEntry` if they have no such absence.
    """
    at = entries.moment(now)
    kept = _absence_of_user(user, number)
    tables = _tables(kept) if kept.ends_at > at else []
    kept.taken_back_at = at
    kept.save(update_fields=["taken_back_at"])
    for table in tables:
        _write_absence(table, kept, "taken-back", at)
    _note_before_start(user)


def _note_before_start(user: Any) -> None:
    """Count a change in the user's campaigns that have not started: their logs have no absences."""
    campaigns = selectors.campaigns_to_inform(user).filter(started=False)
    entries.note_change(pk__in=list(campaigns.values_list("pk", flat=True)))


def _one_at_a_time(user: Any) -> None:
    """Lock the user, so that two windows cannot announce the same days twice."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()


def _absence_of_user(user: Any, number: int) -> Absence:
    """Return a valid absence of this user, with the user locked. Raises `NoSuchEntry`."""
    _one_at_a_time(user)
    absence = selectors.valid_absences().filter(user_id=user.pk, pk=number).first()
    if absence is None:
        raise NoSuchEntry
    return absence


def _write(
    kept: Absence,
    first: date,
    last: date,
    note: str,
    masters_only: bool,
    campaigns: Iterable[Campaign] | None,
    at: datetime,
) -> None:
    """Check and save an absence and its campaigns."""
    user = kept.user
    today = at.astimezone(ZoneInfo(user.time_zone)).date()
    if last < first:
        raise Refused("backwards", _("The last day must not be before the first."))
    if last < today:
        raise Refused("past", _("These days have already passed."))
    if last - first > LONGEST or first - today > AHEAD or today - first > LONGEST:
        raise Refused(
            "too-long", _("An absence can last up to a year, and must begin within two years.")
        )
    note = note.strip()
    entries.must_be_visible(note, pgettext("field", "Note"))
    if note and not (is_clean_text(note, Absence.LONGEST_NOTE) and _on_a_line(note)):
        raise Refused(
            "bad-note",
            _("A note can have up to %(most)d characters on one line.")
            % {"most": Absence.LONGEST_NOTE},
        )
    others = (
        selectors.valid_absences()
        .filter(user=user, first__lte=last, last__gte=first)
        .exclude(pk=kept.pk)
    )
    if others.exists():
        raise Refused(
            "overlaps",
            _(
                "You have already announced that you are away on some of these days. Change that"
                " absence."
            ),
        )
    chosen = None if campaigns is None else list(campaigns)
    if chosen is not None:
        may = set(selectors.campaigns_to_inform(user).values_list("pk", flat=True))
        known = (
            set(kept.campaign_links.filter(dropped_at=None).values_list("campaign_id", flat=True))
            if kept.pk
            else set()
        )
        if not chosen or not {campaign.pk for campaign in chosen} <= may | known:
            raise Refused(
                "no-campaign", _("Choose at least one of your campaigns, or all of them.")
            )
    kept.first, kept.last, kept.time_zone = first, last, user.time_zone
    kept.begins_at, kept.ends_at = (
        midnight(first, user.time_zone),
        midnight(last + timedelta(days=1), user.time_zone),
    )
    kept.note, kept.masters_only, kept.everywhere, kept.changed_at = (
        note,
        masters_only,
        chosen is None,
        at,
    )
    kept.save()
    AbsenceCampaign.objects.filter(absence=kept, dropped_at=None).update(dropped_at=at)
    for campaign in chosen or ():
        AbsenceCampaign.objects.update_or_create(
            absence=kept, campaign=campaign, defaults={"dropped_at": None}
        )


def _on_a_line(text: str) -> bool:
    try:
        one_line(text)
    except ValidationError:
        return False
    return True


def midnight(day: date, zone: str) -> datetime:
    """Return the instant at which a day begins in a time zone."""
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def _tables(kept: Absence) -> list[Campaign]:
    """Return the running campaigns that are informed of it, locked, always in the same order."""
    campaigns = selectors.campaigns_to_inform(kept.user).filter(started=True)
    if not kept.everywhere:
        campaigns = campaigns.filter(
            pk__in=kept.campaign_links.filter(dropped_at=None).values("campaign")
        )
    return [entries.lock(campaign) for campaign in campaigns.order_by("pk")]


def _write_absence(table: Campaign, kept: Absence, how: str, at: datetime) -> None:
    """Log an act on an absence."""
    days = {"first": kept.first.isoformat(), "last": kept.last.isoformat()}
    entries.append_act(
        table, kept.user, {"act": ABSENCE.name, "how": how, "user": kept.user_id, **days}, now=at
    )
