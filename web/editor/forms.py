"""Forms of the editor."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from campaign.errors import Refused
from engine.strict_json import read_whole_number
from web.frame.raw_forms import PostedForm, text_field

LONGEST_ACT = 20_000
"""The largest number of characters of an act, or of the form with the numbers of the rules."""
LONGEST_NAME = 60
LONGEST_ROWS = 10_000
LARGEST_FILE = 2_000_000
"""The largest size of a file with shapes, in bytes."""
MOST_SHAPES = 150
UNKNOWN_REVISION = -1
NULL = "\0"


def check_values(post_data: QueryDict) -> None:
    """Check that the values of a form can be stored and are short enough to be read quickly.

    Raises:
        Refused: The form is much longer than one that a user fills in by hand, or it contains a
            null character.
    """
    sent = [value for _name, values in post_data.lists() for value in values]
    if any(NULL in value for value in sent):
        raise Refused("unprintable", _("A field contains a character that cannot be stored."))
    if sum(map(len, sent)) > LONGEST_ACT:
        most = number_format(LONGEST_ACT, force_grouping=True)
        raise Refused(
            "too-long",
            _("You can change at most %(most)s characters at once. Change less at a time.")
            % {"most": most},
        )


class EditorForm(forms.Form):
    """The base of every form of the editor.

    A field is invalid only if its text contains a null character. Users cannot type one, so the
    text is treated as empty.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Read the form at once."""
        super().__init__(*args, **kwargs)
        self.full_clean()
        self.cleaned_data.update(dict.fromkeys(self.errors, ""))


class ActForm(EditorForm):
    """An act, with the revision of the draft that its page showed, and the place to return to.

    The title reads the fields of the act itself.
    """

    revision = forms.CharField(required=False)
    act = forms.CharField(required=False)
    back = forms.CharField(required=False)
    page = forms.CharField(required=False)
    shape = forms.CharField(required=False)
    show_province = forms.CharField(required=False)
    show_nation = forms.CharField(required=False)
    show_tab = forms.CharField(required=False)

    @property
    def revision_number(self) -> int:
        """The revision of the draft; if none was sent, a number that no draft has."""
        revision = read_whole_number(str(self.cleaned_data["revision"]))
        return revision if revision is not None else UNKNOWN_REVISION

    @property
    def is_of_numbers(self) -> bool:
        """Whether the form is on the page with the numbers of the rules."""
        return bool(self.cleaned_data["page"] == "numbers")

    @property
    def selection(self) -> dict[str, str]:
        """The query of the panel that the page shows."""
        names = ("province", "nation", "tab")
        selected = {name: str(self.cleaned_data[f"show_{name}"]) for name in names}
        return {name: value for name, value in selected.items() if value}


class PublishForm(ActForm):
    """A version of the draft: a note on its changes, and who may see it."""

    note = forms.CharField(required=False, strip=False)
    sharing = forms.CharField(required=False)


class NumbersForm(EditorForm):
    """The number of the rules to reset to its usual value; the title reads the other fields."""

    usual = forms.CharField(required=False)


class ForkForm(EditorForm):
    """The scenario that a draft begins from, and the draft's name."""

    name = forms.CharField(required=False, strip=False)

    @property
    def source(self) -> str:
        """`title/key` of a shipped scenario, or the reference of a scenario on a shelf."""
        return str(self.data.get("from", "")).replace(NULL, "")


class ShapesQuery(PostedForm):
    """The file with shapes that a worker has read: the key of its row, as `read`."""

    read = text_field()


class BeginForm(EditorForm):
    """The beginning of a draft: from the map, another scenario, a file, or a sheet of hexagons."""

    MAP, OTHER, FILE, GRID = "map", "other", "file", "grid"

    name = forms.CharField(required=False)
    scenario = forms.CharField(required=False)
    rows = forms.CharField(required=False, strip=False)
    names = forms.CharField(required=False, strip=False)
    text = forms.CharField(required=False, strip=False)
    act = forms.CharField(required=False)

    @property
    def way(self) -> str:
        """The way to begin: one of `MAP`, `OTHER`, `FILE`, `GRID`."""
        way = str(self.data.get("from", ""))
        return way if way in (self.MAP, self.OTHER, self.FILE, self.GRID) else self.MAP

    @property
    def draft_name(self) -> str:
        """The name of the scenario as a single line; empty if none was typed."""
        return " ".join(self.cleaned_data["name"].split())[:LONGEST_NAME]

    @property
    def shape_names(self) -> list[str]:
        """The names that were typed for the shapes of a file, in the order of the file."""
        return [
            str(self.data.get(f"shape_{n}", "")).replace(NULL, "")
            for n in range(1, MOST_SHAPES + 1)
        ]

    @property
    def begins(self) -> bool:
        """Whether to begin the draft from the file that was read before."""
        return bool(self.cleaned_data["act"] == "begin" and self.cleaned_data["text"])
