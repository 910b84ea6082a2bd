"""Form fields for values whose meaning a service checks, and which a form only reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from engine.strict_json import whole

MOST_DIGITS = 9


class TypedText(forms.CharField):
    """Text exactly as it was typed. The service that takes it decides what is wrong with it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "strip": False, **options})
        self.validators = []


class WholeNumber(forms.Field):
    """A number that a page sent back; None if it is not one."""

    def __init__(self, digits: int = MOST_DIGITS) -> None:
        super().__init__(required=False)
        self.digits = digits

    def to_python(self, value: object) -> int | None:
        return whole(str(value or ""), self.digits)


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
    """The numbers of the rows that are ticked. What is not a number is left out."""

    widget = forms.SelectMultiple

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Sequence[str] | None) -> list[int]:
        return [number for text in value or () if (number := whole(text)) is not None]


def text_area(rows: int, most: int) -> forms.Textarea:
    """Return the widget of a text with several lines and at most so many characters."""
    return forms.Textarea({"class": "textarea", "rows": rows, "maxlength": most, "cols": False})
