"""Read and check what the forms of the desk post."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from engine.strict_json import clean_text, whole
from games.contract.move_words import MoveWords
from games.contract.title import Field, Offer
from web.frame.posted import PostedForm, text_field
from web.moves import forms as offer_forms
from web.moves.forms import OfferForm, Wrong

OPENING_MOVES = ("start", "open-turn")
LONGEST_REASON = 1000
TOO_LONG = _("A reason has up to 1,000 characters, all of which can be shown.")


def first_error(form: forms.Form) -> str:
    """Return the first error of a form; empty if it has none."""
    return next((str(error) for errors in form.errors.values() for error in errors), "")


class DeskForm(PostedForm):
    """What every form of the desk may have, and its address.

    `do` says which form it is, `back` to which page it leads instead of the desk, `offer` which
    move the game master makes, `remind` whose form to remind is open, and `judge` or `battle` which
    battle is ruled on.
    """

    do = text_field()
    back = text_field()
    offer = text_field()
    remind = text_field()
    judge = text_field()
    battle = text_field()

    @property
    def judged_battle(self) -> int | None:
        """Return the number of the battle that is ruled on; None if there is none."""
        return whole(self.typed("judge") or self.typed("battle"))


class TurnForm(forms.Form):
    """Start the campaign, or open the next turn.

    `unannounced` says that the game master starts without having posted the announcement.
    """

    move = forms.ChoiceField(
        choices=[(move, move) for move in OPENING_MOVES],
        error_messages={
            "required": _("There is no such step."),
            "invalid_choice": _("There is no such step."),
        },
    )
    unannounced = forms.BooleanField(required=False)


class ReminderForm(forms.Form):
    """Remind the players of one matter, or of every matter."""

    ALL = "all"

    matter = forms.CharField(required=False, max_length=200)

    @property
    def every(self) -> bool:
        return self.is_valid() and self.cleaned_data["matter"] == self.ALL

    @property
    def matter_key(self) -> str:
        return str(self.cleaned_data["matter"]) if self.is_valid() else ""


class RulingForm(forms.Form):
    """Decide which result of a disputed battle is valid. The service checks the reason."""

    CLAIM, DISPUTE, OTHER = "claim", "dispute", "other"

    battle = forms.IntegerField(min_value=1, max_value=10**6, required=False)
    version = forms.ChoiceField(
        choices=[(key, key) for key in (CLAIM, DISPUTE, OTHER)],
        error_messages={
            "required": _("Choose whose result is valid."),
            "invalid_choice": _("Choose whose result is valid."),
        },
    )
    attacker = forms.CharField(required=False, strip=False)
    defender = forms.CharField(required=False, strip=False)
    sure = forms.CharField(required=False, strip=False)
    reason = forms.CharField(
        label=_("Ruling, for all to read"),
        required=False,
        widget=forms.TextInput(
            attrs={"id": "j-why", "maxlength": LONGEST_REASON, "autocomplete": "off"}
        ),
    )

    def text(self, name: str) -> str:
        """Return a field as it was typed."""
        return str(self[name].value() or "")

    @property
    def chosen(self) -> str:
        """Return the version that was chosen, as it was posted."""
        return self.text("version")

    @property
    def shares(self) -> dict[str, str]:
        """Return the two numbers of another result, as `battle_forms` reads them."""
        return {
            "by": "shares",
            "attacker": self.text("attacker"),
            "defender": self.text("defender"),
        }

    @property
    def signature(self) -> str:
        """Identify the numbers, so that only numbers that were shown are applied."""
        return f"{self.text('attacker')}:{self.text('defender')}"

    @property
    def was_shown(self) -> bool:
        return self.text("sure") == self.signature


class ResultsForm(PostedForm):
    """The two numbers typed for each battle of the table, `a-<battle>` and `d-<battle>`.

    `sure` is the signature of what was shown before, `seen` the last entry that the page had shown.
    """

    sure = text_field()
    seen = text_field()

    def shares(self, battle: int) -> dict[str, str]:
        """Return what was typed for a battle, as `battle_forms` reads it."""
        attacker, defender = (
            str(self.data.get(f"{side}-{battle}", "")).strip() for side in ("a", "d")
        )
        return {"by": "shares", "attacker": attacker, "defender": defender}


class CountersignForm(PostedForm):
    """A countersigner's answer: `do=object` objects, for the reason that was typed."""

    do = text_field()
    reason = text_field()

    @property
    def objects(self) -> bool:
        return self.typed("do") == "object"


