"""The forms of moderation. The services check the values."""

from __future__ import annotations

from django import forms

from engine.strict_json import read_whole_number
from web.frame.fields import TypedText, WholeNumber

NO_NUMBER = 0
"""The replacement for text that is not a number; the service refuses it."""


class ReportForm(forms.Form):
    """A text that is reported or removed, or an author who is blocked."""

    do = TypedText()
    reason = TypedText()
    words = TypedText()

    def clean_do(self) -> str:
        return self.cleaned_data["do"] or "report"


class DecisionForm(forms.Form):
    """A moderator's decision about a report or an account."""

    do = TypedText()
    words = TypedText()
    report = WholeNumber()
    name = TypedText()


class SettledForm(forms.Form):
    """A report that a game master has settled in the campaign."""

    report = WholeNumber()


class BlockForm(forms.Form):
    """The name of a user to block, or a block to end."""

    name = forms.CharField(required=False)
    unblock = WholeNumber()


class InvitationForm(forms.Form):
    """A new sign-up link, or a link to revoke."""

    note = TypedText()
    uses = TypedText()
    days = TypedText()
    revoke = WholeNumber()

    def number_of_uses(self) -> int:
        return read_whole_number(self.cleaned_data["uses"], 4) or NO_NUMBER

    def number_of_days(self) -> int:
        return read_whole_number(self.cleaned_data["days"], 3) or NO_NUMBER
