"""Ledgers, balances, holdings, cards and actions, written from effects and from the title's rows."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from campaign.log import positions
from campaign.log.entries import disagreements, sync
from campaign.log.positions import History
from campaign.models import Campaign, LogEntry, pack
from engine.effects import Effect, Say
from engine.play import Played
from engine.strict_json import canonical
from nations.models import Action, Balance, Card, Holding, LedgerEntry, Nation

PURSE = "actions"
OPENING = Say("opening", "2")
Reading = tuple[Any, tuple[str, ...], tuple[str, ...], dict[tuple[Any, ...], dict[str, Any]]]
LEDGER = ("turn", "holder", "account", "change", "balance", "cause", "cause_name", "audience")
ACTION = ("seat", "move", "cost", "turn", "audience")


def _narrow(one: str | None, other: tuple[str, ...] | None) -> str | None:
    """Who sees an effect: those of its own audience who see the entry."""
    if one is None or other is None:
        return one if other is None else pack(other)
    return pack(seat for seat in other if f"|{seat}|" in one)


def _balances(campaign: Campaign, after: Any) -> list[Reading]:
    """What the title's rows give of a position."""
    rows = campaign.game.rows(after)
    return [
        (Nation, ("holder",), ("facts",), {(k,): {"facts": canonical(facts)} for k, facts in rows.holders.items()}),
        (Balance, ("holder", "account"), ("amount",), {k: {"amount": v} for k, v in rows.accounts.items()}),
        (
            Holding,
            ("place",),
            ("owner", "facts"),
            {(k,): {"owner": facts.get("owner") or "", "facts": canonical(facts)} for k, facts in rows.holdings.items()},
        ),
        (
            Card,
            ("holder", "zone", "item"),
            ("count", "audience"),
            {k: {"count": n, "audience": pack(rows.private.get(k[:2]))} for k, n in rows.items.items() if n},
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
            "cause": canonical(effect.cause.to_json()),
            "cause_name": effect.cause.id,
            "audience": _narrow(entry.audience, effect.audience),
        }
        for order, effect in enumerate(effects)
        if effect.kind == "account"
    }


def _openings(campaign: Campaign, start: Any) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The amounts that a campaign begins with, as the first lines of its ledgers: so each ledger sums to its balance."""
    genesis = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act="genesis").latest("sequence")
    amounts = [(key, amount) for key, amount in sorted(campaign.game.rows(start).accounts.items()) if amount]
    shared = {"turn": 0, "cause": canonical(OPENING.to_json()), "cause_name": OPENING.id, "audience": None}
    return {
        (genesis.pk, order): {"holder": holder, "account": account, "change": amount, "balance": amount, **shared}
        for order, ((holder, account), amount) in enumerate(amounts)
    }


def _action(seats: Container[str], entry: LogEntry, played: Played[Any]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """A seat's move and what it took from the purse; a game master's own moves are none."""
    seat = played.move.seat
    if seat not in seats:
        return {}
    spent = sum(
        -effect.change
        for effect in played.effects
        if effect.kind == "account" and effect.subject == PURSE and effect.holder == seat and effect.change < 0
    )
    values = {"seat": seat, "move": entry.content["move"], "cost": spent, "turn": entry.turn, "audience": entry.audience}
    return {(entry.pk,): values}


def _all(campaign: Campaign, history: History) -> list[Reading]:
    ledger, seats = _openings(campaign, history.start), positions.seats(campaign)
    actions: dict[tuple[Any, ...], dict[str, Any]] = {}
    for entry, played in history.steps:
        ledger |= _lines(entry, played.effects)
        actions |= _action(seats, entry, played)
    return [
        *_balances(campaign, history.after),
        (LedgerEntry, ("entry_id", "order"), LEDGER, ledger),
        (Action, ("entry_id",), ACTION, actions),
    ]


def project(campaign: Campaign, entry: LogEntry, played: Played[Any]) -> None:
    """One move more."""
    for model, key, fields, expected in _balances(campaign, played.after):
        sync(model, campaign, key, fields, expected)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(campaign=campaign, entry_id=k[0], order=k[1], **values) for k, values in _lines(entry, played.effects).items()
    )
    for k, values in _action(positions.seats(campaign), entry, played).items():
        Action.objects.create(campaign=campaign, entry_id=k[0], **values)


def rebuild(campaign: Campaign, history: History) -> None:
    """All again, after an undo, a restoration, or a change of the terms."""
    for model, key, fields, expected in _all(campaign, history):
        sync(model, campaign, key, fields, expected)


def differences(campaign: Campaign, history: History) -> Iterator[str]:
    """What the rows say that the log does not; then whether the ledgers add up."""
    for model, key, fields, expected in _all(campaign, history):
        yield from disagreements(model, campaign, key, fields, expected)
    yield from _sums(campaign)


def _sums(campaign: Campaign) -> Iterator[str]:
    sums: dict[tuple[str, str], int] = {}
    for holder, account, change in LedgerEntry.objects.filter(campaign=campaign).values_list("holder", "account", "change"):
        sums[holder, account] = sums.get((holder, account), 0) + change
    for holder, account, amount in Balance.objects.filter(campaign=campaign).values_list("holder", "account", "amount"):
        if sums.get((holder, account), 0) != amount:
            yield f"ledger {holder}/{account} sums to {sums.get((holder, account), 0)}, the balance is {amount}"
