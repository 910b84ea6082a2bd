"""The forms of an undo. An address with the same fields opens them filled in."""

from __future__ import annotations

from engine.strict_json import read_whole_number
from web.frame.raw_forms import PostedForm, text_field
from web.frame.requests import seen_number


class RewindForm(PostedForm):
    """An undo to an entry, or the restoration of the moves that an undo struck."""

    entry = text_field()
    undo = text_field()
    reason = text_field()

    @property
    def restores(self) -> bool:
        return "undo" in self.data

    @property
    def target(self) -> int | None:
        """Return the last entry that remains, or the undo; None if no number was typed."""
        return read_whole_number(self.text_of("undo" if self.restores else "entry").strip())


class TakeBackForm(PostedForm):
    """A seat's undo of its last moves, or the restoration of the last undo.

    `to` is the first move to be struck; without it, only the last move is struck.
    """

    do = text_field()
    to = text_field()
    reason = text_field()
    seen = text_field()

    @property
    def restores(self) -> bool:
        return self.text_of("do") == "restore"

    @property
    def first_struck(self) -> int | None:
        """Return the first move to be struck; None for only the last move."""
        return seen_number(self.text_of("to")) if self.text_of("to") else None

    @property
    def seen_entry(self) -> int:
        return seen_number(self.text_of("seen"))


class LastUndoForm(PostedForm):
    """The undo of the last decision, its restoration, or the request to the game master.

    `back` is the key of the page that follows.
    """

    do = text_field()
    reason = text_field()
    seen = text_field()
    back = text_field()

    @property
    def seen_entry(self) -> int:
        return seen_number(self.text_of("seen"))
