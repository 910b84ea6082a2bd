"""Forms whose values a service checks: they are read as they were typed."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest

from engine.strict_json import whole

CSRF_FIELD = "csrfmiddlewaretoken"
"""The field that every form has beside its own."""


def form_key(request: HttpRequest, field: str = "do") -> str:
    """Return which form of a page was sent; empty if none was, or if it does not say.

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
    """A form whose values are read as they were typed."""

    def typed(self, name: str) -> str:
        """Return a field as it was typed; empty if it was not posted."""
        return str(self[name].value() or "")

    def typed_or(self, name: str, default: str) -> str:
        """Return a field as it was typed; `default` if it was not posted."""
        return self.typed(name) if self.add_prefix(name) in self.data else default

    def number(self, name: str) -> int | None:
        """Return a field as a whole number; None if it is none."""
        return whole(self.typed(name))


def text_field() -> forms.CharField:
    """Return a field for a text that a service checks."""
    return forms.CharField(required=False, strip=False)


class NextForm(PostedForm):
    """The address to which a form leads, as `next`."""

    next = text_field()
