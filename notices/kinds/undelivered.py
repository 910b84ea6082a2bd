"""Notices of what could not be sent: posts, webhooks, channels. No entry sends them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop

from campaign.models import Campaign, LogEntry
from notices.kinds.kind import Group, Kind
from notices.writing import game_masters, notify


class PostFailed(Kind):
    """A post to a forum has failed."""

    key = "post-failed"
    name = gettext_noop("A post has failed")
    group = Group.GAME_MASTERS
    title = gettext_noop("A post has failed: {report}")
    body = gettext_noop("{place}: {error} Try it again, post it by hand, or skip it.")
    link = ("post", "post")
    is_urgent = True


class PostDoubtful(Kind):
    """A post may have arrived."""

    key = "post-doubtful"
    name = gettext_noop("A post may or may not be there")
    group = Group.GAME_MASTERS
    title = gettext_noop("Was it posted? {report}")
    body = gettext_noop(
        "{place}: {error} Look whether it is there, and enter the answer; nothing is sent twice on"
        " a guess."
    )
    link = ("post", "post")
    is_urgent = True


class ThreadLocked(Kind):
    """A place refuses all posts until its settings are looked at."""

    key = "thread-locked"
    name = gettext_noop("A place refuses to let us post")
    group = Group.GAME_MASTERS
    title = gettext_noop("Nothing more is posted: {place}")
    body = gettext_noop(
        "{error} Posts that are ready wait there until you have looked at its settings."
    )
    link = ("posts",)
    is_urgent = True


class WebhookOff(Kind):
    """A webhook is switched off because nothing arrived there.

    It names no address, which only the person who set it up may know.
    """

    key = "webhook-off"
    name = gettext_noop("A webhook is switched off")
    group = Group.GAME_MASTERS
    title = gettext_noop("A webhook is switched off")
    body = gettext_noop(
        "Nothing arrived there any more. Its page says why: correct it and switch it on again."
    )
    link = ("webhooks",)
    is_urgent = True


class ChannelOff(Kind):
    """A channel is switched off because nothing arrived there.

    It leaves by no channel: a delivery without a notice does that (`notices.channels.services`).
    """

    key = "channel-off"
    name = gettext_noop("A channel is switched off")
    group = Group.GAME_MASTERS
    title = gettext_noop("{name} is switched off")
    body = gettext_noop(
        "Nothing arrived there any more: {error} Correct it and switch it on again."
    )
    link = ("channels",)
    is_urgent = True
    has_channels = False


def notify_post_trouble(
    campaign: Campaign,
    entry: LogEntry,
    kind: str,
    about: str,
    facts: Mapping[str, Any],
    at: datetime,
) -> None:
    """Notify the game masters, by the key of one of these kinds."""
    notify(kind, entry, game_masters(campaign), facts, at, about)


KINDS = (PostFailed(), PostDoubtful(), ThreadLocked(), WebhookOff(), ChannelOff())
