"""The forms of a title's board. What they send is checked by the rules and the services."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from campaign import playing_on
from web.frame.posted import CSRF_FIELD, PostedForm, text_field
from web.frame.requests import seen_number

MOST_TIMES = 9
"""How often one form may put the same move on the list."""
NOWHERE = 10**6
"""A number that nothing has."""
STOP = "stop"
WAYS = [(way, way) for way in playing_on.WAYS]


class BoardForm(PostedForm):
    """A form of a title's board.

    `seen` is the last entry that the page had shown, `then` how to play on after the move.
    """

    OUTSIDE = frozenset({CSRF_FIELD, "seen"})
    """Fields that the table's page has put in."""

    seen = text_field()
    then = forms.ChoiceField(choices=WAYS, required=False)

    def __init__(self, posted: QueryDict) -> None:
        super().__init__(posted)
        self.posted = posted

    @property
    def seen_entry(self) -> int:
        return seen_number(self.typed("seen"))

    @property
    def title_fields(self) -> dict[str, str]:
        """Return what the title's own form has."""
        return {key: str(text) for key, text in self.posted.items() if key not in self.OUTSIDE}

    @property
    def way_after(self) -> str:
        """Return how to play on after the move: one of `playing_on.WAYS`, or empty."""
        self.is_valid()
        return self.cleaned_data.get("then", "")


class PlayForm(PostedForm):
    """Found a campaign and play it; `by` is `program` to watch a program play."""

    by = text_field()


class PlayOnForm(PostedForm):
    """How to play on: one of `playing_on.WAYS`, or `stop`."""

    how = forms.ChoiceField(choices=[*WAYS, (STOP, STOP)])
    seen = text_field()

    @property
    def way(self) -> str:
        """Return how to play on; empty if there is no such way."""
        self.is_valid()
        return self.cleaned_data.get("how", "")

    @property
    def seen_entry(self) -> int:
        return seen_number(self.typed("seen"))


class MoveListForm(BoardForm):
    """What is to be done with the list of moves, beside the move of the form.

    `list` is the act; if it is empty, the move is added. `version` is that of the list on the page,
    `at` the place of a move in it, `times` how often the move is added, and `stop` has the keys of
    what ends an announcement.
    """

    list = text_field()
    version = text_field()
    at = text_field()
    times = text_field()
    stop = forms.Field(required=False, widget=forms.SelectMultiple)

    @property
    def act(self) -> str:
        return self.typed("list")

    @property
    def list_version(self) -> int:
        return self.number_or_nowhere("version")

    @property
    def place(self) -> int:
        return self.number_or_nowhere("at")

    @property
    def repetitions(self) -> int:
        """Return how often the move is added: from 1 to `MOST_TIMES`."""
        return min(max(self.number("times") or 1, 1), MOST_TIMES)

    @property
    def stops(self) -> Sequence[str]:
        return self["stop"].value() or ()

    def number_or_nowhere(self, name: str) -> int:
        """Return a number as posted; `NOWHERE` if it is not a number."""
        number = self.number(name)
        return NOWHERE if number is None else number


class TalkForm(PostedForm):
    """The message to the players."""

    text = text_field()
