"""Notices of texts that users report, and of what moderators do. No entry sends them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.models import Campaign
from notices.kinds.kind import Content, Group, Kind
from notices.writing import first_entry, notify

OUTCOMES = {
    "dismissed": gettext_noop("The text stays."),
    "removed": gettext_noop("The text is removed."),
    "warned": gettext_noop("Its author is warned."),
    "closed": gettext_noop("The account of its author is closed."),
    "seen": gettext_noop("The game master has seen to it."),
}
"""What came of a report."""


class TextReported(Kind):
    """A text is reported to you as game master."""

    key = "message-reported"
    name = gettext_noop("A text is reported")
    group = Group.GAME_MASTERS
    title = gettext_noop("A text is reported to you")
    body = gettext_noop("See who reported it, and why.")
    link = ("reported",)


class ReportSettled(Kind):
    """Your report has been looked at."""

    key = "report-settled"
    name = gettext_noop("Your report is looked at")
    group = Group.ABOUT_YOU
    title = gettext_noop("Your report has been looked at")
    body = "{outcome} {reason}"
    link = ("about",)

    def words(self, content: Content) -> Mapping[str, Any]:
        outcome = OUTCOMES.get(content.facts.get("outcome", ""))
        return {"outcome": _(outcome) if outcome else ""}


class TextRemoved(Kind):
    """A moderator has removed a text of yours."""

    key = "text-removed"
    name = gettext_noop("A moderator removes a text of yours")
    group = Group.ABOUT_YOU
    title = gettext_noop("A moderator has removed a text of yours")
    body = "{reason}"
    link = ("about",)
    is_urgent = True


class Warned(Kind):
    """The moderators warn you."""

    key = "warned"
    name = gettext_noop("A moderator warns you")
    group = Group.ABOUT_YOU
    title = gettext_noop("The moderators of this site warn you")
    body = "{reason}"
    link = ("about",)
    is_urgent = True


def notify_of_moderation(
    campaign: Campaign,
    users: Iterable[int],
    kind: str,
    facts: Mapping[str, Any],
    about: str,
    at: datetime,
    seat: str = "",
) -> None:
    """Notify these users, by the key of one of these kinds."""
    notify(kind, first_entry(campaign), dict.fromkeys(users, seat), facts, at, about)


KINDS = (TextReported(), ReportSettled(), TextRemoved(), Warned())
