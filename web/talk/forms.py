"""The forms of talk and of the press. The services check the texts."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from web.frame.fields import TypedText, WholeNumber
from web.frame.raw_forms import PostedForm, text_field


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
    """A message: its recipients, the seat that writes it, the quoted entry."""

    to = SeatsField()
    seat = TypedText()
    text = LinesText()
    quoted = WholeNumber()

    def __init__(self, form_data: QueryDict) -> None:
        super().__init__(form_data)
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
        """Return the number of the quoted entry."""
        number: int | None = self.cleaned_data["quoted"]
        return number


class StartForm(forms.Form):
    """A message that an address suggests: its recipients, and the quoted entry."""

    to = SeatsField()
    quote = WholeNumber()


class PageQuery(PostedForm):
    """The number before which the messages of a page lie; without it, the newest are shown."""

    before = text_field()


class SightForm(forms.Form):
    """The rule on what the game master may read."""

    sight = TypedText()


class ProclamationForm(forms.Form):
    """A proclamation: the seat that makes it, its headline and its text."""

    seat = TypedText()
    headline = TypedText()
    text = LinesText()

    def __init__(self, post_data: QueryDict) -> None:
        super().__init__(post_data)
        self.is_valid()


class ReportPressForm(forms.Form):
    """Whether the report of a turn includes the proclamations."""

    def __init__(self, post_data: QueryDict) -> None:
        super().__init__(post_data)
        self.is_on = "on" in post_data
