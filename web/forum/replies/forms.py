"""The forms of the page of replies."""

from __future__ import annotations

from django import forms

from web.frame.fields import AskedNumber, TypedText, WholeNumber


class RepliesQuery(forms.Form):
    """The page of replies that an address asks for, counted from 1."""

    page = AskedNumber(4)

    @property
    def number(self) -> int:
        """Return the number of the page, by default the first."""
        number: int | None = self.cleaned_data["page"]
        return 1 if number is None else number


class ReplyForm(forms.Form):
    """A post that is read as moves, or set aside."""

    post = WholeNumber()
    do = TypedText()


class FollowingForm(forms.Form):
    """The settings for following a thread. `shown`: whether the players see its posts."""

    thread = WholeNumber()
    shown = forms.BooleanField(required=False)
