"""Limits on actions of a user in an hour: e-mails, passwords, guest games.

Everything is counted twice in the shared cache: by the address from which it comes, and by the
user. A refusal says when to try again. django-axes counts passwords too, and uses functions of this
module for the user, the address and the answer.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from axes.helpers import get_client_cache_keys
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from people.address_proof import address, is_available
from people.models import User, find_by_login
from web.frame.raw_forms import PostedForm, text_field
from web.frame.requests import PasswordAttempt, mark_of_person, people_known, request_facts

HOUR = 3600
LOCK_SECONDS = 10
"""Seconds after which a lock expires if its process has died."""
LONGEST_WAIT = 1.0
"""The longest time in seconds for which a process waits for a lock."""


class CacheUnavailable(Exception):
    """The error that the shared cache does not answer, so that attempts cannot be counted.

    In this case no one can sign in, and no e-mail is sent.
    """


@dataclass(frozen=True)
class Limit:
    """The number of allowed actions within `span` seconds from one address, and by one user.

    0 means that it is not counted in this way.
    """

    name: str
    address: int
    person: int
    span: int = HOUR


SIGN_UP = Limit("sign-up", address=10, person=3)
SIGN_UP_TRY = Limit("sign-up-try", address=60, person=0)
"""Sign-up forms that were sent, whether they were accepted or not."""
RESET = Limit("reset", address=10, person=3)
GUEST = Limit("guest", address=20, person=20)
REIGN = Limit("reign", address=60, person=60)
CHANNEL = Limit("channel", address=60, person=20)
TOKEN = Limit("token", address=60, person=20)
ABSENCE = Limit("absence", address=60, person=30)
PACK = Limit("pack", address=30, person=6)
TALK = Limit("talk", address=240, person=60)
MOVES = Limit("moves", address=3600, person=1200)
"""Requests for moves that are composed on a board."""
CODE = Limit("code", address=20, person=5)
VERIFY = Limit("verify", address=20, person=5)
PASSKEY = Limit("passkey", address=200, person=0, span=300)
"""Passkeys that are requested or used. They cannot be guessed, but each costs a signature. The
sign-in page requests one when it opens.
"""
ELSEWHERE = Limit("elsewhere", address=60, person=0, span=300)
"""Redirects to another site for signing in, and returns from it. Each of them sends a request to
that site.
"""
WAYS = Limit("ways", address=60, person=30)
WRONG = Limit("wrong-password", address=30, person=10, span=300)
"""Wrong passwords from an address, and for a user, except from places where that user has signed in
before.
"""
WRONG_FROM_ADDRESS = Limit("wrong-password-here", address=0, person=5, span=300)
"""Wrong passwords for a user from an address. Axes counts them too, after the check."""
PLACE = 90 * 24 * HOUR
"""Seconds for which an address is remembered after a user has signed in from it."""


def person(text: str) -> str:
    """Return a key for the user with this name or e-mail address; the text itself without one."""
    user = find_by_login(text)
    return f"user {user.pk}" if user else text.strip().casefold()


# Browsers and addresses from which a user has signed in


def _place(request: HttpRequest, user: User) -> str:
    """Return the key under which a sign-in of this user from this address is recorded."""
    digest = hashlib.sha256(address(request).encode()).hexdigest()
    return f"throttle:place:{mark_of_person(user)}:{digest}"


def knows(request: HttpRequest, user: User | None) -> bool:
    """Return whether a user has signed in before with this browser, or recently from this address.

    Wrong passwords from elsewhere do not lock them out here.
    """
    return user is not None and (
        mark_of_person(user) in people_known(request)
        or cache.get(_place(request, user)) is not None
    )


def signed_in(request: HttpRequest, user: User) -> None:
    """Remember the address and the browser with which a user has just signed in."""
    cache.set(_place(request, user), 1, PLACE)
    request_facts(request).signed_in_now = True


def may_try(request: HttpRequest, login: str) -> bool:
    """Count an attempt to sign in before the check, so that simultaneous attempts all count.

    Return False if there were too many attempts. `right_password` takes back a correct attempt.
    Raises `CacheUnavailable`.
    """
    must_count()
    tries = count_attempt(
        person(login), address(request), at_home=knows(request, find_by_login(login))
    )
    request_facts(request).tries = tries or []
    return tries is not None


def count_attempt(user_key: str, place: str, *, at_home: bool) -> list[PasswordAttempt] | None:
    """Count an attempt with this user's password from this address under each limit.

    Return None, without counting, if a limit has been reached.
    """
    wanted = [
        (WRONG_FROM_ADDRESS, "person", f"{user_key} {place}", WRONG_FROM_ADDRESS.person),
        (WRONG, "address", place, WRONG.address),
    ]
    if not at_home:
        wanted.append((WRONG, "person", user_key, WRONG.person))
    tries: list[PasswordAttempt] = []
    now = time.time()
    for limit, kind, source, most in wanted:
        key = _key(limit, kind, source)
        if not _counted(key, limit.span, most, now):
            _take_back(tries)
            return None
        tries.append(PasswordAttempt(key, limit.span, now, is_here=limit is WRONG_FROM_ADDRESS))
    return tries


def right_password(request: HttpRequest) -> None:
    """Take back the attempt after a correct password, and the wrong ones from this address."""
    notes = request_facts(request)
    _take_back(notes.tries)
    for attempt in notes.tries:
        if attempt.is_here:
            cache.delete(attempt.key)
    notes.tries = []


def _counted(key: str, span: int, most: int, now: float) -> bool:
    """Count an attempt if the limit allows it. Return whether it was counted."""
    with _alone(key) as locked:
        past = _past(key, span, now)
        if not locked or len(past) >= most:
            return False
        cache.set(key, [now, *past], span)
        return True


def _take_back(tries: list[PasswordAttempt]) -> None:
    for attempt in tries:
        with _alone(attempt.key) as locked:
            past = _past(attempt.key, attempt.seconds, time.time())
            if locked and attempt.moment in past:
                past.remove(attempt.moment)
                cache.set(attempt.key, past, attempt.seconds)


def _key(limit: Limit, kind: str, source: str) -> str:
    return f"throttle:{limit.name}:{kind}:{hashlib.sha256(source.encode()).hexdigest()}"


def _past(key: str, span: int, now: float) -> list[float]:
    """Return the moments that are counted under a key and are within the span."""
    return [moment for moment in cache.get(key, []) if moment > now - span]


def spend(request: HttpRequest, limit: Limit, user_key: str = "", now: float | None = None) -> int:
    """Count an action and return 0; if there were too many, return the seconds to wait.

    Raises `CacheUnavailable`.
    """
    must_count()
    now = time.time() if now is None else now
    for kind, source, most in (
        ("address", address(request), limit.address),
        ("person", user_key, limit.person),
    ):
        if not most:
            continue
        key = _key(limit, kind, source)
        with _alone(key) as locked:
            if not locked:
                return 1
            past = _past(key, limit.span, now)
            if len(past) >= most:
                return max(1, math.ceil(past[most - 1] + limit.span - now))
            cache.set(key, [now, *past], limit.span)
    return 0


def must_count() -> None:
    """Raise `CacheUnavailable` if attempts cannot be counted."""
    if not is_available():
        raise CacheUnavailable


@contextmanager
def _alone(key: str) -> Iterator[bool]:
    """Lock a key of the cache, and yield whether it is locked: another process may hold it."""
    lock, end = f"{key}:lock", time.monotonic() + LONGEST_WAIT
    while not cache.add(lock, 1, LOCK_SECONDS):
        if time.monotonic() > end:
            yield False
            return
        time.sleep(0.01)
    try:
        yield True
    finally:
        cache.delete(lock)


@dataclass(frozen=True, slots=True)
class TooManyTriesPage:
    """The time after which the reader may try again."""

    minutes: int
    until: datetime


def refused(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return the page that says when to try again."""
    page = TooManyTriesPage(
        minutes=math.ceil(seconds / 60), until=timezone.now() + timedelta(seconds=seconds)
    )
    response = render(request, "errors/429.html", {"page": page}, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def mail(request: HttpRequest, limit: Limit, user_key: str) -> HttpResponse | None:
    """Count an e-mail and return None; return a refusal if there were too many."""
    seconds = spend(request, limit, user_key)
    return refused(request, seconds) if seconds else None


# Functions that django-axes calls


class SignInName(PostedForm):
    """The name or the e-mail address in the form to sign in."""

    login = text_field()


def sign_in_name(request: HttpRequest, credentials: Mapping[str, object] | None) -> str:
    """Return the key of the user whose password is being tried."""
    given = credentials or {}
    name = given.get("username") or given.get("email")
    return person(str(name or SignInName(request.POST).text_of("login")))


def locked_out(
    request: HttpRequest, response: HttpResponse, credentials: dict[str, object] | None
) -> HttpResponse:
    """Return the page for a user who is locked out.

    The lock lasts from the last attempt that was counted. Its end is recorded when it begins.
    """
    span = settings.AXES_COOLOFF_TIME.total_seconds()
    key = "throttle:" + get_client_cache_keys(request, credentials)[0]
    cache.add(key, time.time() + span, int(span))
    left = cache.get(key, time.time() + span) - time.time()
    return refused(request, max(1, math.ceil(left)))
