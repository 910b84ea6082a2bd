"""The forms of a title's board. Rules and services check what they send."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from campaign import automatic_moves
from web.frame.raw_forms import CSRF_FIELD, PostedForm, text_field
from web.frame.requests import seen_number

MOST_TIMES = 9
"""The largest number of times that a form may add the same move to the list."""
NOWHERE = 10**6
"""A number that no list, place or entry has."""
STOP = "stop"
WAYS = [(way, way) for way in automatic_moves.WAYS]


class BoardForm(PostedForm):
    """A form of a title's board.

    `seen` is the last entry that the page had shown, `then` how to play on after the move.
    """

    OUTSIDE = frozenset({CSRF_FIELD, "seen"})
    """Fields that the table's page has added."""

    seen = text_field()
    then = forms.ChoiceField(choices=WAYS, required=False)

    def __init__(self, post_data: QueryDict) -> None:
        super().__init__(post_data)
        self.post_data = post_data

    @property
    def seen_entry(self) -> int:
        return seen_number(self.text_of("seen"))

    @property
    def title_fields(self) -> dict[str, str]:
        """Return the fields of the title's own form."""
        return {key: str(text) for key, text in self.post_data.items() if key not in self.OUTSIDE}

    @property
    def way_after(self) -> str:
        """Return how to play on after the move: one of `automatic_moves.WAYS`, or empty."""
        self.is_valid()
        return self.cleaned_data.get("then", "")


class PlayForm(PostedForm):
    """A campaign to found and play at once; `by` is `program` to watch a program play."""

    by = text_field()


class PlayOnForm(PostedForm):
    """The way to play on: one of `automatic_moves.WAYS`, or `stop`."""

    how = forms.ChoiceField(choices=[*WAYS, (STOP, STOP)])
    seen = text_field()

    @property
    def way(self) -> str:
        """Return how to play on; empty if there is no such way."""
        self.is_valid()
        return self.cleaned_data.get("how", "")

    @property
    def seen_entry(self) -> int:
        return seen_number(self.text_of("seen"))


class MoveListForm(BoardForm):
    """An act on the list of moves, or a move to add to it.

    `list` is the act; if it is empty, the move is added. `version` is the version of the list on
    the page, `at` the place of a move in it, `times` how often the move is added, and `stop` has
    the keys of the events that end an announcement.
    """

    list = text_field()
    version = text_field()
    at = text_field()
    times = text_field()
    stop = forms.Field(required=False, widget=forms.SelectMultiple)

    @property
    def act(self) -> str:
        return self.text_of("list")

    @property
    def list_version(self) -> int:
        return self.number_or_nowhere("version")

    @property
    def place(self) -> int:
        return self.number_or_nowhere("at")

    @property
    def repetitions(self) -> int:
        """Return how often the move is added: from 1 to `MOST_TIMES`."""
        return min(max(self.number_of("times") or 1, 1), MOST_TIMES)

    @property
    def stops(self) -> Sequence[str]:
        return self["stop"].value() or ()

    def number_or_nowhere(self, name: str) -> int:
        """Return a posted number; `NOWHERE` if it is not a number."""
        number = self.number_of(name)
        return NOWHERE if number is None else number


class TalkForm(PostedForm):
    """A message to the players."""

    text = text_field()
