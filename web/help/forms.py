"""The form with which a user agrees to new terms."""

from __future__ import annotations

from django import forms


class AgreementForm(forms.Form):
    """A user's agreement to the terms; `next` is the address that the user wanted to open."""

    next = forms.CharField(required=False)

    def next_address(self) -> str:
        """Return the address; empty if none was given or it is invalid."""
        return str(self.cleaned_data["next"]) if self.is_valid() else ""
