"""The forms of the desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from engine.strict_json import is_clean_text, read_whole_number
from games.contract.move_words import MoveWords
from games.contract.title import Field, Offer
from web.frame.raw_forms import PostedForm, text_field
from web.moves import forms as offer_forms
from web.moves.forms import FormRefusal, OfferForm

OPENING_MOVES = ("start", "open-turn")
LONGEST_REASON = 1000
TOO_LONG = _("A reason can have up to 1,000 characters, all of them printable.")


def first_error(form: forms.Form) -> str:
    """Return the first error of a form; empty if it has none."""
    return next((str(error) for errors in form.errors.values() for error in errors), "")


class DeskForm(PostedForm):
    """The fields common to the forms of the desk and its address.

    `do` names the form, `back` the page to which it leads instead of the desk, `offer` the move
    that the game master makes, `remind` the matter whose reminder form is open, and `judge` or
    `battle` the battle of a ruling.
    """

    do = text_field()
    back = text_field()
    offer = text_field()
    remind = text_field()
    judge = text_field()
    battle = text_field()

    @property
    def judged_battle(self) -> int | None:
        """Return the number of the battle of the ruling; None if there is none."""
        return read_whole_number(self.text_of("judge") or self.text_of("battle"))


class TurnForm(forms.Form):
    """The start of the campaign, or of the next turn.

    `unannounced` is set if the game master starts without having posted the announcement.
    """

    move = forms.ChoiceField(
        choices=[(move, move) for move in OPENING_MOVES],
        error_messages={
            "required": _("This step does not exist."),
            "invalid_choice": _("This step does not exist."),
        },
    )
    unannounced = forms.BooleanField(required=False)


class ReminderForm(forms.Form):
    """A reminder for the players in a single matter, or in every matter."""

    ALL = "all"

    matter = forms.CharField(required=False, max_length=200)

    @property
    def every(self) -> bool:
        return self.is_valid() and self.cleaned_data["matter"] == self.ALL

    @property
    def matter_key(self) -> str:
        return str(self.cleaned_data["matter"]) if self.is_valid() else ""


class RulingForm(PostedForm):
    """A ruling on the result of a disputed battle. The service checks the reason."""

    CLAIM, DISPUTE, OTHER = "claim", "dispute", "other"

    battle = forms.IntegerField(min_value=1, max_value=10**6, required=False)
    version = forms.ChoiceField(
        choices=[(key, key) for key in (CLAIM, DISPUTE, OTHER)],
        error_messages={
            "required": _("Choose which result is valid."),
            "invalid_choice": _("Choose which result is valid."),
        },
    )
    attacker = forms.CharField(required=False, strip=False)
    defender = forms.CharField(required=False, strip=False)
    sure = forms.CharField(required=False, strip=False)
    reason = forms.CharField(
        label=_("Ruling, visible to everyone"),
        required=False,
        widget=forms.TextInput(
            attrs={"id": "j-why", "maxlength": LONGEST_REASON, "autocomplete": "off"}
        ),
    )

    @property
    def chosen(self) -> str:
        """Return the chosen version as it was posted."""
        return self.text_of("version")

    @property
    def shares(self) -> dict[str, str]:
        """Return the two numbers of another result, as `battle_forms` reads them."""
        return {
            "by": "shares",
            "attacker": self.text_of("attacker"),
            "defender": self.text_of("defender"),
        }

    @property
    def signature(self) -> str:
        """Text that identifies the numbers, so that only numbers that were shown are applied."""
        return f"{self.text_of('attacker')}:{self.text_of('defender')}"

    @property
    def was_shown(self) -> bool:
        return self.text_of("sure") == self.signature


class ResultsForm(PostedForm):
    """The two numbers typed for each battle of the table, `a-<battle>` and `d-<battle>`.

    `sure` is the signature of the numbers shown before, `seen` the last entry that the page had
    shown.
    """

    sure = text_field()
    seen = text_field()

    def shares(self, battle: int) -> dict[str, str]:
        """Return the numbers typed for a battle, as `battle_forms` reads them."""
        attacker, defender = (
            str(self.data.get(f"{side}-{battle}", "")).strip() for side in ("a", "d")
        )
        return {"by": "shares", "attacker": attacker, "defender": defender}


class CountersignForm(PostedForm):
    """A countersigner's answer: with `do=object` an objection, with its reason."""

    do = text_field()
    reason = text_field()

    @property
    def objects(self) -> bool:
        return self.text_of("do") == "object"


