"""Sessions of browsers: Django's rows with their user and the day of their last use.

A session ends after `SESSION_COOKIE_AGE` without use. Its row is saved on each day of its use,
which postpones the end (`is_due`).
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any, cast

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

GUEST = "guest"
"""The entry of a session that names its guest. A guest is not signed in."""
USED_ON = "used_on"
"""The entry of a session with the last day of its use, in UTC."""
BROWSER = "browser"
"""The entry of a session that describes its browser: `name`, and `since`, the sign-in."""
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Signs in the name that a browser gives, and its usual name.

The first match counts: Edge and Opera also name Chrome, and Chrome also names Safari.
"""


def user_id_in(data: dict[str, Any]) -> int | None:
    """Return the number of the user who is signed in, or of the guest, in a session's data."""
    number = str(data.get(SESSION_KEY, data.get(GUEST)))
    return int(number) if re.fullmatch(r"[0-9]{1,18}", number) else None


class BrowserSession(AbstractBaseSession):
    """A session of a browser; `user` is signed in there or plays there as a guest."""

    user = models.ForeignKey(
        "people.User",
        models.CASCADE,
        null=True,
        related_name="browser_sessions",
        db_constraint=False,
    )

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        return SessionStore


class SessionStore(DatabaseStore):
    """The session engine that `SESSION_ENGINE` names."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        """Return the row to save, with its user and today's date."""
        number = user_id_in(data)
        if number is not None:
            data = {**data, USED_ON: _today().isoformat()}
        row = cast(BrowserSession, super().create_model_instance(data))
        row.user_id = number
        return row


def _today() -> date:
    return timezone.now().astimezone(UTC).date()


def is_due(session: SessionBase) -> bool:
    """Return whether the session of a user or guest has not been saved today."""
    named = SESSION_KEY in session or GUEST in session
    return named and session.get(USED_ON) != _today().isoformat()


def describe_browser(session: SessionBase, agent: str, device: str, now: datetime) -> None:
    """Store the browser in a session at its sign-in; `device` is the system on which it runs."""
    browser = next((name for sign, name in BROWSERS if sign in agent), "")
    name = ", ".join(part for part in (browser, device) if part)
    session[BROWSER] = {"name": name, "since": now.isoformat()}


def public_key(session_key: str) -> str:
    """Return a key that identifies a session on a page; the session key would open the account."""
    return salted_hmac("people.sessions", session_key, algorithm="sha256").hexdigest()[:16]


def live_sessions(user: AbstractBaseUser) -> list[tuple[BrowserSession, dict[str, Any]]]:
    """Return the sessions that open this account, with their data, the most recently used first.

    Sessions that a new password or the user's `sessions_ended` has ended are left out.
    """
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    rows = BrowserSession.objects.filter(user_id=user.pk, expire_date__gt=timezone.now())
    pairs = [(row, row.get_decoded()) for row in rows.order_by("-expire_date", "pk")]
    return [(row, data) for row, data in pairs if _opens(data, hashes)]


def _opens(data: dict[str, Any], hashes: list[str]) -> bool:
    if SESSION_KEY not in data:
        return GUEST in data
    known = str(data.get(HASH_SESSION_KEY, ""))
    return any(constant_time_compare(known, each) for each in hashes)
