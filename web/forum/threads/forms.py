"""The form of a thread: the transport, and the settings of its posts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from django import forms
from django.conf import settings
from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from campaign.models import Campaign
from engine.strict_json import read_whole_number
from forum.boards import SettingField, Transport
from forum.dialects import DIALECTS
from forum.models import Thread
from forum.posts import reports
from web.frame.fields import TypedText

PREFIX = "set-"
"""The beginning of the names of fields that a transport requires."""
REFUSED_LIMIT = -1
"""A limit that the service refuses, for text that is not a number."""


class ThreadSettings(TypedDict):
    """The settings of a thread, as the services take them."""

    name: str
    settings: Mapping[str, str]
    dialect: str
    language: str
    limit: int | None
    kinds: Sequence[str]
    at_once: bool
    tone: str
    can_fold: bool


class NeedField(TypedText):
    """A field that a transport requires. `remark` is shown beside its label."""

    def __init__(self, *, remark: str, **options: Any) -> None:
        super().__init__(**options)
        self.remark = remark


class PlainSelect(forms.Select):
    """A list whose empty choice, the first one, is not marked as selected."""

    def format_value(self, value: Any) -> list[str]:
        return [text for text in super().format_value(value) if text]


class TypedChoice(TypedText):
    """A choice whose value the service checks."""

    widget = PlainSelect({"class": "select"})


class KindsField(forms.Field):
    """The kinds of reports that are drafted automatically. The service checks them."""

    widget = forms.SelectMultiple

    def to_python(self, value: Sequence[str] | None) -> list[str]:
        return list(value or ())


class ThreadForm(forms.Form):
    """The settings of a thread. The fields of the transport come first.

    The service checks the settings; `show_error` shows an error at its field.
    """

    name = TypedText(label=gettext_lazy("Name (for your own use)"))
    dialect = TypedChoice(label=gettext_lazy("Format"))
    language = TypedChoice(label=pgettext_lazy("field", "Language"))
    limit = TypedText(
        label=gettext_lazy("Longest post (characters)"),
        help_text=gettext_lazy(
            "Leave it empty to use the usual limit of such boards. Longer reports are split into "
            "several posts."
        ),
        widget=forms.TextInput(
            {"class": "input posts__limit", "inputmode": "numeric", "maxlength": 7}
        ),
    )
    tone = TypedChoice(label=pgettext_lazy("field", "Tone"))
    kinds = KindsField(required=False)
    at_once = forms.BooleanField(required=False)
    can_fold = forms.BooleanField(required=False)
    active = forms.BooleanField(required=False)

    def __init__(
        self,
        way: Transport,
        campaign: Campaign,
        data: Mapping[str, Any] | None = None,
        *,
        thread: Thread | None = None,
    ) -> None:
        initial = stored_values(thread) if thread else first_values(way, campaign)
        super().__init__(data, initial=initial, auto_id="t-%s")
        self.way = way
        self.fields["name"].widget.attrs |= {
            "class": "input",
            "maxlength": 100,
            "placeholder": way.name,
        }
        self.set_choices("dialect", [(key, dialect_name(key, way)) for key in DIALECTS])
        self.set_choices("language", settings.LANGUAGES)
        own_tone = _("in the tone of the campaign’s reports")
        tones = [(key, str(text).split(": ", 1)[0]) for key, text in reports.TONES.items()]
        self.set_choices("tone", [("", own_tone), *tones])
        for need in way.needs:
            is_kept = need.secret and thread is not None and bool(thread.sealed)
            self.fields[PREFIX + need.key] = need_field(need, is_kept=is_kept)

    def set_choices(self, field: str, choices: Sequence[tuple[str, str]]) -> None:
        """Set the choices of a list."""
        widget = self.fields[field].widget
        assert isinstance(widget, forms.Select)
        widget.choices = choices

    def needs(self) -> list[forms.BoundField]:
        """Return the fields that the transport requires."""
        return [self[PREFIX + need.key] for need in self.way.needs]

    def settings(self) -> ThreadSettings:
        """Return the typed settings, as the services take them."""
        self.is_valid()
        cleaned_data = self.cleaned_data
        limit = cleaned_data["limit"].strip()
        number = read_whole_number(limit) if limit else None
        return {
            "name": cleaned_data["name"],
            "settings": {need.key: cleaned_data[PREFIX + need.key] for need in self.way.needs},
            "dialect": cleaned_data["dialect"],
            "language": cleaned_data["language"],
            "limit": REFUSED_LIMIT if limit and number is None else number,
            "kinds": cleaned_data["kinds"],
            "at_once": cleaned_data["at_once"],
            "tone": cleaned_data["tone"],
            "can_fold": cleaned_data["can_fold"],
        }

    def show_error(self, field: str, text: str) -> None:
        """Show a refusal at its field, or at the field of the transport with this key."""
        names = (PREFIX + field, field)
        self.add_error(next((name for name in names if name in self.fields), None), text)


def need_field(need: SettingField, *, is_kept: bool) -> NeedField:
    """Return the field for a value that a transport requires. A secret is never shown again."""
    kind = forms.PasswordInput if need.secret else forms.TextInput
    widget = kind(
        {
            "type": "password" if need.secret else need.kind,
            "id": f"t-{need.key}",
            "class": "input",
            "maxlength": 500,
            "autocomplete": "new-password" if need.secret else "off",
            "spellcheck": "false",
            "required": need.required and not is_kept,
        }
    )
    note = ""
    if is_kept:
        note = _("Stored encrypted. Leave it empty to keep the current one.")
    elif need.secret:
        note = _("It is stored encrypted and never shown again.")
    return NeedField(
        remark="" if need.required else pgettext("forum", "optional"),
        label=need.label,
        help_text=f"{need.help} {note}".strip(),
        widget=widget,
    )


def dialect_name(key: str, way: Transport) -> str:
    """Return the name of a dialect, with a note if it is the usual one of a transport."""
    name = str(DIALECTS[key].name)
    usual = _("default")
    return f"{name} ({usual})" if key == way.dialect else name


def first_values(way: Transport, campaign: Campaign) -> dict[str, object]:
    """Return the values of the form for a new thread."""
    return {
        "dialect": way.dialect,
        "language": get_language() or "en",
        "active": True,
        "kinds": reports.usual_kinds(campaign),
    }


def stored_values(thread: Thread) -> dict[str, object]:
    """Return the values of the form for an existing thread, without its secrets."""
    return {
        "name": thread.name,
        "dialect": thread.dialect,
        "language": thread.language,
        "limit": thread.limit or "",
        "tone": thread.tone,
        "at_once": thread.at_once,
        "can_fold": thread.can_fold,
        "active": thread.active,
        "kinds": thread.drafted_kinds,
        **{PREFIX + key: value for key, value in thread.settings.items()},
    }


class FirstPostForm(forms.Form):
    """The address of the first post of a thread."""

    link = TypedText()
