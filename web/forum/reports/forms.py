"""The forms of the report pages: choices for reading, the game master's own text, the template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from engine.language import LANGUAGES
from forum.dialects import DEFAULT, DIALECTS
from forum.posts import reports
from forum.posts import threads as writing
from web.frame.fields import TypedText, text_area

LAST_PART = "address"
"""The part of a report that is always at its end."""
LAST_PLACE = 99


@dataclass(frozen=True, slots=True)
class Choice:
    """The choices for reading a report. An empty tone is that of the template."""

    dialect: str
    language: str
    tone: str

    def query(self, **changes: str) -> str:
        """Return the query of an address with these choices and some changes."""
        values = {**asdict(self), **changes}
        return "?" + urlencode({key: value for key, value in values.items() if value})


class ChoiceForm(forms.Form):
    """The choices for reading a report. Unknown values count as not chosen.

    `now` says that an impatient reader does not wait for its picture.
    """

    dialect = forms.ChoiceField(choices=[(key, key) for key in DIALECTS], required=False)
    language = forms.ChoiceField(choices=[(code, code) for code in LANGUAGES], required=False)
    tone = forms.ChoiceField(choices=[(key, key) for key in reports.TONES], required=False)
    now = TypedText()

    @property
    def is_impatient(self) -> bool:
        return bool(self["now"].value())

    def choice(self) -> Choice:
        """Return the choices: by default phpBB, and the reader's language."""
        self.is_valid()
        chosen: Mapping[str, str] = self.cleaned_data
        return Choice(
            dialect=chosen.get("dialect") or DEFAULT,
            language=chosen.get("language") or translation.get_language() or LANGUAGES[0],
            tone=chosen.get("tone") or "",
        )


class WordsForm(forms.Form):
    """The game master's own text in one report."""

    before = TypedText(
        label=_("Before this happened"),
        widget=text_area(4, writing.FLAVOUR),
    )
    after = TypedText(
        label=_("After the move"),
        widget=text_area(4, writing.FLAVOUR),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(data, auto_id="w-%s", **options)


class TemplateForm(forms.Form):
    """The template of all reports of a campaign in one language: tone, subject, greeting, parts."""

    tone = TypedText()
    subject = TypedText(
        label=_("Subject"),
        help_text=_(
            "For the post or e-mail. If you leave it empty, the report’s own title is used."
        ),
        widget=forms.TextInput(
            {"class": "input", "maxlength": writing.SUBJECT, "placeholder": "{campaign}: {report}"}
        ),
    )
    greeting = TypedText(
        label=_("Greeting"),
        widget=text_area(3, writing.TEXT),
    )
    signature = TypedText(
        label=_("Signature"),
        widget=text_area(2, writing.TEXT),
    )
    parts = forms.Field(required=False, disabled=True)
    """The field for errors about the parts, which have two fields each."""

    def __init__(
        self, language: str, data: Mapping[str, Any] | None = None, **options: Any
    ) -> None:
        super().__init__(data, auto_id="t-%s", **options)
        for name in ("subject", "greeting", "signature"):
            self.fields[name].widget.attrs["lang"] = language
        for part in reports.PARTS:
            self.fields[f"show-{part}"] = forms.BooleanField(required=False)
            self.fields[f"place-{part}"] = TypedText()

    def template(self) -> reports.Template:
        """Return the typed template."""
        self.is_valid()
        typed = {name: self.line_ends(name) for name in ("subject", "greeting", "signature")}
        return reports.Template(tone=self.cleaned_data["tone"], order=self.order(), **typed)

    def line_ends(self, name: str) -> str:
        """Return a text with the line ends of this system."""
        return str(self.cleaned_data[name]).replace("\r\n", "\n")

    def order(self) -> tuple[str, ...]:
        """Return the ticked parts in the order of their numbers."""
        shown = [part for part in reports.PARTS if part in reports.NEEDED or self.is_ticked(part)]
        known = list(reports.PARTS)
        return tuple(
            sorted(
                shown,
                key=lambda part: (part == LAST_PART, self.place_of(part), known.index(part)),
            )
        )

    def is_ticked(self, part: str) -> bool:
        return bool(self.cleaned_data[f"show-{part}"])

    def place_of(self, part: str) -> int:
        typed = self.cleaned_data[f"place-{part}"]
        is_number = typed.isascii() and typed.isdigit() and len(typed) < 3
        return int(typed) if is_number else LAST_PLACE
