"""The forms of the outbox: what is done to several posts, to one, and how a report is drafted."""

from __future__ import annotations

from django import forms
from django.http import QueryDict

from web.frame.fields import TypedText, WholeNumber, WholeNumbers
from web.frame.posted import PostedForm, text_field


class OutboxQuery(PostedForm):
    """What an address shows of the outbox.

    `at` is the mark of the page that the browser has, `show` the key of a filter, and `report` the
    report to draft.
    """

    at = text_field()
    show = text_field()
    report = text_field()


class SelectionForm(forms.Form):
    """The posts that are ticked, and the link that they share."""

    post = WholeNumbers()
    link = TypedText()


class FrequencyForm(forms.Form):
    """How often the campaign posts."""

    frequency = TypedText()


class AddressForm(forms.Form):
    """The address of a thread to copy and paste to."""

    address = TypedText()


class DraftForm(forms.Form):
    """The report that gets a post of its own, and the thread; without one, the only thread."""

    thread = WholeNumber()
    report = TypedText()

    def __init__(self, posted: QueryDict) -> None:
        super().__init__(posted)
        self.names_thread = "thread" in posted


class PartForm(forms.Form):
    """The part of a report that something is done to, and its link."""

    part = WholeNumber()
    link = TypedText()
    back = TypedText()

    def clean_part(self) -> int:
        return self.cleaned_data["part"] or 1

    @property
    def part_number(self) -> int:
        number: int = self.cleaned_data["part"]
        return number

    @property
    def returns_to_outbox(self) -> bool:
        return bool(self.cleaned_data["back"] == "outbox")
