"""To the game masters, when what leaves for them has failed or waits for one: `tell` is one of `settings.POST_TELLERS`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop

from campaign.audience import GAME_MASTER
from campaign.models import Campaign, LogEntry, Membership
from engine.log import canonical
from notices.models import Notice
from notices.registry import MASTERS, Kind, register
from notices.reminding import nobody

for _kind in (
    Kind("post-failed", gettext_noop("A post has failed"), MASTERS, ("post", "post"), nobody, urgent=True),
    Kind("post-doubtful", gettext_noop("A post may or may not stand there"), MASTERS, ("post", "post"), nobody, urgent=True),
    Kind("thread-locked", gettext_noop("A place refuses to let us post"), MASTERS, ("posts",), nobody, urgent=True),
):
    register(_kind)


def tell(campaign: Campaign, entry: LogEntry, what: str, about: str, facts: Mapping[str, Any], at: datetime) -> None:
    """Write it to each of them."""
    held = Membership.objects.filter(campaign=campaign, until=None, role__in=Membership.MASTERS)
    text = canonical(facts)
    Notice.objects.bulk_create(
        [
            Notice(user_id=user, campaign=campaign, entry=entry, kind=what, about=about, seat=GAME_MASTER, facts=text, at=at)
            for user in sorted(set(held.values_list("user_id", flat=True)))
        ],
        ignore_conflicts=True,
    )
