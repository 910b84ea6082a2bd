"""The form that chooses a campaign's readings of the unclear places in the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.contract.plain import RawOptions
from games.grand_campaign.text.readings import OFF, ON, READINGS, Reading, usual_value, value_of
from web.frame.raw_forms import PostedForm, text_field

LEFT_OUT = {"hands": "open", "external_attacks": OFF}
"""The readings of fields that a form leaves out.

For other fields it is the first choice, or the present one.
"""

FormValues = Mapping[str, str]
"""The fields of a form as typed."""


@dataclass(frozen=True, slots=True)
class ChoiceShown:
    """A reading that a user can choose."""

    value: str
    name: str
    follows: str
    is_chosen: bool
    is_proposed: bool


@dataclass(frozen=True, slots=True)
class ReadingField:
    """An unclear place in the rules, with its readings."""

    key: str
    rule: str
    name: str
    source: str
    choices: Sequence[ChoiceShown]


class ReadingsForm(PostedForm):
    """The readings of the unclear places; the rules check them."""

    hands = text_field()
    external_attacks = text_field()
    diplomat = text_field()
    attack_limit = text_field()

    def values(self) -> dict[str, str]:
        """Return the reading of each place; a missing field has its meaning in a record."""
        return {
            reading.key: self.text_or(reading.key, LEFT_OUT.get(reading.key, usual_value(reading)))
            for reading in READINGS
        }


def reading_fields(options: RawOptions, form_values: FormValues | None) -> list[ReadingField]:
    """Return the unclear places, with the readings in `form_values`, or those of these options."""
    form = ReadingsForm(form_values)
    fields = []
    for reading in READINGS:
        value = value_of(reading, options)
        if form.is_bound:
            value = form.text_or(reading.key, LEFT_OUT.get(reading.key, value))
        fields.append(reading_field(reading, value))
    return fields


def reading_field(reading: Reading, value: str) -> ReadingField:
    """Return an unclear place in which the reading with this value is chosen."""
    return ReadingField(
        key=reading.key,
        rule=reading.rule,
        name=_(reading.name),
        source=_(reading.source),
        choices=[
            ChoiceShown(
                value=choice.value,
                name=_(choice.name),
                follows=_(choice.follows),
                is_chosen=choice.value == value,
                is_proposed=choice is reading.choices[0],
            )
            for choice in reading.choices
        ],
    )


def read(form_values: FormValues) -> dict[str, object]:
    """Return the options in record form."""
    values = ReadingsForm(form_values).values()
    return {**values, "external_attacks": values["external_attacks"] == ON}
