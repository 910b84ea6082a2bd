"""Ledgers, balances, holdings, cards and actions: written from effects and from the title's rows,
and read by one reader.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet, Sum

from campaign import access
from campaign.log import positions
from campaign.log.acts.undo import GENESIS
from campaign.log.entries import disagreements, sync
from campaign.log.history import BEFORE_ALL, Running
from campaign.log.positions import History
from campaign.models import Campaign, LogEntry, audience_key, save_seat_sets, seats_of, visible
from engine.effects import Effect, Say
from engine.play import Played
from engine.strict_json import as_stored, canonical
from nations.models import Action, Balance, Card, Holding, LedgerEntry, Nation, PlaceMove

PURSE = "actions"
OPENING = Say("opening", "2")
Reading = tuple[Any, tuple[str, ...], tuple[str, ...], dict[tuple[Any, ...], dict[str, Any]]]
LEDGER = ("turn", "holder", "account", "change", "balance", "cause", "cause_name", "audience_id")
ACTION = ("seat", "move", "cost", "turn", "audience_id")


def _narrow(one: str | None, other: tuple[str, ...] | None) -> str | None:
    """Who sees an effect: those of its own audience who see the entry."""
    if one is None or other is None:
        return one if other is None else audience_key(other)
    seats = seats_of(one)
    return audience_key(seat for seat in other if seat in seats)


def _balances(campaign: Campaign, after: Any) -> list[Reading]:
    """What the title's rows give of a position."""
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
    """An account effect is a ledger line as it stands."""
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
    """The amounts that a campaign begins with, as the first lines of its ledgers: so each ledger
    sums to its balance.
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
    seats: Container[str], entry: LogEntry, played: Played[Any]
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """A seat's move and what it took from the purse; a game master's own moves are none."""
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
    """Return the places that an effect concerns: a holding, or what an attack names."""
    if effect.kind == "holding":
        return {effect.subject}
    if effect.kind != "attack":
        return set()
    facts: tuple[Mapping[str, Any], ...] = (effect.facts, effect.cause.facts)
    named = (known.get(key) for known in facts for key in ("target", "province"))
    return {place for place in named if isinstance(place, str) and place}


def _places(entry: LogEntry, effects: tuple[Effect, ...]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the places that a move concerns."""
    return {(entry.pk, place): {} for effect in effects for place in places_of(effect)}


def _all(campaign: Campaign, history: History) -> list[Reading]:
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


def project(campaign: Campaign, entry: LogEntry, played: Played[Any]) -> None:
    """One move more."""
    for model, key, fields, expected in _balances(campaign, played.after):
        sync(model, campaign, key, fields, expected)
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
    """All again, after an undo, a restoration, or a change of the terms."""
    for model, key, fields, expected in _all(campaign, history):
        sync(model, campaign, key, fields, expected)


def differences(campaign: Campaign, history: History) -> Iterator[str]:
    """What the rows say that the log does not; then whether the ledgers add up."""
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
        if sums.get((holder, account), 0) != amount:
            yield (
                f"ledger {holder}/{account} sums to {sums.get((holder, account), 0)}, the balance"
                f" is {amount}"
            )


# What it cost, for one reader. `viewer` is `campaign.access.Access` or anything with its `voices`.


def balances(campaign: Campaign) -> dict[str, dict[str, int]]:
    """The accounts as they stand, by holder, in their own units."""
    accounts: dict[str, dict[str, int]] = {}
    for row in Balance.objects.filter(campaign=campaign).order_by("holder", "account"):
        accounts.setdefault(row.holder, {})[row.account] = row.amount
    return accounts


def ledger(
    campaign: Campaign, user: Any, holder: str, *, account: str = "", turn: int | None = None
) -> QuerySet[LedgerEntry]:
    """The lines of a holder's ledger with their running balances, oldest first, as this user may
    see them.
    """
    return ledgers(campaign, user, account=account, turn=turn).filter(holder=holder)


