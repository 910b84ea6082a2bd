"""The form in which somebody says when he is away."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from people.models import Absence
from people.validators import line

ALL, SOME = "all", "some"


class AwayForm(forms.Form):
    """`campaigns` are (public id, name) of those that may be told; which of them, only where `whom` says some."""

    first = forms.DateField(label=_("First day away"))
    last = forms.DateField(label=_("Last day away"))
    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=Absence.LONGEST_NOTE,
        validators=[line],
        help_text=_("Whom to ask meanwhile, whether you can look in. It stands in no log; you can change it."),
    )
    masters_only = forms.BooleanField(label=_("Only game masters read the note"), required=False)
    whom = forms.ChoiceField(
        label=_("Who is told"),
        choices=[(ALL, _("All my campaigns")), (SOME, _("Only these"))],
        initial=ALL,
        widget=forms.RadioSelect,
    )
    campaigns = forms.MultipleChoiceField(label=_("Campaigns"), required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, known: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["campaigns"].choices = known  # type: ignore[attr-defined]
        for name in ("first", "last"):
            self.fields[name].widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        self.fields["note"].widget.attrs["autocomplete"] = "off"

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        if found.get("whom") == SOME and not found.get("campaigns") and "campaigns" not in self.errors:
            self.add_error("campaigns", _("Choose at least one, or tell all."))
        return found
