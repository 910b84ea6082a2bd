"""Forms whose values a service checks: they are read exactly as typed."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest

from engine.strict_json import read_whole_number

CSRF_FIELD = "csrfmiddlewaretoken"
"""The name of the field with the CSRF token, which every form has."""


def form_key(request: HttpRequest, field: str = "do") -> str:
    """Return the key of the form of a page that was sent; empty if there is none.

    A page with several forms names each of them in a field. Its view reads this key before it knows
    which form to read.
    """
    return request.POST.get(field, "")


def sent_fields(request: HttpRequest) -> list[tuple[str, list[str]]]:
    """Return the names and values of the form that was sent, without its token."""
    return [
        (name, [str(value) for value in values])
        for name, values in request.POST.lists()
        if name != CSRF_FIELD
    ]


class PostedForm(forms.Form):
    """A form whose values are read exactly as typed."""

    def text_of(self, name: str) -> str:
        """Return the text of a field as it was typed; empty if it was not posted."""
        return str(self[name].value() or "")

    def text_or(self, name: str, default: str) -> str:
        """Return the text of a field as it was typed; `default` if it was not posted."""
        return self.text_of(name) if self.add_prefix(name) in self.data else default

    def number_of(self, name: str) -> int | None:
        """Return a field as a whole number; None if it is not a number."""
        return read_whole_number(self.text_of(name))


def text_field() -> forms.CharField:
    """Return a field for a text that a service checks."""
    return forms.CharField(required=False, strip=False)


class NextForm(PostedForm):
    """The address of the page that follows a form, as `next`."""

    next = text_field()
