"""Standing orders, given, and heeded when a seat is asked something and its holder is away.

What an order says is the seat's own move and goes the way of every move: read, checked, played,
logged, an act before it saying that a standing order speaks, both as secret as the move is. Nobody
is its actor. It is heeded once a question: when the question comes up (`at once`), or when its
clock has run out. What the rules forbid then is skipped, and its holder alone is told which rule;
the next order that fits is tried.
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

from campaign import access, hooks, status
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, OrdersChanged, Refused
from campaign.log import entries, positions
from campaign.log.acts.programs import ABSENCE, DEPUTY, STANDING
from campaign.models import AbsenceCampaign, Campaign, LogEntry, StandingOrderResult, StandingOrders
from campaign.seats import selectors
from campaign.seats.seating import free_seats, seat_keys
from engine.errors import IllegalMove
from engine.strict_json import as_stored, canonical, clean_text, read
from games.contract.title import Ordered
from games.contract.title import StandingOrders as Takes
from people.models import Absence, User
from people.validators import one_line

logger = logging.getLogger(__name__)
Given = list[dict[str, Any]]
MOST_AT_ONCE = 20


# Given --------------------------------------------------------------------------------------------


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
    """One order more, or another in the place `at`, counted from 0. One for at once answers also
    what waits already.

    Raises `OrdersChanged` where another window changed them, the title's `IllegalMove` with its
    `sentence`, `NotAllowed` for everybody but the seat's holder, `NotNow`, `Refused` where there
    are too many or it is too long.
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
            raise Refused(
                "many-orders",
                _("A seat has up to %(most)d orders. Remove one first.") % {"most": selectors.MOST},
            )
        if at is None:
            given.append(one)
        else:
            given[_place(given, at)] = one

    return _change(campaign, user, seat, version, put, now)


def countermand(
    campaign: Campaign,
    user: Any,
    seat: str,
    version: int,
    at: int | None = None,
    *,
    now: datetime | None = None,
) -> StandingOrders:
    """Take the order in place `at` out, or all of them. Raises as `order` does."""

    def take(table: Campaign, given: Given) -> None:
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
    change: Callable[[Campaign, Given], None],
    now: datetime | None,
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
        given = list(kept.orders)
        change(table, given)
        kept.orders, kept.size = given, len(given)
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
        entries.render(table, refusal)
        raise
    text = canonical(order)
    if len(text) > selectors.LONGEST:
        raise Refused("long-order", _("This order is too long."))
    return dict(read(text))


def _place(given: Given, at: int) -> int:
    if not 0 <= at < len(given):
        raise OrdersChanged
    return at


# What became of standing orders

Asked = Callable[[Ordered], bool]


def _is_new(old: Collection[str], ordered: Ordered) -> bool:
    """Return whether the question was not open before."""
    return ordered.question not in old


def at_once(table: Campaign, entry: LogEntry, before: Any, at: datetime) -> None:
    """What orders say to the questions that the move of this entry brought up. Asks for a
    transaction that holds the row.
    """
    if not selectors.knows_orders(table):
        return
    in_force = selectors.in_force(table)  # asked whether there are any or not
    if table.paused or table.ended:
        return
    here = Hearing(table, entry, at)
    for kept in in_force:
        old = {one.question for one in here.orders_for(kept, before)}
        here.hear(kept, partial(_is_new, old))


def when_time_is_up(
    table: Campaign, entry: LogEntry, seats: tuple[str, ...], contest: int | None, at: datetime
) -> bool:
    """What orders say to what these seats have let run out: to a contest, where the clock was of
    one. `entry` opened it.

    `contest` None: to what is asked of them beside contests. Did any speak? Asks for a transaction
    that holds the row.
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
    """Orders heard at one moment: `timed` where time is up; `entry` has `opened` what is asked, but
    where somebody gives an order for what waits already. What breaks here stops no move: it is
    logged, and the questions wait for their seats.
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
            return list(
                game.said_by_orders(position, kept.seat, [one["order"] for one in kept.orders])
            )
        except Exception as error:
            self._broken(error)
            return []

    def hear(self, kept: StandingOrders, asked: Asked) -> None:
        """Let them speak to the questions that are `asked`, one after the other, each in the
        position that the last left.
        """
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
        """What is said to the next question that is not heard yet, the order that governs first:
        one that waits for the clock is none before time is up, and none after it is.
        """
        by_question: dict[str, list[Ordered]] = {}
        for one in self.orders_for(kept, positions.current(self.table)):
            if one.question not in heard and asked(one):
                by_question.setdefault(one.question, []).append(one)
        for fitting in by_question.values():
            if self.timed or kept.orders[fitting[0].order]["when"] == StandingOrders.AT_ONCE:
                return fitting
        return []

    def _answer(self, kept: StandingOrders, fitting: list[Ordered]) -> None:
        """Say the first that the rules allow. Each question of an entry is answered once, and no
        order refused twice.
        """
        before = list(
            StandingOrderResult.objects.filter(
                orders=kept, entry=self.entry, question=fitting[0].question
            )
        )
        if any(one.acted for one in before):
            return
        refused = {one.place for one in before if one.version == kept.version}
        for one in fitting:
            waits = kept.orders[one.order]["when"] != StandingOrders.AT_ONCE
            if waits and not self.timed:
                return
            if one.order not in refused and self._play_order(kept, one):
                self.spoke = True
                return

    def _play_order(self, kept: StandingOrders, one: Ordered) -> bool:
        """Say it, if the rules allow it now; else its holder is told."""
        table, given, position = self.table, kept.orders[one.order], positions.current(self.table)
        note = StandingOrderResult(
            orders=kept,
            entry=self.entry,
            question=one.question,
            version=kept.version,
            place=one.order,
            contest=one.contest,
            content=given["order"],
            at=self.at,
        )
        try:
            move = entries.allowed(table, position, dict(one.move))
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
            "question": one.question,
            "when": given["when"],
        }
        if one.contest is not None:
            what["battle"] = one.contest
        audience = table.game.audience(position, move)
        about = self.entry if self.opened and one.contest is not None else None
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
        # Its words may hold what is secret: where it broke is enough.
        logger.error(
            "Standing orders of campaign %s failed: %s", self.table.pk, type(error).__name__
        )


