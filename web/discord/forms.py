"""The form on the account page that makes a code for Discord or ends the link."""

from __future__ import annotations

from django import forms

END = "end"


class LinkForm(forms.Form):
    """The form that ends the link (`do` is `END`), or makes a code."""

    do = forms.CharField(required=False)

    def ends_link(self) -> bool:
        return self.is_valid() and self.cleaned_data["do"] == END
