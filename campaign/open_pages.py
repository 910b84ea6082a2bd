"""Tells open pages, once something is kept, that they have to ask anew. `config.live` passes it on
(docs/decisions/0043).

A message names a campaign or people and holds nothing else: what has happened is read by an
ordinary request. Who may not see that something happened hears nothing. So an entry that only some
may see is told to these people, never to the campaign.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache, partial
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from campaign import access
from campaign.models import Campaign, seen_by

log = logging.getLogger(__name__)
PATIENCE = 1.0
"""Seconds that a request waits for the broker, after its move is kept."""
PAUSE = 10.0
"""Seconds for which a broker that did not answer is not asked: pages learn of it when they ask by
themselves.
"""
_away_until = 0.0


def channel() -> str:
    """The broker's channel of this installation: another one may share the broker."""
    digest = salted_hmac("campaign.open_pages", "channel", algorithm="sha256").hexdigest()
    return f"tabula-live-{digest[:12]}"


def of_campaign(pk: int) -> str:
    return f"c{pk}"


def of_person(pk: int) -> str:
    return f"p{pk}"


def changed(campaign: Campaign, audience: tuple[str, ...] | None = None) -> None:
    """Everybody who may see the campaign has to ask, or only those in the audience; after the
    commit.
    """
    if not settings.LIVE:
        return
    if audience is None:
        _after_commit([of_campaign(campaign.pk)])
    else:
        changed_for(_people(campaign, audience))


def changed_for(people: Iterable[int]) -> None:
    """These people have to ask, whatever page they have open; after the commit."""
    if settings.LIVE and (named := sorted(set(people))):
        _after_commit([of_person(pk) for pk in named])


def _people(campaign: Campaign, audience: tuple[str, ...]) -> list[int]:
    """Who may see an entry of this audience now."""
    places: dict[Any, list[Any]] = defaultdict(list)
    for place in access.places(campaign).select_related("user"):
        places[place.user].append(place)
    return [
        user.pk
        for user, held in places.items()
        if seen_by(audience, access.access_of(campaign, user, held).voices)
    ]


def _after_commit(names: list[str]) -> None:
    transaction.on_commit(partial(publish, names), robust=True)


@lru_cache(1)
def _broker(url: str) -> Redis:
    return Redis.from_url(
        url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, retry=Retry(NoBackoff(), 0)
    )


def somebody_listens() -> bool:
    """Does any process pass on what is published here? Raises `RedisError`."""
    return any(count for _name, count in _broker(settings.REDIS_URL).pubsub_numsub(channel()))


def publish(names: list[str]) -> None:
    """Sends it now. A broker that is away delays nobody: it is asked again after `PAUSE`."""
    global _away_until
    if monotonic() < _away_until:
        return
    try:
        _broker(settings.REDIS_URL).publish(channel(), " ".join(names))
    except RedisError as error:
        _away_until = monotonic() + PAUSE
        log.warning(
            "Open pages are not told of a move: the broker does not answer (%s).",
            type(error).__name__,
        )