def ledgers(
    campaign: Campaign, user: Any, *, account: str = "", turn: int | None = None, cause: str = ""
) -> QuerySet[LedgerEntry]:
    """The lines of all ledgers as `ledger` has them, those of everybody in the order of the log;
    `cause` is the id of a `Say`.
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
    """What a holder's account has gained in the turn of now, as far as this user may see it,
    whatever was spent of it since.
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
    """A line as pages read it; what it says of its cause is a `Say` in JSON."""

    number: int | None
    turn: int
    holder: str
    account: str
    cause: list[Any]
    change: int
    balance: int

    @property
    def cause_said(self) -> Say:
        return Say(*self.cause)


COLUMNS = ("entry__number", *LedgerRow._fields[1:])


class Wanted(NamedTuple):
    """Which lines of all ledgers are asked for; empty and None: whatever it is. `without` is an
    account left out.
    """

    holder: str = ""
    account: str = ""
    without: str = ""
    turn: int | None = None
    cause: str = ""


def lines(campaign: Campaign, user: Any, wanted: Wanted) -> QuerySet[LedgerEntry]:
    """These lines, oldest first."""
    return _wanted(campaign.pk, access.access_of(campaign, user).sight, wanted).order_by(
        "entry__sequence", "order"
    )


def page_of_lines(
    campaign: Campaign, user: Any, wanted: Wanted, skip: int, most: int | None
) -> Sequence[LedgerRow]:
    """So many of these lines, or all, the newest first, behind so many newer ones."""
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


_newest: Running[tuple[LedgerRow, ...]] = Running(_with_newest)


def _wanted(campaign: int, sight: tuple[str, ...], wanted: Wanted) -> QuerySet[LedgerEntry]:
    # By the entry's campaign: so the newest are found from the end of the log, and the others are
    # not looked at.
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
    """What accounts came to by holder and account: of each entry the last balance. `at` is the last
    entry with a number, `marks` have the hash of the log with which the last step was read.
    """

    steps: dict[tuple[str, str], tuple[Step, ...]]
    at: int
    marks: dict[tuple[str, str], str]


def courses(campaign: Campaign, user: Any, account: str, first: int) -> Courses:
    """Of an account, or of all where it is empty, as this user may see them; what came before the
    `first` entry stands there.
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
    """Return the balances behind a sequence, of one account or of all, oldest first."""
    rows = _lines_since(campaign, after, sight).order_by("entry__sequence", "order")
    return (rows.filter(account=account) if account else rows).values_list(
        "holder", "account", "entry__number", "turn", "balance"
    )


def _lines_since(campaign: Campaign, after: int, sight: tuple[str, ...]) -> QuerySet[LedgerEntry]:
    """Return the lines behind a sequence that this sight sees, in no order."""
    rows = LedgerEntry.objects.filter(visible(sight), entry__campaign=campaign)
    return rows.filter(
        entry__sequence__gt=after, entry__sequence__lte=campaign.last_sequence
    ).order_by()


_courses: Running[Courses] = Running(_with_courses)


class CauseSum(NamedTuple):
    """Of some lines: how many, what they add, and what they come to."""

    lines: int
    up: int
    sum: int


class Sums(NamedTuple):
    """What the lines add up to by holder, account, turn and the id of the cause, and every cause
    that stands there, each once, as a `Say` in JSON.
    """

    by: dict[tuple[str, str, int, str], CauseSum]
    causes: tuple[str, ...]


def sums(campaign: Campaign, user: Any) -> Sums:
    """Of all ledgers as this user may see them."""
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


_sums = Running(_carried_on)


def cards(campaign: Campaign, user: Any, holder: str = "") -> QuerySet[Card]:
    """The cards that this user may see, of one holder or of all."""
    rows = Card.objects.filter(visible(access.access_of(campaign, user).sight), campaign=campaign)
    return (rows.filter(holder=holder) if holder else rows).order_by("holder", "zone", "item")


def actions(
    campaign: Campaign, user: Any, seat: str = "", *, turn: int | None = None
) -> QuerySet[Action]:
    """The moves of a seat with their costs, oldest first, as this user may see them."""
    rows = Action.objects.filter(visible(access.access_of(campaign, user).sight), campaign=campaign)
    if seat:
        rows = rows.filter(seat=seat)
    if turn is not None:
        rows = rows.filter(turn=turn)
    return rows.select_related("entry").order_by("entry__sequence")
