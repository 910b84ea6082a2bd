"""The forms of moderation. The services decide what is wrong with a value."""

from __future__ import annotations

from django import forms

from engine.strict_json import whole
from web.frame.fields import TypedText, WholeNumber

NO_NUMBER = 0
"""A number that the service refuses, for what is not one."""


class ReportForm(forms.Form):
    """A text that is reported or removed, or an author who is blocked."""

    do = TypedText()
    reason = TypedText()
    words = TypedText()

    def clean_do(self) -> str:
        return self.cleaned_data["do"] or "report"


class DecisionForm(forms.Form):
    """What a moderator decides about a report or an account."""

    do = TypedText()
    words = TypedText()
    report = WholeNumber()
    name = TypedText()


class SettledForm(forms.Form):
    """A report that a game master has settled at the table."""

    report = WholeNumber()


class BlockForm(forms.Form):
    """Someone who is blocked by name, or whose block ends."""

    name = forms.CharField(required=False)
    unblock = WholeNumber()


class InvitationForm(forms.Form):
    """A new link to sign-up, or one that is revoked."""

    note = TypedText()
    uses = TypedText()
    days = TypedText()
    revoke = WholeNumber()

    def number_of_uses(self) -> int:
        return whole(self.cleaned_data["uses"], 4) or NO_NUMBER

    def number_of_days(self) -> int:
        return whole(self.cleaned_data["days"], 3) or NO_NUMBER