def _last(table: Campaign) -> LogEntry:
    """The last move in force: what opened the questions that wait now cannot be later."""
    last = positions.moves_in_force(table).last()
    assert last is not None
    return last


# A program chooses for a seat: said in the log before it does, so that nobody takes its moves for a
# player's own.

HOW = ("now", "end")
"""For the turn that runs, or to the end."""


@transaction.atomic
def deputize(
    campaign: Campaign, user: Any, seat: str, how: str, seen: int, *, now: datetime | None = None
) -> LogEntry:
    """Log that a program chooses the moves of the seat that follow: the user's own, any for the
    game master, for one who plays where hands are hidden any that nobody holds. It stays: an undo
    strikes the moves, not this.

    Raises `TableMovedOn`, `NotAllowed` and `NotNow` as `services.play` does.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    others = seat_keys(table) if who.game_master else free_seats(table) if who.host else ()
    if seat not in (*who.seats, *others):
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    if how not in HOW:
        raise Refused("unknown-act", _("A program chooses for now or to the end."))
    status.must_be_played(
        table, by_master=False
    )  # what follows are the seat's moves, whoever lets them be chosen
    entries.must_be_current(table, who, seen)
    return entries.append_act(table, user, {"act": DEPUTY.name, "how": how}, seat=seat, now=at)


# A person says when they are away, and the campaigns that they play in are told: one act in the log
# of each.

MOST = 12
LONGEST = timedelta(days=366)
AHEAD = timedelta(days=2 * 366)


@transaction.atomic
def announce(
    user: Any,
    first: date,
    last: date,
    *,
    note: str = "",
    masters_only: bool = False,
    campaigns: Iterable[Campaign] | None = None,
    now: datetime | None = None,
) -> Absence:
    """The user is away from the first to the last day, in their own zone. `campaigns` None: all of
    theirs are told.

    Raises `Refused` where the days make no sense or they have said so of one of them already, and
    `NotAllowed` for a guest.
    """
    access.must_have_account(user)
    at = entries.moment(now)
    _one_at_a_time(user)
    kept = Absence(user=user, announced_at=at)
    if selectors.valid_absences().filter(user=user, ends_at__gt=at).count() >= MOST:
        raise Refused(
            "many",
            _("You have announced %(most)d absences already. Take one back first.")
            % {"most": MOST},
        )
    _write(kept, first, last, note, masters_only, campaigns, at)
    for table in _tables(kept):
        _write_absence(table, kept, "announced", at)
    _note_before_start(user)
    return kept


@transaction.atomic
def change(
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
    """Other days, another note, other campaigns. A campaign hears of it where its days are others,
    or it is told, or not told any more. Raises as `announce`, and `NoSuchEntry` where they have no
    such absence that stands.
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
def take_back(user: Any, number: int, *, now: datetime | None = None) -> None:
    """They are not away after all, or are back already. Raises `NoSuchEntry` where they have no
    such absence that stands.
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
    """Two windows of one person do not announce the same days twice."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()


def _absence_of_user(user: Any, number: int) -> Absence:
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
    user = kept.user
    today = at.astimezone(ZoneInfo(user.time_zone)).date()
    if last < first:
        raise Refused("backwards", _("The last day is before the first."))
    if last < today:
        raise Refused("past", _("These days are over already."))
    if last - first > LONGEST or first - today > AHEAD or today - first > LONGEST:
        raise Refused("too-long", _("An absence lasts up to a year, and begins within two."))
    note = note.strip()
    entries.must_be_seen(note, _("Note"))
    if note and not (clean_text(note, Absence.LONGEST_NOTE) and _on_a_line(note)):
        raise Refused(
            "bad-note",
            _("A note has up to %(most)d characters on one line.") % {"most": Absence.LONGEST_NOTE},
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
        if not chosen or not {one.pk for one in chosen} <= may | known:
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
    for one in chosen or ():
        AbsenceCampaign.objects.update_or_create(
            absence=kept, campaign=one, defaults={"dropped_at": None}
        )


def _on_a_line(text: str) -> bool:
    try:
        one_line(text)
    except ValidationError:
        return False
    return True


def midnight(day: date, zone: str) -> datetime:
    """The instant at which a day begins in a zone."""
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def _tables(kept: Absence) -> list[Campaign]:
    """The campaigns that are played and told of it, each locked, always in the same order."""
    campaigns = selectors.campaigns_to_inform(kept.user).filter(started=True)
    if not kept.everywhere:
        campaigns = campaigns.filter(
            pk__in=kept.campaign_links.filter(dropped_at=None).values("campaign")
        )
    return [entries.lock(one) for one in campaigns.order_by("pk")]


def _write_absence(table: Campaign, kept: Absence, how: str, at: datetime) -> None:
    days = {"first": kept.first.isoformat(), "last": kept.last.isoformat()}
    entries.append_act(
        table, kept.user, {"act": ABSENCE.name, "how": how, "user": kept.user_id, **days}, now=at
    )
