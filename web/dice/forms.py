"""The forms of the dice page. They keep what was typed unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext as _

from campaign.dice import services as dice_services
from campaign.errors import Refused
from engine.strict_json import read_whole_number
from web.frame.fields import AskedNumber, TypedText
from web.frame.raw_forms import PostedForm, text_field

MOST = 40
"""The largest number of dice that are entered at once."""
OFF_THE_DIE = -1
"""The replacement for text that is not a number. No die has it, so the service refuses it."""


class RollQuery(forms.Form):
    """The requested rolls: those before a roll, by its number, the page of a roll, or all."""

    before = AskedNumber()
    all = TypedText()
    roll = TypedText()

    @property
    def first_left_out(self) -> int | None:
        """Return the number of the roll before the requested rolls; None for the newest."""
        number: int | None = self.cleaned_data["before"]
        return number

    @property
    def purpose(self) -> str:
        """Return the purpose of the roll whose page is requested; empty for none."""
        return str(self.cleaned_data["roll"])

    @property
    def every(self) -> bool:
        return "all" in self.data


@dataclass(frozen=True, slots=True)
class TypedDice:
    """Dice thrown elsewhere, as they were typed.

    `do` is `on`, `off`, `give`, `ahead`, `renew` or `drop`.
    """

    do: str = ""
    url: str = ""
    purpose: str = ""
    value: str = ""
    reason: str = ""
    dice: Mapping[str, str] = field(default_factory=dict)
    """The typed value for each purpose."""

    @property
    def values(self) -> dict[str, object]:
        """Return the dice that were filled in, by purpose."""
        return {purpose: number_on_die(text) for purpose, text in self.dice.items() if text.strip()}

    @property
    def gives(self) -> bool:
        return self.do == "give"

    @property
    def is_ahead(self) -> bool:
        return self.do == "ahead"


NO_DICE_TYPED = TypedDice()


class ManualForm(PostedForm):
    """A form for dice thrown elsewhere; each die has a field such as `die:<purpose>`."""

    do = text_field()
    url = text_field()
    purpose = text_field()
    value = text_field()
    reason = text_field()

    @property
    def content(self) -> TypedDice:
        given = list(self.data.items())[: 2 * MOST]
        return TypedDice(
            do=self.text_of("do"),
            url=self.text_of("url"),
            purpose=self.text_of("purpose"),
            value=self.text_of("value"),
            reason=self.text_of("reason"),
            dice={key.removeprefix("die:"): text for key, text in given if key.startswith("die:")},
        )


def number_on_die(text: str) -> int:
    value = read_whole_number(text.strip())
    return OFF_THE_DIE if value is None else value


@dataclass(frozen=True, slots=True)
class TypedMixing:
    """Words and draws to be mixed into the dice, as they were typed.

    `do` is one of `MIXING_ACTS`.
    """

    do: str = ""
    seat: str = ""
    text: str = ""
    url: str = ""
    source: str = ""
    falls: str = ""
    name: str = ""
    numbers: str = ""
    reason: str = ""
    wheels: Mapping[str, str] = field(default_factory=dict)
    """The seat of each wheel of the lottery."""

    def moment(self, zone: str) -> datetime:
        """Return when the draw takes place. Raise `Refused` if the time is invalid."""
        try:
            return datetime.fromisoformat(self.falls).replace(tzinfo=ZoneInfo(zone))
        except ValueError:
            text = _("Enter the day and time of the draw.")
            raise Refused("bad-date", text) from None

    def count(self) -> int | None:
        """Return how many numbers another source draws; None for the known sources.

        Raise `Refused` if the number is invalid.
        """
        if self.source != dice_services.OTHER:
            return None
        number = read_whole_number(self.numbers.strip())
        if number is None:
            raise Refused("bad-numbers", _("Enter how many numbers are drawn."))
        return number


NO_MIXING_TYPED = TypedMixing()


class MixingForm(PostedForm):
    """A form for words and draws. The lottery's wheels have fields such as `wheel:<wheel>`."""

    do = text_field()
    seat = text_field()
    text = text_field()
    url = text_field()
    source = text_field()
    falls = text_field()
    name = text_field()
    numbers = text_field()
    reason = text_field()

    @property
    def content(self) -> TypedMixing:
        return TypedMixing(
            **{name: self.text_of(name) for name in self.fields},
            wheels={
                wheel: self.data[f"wheel:{wheel}"]
                for wheel in dice_services.WHEELS
                if f"wheel:{wheel}" in self.data
            },
        )
