"""The cost of a move and the actions that remain, in words."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from engine.effects import Effect
from games.contract.title import Offer
from notices.kinds.slots import PURSE, actions_left, actions_text
from web.frame.table import TableContext


def balance(table: TableContext, seat: str) -> int | None:
    """Return the actions of a seat; None if the title has none."""
    return table.title.rows(table.position).accounts.get((seat, PURSE))


def balance_text(table: TableContext, seat: str) -> str:
    """Return "You have 2½ actions."; empty if the title has no actions."""
    return actions_text(table.campaign, balance(table, seat))


def offer_cost(table: TableContext, offer: Offer) -> str:
    """Return "½ action"; empty if the move is free."""
    return actions_left(table.campaign, offer.cost) if offer.cost else ""


def cost_text(table: TableContext, seat: str, effects: Iterable[Effect]) -> str:
    """Return "½ action, 2 left" for the effects of a move; empty if the title has no actions."""
    before = balance(table, seat)
    if before is None:
        return ""
    changes = [
        effect.change
        for effect in effects
        if (effect.kind, effect.holder, effect.subject) == ("account", seat, PURSE)
    ]
    spent = -sum(change for change in changes if change < 0)
    left = actions_left(table.campaign, before + sum(changes))
    if not spent:
        return _("Costs nothing; {left} left").format(left=left)
    cost = actions_left(table.campaign, spent)
    return _("Costs {cost}; {left} left").format(cost=cost, left=left)
