"""Projections of the log to ledgers, balances, holdings, cards and actions, and their queries.

The rows come from effects and from the title's rows. Queries return what their reader may see.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet, Sum

from campaign import access
from campaign.log import positions
from campaign.log.acts.undo import GENESIS
from campaign.log.entries import disagreements, sync_rows
from campaign.log.history import BEFORE_ALL, RunningState
from campaign.log.positions import History
from campaign.models import Campaign, LogEntry, audience_key, save_seat_sets, seats_of, visible
from engine.effects import Effect, Phrase
from engine.play import MoveResult
from engine.strict_json import as_stored, canonical
from nations.models import Action, Balance, Card, Holding, LedgerEntry, Nation, PlaceMove

PURSE = "actions"
OPENING = Phrase("opening", "2")
Reading = tuple[Any, tuple[str, ...], tuple[str, ...], dict[tuple[Any, ...], dict[str, Any]]]
LEDGER = ("turn", "holder", "account", "change", "balance", "cause", "cause_name", "audience_id")
ACTION = ("seat", "move", "cost", "turn", "audience_id")


def _narrow(audience: str | None, other: tuple[str, ...] | None) -> str | None:
    """Return the audience of an effect: those of its own audience who see the entry."""
    if audience is None or other is None:
        return audience if other is None else audience_key(other)
    seats = seats_of(audience)
    return audience_key(seat for seat in other if seat in seats)


def _balances(campaign: Campaign, after: Any) -> list[Reading]:
    """Return the rows of a position that come from the title's rows."""
    rows = campaign.game.rows(after)
    return [
        (
            Nation,
            ("holder",),
            ("facts",),
            {(k,): {"facts": as_stored(facts)} for k, facts in rows.holders.items()},
        ),
        (
            Balance,
            ("holder", "account"),
            ("amount",),
            {k: {"amount": v} for k, v in rows.accounts.items()},
        ),
        (
            Holding,
            ("place",),
            ("owner", "facts"),
            {
                (k,): {"owner": facts.get("owner") or "", "facts": as_stored(facts)}
                for k, facts in rows.holdings.items()
            },
        ),
        (
            Card,
            ("holder", "zone", "item"),
            ("count", "audience_id"),
            {
                k: {"count": n, "audience_id": audience_key(rows.private.get(k[:2]))}
                for k, n in rows.items.items()
                if n
            },
        ),
    ]


def _lines(entry: LogEntry, effects: tuple[Effect, ...]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the ledger lines of a move: one for each effect on an account."""
    return {
        (entry.pk, order): {
            "turn": entry.turn,
            "holder": effect.holder or "",
            "account": effect.subject,
            "change": effect.change,
            "balance": effect.balance,
            "cause": as_stored(effect.cause.to_json()),
            "cause_name": effect.cause.id,
            "audience_id": _narrow(entry.audience_id, effect.audience),
        }
        for order, effect in enumerate(effects)
        if effect.kind == "account"
    }


def _openings(campaign: Campaign, start: Any) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the amounts at the start as the first lines of the ledgers.

    With them each ledger sums to its balance.
    """
    genesis = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=GENESIS.name).latest("sequence")
    amounts = [
        (key, amount)
        for key, amount in sorted(campaign.game.rows(start).accounts.items())
        if amount
    ]
    shared = {
        "turn": 0,
        "cause": as_stored(OPENING.to_json()),
        "cause_name": OPENING.id,
        "audience_id": None,
    }
    return {
        (genesis.pk, order): {
            "holder": holder,
            "account": account,
            "change": amount,
            "balance": amount,
            **shared,
        }
        for order, ((holder, account), amount) in enumerate(amounts)
    }


