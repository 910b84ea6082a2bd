"""The forms of talk and of the press. The services decide what is wrong with a text."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from web.frame.fields import TypedText, WholeNumber
from web.frame.posted import PostedForm, text_field


class SeatsField(forms.Field):
    """The seats that are ticked."""

    widget = forms.SelectMultiple

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Sequence[str] | None) -> list[str]:
        return list(value or ())


class LinesText(TypedText):
    """A text with several lines, with the line ends of this system."""

    def to_python(self, value: object) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class MessageForm(forms.Form):
    """A message: to whom, in whose name, about which entry."""

    to = SeatsField()
    seat = TypedText()
    text = LinesText()
    quoted = WholeNumber()

    def __init__(self, typed: QueryDict) -> None:
        super().__init__(typed)
        self.is_valid()

    @property
    def recipients(self) -> list[str]:
        return list(self.cleaned_data["to"])

    @property
    def seat_key(self) -> str:
        return str(self.cleaned_data["seat"])

    @property
    def message(self) -> str:
        return str(self.cleaned_data["text"])

    @property
    def entry(self) -> int | None:
        """Return the number of the entry that is quoted."""
        number: int | None = self.cleaned_data["quoted"]
        return number


class StartForm(forms.Form):
    """What an address asks to write: to whom, and about which entry."""

    to = SeatsField()
    quote = WholeNumber()


class PageQuery(PostedForm):
    """The number before which the messages of a page lie; without one, the newest."""

    before = text_field()


class SightForm(forms.Form):
    """What the game master reads."""

    sight = TypedText()


class ProclamationForm(forms.Form):
    """A proclamation: in whose name, with which headline."""

    seat = TypedText()
    headline = TypedText()
    text = LinesText()

    def __init__(self, posted: QueryDict) -> None:
        super().__init__(posted)
        self.is_valid()


class ReportPressForm(forms.Form):
    """Whether the report of a turn has its proclamations."""

    def __init__(self, posted: QueryDict) -> None:
        super().__init__(posted)
        self.is_on = "on" in posted
