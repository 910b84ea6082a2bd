"""Fields that the bodies of several requests share."""

from __future__ import annotations

from rest_framework import serializers as s

FAR = 999_999_999
"""The largest number that bodies and addresses may contain."""


def number(help_text: str | None = None) -> s.IntegerField:
    """Return a field for the number of an entry or a version."""
    return s.IntegerField(min_value=0, max_value=FAR, help_text=help_text)


def number_if_needed(help_text: str | None = None) -> s.IntegerField:
    """Return a field for a number that only some acts need."""
    return s.IntegerField(required=False, min_value=0, max_value=FAR, help_text=help_text)


def optional_number(help_text: str | None = None) -> s.IntegerField:
    """Return a field for a number that may be left out or null."""
    return s.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=FAR,
        help_text=help_text,
    )


def optional_text(most: int, help_text: str | None = None) -> s.CharField:
    """Return a field for a text of at most `most` characters that may be left out."""
    return s.CharField(
        required=False, allow_blank=True, default="", max_length=most, help_text=help_text
    )