def _action(
    seats: Container[str], entry: LogEntry, played: MoveResult[Any]
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the row of a seat's move with its cost; none for the game master's own moves."""
    seat = played.move.seat
    if seat not in seats:
        return {}
    spent = sum(
        -effect.change
        for effect in played.effects
        if effect.kind == "account"
        and effect.subject == PURSE
        and effect.holder == seat
        and effect.change < 0
    )
    values = {
        "seat": seat,
        "move": entry.content["move"],
        "cost": spent,
        "turn": entry.turn,
        "audience_id": entry.audience_id,
    }
    return {(entry.pk,): values}


def places_of(effect: Effect) -> set[str]:
    """Return the places that an effect concerns: a holding, or the places that an attack names."""
    if effect.kind == "holding":
        return {effect.subject}
    if effect.kind != "attack":
        return set()
    facts: tuple[Mapping[str, Any], ...] = (effect.facts, effect.cause.facts)
    named = (known.get(key) for known in facts for key in ("target", "province"))
    return {place for place in named if isinstance(place, str) and place}


def _places(entry: LogEntry, effects: tuple[Effect, ...]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the rows of the places that a move concerns."""
    return {(entry.pk, place): {} for effect in effects for place in places_of(effect)}


def _all(campaign: Campaign, history: History) -> list[Reading]:
    """Return all rows according to the log."""
    ledger, seats = _openings(campaign, history.start), positions.seats(campaign)
    actions: dict[tuple[Any, ...], dict[str, Any]] = {}
    places: dict[tuple[Any, ...], dict[str, Any]] = {}
    for entry, played in history.steps:
        ledger |= _lines(entry, played.effects)
        actions |= _action(seats, entry, played)
        places |= _places(entry, played.effects)
    return [
        *_balances(campaign, history.after),
        (LedgerEntry, ("entry_id", "order"), LEDGER, ledger),
        (Action, ("entry_id",), ACTION, actions),
        (PlaceMove, ("entry_id", "place"), (), places),
    ]


def project(campaign: Campaign, entry: LogEntry, played: MoveResult[Any]) -> None:
    """Write the rows that a new move changes."""
    for model, key, fields, expected in _balances(campaign, played.after):
        sync_rows(model, campaign, key, fields, expected)
    lines = _lines(entry, played.effects)
    save_seat_sets(values["audience_id"] for values in lines.values())
    LedgerEntry.objects.bulk_create(
        LedgerEntry(campaign=campaign, entry_id=k[0], order=k[1], **values)
        for k, values in lines.items()
    )
    for k, values in _action(positions.seats(campaign), entry, played).items():
        Action.objects.create(campaign=campaign, entry_id=k[0], **values)
    PlaceMove.objects.bulk_create(
        PlaceMove(campaign=campaign, entry_id=k[0], place=k[1])
        for k in _places(entry, played.effects)
    )


def rebuild(campaign: Campaign, history: History) -> None:
    """Write all rows anew, after an undo, a restoration, or a change of the terms."""
    for model, key, fields, expected in _all(campaign, history):
        sync_rows(model, campaign, key, fields, expected)


def differences(campaign: Campaign, history: History) -> Iterator[str]:
    """Yield the differences between the rows and the log, then ledgers that do not add up."""
    for model, key, fields, expected in _all(campaign, history):
        yield from disagreements(model, campaign, key, fields, expected)
    yield from _wrong_sums(campaign)


def _wrong_sums(campaign: Campaign) -> Iterator[str]:
    sums: dict[tuple[str, str], int] = {}
    for holder, account, change in LedgerEntry.objects.filter(campaign=campaign).values_list(
        "holder", "account", "change"
    ):
        sums[holder, account] = sums.get((holder, account), 0) + change
    for holder, account, amount in Balance.objects.filter(campaign=campaign).values_list(
        "holder", "account", "amount"
    ):
        total = sums.get((holder, account), 0)
        if total != amount:
            yield (
                f"ledger {holder}/{account}: the changes add up to {total}, but the balance is"
                f" {amount}"
            )


# Queries for a reader. `viewer` is `campaign.access.Access` or anything with its `voices`.


def balances(campaign: Campaign) -> dict[str, dict[str, int]]:
    """Return the current balances by holder and account, in their own units."""
    accounts: dict[str, dict[str, int]] = {}
    for row in Balance.objects.filter(campaign=campaign).order_by("holder", "account"):
        accounts.setdefault(row.holder, {})[row.account] = row.amount
    return accounts


def ledger(
    campaign: Campaign, user: Any, holder: str, *, account: str = "", turn: int | None = None
) -> QuerySet[LedgerEntry]:
    """Return the lines of a holder's ledger that this user may see, oldest first."""
    return ledgers(campaign, user, account=account, turn=turn).filter(holder=holder)


def ledgers(
    campaign: Campaign, user: Any, *, account: str = "", turn: int | None = None, cause: str = ""
) -> QuerySet[LedgerEntry]:
    """Return the lines of all ledgers that this user may see, in the order of the log.

    `cause` is the id of a `Phrase`.
    """
    rows = LedgerEntry.objects.filter(
        visible(access.access_of(campaign, user).sight), campaign=campaign
    )
    if account:
        rows = rows.filter(account=account)
    if turn is not None:
        rows = rows.filter(turn=turn)
    if cause:
        rows = rows.filter(cause_name=cause)
    return rows.select_related("entry").order_by("entry__sequence", "order")


def gained(campaign: Campaign, user: Any, holder: str, account: str) -> int:
    """Return what a holder's account has gained this turn, as far as this user may see it.

    Spending is not subtracted.
    """
    rows = LedgerEntry.objects.filter(
        visible(access.access_of(campaign, user).sight),
        campaign=campaign,
        holder=holder,
        account=account,
        turn=campaign.turn,
        change__gt=0,
    )
    return int(rows.aggregate(gained=Sum("change", default=0))["gained"])


class LedgerRow(NamedTuple):
    """A ledger line as pages read it; `cause` is a `Phrase` in JSON."""

    number: int | None
    turn: int
    holder: str
    account: str
    cause: list[Any]
    change: int
    balance: int

    @property
    def cause_said(self) -> Phrase:
        """The cause as a sentence to render."""
        return Phrase(*self.cause)


COLUMNS = ("entry__number", *LedgerRow._fields[1:])


class Wanted(NamedTuple):
    """A selection of ledger lines.

    An empty value and None select everything. `without` is an account to leave out.
    """

    holder: str = ""
    account: str = ""
    without: str = ""
    turn: int | None = None
    cause: str = ""


def lines(campaign: Campaign, user: Any, wanted: Wanted) -> QuerySet[LedgerEntry]:
    """Return the selected lines, oldest first."""
    return _wanted(campaign.pk, access.access_of(campaign, user).sight, wanted).order_by(
        "entry__sequence", "order"
    )


def page_of_lines(
    campaign: Campaign, user: Any, wanted: Wanted, skip: int, most: int | None
) -> Sequence[LedgerRow]:
    """Return at most `most` of the selected lines, the newest first, after skipping `skip`."""
    sight = access.access_of(campaign, user).sight
    if skip or most is None:
        return _lines_between(campaign, BEFORE_ALL, sight, wanted, skip, most)
    return _newest.of_log(campaign, sight, wanted, most)


def _with_newest(
    campaign: Campaign,
    before: tuple[LedgerRow, ...] | None,
    after: int,
    sight: tuple[str, ...],
    wanted: Wanted,
    most: int,
) -> tuple[LedgerRow, ...]:
    new = _lines_between(campaign, after, sight, wanted, 0, most)
    return (*new, *(before or ()))[:most]


def _lines_between(
    campaign: Campaign,
    after: int,
    sight: tuple[str, ...],
    wanted: Wanted,
    skip: int,
    most: int | None,
) -> list[LedgerRow]:
    rows = (
        _wanted(campaign.pk, sight, wanted)
        .filter(entry__sequence__gt=after, entry__sequence__lte=campaign.last_sequence)
        .select_related(None)
    )
    columns = rows.order_by("-entry__sequence", "-order").values_list(*COLUMNS)
    return [LedgerRow(*row) for row in columns[skip : None if most is None else skip + most]]


_newest: RunningState[tuple[LedgerRow, ...]] = RunningState(_with_newest)


def _wanted(campaign: int, sight: tuple[str, ...], wanted: Wanted) -> QuerySet[LedgerEntry]:
    # Filter by the entry's campaign: then the database finds the newest lines from the end of the
    # log, without reading the others.
    rows = LedgerEntry.objects.filter(visible(sight), entry__campaign=campaign)
    if wanted.holder:
        rows = rows.filter(holder=wanted.holder)
    if wanted.account:
        rows = rows.filter(account=wanted.account)
    if wanted.without:
        rows = rows.exclude(account=wanted.without)
    if wanted.turn is not None:
        rows = rows.filter(turn=wanted.turn)
    if wanted.cause:
        rows = rows.filter(cause_name=wanted.cause)
    return rows.select_related("entry")


Step = tuple[int, int, int]
"""Turn, entry, balance."""


class Courses(NamedTuple):
    """The balances of accounts over time, by holder and account: the last one of each entry.

    `at` is the last numbered entry. `marks` has the hash of the log with which the last step was
    read.
    """

    steps: dict[tuple[str, str], tuple[Step, ...]]
    at: int
    marks: dict[tuple[str, str], str]


def courses(campaign: Campaign, user: Any, account: str, first: int) -> Courses:
    """Return the balances over time that this user may see, of an account or of all (empty).

    Changes before the entry `first` are dated to that entry.
    """
    return _courses.of_log(campaign, access.access_of(campaign, user).sight, account, first)


def _with_courses(
    campaign: Campaign,
    before: Courses | None,
    after: int,
    sight: tuple[str, ...],
    account: str,
    first: int,
) -> Courses:
    steps, at, marks = (
        (dict(before.steps), before.at, dict(before.marks)) if before else ({}, first, {})
    )
    new: dict[tuple[str, str], list[Step]] = {}
    rows = _balances_since(campaign, after, sight, account)
    for holder, of_holder, number, turn, balance in rows:
        at = at if number is None else max(number, first)
        of_both = new.setdefault((holder, of_holder), list(steps.get((holder, of_holder), ())[-1:]))
        if of_both and of_both[-1][1] == at:
            of_both.pop()
        of_both.append((turn, at, balance))
    for key, some in new.items():
        steps[key], marks[key] = (*steps.get(key, ())[:-1], *some), campaign.last_hash
    return Courses(steps, at, marks)


def _balances_since(
    campaign: Campaign, after: int, sight: tuple[str, ...], account: str
) -> QuerySet[LedgerEntry, Any]:
    """Return the balances after a sequence, of an account or of all, oldest first."""
    rows = _lines_since(campaign, after, sight).order_by("entry__sequence", "order")
    return (rows.filter(account=account) if account else rows).values_list(
        "holder", "account", "entry__number", "turn", "balance"
    )


def _lines_since(campaign: Campaign, after: int, sight: tuple[str, ...]) -> QuerySet[LedgerEntry]:
    """Return the lines after a sequence that this sight may see, unordered."""
    rows = LedgerEntry.objects.filter(visible(sight), entry__campaign=campaign)
    return rows.filter(
        entry__sequence__gt=after, entry__sequence__lte=campaign.last_sequence
    ).order_by()


_courses: RunningState[Courses] = RunningState(_with_courses)


class CauseSum(NamedTuple):
    """Sums of some lines: their number, the sum of gains, and the total."""

    lines: int
    up: int
    sum: int


class Sums(NamedTuple):
    """Sums of ledger lines by holder, account, turn and id of the cause.

    `causes` has each cause once, as a `Phrase` in JSON.
    """

    by: dict[tuple[str, str, int, str], CauseSum]
    causes: tuple[str, ...]


def sums(campaign: Campaign, user: Any) -> Sums:
    """Return the sums of all ledger lines that this user may see."""
    return _sums.of_log(campaign, access.access_of(campaign, user).sight)


def _carried_on(
    campaign: Campaign, before: Sums | None, after: int, sight: tuple[str, ...]
) -> Sums:
    by = dict(before.by) if before else {}
    causes = dict.fromkeys(before.causes if before else ())
    columns = ("holder", "account", "turn", "cause_name", "cause", "change")
    rows = _lines_since(campaign, after, sight).values_list(*columns)
    for holder, account, turn, name, cause, change in rows:
        key = (holder, account, turn, name)
        lines, up, total = by.get(key, (0, 0, 0))
        by[key] = CauseSum(lines + 1, up + max(change, 0), total + change)
        causes[canonical(cause)] = None
    return Sums(
        by, before.causes if before and len(causes) == len(before.causes) else tuple(sorted(causes))
    )


_sums = RunningState(_carried_on)


def cards(campaign: Campaign, user: Any, holder: str = "") -> QuerySet[Card]:
    """Return the cards that this user may see, of a holder or of all."""
    rows = Card.objects.filter(visible(access.access_of(campaign, user).sight), campaign=campaign)
    return (rows.filter(holder=holder) if holder else rows).order_by("holder", "zone", "item")


def actions(
    campaign: Campaign, user: Any, seat: str = "", *, turn: int | None = None
) -> QuerySet[Action]:
    """Return the moves of a seat with their costs that this user may see, oldest first."""
    rows = Action.objects.filter(visible(access.access_of(campaign, user).sight), campaign=campaign)
    if seat:
        rows = rows.filter(seat=seat)
    if turn is not None:
        rows = rows.filter(turn=turn)
    return rows.select_related("entry").order_by("entry__sequence")
