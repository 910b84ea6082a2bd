"""Notices of posts, webhooks and channels that have failed. They are not sent by entries."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop

from campaign.models import Campaign, LogEntry
from notices.kinds.kind import Group, Kind
from notices.writing import game_masters, notify


class PostFailed(Kind):
    """The notice that a post to a forum has failed."""

    key = "post-failed"
    name = gettext_noop("A post has failed")
    group = Group.GAME_MASTERS
    title = gettext_noop("A post has failed: {report}")
    body = gettext_noop("{place}: {error} Try again, post it by hand, or skip it.")
    link = ("post", "post")
    is_urgent = True


class PostDoubtful(Kind):
    """The notice that a post may or may not have arrived."""

    key = "post-doubtful"
    name = gettext_noop("A post may or may not have arrived")
    group = Group.GAME_MASTERS
    title = gettext_noop("Was it posted? {report}")
    body = gettext_noop(
        "{place}: {error} Look whether the post is there, and say so here: Tabula never sends a "
        "post twice on a guess."
    )
    link = ("post", "post")
    is_urgent = True


class ThreadLocked(Kind):
    """The notice that a place refuses all posts until someone has checked its settings."""

    key = "thread-locked"
    name = gettext_noop("A place refuses our posts")
    group = Group.GAME_MASTERS
    title = gettext_noop("Posting has stopped: {place}")
    body = gettext_noop(
        "{error} Posts that are ready wait until you have checked the settings of this place."
    )
    link = ("posts",)
    is_urgent = True


class WebhookOff(Kind):
    """The notice that a webhook is switched off because nothing arrived there.

    It does not name the address, which only the user who set it up may know.
    """

    key = "webhook-off"
    name = gettext_noop("A webhook is switched off")
    group = Group.GAME_MASTERS
    title = gettext_noop("A webhook is switched off")
    body = gettext_noop(
        "Nothing arrives there any more. Its page says why. Correct it and switch it on again."
    )
    link = ("webhooks",)
    is_urgent = True


class ChannelOff(Kind):
    """The notice that a channel is switched off because nothing arrived there.

    Channels do not send it: a delivery without a notice does that (`notices.channels.services`).
    """

    key = "channel-off"
    name = gettext_noop("A channel is switched off")
    group = Group.GAME_MASTERS
    title = gettext_noop("{name} has been switched off")
    body = gettext_noop(
        "Nothing arrives there any more: {error} Correct it and switch it on again."
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
    """Send the game masters a notice of the kind of this module that has this key."""
    notify(kind, entry, game_masters(campaign), facts, at, about)


KINDS = (PostFailed(), PostDoubtful(), ThreadLocked(), WebhookOff(), ChannelOff())
