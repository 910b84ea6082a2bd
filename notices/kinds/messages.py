"""The notice of a message between seats, which does not contain the text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop

from campaign import open_pages
from campaign.models import Campaign
from notices.kinds.kind import Group, Kind
from notices.models import Notice
from notices.present import Present
from notices.writing import first_entry, notify


class MessageReceived(Kind):
    """The notice that someone has written to you. It is not sent by an entry."""

    key = "message"
    name = gettext_noop("You receive a message")
    group = Group.ABOUT_YOU
    title = gettext_noop("{seat}: a message for you")
    body = gettext_noop("Read it on the Messages page.")
    link = ("talk_thread", "thread")
    is_usual_on_devices = True

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the thread has been opened since."""
        return notice.read_at is not None


def notify_of_message(
    campaign: Campaign, people: Mapping[int, str], facts: Mapping[str, Any], at: datetime
) -> None:
    """Notify these users, with the seat of each, of a message in a thread.

    A user who has not opened the thread since the last notice is not notified again.
    """
    kind, about = MessageReceived.key, f"{facts['thread']}/"
    waiting = Notice.objects.filter(
        campaign=campaign, kind=kind, about__startswith=about, read_at=None, user__in=list(people)
    )
    notified = set(waiting.values_list("user_id", flat=True))
    notify(
        kind,
        first_entry(campaign),
        {user: seat for user, seat in people.items() if user not in notified},
        {"thread": facts["thread"], "seat": facts["seat"]},
        at,
        about + f"{at:%Y%m%dT%H%M%S%fZ}",
    )


def message_read(campaign: Campaign, user: Any, thread: str) -> None:
    """Mark the user's notices of a thread as read, because the user has opened it."""
    rows = Notice.objects.filter(
        user_id=user.pk,
        campaign=campaign,
        kind=MessageReceived.key,
        about__startswith=f"{thread}/",
        read_at=None,
    )
    if rows.update(read_at=timezone.now()):
        open_pages.changed_for([user.pk])


KINDS = (MessageReceived(),)
