"""Forms with which users bring and share scenarios."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaign import scenarios as shelves
from campaign.models import Scenario
from engine.strict_json import replace_unprintable
from games.contract.title import Title
from web.scenarios.judging import editable_titles

SHARINGS = (
    (Scenario.Sharing.PRIVATE, _("Private"), _("only you")),
    (Scenario.Sharing.LINK, _("By link"), _("everyone with its address")),
    (Scenario.Sharing.PUBLIC, _("Public"), _("everyone, in the list of scenarios")),
)
"""The possible audiences of a scenario: key, name and explanation."""


class TextFileField(forms.FileField):
    """An optional text file in UTF-8; its value is its text, empty if no file was sent."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        """Set the largest size in bytes."""
        super().__init__(required=False, allow_empty_file=True, **kwargs)
        self.most = most

    def clean(self, data: object, initial: object = None) -> str:
        """Return the text of the file."""
        sent = super().clean(data, initial)
        if not sent:
            return ""
        if (sent.size or 0) > self.most:
            too_large = gettext("The file is larger than %(most)s kB") % {"most": self.most // 1000}
            raise forms.ValidationError(f"{too_large}.")
        try:
            return str(sent.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            no_text = gettext("The file is not text in UTF-8")
            raise forms.ValidationError(f"{no_text}.") from None


class SharingForm(forms.Form):
    """The audience of a scenario. The service refuses unknown values."""

    sharing = forms.CharField(required=False)


class ChoiceForm(forms.Form):
    """The scenario chosen in a founding form; the address of the form may also name one."""

    scenario = forms.CharField(required=False)
    scenario_text = forms.CharField(required=False, strip=False)
    scenario_file = forms.FileField(required=False, allow_empty_file=True)

    @property
    def key(self) -> str:
        """The key of the chosen scenario."""
        return str(self.data.get("scenario", ""))

    @property
    def sent_file(self) -> UploadedFile | None:
        """The file of the user's own scenario."""
        return self.files.get("scenario_file")

    def text(self, otherwise: str) -> str:
        """Return the text of the user's own scenario; `otherwise` if the form has no such field."""
        return str(self.data.get("scenario_text", otherwise))


class ScenarioForm(forms.Form):
    """A scenario as a file or as pasted text, optionally with a file of its drawing."""

    title = forms.CharField(required=False)
    text = forms.CharField(required=False, strip=False)
    file = TextFileField(most=shelves.LONGEST + shelves.LONGEST_DRAWING)
    drawing = TextFileField(most=shelves.LONGEST_DRAWING)
    sharing = forms.CharField(required=False, empty_value=Scenario.Sharing.PRIVATE)

    def clean(self) -> dict[str, Any]:
        """Refuse a form without a scenario."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not self.scenario_text.strip():
            missing = gettext("Choose the file of a scenario, or paste its text")
            self.add_error("file", f"{missing}.")
        return cleaned

    @property
    def scenario_text(self) -> str:
        """The text of the file; without a file, the pasted text."""
        return str(self.cleaned_data.get("file") or self.cleaned_data.get("text", ""))

    @property
    def length(self) -> int:
        """The number of characters of scenario and drawing."""
        return len(self.scenario_text) + len(self.cleaned_data["drawing"])

    @property
    def chosen_title(self) -> Title:
        """The chosen title, by default the first."""
        titles = editable_titles()
        chosen = self.data.get("title", "")
        return next((title for title in titles if title.key == chosen), titles[0])

    @property
    def name_of_file(self) -> str:
        """The provisional name of a scenario until a worker has read it."""
        sent = self.files.get("file")
        return (
            replace_unprintable(str(sent.name)) if sent is not None else gettext("A long scenario")
        )
