"""What the address of a nation's page asks for."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict


@dataclass(frozen=True, slots=True)
class LedgerFilter:
    """Which lines of the ledger are shown: of one account, or of all; the first ones, or all."""

    account: str = ""
    shows_all: bool = False

    @classmethod
    def read(cls, query: QueryDict) -> LedgerFilter:
        return cls(account=query.get("account", ""), shows_all=query.get("ledger") == "all")
