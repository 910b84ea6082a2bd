"""What it cost, for one reader. `viewer` is `campaign.access.Access` or anything with its `voices`."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import QuerySet

from campaign import access
from campaign.audience import visible
from campaign.models import Campaign
from campaign.prepared import Prepared
from engine.effects import Say
from engine.strict_json import read
from nations.models import Action, Balance, Card, LedgerEntry


def balances(campaign: Campaign) -> dict[str, dict[str, int]]:
    """The accounts as they stand, by holder, in their own units."""
    accounts: dict[str, dict[str, int]] = {}
    for row in Balance.objects.filter(campaign=campaign).order_by("holder", "account"):
        accounts.setdefault(row.holder, {})[row.account] = row.amount
    return accounts


def ledger(campaign: Campaign, user: Any, holder: str, *, account: str = "", turn: int | None = None) -> QuerySet[LedgerEntry]:
    """The lines of a holder's ledger with their running balances, oldest first, as this user may see them."""
    return ledgers(campaign, user, account=account, turn=turn).filter(holder=holder)


def ledgers(
    campaign: Campaign, user: Any, *, account: str = "", turn: int | None = None, cause: str = ""
) -> QuerySet[LedgerEntry]:
    """The lines of all ledgers as `ledger` has them, those of everybody in the order of the log; `cause` is the id of a `Say`."""
    rows = LedgerEntry.objects.filter(visible(access.access_of(campaign, user).sight), campaign=campaign)
    if account:
        rows = rows.filter(account=account)
    if turn is not None:
        rows = rows.filter(turn=turn)
    if cause:
        rows = rows.filter(cause_name=cause)
    return rows.select_related("entry").order_by("entry__sequence", "order")


class LedgerRow(NamedTuple):
    """A line as pages read it; what it says of its cause is a `Say` in JSON."""

    number: int | None
    turn: int
    holder: str
    account: str
    cause: str
    change: int
    balance: int

    @property
    def cause_said(self) -> Say:
        return Say(*read(self.cause))


COLUMNS = ("entry__number", *LedgerRow._fields[1:])


def rows_of(lines: QuerySet[LedgerEntry]) -> list[LedgerRow]:
    return [LedgerRow(*row) for row in lines.values_list(*COLUMNS)]


def newest(
    campaign: Campaign, user: Any, holder: str, *, account: str = "", without: str = "", most: int | None = None
) -> list[LedgerRow]:
    """The newest lines of a holder's ledger, of one account or of all but one, the newest first."""
    sight = access.access_of(campaign, user).sight
    rows = _newest.rows(campaign.pk, holder, account, without, same=(sight, bool(account), bool(without), most))
    return [LedgerRow(*row) for row in rows]


def _rows_of_newest(
    campaign: int, holder: str, account: str, without: str, sight: tuple[str, ...], one: bool, rest: bool, most: int | None
) -> QuerySet[LedgerEntry, Any]:
    rows = LedgerEntry.objects.filter(visible(sight), campaign=campaign, holder=holder)
    if one:
        rows = rows.filter(account=account)
    if rest:
        rows = rows.exclude(account=without)
    listed = rows.order_by("-entry__sequence", "-order").values_list(*COLUMNS)
    return listed if most is None else listed[:most]


_newest = Prepared(_rows_of_newest, int, str, str, str)


def courses(campaign: Campaign, user: Any, account: str) -> list[tuple[str, str, int | None, int, int]]:
    """The lines of an account, or of all, as charts read them: holder, account, the entry's number, turn and balance."""
    sight = access.access_of(campaign, user).sight
    return list(_courses.rows(campaign.pk, account, same=(sight, bool(account))))


def _rows_of_courses(campaign: int, account: str, sight: tuple[str, ...], one: bool) -> QuerySet[LedgerEntry, Any]:
    rows = LedgerEntry.objects.filter(visible(sight), campaign=campaign)
    rows = (rows.filter(account=account) if one else rows).order_by("entry__sequence", "order")
    return rows.values_list("holder", "account", "entry__number", "turn", "balance")


_courses = Prepared(_rows_of_courses, int, str)


def causes(campaign: Campaign, user: Any) -> list[str]:
    """Every cause that stands in the ledgers this user may see, each once, as a `Say` in JSON."""
    return sorted(ledgers(campaign, user).order_by().values_list("cause", flat=True).distinct())


def cards(campaign: Campaign, user: Any, holder: str = "") -> QuerySet[Card]:
    """The cards that this user may see, of one holder or of all."""
    rows = Card.objects.filter(visible(access.access_of(campaign, user).sight), campaign=campaign)
    return (rows.filter(holder=holder) if holder else rows).order_by("holder", "zone", "item")


def actions(campaign: Campaign, user: Any, seat: str = "", *, turn: int | None = None) -> QuerySet[Action]:
    """The moves of a seat with their costs, oldest first, as this user may see them."""
    rows = Action.objects.filter(visible(access.access_of(campaign, user).sight), campaign=campaign)
    if seat:
        rows = rows.filter(seat=seat)
    if turn is not None:
        rows = rows.filter(turn=turn)
    return rows.select_related("entry").order_by("entry__sequence")
