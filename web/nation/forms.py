"""The query of a nation's page."""

from __future__ import annotations

from web.frame.raw_forms import PostedForm, text_field


class LedgerFilter(PostedForm):
    """The requested lines of the ledger: of a single account or of all; the first ones or all."""

    account = text_field()
    ledger = text_field()

    @property
    def shows_all(self) -> bool:
        return self.text_of("ledger") == "all"
