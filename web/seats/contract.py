"""The part that a title adds to the page of an invitation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from django.utils.safestring import SafeString

from campaign.models import Campaign

Fact = tuple[str, str]
"""A label and a text."""


class Start(NamedTuple):
    """A title's picture of the start, for a user who has been invited."""

    svg: SafeString
    crop: bool
    caption: str
    begins: Mapping[str, str]
    """The things with which each seat begins, in words."""
    facts: Sequence[Fact]
    does: str


class StartOfTitle(Protocol):
    """The title's object that shows the start."""

    def invitation(self, campaign: Campaign, seat: str) -> Start:
        """Return the picture of the start; `seat` is empty if the user chooses a seat."""
        ...
