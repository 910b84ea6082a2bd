"""The queries of the history."""

from __future__ import annotations

from django import forms

from campaign.log.history import Trail
from engine.strict_json import read_whole_number
from web.frame.fields import AskedNumber, TypedText
from web.frame.raw_forms import PostedForm, text_field
from web.history.moment import TURNS


class HistoryQuery(PostedForm):
    """The requested position.

    `?at=` is the number of an entry, `?stop=` the position on the slider; `?by=turns` compares with
    the end of the previous turn.
    """

    at = text_field()
    stop = text_field()
    by = text_field()

    @property
    def entry(self) -> int | None:
        """Return the number of the requested entry; None if it is not a number."""
        return read_whole_number(self.text_of("at").strip())

    @property
    def has_stop(self) -> bool:
        return "stop" in self.data

    @property
    def by_turns(self) -> bool:
        return self.text_of("by") == TURNS

    def place(self, road: Trail) -> int | None:
        """Return the place of the requested entry in the trail, by default the last place.

        It is None if the trail does not contain the entry.
        """
        if not self.text_of("at").strip():
            return len(road.stops) - 1
        return None if self.entry is None else road.at(self.entry)

    def place_on_slider(self, road: Trail) -> int | None:
        """Return the place of a stop, counted from 1; None if there is no such stop."""
        nth = self.number_of("stop")
        return nth - 1 if nth is not None and 1 <= nth <= len(road.stops) else None


class FilmQuery(forms.Form):
    """The entries between which a film runs.

    `part` asks for the next part of a long film, `follow` also for the reader's next decision.
    """

    since = AskedNumber(required=True)
    to = AskedNumber()
    part = TypedText()
    follow = TypedText()

    @property
    def follows(self) -> bool:
        """Return whether the film goes on to the reader's next decision."""
        return "follow" in self.data

    @property
    def is_part(self) -> bool:
        return "part" in self.data


class FilmPageQuery(PostedForm):
    """The entries between which the page of a film runs, as they were typed."""

    since = text_field()
    to = text_field()
    follow = text_field()

    @property
    def follows(self) -> bool:
        """Return whether the film goes on to the reader's next decision."""
        return bool(self.text_of("follow"))

    def entry_or(self, name: str, default: int) -> str:
        """Return the typed number of an entry; the default if the field is empty."""
        return self.text_of(name).strip() or str(default)