class DeskOfferForm(OfferForm):
    """The fields of a correction, or of another move of the game master."""

    def __init__(
        self,
        words: MoveWords,
        offer: Offer,
        chosen: Mapping[str, object],
        form_values: Mapping[str, object],
    ) -> None:
        super().__init__(words, offer, chosen, form_values)
        for key, field in self.fields.items():
            field.widget.attrs.update(widget_attributes(key, self[key].widget_type))

    def refuse(self, wrong: FormRefusal) -> None:
        super().refuse(wrong)
        if wrong.field in self.fields:
            self.fields[wrong.field].widget.attrs.pop("hx-preserve", None)


def widget_attributes(key: str, widget_type: str) -> dict[str, str | int | bool]:
    """Return the attributes of a field for text or for a number; empty for other fields."""
    if widget_type == "textarea":
        return {"rows": 2, "cols": False, "maxlength": LONGEST_REASON}
    if widget_type != "text":
        return {}
    attrs: dict[str, str | int | bool] = {
        "class": "input input--num",
        "autocomplete": "off",
        "maxlength": 16,
    }
    if key == "change":
        # Keep a number that is being typed while another nation is loaded.
        attrs["hx-preserve"] = "true"
    return attrs


class CorrectionForm:
    """A posted correction: the tool, the values of its fields, the move in record form.

    `of` names the nation whose sheet the form showed. Values of another nation's sheet are dropped.
    """

    def __init__(self, tools: Sequence[Offer], post_data: QueryDict) -> None:
        self.post_data = post_data
        chosen = next((tool for tool in tools if tool.key == post_data.get("fix")), None)
        self.tool = chosen or (tools[0] if tools else None)
        self.values = read_values(self.tool, post_data) if self.tool is not None else {}

    @property
    def is_sent(self) -> bool:
        """Return whether the form was sent, not only described by an address."""
        return self.post_data.get("do") == "correct"

    @property
    def named_tool(self) -> str:
        """Return the tool that the address or the form names; empty if none."""
        return str(self.post_data.get("fix", ""))

    @property
    def raw(self) -> dict[str, Any]:
        """Return the move in record form."""
        return {**self.tool.raw(self.values)} if self.tool is not None else {}

    @property
    def raw_without_words(self) -> dict[str, Any]:
        """Return the move with a dash for every text, for a preview, which needs no reason."""
        return {**self.raw, **dict.fromkeys(self.text_fields, "–")}

    @property
    def text_fields(self) -> list[str]:
        return text_fields(self.tool) if self.tool is not None else []

    @property
    def sheet_fields(self) -> set[str]:
        return sheet_fields(self.tool) if self.tool is not None else set()

    def same_sheet(self, values: Mapping[str, Any] | None = None) -> bool:
        """Return whether the form showed the sheet of the chosen nation."""
        return shows_sheet_of(self.post_data, self.values if values is None else values)

    @property
    def only_looks(self) -> bool:
        """Return whether the button asks only for the consequences."""
        return bool(self.post_data.get("look"))

    @property
    def own_seat_accepted(self) -> bool:
        """Return whether the game master has read that the correction concerns their own seat."""
        return bool(self.post_data.get("own"))

    @property
    def missing(self) -> Field | None:
        """Return the first field that must be chosen and has not been."""
        return offer_forms.missing(self.tool, self.values) if self.tool is not None else None

    def unreadable_text(self) -> str:
        """Return the first text that is too long or cannot be shown; empty if there is none."""
        return next(
            (
                key
                for key in self.text_fields
                if not is_clean_text(self.values.get(key, ""), LONGEST_REASON)
            ),
            "",
        )


def read_values(tool: Offer, post_data: QueryDict) -> dict[str, Any]:
    """Return the posted values of a tool."""
    values = offer_forms.read(tool, post_data)
    if not shows_sheet_of(post_data, values):
        of_sheet = sheet_fields(tool)
        values = {key: value for key, value in values.items() if key not in of_sheet}
    for field in text_fields(tool):
        text = values.get(field)
        if isinstance(text, str):  # forms send a line break as two characters
            values[field] = text.replace("\r\n", "\n")
    return values


def shows_sheet_of(post_data: QueryDict, values: Mapping[str, Any]) -> bool:
    """Return whether the form showed the sheet of the nation that these values name."""
    return bool(post_data.get("of") == values.get("nation"))


def text_fields(tool: Offer) -> list[str]:
    """Return the keys of the fields for text."""
    return [field.key for field in tool.fields if field.kind == "text"]


def sheet_fields(tool: Offer) -> set[str]:
    """Return the keys of the fields that show a nation's present sheet."""
    return {field.key for field in tool.fields if "nation" in field.depends}
