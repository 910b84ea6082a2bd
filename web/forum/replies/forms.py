"""The forms of the page of replies."""

from __future__ import annotations

from django import forms

from web.frame.fields import TypedText, WholeNumber


class ReplyForm(forms.Form):
    """A post that is read as moves or set aside."""

    post = WholeNumber()
    do = TypedText()


class FollowingForm(forms.Form):
    """How a thread is followed: whether it is read, and whether the players see its posts."""

    thread = WholeNumber()
    shown = forms.BooleanField(required=False)
