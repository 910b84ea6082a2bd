"""Where tries are counted: whom a request comes from, and the shared cache while its server is away.

What only saves work reads on without it: nothing is there, nothing is kept, and the log says so. What counts tries asks
`answers()` first and is refused: a cache that forgets would let anybody try passwords without end.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable
from time import monotonic
from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

log = logging.getLogger(__name__)
QUIET = 60.0
"""Seconds between two lines of the log that say the same."""
PAUSE = 5.0
"""Seconds for which a server that did not answer is not asked."""


class Redis(RedisCache):
    """Django's own, whose readers go on while the server is away. One that does not answer is not asked again for `PAUSE`."""

    said_at = -QUIET
    away_until: ClassVar[dict[str, float]] = {}

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        """The client does not try by itself again and again: a page waits meanwhile."""
        options = {"socket_connect_timeout": 2, "socket_timeout": 2, "retry": Retry(NoBackoff(), 0)}
        super().__init__(server, {**params, "OPTIONS": {**options, **params.get("OPTIONS", {})}})
        self.place = str(server)

    def _or(self, default: Any, ask: Callable[[], Any]) -> Any:
        if monotonic() < self.away_until.get(self.place, 0.0):
            return default
        try:
            return ask()
        except RedisError as error:
            self.away_until[self.place] = monotonic() + PAUSE
            if monotonic() - Redis.said_at >= QUIET:
                Redis.said_at = monotonic()
                log.error("The cache does not answer (%s). Pages go on without it; nobody can sign in.", type(error).__name__)
            return default

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._or(default, lambda: super(Redis, self).get(key, default, version))

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        found: dict[Any, Any] = self._or({}, lambda: super(Redis, self).get_many(keys, version))
        return found

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return bool(self._or(False, lambda: super(Redis, self).has_key(key, version)))

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        """True while the server is away: whoever asks whether they are the first does their work."""
        return bool(self._or(True, lambda: super(Redis, self).add(key, value, *args, **kwargs)))

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        self._or(None, lambda: super(Redis, self).set(key, value, *args, **kwargs))

    def set_many(self, data: Any, *args: Any, **kwargs: Any) -> list[Any]:
        left: list[Any] = self._or(list(data), lambda: super(Redis, self).set_many(data, *args, **kwargs))
        return left

    def touch(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        return bool(self._or(False, lambda: super(Redis, self).touch(key, *args, **kwargs)))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._or(False, lambda: super(Redis, self).delete(key, version)))

    def answers(self) -> bool:
        """Does the server answer now?"""
        return bool(self._or(False, lambda: self._cache.get_client().ping()))


def answers() -> bool:
    """Can tries be counted? True for every cache that has no server of its own."""
    ask = getattr(cache, "answers", None)
    return ask is None or bool(ask())


def address(request: HttpRequest) -> str:
    """Whom the request comes from: behind TRUSTED_PROXIES as they tell it; an IPv6 network counts as one."""
    try:
        found = ipaddress.ip_address(str(get_adapter().get_client_ip(request)))
    except (PermissionDenied, ValueError):  # a server behind a socket of files that was told of no proxy: all count as one
        return "unknown"
    return str(found if found.version == 4 else ipaddress.ip_network((found, 64), strict=False).network_address)
