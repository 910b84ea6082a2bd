"""The form with which a user agrees to new terms."""

from __future__ import annotations

from django import forms


class AgreementForm(forms.Form):
    """Agreeing to the terms; `next` is the address to which the user wanted to go."""

    next = forms.CharField(required=False)

    def next_address(self) -> str:
        """Return the address; empty if none was given, or one that cannot be read."""
        return str(self.cleaned_data["next"]) if self.is_valid() else ""
