"""The forms of the outbox: acts on several posts, acts on one post, and new drafts."""

from __future__ import annotations

from django import forms
from django.http import QueryDict

from web.frame.fields import TypedText, WholeNumber, WholeNumbers
from web.frame.raw_forms import PostedForm, text_field


class OutboxQuery(PostedForm):
    """The query of the outbox's address.

    `at` is the mark of the page that the browser has, `show` the key of a filter, and `report` the
    report to draft.
    """

    at = text_field()
    show = text_field()
    report = text_field()


class SelectionForm(forms.Form):
    """The ticked posts, and the link that they share."""

    post = WholeNumbers()
    link = TypedText()


class FrequencyForm(forms.Form):
    """The frequency with which the campaign posts."""

    frequency = TypedText()


class AddressForm(forms.Form):
    """The address of a thread to which the user copies reports."""

    address = TypedText()


class DraftForm(forms.Form):
    """The report that gets a post of its own, and the thread; by default the only thread."""

    thread = WholeNumber()
    report = TypedText()

    def __init__(self, post_data: QueryDict) -> None:
        super().__init__(post_data)
        self.names_thread = "thread" in post_data


class PartForm(forms.Form):
    """The part of a report that is to be changed, and its link."""

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
