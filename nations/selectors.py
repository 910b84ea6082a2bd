"""What it cost, for one reader. `viewer` is `campaign.access.Access` or anything with its `voices`."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from campaign import access
from campaign.audience import visible
from campaign.models import Campaign
from nations.models import Action, Balance, Card, Holding, LedgerEntry, Nation


def nations(campaign: Campaign) -> QuerySet[Nation]:
    return Nation.objects.filter(campaign=campaign).order_by("holder")


def balances(campaign: Campaign) -> dict[str, dict[str, int]]:
    """The accounts as they stand, by holder, in their own units."""
    made: dict[str, dict[str, int]] = {}
    for row in Balance.objects.filter(campaign=campaign).order_by("holder", "account"):
        made.setdefault(row.holder, {})[row.account] = row.amount
    return made


def ledger(campaign: Campaign, user: Any, holder: str, *, account: str = "", turn: int | None = None) -> QuerySet[LedgerEntry]:
    """The lines of a holder's ledger with their running balances, oldest first, as this user may see them."""
    who = access.of(campaign, user)
    found = LedgerEntry.objects.filter(visible(who.voices), campaign=campaign, holder=holder)
    if account:
        found = found.filter(account=account)
    if turn is not None:
        found = found.filter(turn=turn)
    return found.select_related("entry").order_by("entry__sequence", "order")


def holdings(campaign: Campaign, owner: str | None = None) -> QuerySet[Holding]:
    """All places, or those of one owner."""
    found = Holding.objects.filter(campaign=campaign)
    return (found if owner is None else found.filter(owner=owner)).order_by("place")


def cards(campaign: Campaign, user: Any, holder: str = "") -> QuerySet[Card]:
    """The cards that this user may see, of one holder or of all."""
    found = Card.objects.filter(visible(access.of(campaign, user).voices), campaign=campaign)
    return (found.filter(holder=holder) if holder else found).order_by("holder", "zone", "item")


def actions(campaign: Campaign, user: Any, seat: str = "", *, turn: int | None = None) -> QuerySet[Action]:
    """The moves of a seat with their costs, oldest first, as this user may see them."""
    found = Action.objects.filter(visible(access.of(campaign, user).voices), campaign=campaign)
    if seat:
        found = found.filter(seat=seat)
    if turn is not None:
        found = found.filter(turn=turn)
    return found.select_related("entry").order_by("entry__sequence")


def standings(campaign: Campaign, account: str) -> list[tuple[str, int]]:
    """The holders by an account, most first, names of holders breaking ties."""
    rows = Balance.objects.filter(campaign=campaign, account=account)
    return [(row.holder, row.amount) for row in rows.order_by("-amount", "holder")]
