"""The form in which a game master writes a ruling."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign import rulebook
from engine.strict_json import whole
from web.frame.posted import PostedForm, text_field

LONGEST_PREFILL = 60


class RulingQuery(PostedForm):
    """What an address fills in: the revised ruling, or paragraph and entry of a new ruling."""

    revise = text_field()
    rule = text_field()
    entry = text_field()


class RulingForm(forms.Form):
    """How a rule is read. The service judges the text, and whether the entry exists."""

    text = forms.CharField(
        label=_("How the rule is read"),
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
        label=_("Entry where the question came up"),
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "maxlength": 9, "inputmode": "numeric"}),
    )
    revises = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, title: str, *args: Any, **kwargs: Any) -> None:
        """Take the key of the title, whose rules have the paragraphs that can be named."""
        super().__init__(*args, **{"auto_id": "r-%s", **kwargs})
        self.paragraphs = rulebook.numbers(title)

    def clean_rule(self) -> str:
        """Return the paragraph without its sign."""
        rule = str(self.cleaned_data["rule"]).removeprefix("§").strip()
        if rule and self.paragraphs and rule not in self.paragraphs:
            raise forms.ValidationError(
                _("The rules have no paragraph %(rule)s. Choose one that is there.")
                % {"rule": rule}
            )
        return rule

    def clean_entry(self) -> int | None:
        """Return the number of the entry; None if the field is empty."""
        typed = str(self.cleaned_data["entry"])
        entry = whole(typed)
        if typed and entry is None:
            raise forms.ValidationError(_("An entry is a number of the log."))
        return entry

    def clean_revises(self) -> int | None:
        """Return the number of the ruling that this one replaces."""
        return whole(str(self.cleaned_data["revises"]))

    @property
    def revised_number(self) -> str:
        """The number of the ruling that is being revised, as typed; empty for a new one."""
        return str(self["revises"].value() or "")
