"""Messages to open pages that they have to ask for changes (docs/decisions/0051).

A message contains a campaign or people and nothing else; `web.frame.stream` passes it on to their
pages. An entry that only some may see is a message to these people, never to the campaign: others
must not learn that something has happened.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache, partial
from time import monotonic

from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from campaign import access
from campaign.models import Campaign, Membership, seen_by
from people.models import User

log = logging.getLogger(__name__)
PATIENCE, PAUSE = 1.0, 10.0
"""Seconds that a request waits for the broker, and for which it then gets no other message."""
_away_until = 0.0


def channel() -> str:
    """Return the broker's channel of this installation; another may share the broker."""
    digest = salted_hmac("campaign.open_pages", "channel", algorithm="sha256").hexdigest()
    return f"tabula-live-{digest[:12]}"


def of_campaign(pk: int) -> str:
    """Return the name of a campaign in messages."""
    return f"c{pk}"


def of_person(pk: int) -> str:
    """Return the name of a person in messages."""
    return f"p{pk}"


def changed(campaign: Campaign, audience: tuple[str, ...] | None = None) -> None:
    """After the commit, send a message to all pages of a campaign, or only to the audience."""
    if settings.LIVE and audience is None:
        _after_commit([of_campaign(campaign.pk)])
    elif settings.LIVE and audience is not None:
        changed_for(_people(campaign, audience))


def changed_for(people: Iterable[int]) -> None:
    """After the commit, send a message to all pages of these people."""
    if settings.LIVE and (names := [of_person(pk) for pk in sorted(set(people))]):
        _after_commit(names)


def _people(campaign: Campaign, audience: tuple[str, ...]) -> list[int]:
    """Return who may see an entry of this audience now."""
    places: defaultdict[User, list[Membership]] = defaultdict(list)
    for place in access.places(campaign).select_related("user"):
        places[place.user].append(place)
    voices = {user: access.access_of(campaign, user, held).voices for user, held in places.items()}
    return [user.pk for user in voices if seen_by(audience, voices[user])]


def _after_commit(names: list[str]) -> None:
    transaction.on_commit(partial(publish, names), robust=True)


@lru_cache(1)
def _broker(url: str) -> Redis:
    once = Retry(NoBackoff(), 0)
    return Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, retry=once)


def has_subscriber() -> bool:
    """Return whether a process passes the messages on. Raises `RedisError`."""
    return any(count for _name, count in _broker(settings.REDIS_URL).pubsub_numsub(channel()))


def publish(names: list[str]) -> None:
    """Send a message now, unless the broker has not answered within `PAUSE`."""
    global _away_until
    if monotonic() < _away_until:
        return
    try:
        _broker(settings.REDIS_URL).publish(channel(), " ".join(names))
    except RedisError as error:
        _away_until = monotonic() + PAUSE
        log.warning("Open pages get no message: the broker is away (%s)", type(error).__name__)
