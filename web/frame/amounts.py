"""Balances of accounts and their changes, as pages show them."""

from __future__ import annotations

from games.contract.title import Account
from web.templatetags.tabula import MINUS, half


def amount(account: Account | None, value: int) -> str:
    """Return a balance as text: ½ for half-actions, the unit behind it, a true minus."""
    if account is None:
        return str(value).replace("-", MINUS)
    number = half(value) if account.scale == 2 else str(value).replace("-", MINUS)
    return number + account.unit


def change(account: Account | None, value: int) -> str:
    """Return a change of a balance with its sign."""
    return ("+" if value > 0 else "") + amount(account, value)
