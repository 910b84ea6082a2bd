"""What an address of the history asks for."""

from __future__ import annotations

from django import forms

from campaign.log.history import Trail
from engine.strict_json import whole
from web.frame.fields import AskedNumber, TypedText
from web.frame.posted import PostedForm, text_field
from web.history.moment import TURNS


class HistoryQuery(PostedForm):
    """`?at=` is an entry's number, `?stop=` the position on the slider, `?by=turns` the comparison
    with the end of the turn before.
    """

    at = text_field()
    stop = text_field()
    by = text_field()

    @property
    def entry(self) -> int | None:
        """Return the number of the entry that is asked for; None if it is no number."""
        return whole(self.typed("at").strip())

    @property
    def has_stop(self) -> bool:
        return "stop" in self.data

    @property
    def by_turns(self) -> bool:
        return self.typed("by") == TURNS

    def place(self, road: Trail) -> int | None:
        """Return the place of the entry that is asked for, by default the last; None if it is none
        of the trail's.
        """
        if not self.typed("at").strip():
            return len(road.stops) - 1
        return None if self.entry is None else road.at(self.entry)

    def place_on_slider(self, road: Trail) -> int | None:
        """Return the place of a stop that is counted from 1; None if there is no such stop."""
        nth = self.number("stop")
        return nth - 1 if nth is not None and 1 <= nth <= len(road.stops) else None


class FilmQuery(forms.Form):
    """The entries between which a film runs. `part` asks for the next part of a long film."""

    since = AskedNumber(required=True)
    to = AskedNumber()
    part = TypedText()

    @property
    def is_part(self) -> bool:
        return "part" in self.data


class FilmPageQuery(PostedForm):
    """The entries between which the page of a film runs, as they were typed."""

    since = text_field()
    to = text_field()

    def entry_or(self, name: str, default: int) -> str:
        """Return the number of an entry as it was typed; the default if the field is empty."""
        return self.typed(name).strip() or str(default)
