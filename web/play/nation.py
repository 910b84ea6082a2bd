"""The earlier names of the page of a nation, for pages that are not rewritten yet."""

from typing import Any

from web.moves.offers import SeatOffers
from web.moves.offers import SeatOffers as Desk
from web.plan.page import may_plan
from web.titles.talk import capital

__all__ = ["Desk", "accounts", "may_plan"]


def accounts(actor: SeatOffers) -> list[dict[str, Any]]:
    """Return the accounts of a seat as plain data, without the purse."""
    levels, talk = actor.table.rows.accounts, actor.talk
    return [
        {
            "key": account.key,
            "label": capital(account.label),
            "unit": account.unit,
            "text": talk.amount(account.key, levels.get((actor.seat, account.key), 0)).removesuffix(
                account.unit
            ),
        }
        for account in actor.table.title.accounts
        if account.key != talk.purse
    ]
