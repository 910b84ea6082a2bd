"""Form fields for values that a service checks, and that a form only reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from engine.strict_json import read_whole_number

MOST_DIGITS = 9


class TypedText(forms.CharField):
    """Text exactly as it was typed. The service that takes it checks it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "strip": False, **options})
        self.validators = []


class WholeNumber(forms.Field):
    """A number that a page sent back; None if the text is not a number."""

    def __init__(self, digits: int = MOST_DIGITS) -> None:
        super().__init__(required=False)
        self.digits = digits

    def to_python(self, value: object) -> int | None:
        return read_whole_number(str(value or ""), self.digits)


class AskedNumber(WholeNumber):
    """A number in an address: None if it is left out, an error if it is not a number."""

    default_error_messages = {"invalid": forms.IntegerField.default_error_messages["invalid"]}

    def __init__(self, digits: int = MOST_DIGITS, *, required: bool = False) -> None:
        super().__init__(digits)
        self.required = required

    def to_python(self, value: object) -> int | None:
        number = super().to_python(value)
        if value and number is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return number


class WholeNumbers(forms.Field):
    """The numbers of the ticked rows. Texts that are not numbers are ignored."""

    widget = forms.SelectMultiple

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Sequence[str] | None) -> list[int]:
        return [number for text in value or () if (number := read_whole_number(text)) is not None]


class TypedTexts(forms.Field):
    """The values of a field that an address may have several times, exactly as they were typed."""

    widget = forms.SelectMultiple

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Sequence[str] | None) -> list[str]:
        return list(value or ())


def text_area(rows: int, most: int) -> forms.Textarea:
    """Return the widget for a text of several lines with at most `most` characters."""
    return forms.Textarea({"class": "textarea", "rows": rows, "maxlength": most, "cols": False})
