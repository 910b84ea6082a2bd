"""People who play without an account: a user whom one browser's session remembers, and nobody can sign in as."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry as AdminEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction

from people import tokens
from people.models import Absence, Block, DiscordAccount, HostAct, Name, Theme, Token, User
from people.validators import fold

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
        guest = User(username=name, email=NOBODY, guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
        except IntegrityError:
            continue  # another got the name a moment ago
        return guest
    raise RuntimeError("no name was free for a guest")


def is_guest(user: Any) -> bool:
    """Is the reader a guest? Who is not signed in is none."""
    return bool(user.is_authenticated and user.guest)


def has_account(user: Any) -> bool:
    """Is the reader signed in with an account of their own? Neither a guest is nor who is not signed in."""
    return bool(user.is_authenticated and not user.guest)


def guest_of(session: Any) -> User | None:
    """The guest whom this session remembers, as long as he is one."""
    number = session.get(KEY)
    return User.objects.filter(pk=number, guest=True, is_active=True).first() if type(number) is int else None


def remember(session: Any, guest: User) -> None:
    """This browser is the guest's from now on, for `KEPT` seconds."""
    session.cycle_key()
    session[KEY] = guest.pk
    session.set_expiry(KEPT)


def forget_guest(session: Any) -> None:
    if session.pop(KEY, None) is not None:
        session.set_expiry(None)


# The last day on which somebody was seen: the one thing that is kept of his coming and going.
#
# It is asked where a table waits for a game master who does not come: nobody reads it before he has been away for `AWAY` days.

AWAY = 14
"""Days after which a game master's place may be taken by who is left (RULES, absence)."""


def day(now: datetime) -> date:
    """Days are counted in UTC: a person's own zone would say where he is."""
    return now.astimezone(UTC).date()


def note_presence(user: Any, now: datetime) -> bool:
    """He asks for something today. At most one write a day; tells whether it was this one."""
    today = day(now)
    if user.seen_on >= today:
        return False
    user.seen_on = today
    return bool(User.objects.filter(pk=user.pk, seen_on__lt=today).update(seen_on=today))


def away(user: Any, now: datetime) -> int:
    """For how many days he has not been seen."""
    return max(0, (day(now) - user.seen_on).days)


def is_inactive(user: Any, now: datetime) -> bool:
    return away(user, now) >= AWAY


# What the host does to a person by a command: suspended he may not sign in, erased he is nobody's name any more.

SUSPENDED, UNSUSPENDED, ERASED = "suspended", "unsuspended", "erased"


class NotSo(Exception):
    """He stands so already; the text says it."""


@transaction.atomic
def suspend(user: User, reason: str, now: datetime) -> None:
    """He signs in no more, and reads why wherever he comes; his places and all he has said stay. Raises `NotSo`."""
    account = User.objects.select_for_update().get(pk=user.pk)
    if account.erased_at is not None or account.merged_into_id is not None:
        raise NotSo(f"{account} has no account any more.")
    if account.suspended_at is not None:
        raise NotSo(f"{account} is suspended already.")
    account.is_active, account.suspended_at, account.suspended_for = False, now, reason.strip()
    account.save(update_fields=["is_active", "suspended_at", "suspended_for"])
    HostAct.objects.create(what=SUSPENDED, user=account, reason=reason.strip(), at=now)


@transaction.atomic
def unsuspend(user: User, reason: str, now: datetime) -> None:
    """He signs in again. Raises `NotSo`."""
    account = User.objects.select_for_update().get(pk=user.pk)
    if account.suspended_at is None or account.erased_at is not None or account.closed_at is not None:
        raise NotSo(f"{account} is not suspended.")
    account.is_active, account.suspended_at, account.suspended_for = True, None, ""
    account.save(update_fields=["is_active", "suspended_at", "suspended_for"])
    HostAct.objects.create(what=UNSUSPENDED, user=account, reason=reason.strip(), at=now)


def remove_names(user: User, reason: str, now: datetime, by: User | None = None) -> str:
    """A moderator takes the names somebody chose; they are called by a number until they choose others. The name they have."""
    name = f"Name removed {user.pk}"
    while User.objects.filter(username_folded=fold(name)).exclude(pk=user.pk).exists():
        name += "-"
    account = User.objects.get(pk=user.pk)
    account.username, account.forum_name, account.fog2_name = name, "", ""
    account.save(update_fields=["username", "forum_name", "fog2_name"])
    HostAct.objects.create(what="renamed", user=account, reason=reason, at=now, by=by)
    return name


def replace_absence_note(absence: Absence, text: str) -> None:
    Absence.objects.filter(pk=absence.pk).update(note=text[: Absence.LONGEST_NOTE])


def note(user: User, what: str, reason: str, now: datetime, by: User | None = None) -> None:
    """The host, or a moderator, did something to what is theirs, where no log tells of it."""
    HostAct.objects.create(what=what, user=user, reason=reason, at=now, by=by)


def sessions(user: User) -> Iterator[Session]:
    """The sessions in which he is signed in, or that remember him as their guest. It looks into each one that lives."""
    for session in Session.objects.iterator():
        content = session.get_decoded()
        if content.get(SESSION_KEY) == str(user.pk) or content.get(KEY) == user.pk:
            yield session


def erase(user: User, now: datetime) -> list[str]:
    """Everything that says who he was goes: name, addresses, password, sessions, second factor, tokens, absences.
    The row stays, for the logs' numbers. What went, in words. Asks for a transaction; his places are the table's to end
    before."""
    lines = []
    for what, rows in (
        ("e-mail addresses", EmailAddress.objects.filter(user=user)),
        ("second factors and passkeys", Authenticator.objects.filter(user=user)),
        ("accounts elsewhere that signed in", SocialAccount.objects.filter(user=user)),
        ("lines of the administration", AdminEntry.objects.filter(user=user)),
    ):
        lines.append(f"{rows.delete()[0]} {what}")
    lines.append(f"{Session.objects.filter(pk__in=[one.pk for one in sessions(user)]).delete()[0]} sessions")
    lines.append(f"{Absence.objects.filter(user=user).delete()[0]} absences")
    lines.append(f"{DiscordAccount.objects.filter(user=user).delete()[0]} links to Discord")
    lines.append(f"{Block.objects.filter(user=user).delete()[0]} blocks")
    lines.append(f"{tokens.revoke_all(user, now)} tokens")
    Token.objects.filter(user=user).update(name="", last_used_at=None)
    HostAct.objects.filter(user=user).update(reason="")
    user.groups.clear()
    user.user_permissions.clear()
    unknown = f"{Name.MARK}{user.pk}"
    plain: dict[str, Any] = {
        "username": unknown, "username_folded": unknown, "email": "", "email_folded": None, "forum_name": "", "fog2_name": "",
        "owns_mare_nostrum": False, "rated": False, "time_zone": "UTC", "language": "", "theme": Theme.SYSTEM, "password": "!",
        "last_login": None, "is_active": False, "is_staff": False, "is_superuser": False, "demo": False,
        "suspended_at": None, "suspended_for": "", "erased_at": now, "password_used_on": None, "code_used_on": None,
        "moderator": False, "closes_at": None, "closing_erases": False, "terms_version": "", "terms_at": None,
    }  # fmt: skip
    User.objects.filter(pk=user.pk).update(**plain)
    HostAct.objects.create(what=ERASED, user=user, at=now)
    return lines
