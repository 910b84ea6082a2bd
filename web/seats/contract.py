"""What a title adds to the page of an invitation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from django.utils.safestring import SafeString

from campaign.models import Campaign

Fact = tuple[str, str]
"""A label and a text."""


class Start(NamedTuple):
    """What a title shows of the start to a user who is invited."""

    svg: SafeString
    crop: bool
    caption: str
    begins: Mapping[str, str]
    """What each seat begins with."""
    facts: Sequence[Fact]
    does: str


class StartOfTitle(Protocol):
    """How a title shows the start."""

    def invitation(self, campaign: Campaign, seat: str) -> Start:
        """Return what it shows; `seat` is empty if the user chooses a seat."""
        ...