class DeskOfferForm(OfferForm):
    """The fields of a correction, or of another move of the game master."""

    def __init__(
        self,
        words: MoveWords,
        offer: Offer,
        chosen: Mapping[str, object],
        typed: Mapping[str, object],
    ) -> None:
        super().__init__(words, offer, chosen, typed)
        for key, field in self.fields.items():
            field.widget.attrs.update(widget_attributes(key, self[key].widget_type))

    def refuse(self, wrong: Wrong) -> None:
        super().refuse(wrong)
        if wrong.field in self.fields:
            self.fields[wrong.field].widget.attrs.pop("hx-preserve", None)


def widget_attributes(key: str, widget_type: str) -> dict[str, str | int | bool]:
    """Return the attributes of a field for words or for a number; none for other fields."""
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
        # A number that is typed while another nation is fetched stays.
        attrs["hx-preserve"] = "true"
    return attrs


class CorrectionForm:
    """A correction as it was posted: the tool, the values of its fields, the move in record form.

    `of` names the nation whose sheet the form showed. Values of another nation's sheet are dropped.
    """

    def __init__(self, tools: Sequence[Offer], posted: QueryDict) -> None:
        self.posted = posted
        chosen = next((tool for tool in tools if tool.key == posted.get("fix")), None)
        self.tool = chosen or (tools[0] if tools else None)
        self.values = read_values(self.tool, posted) if self.tool is not None else {}

    @property
    def is_sent(self) -> bool:
        """Return whether the form was sent, and not only described by an address."""
        return self.posted.get("do") == "correct"

    @property
    def asked(self) -> str:
        """Return which tool the address or the form names; empty if none."""
        return str(self.posted.get("fix", ""))

    @property
    def raw(self) -> dict[str, Any]:
        """Return the move in record form."""
        return {**self.tool.raw(self.values)} if self.tool is not None else {}

    @property
    def raw_without_words(self) -> dict[str, Any]:
        """Return the move with a dash for every text: a preview needs no reason."""
        return {**self.raw, **dict.fromkeys(self.text_fields, "–")}

    @property
    def text_fields(self) -> list[str]:
        return text_fields(self.tool) if self.tool is not None else []

    @property
    def sheet_fields(self) -> set[str]:
        return sheet_fields(self.tool) if self.tool is not None else set()

    def same_sheet(self, values: Mapping[str, Any] | None = None) -> bool:
        """Return whether the form showed the sheet of the nation that is chosen."""
        return shows_sheet_of(self.posted, self.values if values is None else values)

    @property
    def only_looks(self) -> bool:
        """Return whether the button asks for the consequences alone."""
        return bool(self.posted.get("look"))

    @property
    def own_seat_accepted(self) -> bool:
        """Return whether the game master has read that the correction concerns their own seat."""
        return bool(self.posted.get("own"))

    @property
    def missing(self) -> Field | None:
        """Return the first field that must be chosen and is not."""
        return offer_forms.missing(self.tool, self.values) if self.tool is not None else None

    def unreadable_text(self) -> str:
        """Return the first text that is too long or cannot be shown; empty if there is none."""
        return next(
            (
                key
                for key in self.text_fields
                if not clean_text(self.values.get(key, ""), LONGEST_REASON)
            ),
            "",
        )


def read_values(tool: Offer, posted: QueryDict) -> dict[str, Any]:
    """Return the values that were posted for a tool."""
    values = offer_forms.read(tool, posted)
    if not shows_sheet_of(posted, values):
        of_sheet = sheet_fields(tool)
        values = {key: value for key, value in values.items() if key not in of_sheet}
    for field in text_fields(tool):
        text = values.get(field)
        if isinstance(text, str):  # a form sends a line break as two characters
            values[field] = text.replace("\r\n", "\n")
    return values


def shows_sheet_of(posted: QueryDict, values: Mapping[str, Any]) -> bool:
    """Return whether the form showed the sheet of the nation that these values name."""
    return bool(posted.get("of") == values.get("nation"))


def text_fields(tool: Offer) -> list[str]:
    """Return the keys of the fields for words."""
    return [field.key for field in tool.fields if field.kind == "text"]


def sheet_fields(tool: Offer) -> set[str]:
    """Return the keys of the fields that show how a nation's sheet is now."""
    return {field.key for field in tool.fields if "nation" in field.depends}
