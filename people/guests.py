"""People who play without an account: a user whom one browser's session remembers, and nobody can sign in as."""

from __future__ import annotations

import secrets
from typing import Any

from django.db import IntegrityError, transaction

from people.models import User

KEY = "guest"
"""Where a session says who its guest is. He is not signed in: who signs in or up is somebody in his place."""
KEPT = 90 * 24 * 3600  # seconds
NOBODY = ""


def make() -> User:
    """A new guest with a name of his own: "Guest 4821"."""
    for digits in (4, 4, 6, 8, 10, 12):
        name = f"Guest {secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}"
        if User.objects.filter(username_folded=name.casefold()).exists():
            continue
        made = User(username=name, email=NOBODY, guest=True)
        made.set_unusable_password()
        try:
            with transaction.atomic():
                made.save(force_insert=True)
        except IntegrityError:
            continue  # another got the name a moment ago
        return made
    raise RuntimeError("no name was free for a guest")


def of(session: Any) -> User | None:
    """The guest whom this session remembers, as long as he is one."""
    number = session.get(KEY)
    return User.objects.filter(pk=number, guest=True, is_active=True).first() if type(number) is int else None


def remember(session: Any, guest: User) -> None:
    """This browser is the guest's from now on, for `KEPT` seconds."""
    session.cycle_key()
    session[KEY] = guest.pk
    session.set_expiry(KEPT)


def forget(session: Any) -> None:
    if session.pop(KEY, None) is not None:
        session.set_expiry(None)
