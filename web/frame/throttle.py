"""How often is too often: forms that send mail, passwords tried, guests and what they found.

Each mail form counts twice in the shared cache: by the address it comes from and by the person it
is about. A refusal says when to come back. Passwords are counted by django-axes, which asks here
who, from where, and what to answer.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from axes.helpers import get_client_cache_keys
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from people.models import find
from people.proof import address, answers
from web.frame.requests import mark_of_person, people_known

HOUR = 3600
HELD, WAITS = 10, 1.0
"""Seconds after which another may count though nobody has said that the one before is done; and for
which one waits.
"""


class Away(Exception):
    """Tries cannot be counted, since the shared cache does not answer: nobody signs in, and no
    letter is sent.
    """


@dataclass(frozen=True)
class Limit:
    """So many letters, or other things, an hour from one address, and so many of one person. 0: not
    counted so.
    """

    name: str
    address: int
    person: int
    span: int = HOUR


SIGN_UP = Limit("sign-up", address=10, person=3)
SIGN_UP_TRY = Limit("sign-up-try", address=60, person=0)
"""Tries of the form, whatever came of them."""
RESET = Limit("reset", address=10, person=3)
GUEST = Limit("guest", address=20, person=20)
REIGN = Limit("reign", address=60, person=60)
CHANNEL = Limit("channel", address=60, person=20)
TOKEN = Limit("token", address=60, person=20)
ABSENCE = Limit("absence", address=60, person=30)
PACK = Limit("pack", address=30, person=6)
TALK = Limit("talk", address=240, person=60)
MOVES = Limit("moves", address=3600, person=1200)
"""Requests of moves that were put together on a board."""
CODE = Limit("code", address=20, person=5)
VERIFY = Limit("verify", address=20, person=5)
PASSKEY = Limit("passkey", address=200, person=0, span=300)
"""Passkeys asked for and shown, right or wrong: there is nothing to guess, but each costs a
signature. A sign-in page asks once when it opens."""
ELSEWHERE = Limit("elsewhere", address=60, person=0, span=300)
"""Goings to another site to sign in, and comings back: for each of these that site is asked."""
WAYS = Limit("ways", address=60, person=30)
WRONG = Limit("wrong-password", address=30, person=10, span=300)
"""Wrong passwords from an address, and for a user, except where that user has signed in before."""
WRONG_HERE = Limit("wrong-password-here", address=0, person=5, span=300)
"""Wrong passwords for a user from an address. Axes counts them too, after the check."""
PLACE = 90 * 24 * HOUR
"""Seconds for which an address is remembered from which a user has signed in."""


def person(text: str) -> str:
    """One key for somebody, whether named by name or by e-mail; the text itself where nobody is
    found.
    """
    user = find(text)
    return f"user {user.pk}" if user else text.strip().casefold()


# Where somebody has signed in before --------------------------------------------------------------


def _place(request: HttpRequest, user: Any) -> str:
    digest = hashlib.sha256(address(request).encode()).hexdigest()
    return f"throttle:place:{mark_of_person(user)}:{digest}"


def knows(request: HttpRequest, user: Any) -> bool:
    """Has this person signed in before from this browser, or of late from this address? Wrong
    passwords from elsewhere do not lock them out here.
    """
    return user is not None and (
        mark_of_person(user) in people_known(request)
        or cache.get(_place(request, user)) is not None
    )


def signed_in(request: HttpRequest, user: Any) -> None:
    """This person has signed in just now: the address is remembered, and the answer brings the
    browser's cookie anew.
    """
    cache.set(_place(request, user), 1, PLACE)
    request.signed_in_now = True  # type: ignore[attr-defined]


Try = tuple[str, Limit, float]
"""A counted try of a password: its key, its limit, and when it was."""


def may_try(request: HttpRequest, login: str) -> bool:
    """Count a try of a password before the check, so that simultaneous tries count one by one.

    Return False if there were too many tries. `right_password` takes back a correct try. Raises
    `Away`.
    """
    must_count()
    tries = counted_try(person(login), address(request), at_home=knows(request, find(login)))
    request.tries = tries or []  # type: ignore[attr-defined]
    return tries is not None


def counted_try(who: str, place: str, *, at_home: bool) -> list[Try] | None:
    """Count a try of this user's password from this address under each limit; None, without
    counting, if a limit is reached.
    """
    wanted = [
        (WRONG_HERE, "person", f"{who} {place}", WRONG_HERE.person),
        (WRONG, "address", place, WRONG.address),
    ]
    if not at_home:
        wanted.append((WRONG, "person", who, WRONG.person))
    tries: list[Try] = []
    now = time.time()
    for limit, kind, source, most in wanted:
        key = _key(limit, kind, source)
        if not _counted(key, limit, most, now):
            _take_back(tries)
            return None
        tries.append((key, limit, now))
    return tries


def right_password(request: HttpRequest) -> None:
    """Take back the try after a correct password, and the earlier wrong tries from this address."""
    tries: list[Try] = getattr(request, "tries", [])
    _take_back(tries)
    for key, limit, _moment in tries:
        if limit is WRONG_HERE:
            cache.delete(key)
    request.tries = []  # type: ignore[attr-defined]


def _counted(key: str, limit: Limit, most: int, now: float) -> bool:
    """Count a try if the limit allows it. Return whether it was counted."""
    with _alone(key) as locked:
        past = _past(key, limit, now)
        if not locked or len(past) >= most:
            return False
        cache.set(key, [now, *past], limit.span)
        return True


def _take_back(tries: list[Try]) -> None:
    for key, limit, moment in tries:
        with _alone(key) as locked:
            past = _past(key, limit, time.time())
            if locked and moment in past:
                past.remove(moment)
                cache.set(key, past, limit.span)


def _key(limit: Limit, kind: str, source: str) -> str:
    return f"throttle:{limit.name}:{kind}:{hashlib.sha256(source.encode()).hexdigest()}"


def _past(key: str, limit: Limit, now: float) -> list[float]:
    return [moment for moment in cache.get(key, []) if moment > now - limit.span]


def spend(request: HttpRequest, limit: Limit, who: str = "", now: float | None = None) -> int:
    """0 and counted, or the seconds to wait and nothing counted for `who`. Raises `Away`."""
    must_count()
    now = time.time() if now is None else now
    for kind, source, most in (
        ("address", address(request), limit.address),
        ("person", who, limit.person),
    ):
        if not most:
            continue
        key = _key(limit, kind, source)
        with _alone(key) as locked:
            if not locked:
                return 1
            past = _past(key, limit, now)
            if len(past) >= most:
                return max(1, math.ceil(past[most - 1] + limit.span - now))
            cache.set(key, [now, *past], limit.span)
    return 0


def must_count() -> None:
    """Raises `Away` where tries cannot be counted."""
    if not answers():
        raise Away


@contextmanager
def _alone(key: str) -> Iterator[bool]:
    """Nobody else counts under this key meanwhile; False where somebody did so for too long."""
    lock, end = f"{key}:lock", time.monotonic() + WAITS
    while not cache.add(lock, 1, HELD):
        if time.monotonic() > end:
            yield False
            return
        time.sleep(0.01)
    try:
        yield True
    finally:
        cache.delete(lock)


def refused(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return the page that says when to try again."""
    context = {
        "minutes": math.ceil(seconds / 60),
        "until": timezone.now() + timedelta(seconds=seconds),
    }
    response = render(request, "errors/429.html", context, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def mail(request: HttpRequest, limit: Limit, who: str) -> HttpResponse | None:
    """The refusal, or None and one letter counted."""
    seconds = spend(request, limit, who)
    return refused(request, seconds) if seconds else None


# What django-axes asks ----------------------------------------------------------------------------
def sign_in_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    given = credentials or {}
    return person(str(given.get("username") or given.get("email") or request.POST.get("login", "")))


def locked_out(
    request: HttpRequest, response: HttpResponse, credentials: dict[str, Any] | None
) -> HttpResponse:
    """The lock lasts from the last try that counted; its end is noted when it falls."""
    span = settings.AXES_COOLOFF_TIME.total_seconds()
    key = "throttle:" + get_client_cache_keys(request, credentials)[0]
    cache.add(key, time.time() + span, int(span))
    left = cache.get(key, time.time() + span) - time.time()
    return refused(request, max(1, math.ceil(left)))
