"""Names for data in the form of JSON that titles read: moves, scenarios, facts of contests.

A title checks their form (`Title.decode`, `Title.scenario`). Pages and the API only pass them on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RawMove = Mapping[str, Any]
"""A move in the form of the record."""
RawScenario = Mapping[str, Any]
"""A scenario in the form of its file."""
RawOptions = Mapping[str, object]
"""The options of a campaign in the form of a record."""
RawRules = Mapping[str, Any]
"""The numbers of the rules that a scenario or an amendment changes."""
Known = Mapping[str, Any]
"""The public facts of a contest, as in a title's rows (`Rows.contests`)."""
HoldingFacts = Mapping[str, Any]
"""The public facts of a place, as in a title's rows (`Rows.holdings`)."""
Position = Any
"""A position of a title, which has a class of its own."""
Bundle = Mapping[str, Any]
"""A draft of a scenario: its `scenario` object and its `drawing`."""
Act = Mapping[str, Any]
"""An act on a draft, as the title reads it."""
