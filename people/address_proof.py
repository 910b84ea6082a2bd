"""Proof that an e-mail address belongs to a user, and the shared cache that counts attempts.

Anyone may sign up with another person's address, set a password, and wait until the owner comes. So
the first proof of an address ends all credentials that were set up without it
(docs/decisions/0030). The password stays only if the proof comes from the very session that is
signed in as this user: then both are the same person.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable
from time import monotonic
from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from people import credentials, hooks
from people.models import User
from people.validators import fold

AUTHORS = frozenset({credentials.PASSKEY, credentials.ELSEWHERE, "device", "channel", "feed"})
"""Kinds of credentials that stay if their author is also the owner of the address."""


def proven(user: Any) -> bool:
    """Return whether this user has confirmed an address."""
    return EmailAddress.objects.filter(user_id=user.pk, verified=True).exists()


def on_confirmed(request: HttpRequest, email_address: EmailAddress, **rest: Any) -> None:
    """Handle the confirmation of an address, by a link or by a typed code.

    allauth sends it as a signal.
    """
    others = EmailAddress.objects.filter(user_id=email_address.user_id, verified=True).exclude(
        pk=email_address.pk
    )
    here = request.user.is_authenticated and request.user.pk == email_address.user_id
    if here and others.exists():
        return  # another address, asked for and confirmed by the same person
    if end_earlier_access(request, email_address.user):
        text = _(
            "Any way to sign in that was added before you confirmed this address no longer works. "
            "Set a new password, or add another way to sign in."
        )
        messages.info(request, text)


@transaction.atomic
def end_earlier_access(request: HttpRequest, user: User, *, password_is_new: bool = False) -> bool:
    """End the credentials that open the account (docs/decisions/0030).

    If the proof comes from the session that is signed in as this user, only credentials that others
    may have end: other browsers, programs, the link to Discord, unconfirmed addresses. Return
    whether the password has been removed; a password that the proof has set stays.
    """
    now = timezone.now()
    here = request.user.is_authenticated and request.user.pk == user.pk
    user.refresh_from_db(fields=["password"])
    if here:
        kept = request.session.session_key or ""
        credentials.end_all(user, now, keep=kept, spare=AUTHORS)
    else:
        credentials.end_all(user, now, force=True)
    first = (
        User.objects.filter(email_folded=fold(user.email)).first()
        if user.email_is_anothers
        else None
    )
    if user.email_is_anothers and (
        first is None or not proven(first)
    ):  # The first user with this address has not confirmed it.
        if first is not None:
            User.objects.filter(pk=first.pk).update(email_is_anothers=True, email_folded=None)
        user.email_is_anothers = False
        user.save(update_fields=["email", "email_is_anothers"])
    gone = not here and not password_is_new
    if not here:
        Authenticator.objects.filter(user=user).delete()
        hooks.access_ended(user, now)
    if gone:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    if here:
        update_session_auth_hash(request, user)
    return gone


# Attempts are counted by the address of a request, in the shared cache. Its server may be away.
#
# Code for which the cache only saves work continues without it: reads find nothing, writes are
# lost, and the log says so. Code that counts attempts asks `answers()` first and refuses if it is
# false: a cache that forgets would allow any number of guesses of a password.

log = logging.getLogger(__name__)
QUIET = 60.0
"""Seconds before the same line is written to the log again."""
PAUSE = 5.0
"""Seconds for which a server that did not answer is not asked again."""


class Redis(RedisCache):
    """Django's Redis cache, but reads and writes do not fail while the server is away.

    A server that does not answer is not asked again for `PAUSE` seconds.
    """

    logged_at = -QUIET
    unavailable_until: ClassVar[dict[str, float]] = {}

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        """Create a client that does not retry, because a page is waiting for it."""
        options = {"socket_connect_timeout": 2, "socket_timeout": 2, "retry": Retry(NoBackoff(), 0)}
        super().__init__(server, {**params, "OPTIONS": {**options, **params.get("OPTIONS", {})}})
        self.place = str(server)

    def _or(self, default: Any, ask: Callable[[], Any]) -> Any:
        if monotonic() < self.unavailable_until.get(self.place, 0.0):
            return default
        try:
            return ask()
        except RedisError as error:
            self.unavailable_until[self.place] = monotonic() + PAUSE
            if monotonic() - Redis.logged_at >= QUIET:
                Redis.logged_at = monotonic()
                log.error(
                    "The cache does not answer (%s). Pages go on without it; nobody can sign in.",
                    type(error).__name__,
                )
            return default

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._or(default, lambda: super(Redis, self).get(key, default, version))

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        values: dict[Any, Any] = self._or({}, lambda: super(Redis, self).get_many(keys, version))
        return values

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return bool(self._or(False, lambda: super(Redis, self).has_key(key, version)))

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        """Add a key. Return True while the server is away.

        A caller that wants to know whether it is the first then does the work.
        """
        return bool(self._or(True, lambda: super(Redis, self).add(key, value, *args, **kwargs)))

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        self._or(None, lambda: super(Redis, self).set(key, value, *args, **kwargs))

    def set_many(self, data: Any, *args: Any, **kwargs: Any) -> list[Any]:
        left: list[Any] = self._or(
            list(data), lambda: super(Redis, self).set_many(data, *args, **kwargs)
        )
        return left

    def touch(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        return bool(self._or(False, lambda: super(Redis, self).touch(key, *args, **kwargs)))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._or(False, lambda: super(Redis, self).delete(key, version)))

    def is_available(self) -> bool:
        """Return whether the server answers now."""
        return bool(self._or(False, lambda: self._cache.get_client().ping()))


def is_available() -> bool:
    """Return whether attempts can be counted. A cache without a server always can."""
    ask = getattr(cache, "is_available", None)
    return ask is None or bool(ask())


def caller(request: HttpRequest) -> str:
    """Return the address of the client; "unknown" without an address.

    Behind a proxy it is the address that TRUSTED_PROXIES report.
    """
    try:
        return str(ipaddress.ip_address(str(get_adapter().get_client_ip(request))))
    except (
        PermissionDenied,
        ValueError,
    ):  # A server that listens on a Unix socket and knows no proxy: all clients count as one.
        return "unknown"


def address(request: HttpRequest) -> str:
    """Return the address under which the request is counted; an IPv6 network counts as one."""
    ip = caller(request)
    return str(ipaddress.ip_network((ip, 64), strict=False).network_address) if ":" in ip else ip
