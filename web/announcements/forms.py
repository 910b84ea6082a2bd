"""Read the form that takes moves back."""

from __future__ import annotations

from django.http import QueryDict

from web.frame.requests import seen_number


class UndoForm:
    """A form, or an address, that takes moves back: from the entry `to` on, or only the last."""

    def __init__(self, data: QueryDict) -> None:
        to = data.get("to", "")
        self.first = seen_number(to) if to else None
        self.seen = seen_number(data.get("seen", ""))
