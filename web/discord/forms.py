"""The form on the account page that makes a code for Discord or ends the link."""

from __future__ import annotations

from django import forms

END = "end"


class LinkForm(forms.Form):
    """`do` is `END` to end the link. Without it a code is made."""

    do = forms.CharField(required=False)

    def ends_link(self) -> bool:
        return self.is_valid() and self.cleaned_data["do"] == END
