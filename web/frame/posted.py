"""Forms whose values a service checks: they are read as they were typed."""

from __future__ import annotations

from django import forms

from engine.strict_json import whole


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
