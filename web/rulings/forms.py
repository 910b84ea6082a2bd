"""The form with which a game master writes a ruling."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign import rulebook
from engine.strict_json import read_whole_number
from web.frame.raw_forms import PostedForm, text_field

LONGEST_PREFILL = 60


class RulingQuery(PostedForm):
    """The values that an address fills in: a ruling to revise, or paragraph and entry."""

    revise = text_field()
    rule = text_field()
    entry = text_field()


class RulingForm(forms.Form):
    """A reading of a rule. The service checks the text, and whether the entry exists."""

    text = forms.CharField(
        label=_("Interpretation of the rule"),
        required=False,
        widget=forms.Textarea(
            attrs={
                "class": "textarea",
                "cols": False,
                "rows": 5,
                "maxlength": rulebook.LONGEST,
                "required": True,
            }
        ),
    )
    rule = forms.CharField(
        label=_("Paragraph"),
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "maxlength": 8, "placeholder": "9.7"}),
    )
    entry = forms.CharField(
        label=_("Log entry that raised the question"),
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "maxlength": 9, "inputmode": "numeric"}),
    )
    revises = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, title: str, *args: Any, **kwargs: Any) -> None:
        """Take the key of the title whose rules have the paragraphs that can be named."""
        super().__init__(*args, **{"auto_id": "r-%s", **kwargs})
        self.paragraphs = rulebook.numbers(title)

    def clean_rule(self) -> str:
        """Return the paragraph without its sign."""
        rule = str(self.cleaned_data["rule"]).removeprefix("§").strip()
        if rule and self.paragraphs and rule not in self.paragraphs:
            raise forms.ValidationError(
                _("The rules have no paragraph %(rule)s. Choose an existing one.") % {"rule": rule}
            )
        return rule

    def clean_entry(self) -> int | None:
        """Return the number of the entry; None if the field is empty."""
        typed = str(self.cleaned_data["entry"])
        entry = read_whole_number(typed)
        if typed and entry is None:
            raise forms.ValidationError(_("Enter the number of a log entry."))
        return entry

    def clean_revises(self) -> int | None:
        """Return the number of the ruling that this ruling replaces."""
        return read_whole_number(str(self.cleaned_data["revises"]))

    @property
    def revised_number(self) -> str:
        """The number of the ruling that is being revised, as typed; empty for a new ruling."""
        return str(self["revises"].value() or "")
