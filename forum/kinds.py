"""The kinds of reports that may be drafted by themselves, as they are told on the pages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import pgettext_lazy

from campaign.models import Campaign
from forum.telling import reporter

NAMES: dict[str, Any] = {
    "announcement": pgettext_lazy("report", "announcement"),
    "opening": pgettext_lazy("report", "turn opened"),
    "slot": pgettext_lazy("report", "slot"),
    "challenge": pgettext_lazy("report", "challenge"),
    "result": pgettext_lazy("report", "result"),
    "battle": pgettext_lazy("report", "battle"),
    "turn": pgettext_lazy("report", "turn report"),
    "standings": pgettext_lazy("report", "standings"),
    "year": pgettext_lazy("report", "year"),
    "round": pgettext_lazy("report", "round"),
    "period": pgettext_lazy("report", "period"),
    "final": pgettext_lazy("report", "final"),
    "undo": pgettext_lazy("report", "undo"),
    "restore": pgettext_lazy("report", "restoration"),
    "test": pgettext_lazy("report", "test"),
}
USUAL = frozenset({"opening", "battle", "turn", "year", "round", "period", "final"})
"""What a new thread begins with."""


def offered(campaign: Campaign) -> list[str]:
    """The kinds that this campaign's title tells, in the order in which they come."""
    teller = reporter(campaign)
    return [kind for kind in getattr(teller, "kinds", ()) if kind in NAMES]


def usual(campaign: Campaign) -> list[str]:
    return [kind for kind in offered(campaign) if kind in USUAL]
