"""The form that chooses how a campaign reads the unclear places of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.contract.plain import RawOptions
from games.grand_campaign.text.readings import OFF, ON, READINGS, Reading, usual_value, value_of
from web.frame.posted import PostedForm, text_field

LEFT_OUT = {"hands": "open", "external_attacks": OFF}
"""The readings that a form means if it leaves their fields out. For other fields it means the first
choice, or the present one.
"""

Typed = Mapping[str, str]
"""The fields of a form as they were typed."""


@dataclass(frozen=True, slots=True)
class ChoiceShown:
    """A reading that can be chosen."""

    value: str
    name: str
    follows: str
    is_chosen: bool
    is_proposed: bool


@dataclass(frozen=True, slots=True)
class ReadingField:
    """A place where the rules are unclear, with its readings."""

    key: str
    rule: str
    name: str
    source: str
    choices: Sequence[ChoiceShown]


class ReadingsForm(PostedForm):
    """How a campaign reads the unclear places. The rules check it."""

    hands = text_field()
    external_attacks = text_field()
    diplomat = text_field()
    attack_limit = text_field()

    def values(self) -> dict[str, str]:
        """Return the reading of each place. A field that is left out is as in a record."""
        return {
            reading.key: self.typed_or(reading.key, LEFT_OUT.get(reading.key, usual_value(reading)))
            for reading in READINGS
        }


def reading_fields(options: RawOptions, typed: Typed | None) -> list[ReadingField]:
    """Return the unclear places: as they were `typed`, else as these options read them."""
    form = ReadingsForm(typed)
    fields = []
    for reading in READINGS:
        value = value_of(reading, options)
        if form.is_bound:
            value = form.typed_or(reading.key, LEFT_OUT.get(reading.key, value))
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


def read(typed: Typed) -> dict[str, object]:
    """Return the options of a record that a form means."""
    values = ReadingsForm(typed).values()
    return {**values, "external_attacks": values["external_attacks"] == ON}
