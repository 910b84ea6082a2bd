"""Notices of reported texts and of decisions of moderators. They are not sent by entries."""

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
    "removed": gettext_noop("The text has been removed."),
    "warned": gettext_noop("Its author has been warned."),
    "closed": gettext_noop("The account of its author has been closed."),
    "seen": gettext_noop("The game master has dealt with it."),
}
"""The outcome of a report, in words."""


class TextReported(Kind):
    """The notice that a text is reported to you as game master."""

    key = "message-reported"
    name = gettext_noop("A text is reported")
    group = Group.GAME_MASTERS
    title = gettext_noop("A text has been reported to you")
    body = gettext_noop("See who reported it, and why.")
    link = ("reported",)


class ReportSettled(Kind):
    """The notice that your report has been decided."""

    key = "report-settled"
    name = gettext_noop("Your report has been decided")
    group = Group.ABOUT_YOU
    title = gettext_noop("A moderator has decided on your report")
    body = "{outcome} {reason}"
    link = ("about",)

    def words(self, content: Content) -> Mapping[str, Any]:
        outcome = OUTCOMES.get(content.facts.get("outcome", ""))
        return {"outcome": _(outcome) if outcome else ""}


class TextRemoved(Kind):
    """The notice that a moderator has removed a text of yours."""

    key = "text-removed"
    name = gettext_noop("A moderator removes a text of yours")
    group = Group.ABOUT_YOU
    title = gettext_noop("A moderator has removed one of your texts")
    body = "{reason}"
    link = ("about",)
    is_urgent = True
    is_news = True


class WarningReceived(Kind):
    """The warning of a moderator."""

    key = "warned"
    name = gettext_noop("A moderator warns you")
    group = Group.ABOUT_YOU
    title = gettext_noop("The moderators of this site have warned you")
    body = "{reason}"
    link = ("about",)
    is_urgent = True
    is_news = True


def notify_of_moderation(
    campaign: Campaign,
    users: Iterable[int],
    kind: str,
    facts: Mapping[str, Any],
    about: str,
    at: datetime,
    seat: str = "",
) -> None:
    """Send these users a notice of the kind of this module that has this key."""
    notify(kind, first_entry(campaign), dict.fromkeys(users, seat), facts, at, about)


KINDS = (TextReported(), ReportSettled(), TextRemoved(), WarningReceived())
