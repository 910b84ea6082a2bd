"""Levels of a seat's accounts: the scale of an account and a title's note about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GaugeMark:
    """A mark on the scale of an account; `at` is its place in per cent."""

    at: str
    is_threshold: bool


@dataclass(frozen=True, slots=True)
class Gauge:
    """The scale of an account; `at` is the place of its level in per cent."""

    at: str
    marks: Sequence[GaugeMark]


@dataclass(frozen=True, slots=True)
class AccountNote:
    """A title's note about the level of an account."""

    note: str = ""
    rule: str = ""
    is_warning: bool = False
    label: str = ""
    """The label of the account on this page, if it is not the usual one."""
    gauge: Gauge | None = None
