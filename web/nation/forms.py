"""What the address of a nation's page asks for."""

from __future__ import annotations

from web.frame.posted import PostedForm, text_field


class LedgerFilter(PostedForm):
    """Which lines of the ledger are shown: of one account, or of all; the first ones, or all."""

    account = text_field()
    ledger = text_field()

    @property
    def shows_all(self) -> bool:
        return self.typed("ledger") == "all"
