"""Tokens: what a person's programs sign in by. Each is theirs alone, shown once, and can be revoked
at any time.

A secret is `tab_` and 43 characters that write 32 random bytes, so that scanners of published code
know it and nobody guesses it: its plain SHA-256 is enough to keep, and is what is looked up.
Another password revokes all (`people.ways`), as it ends the other sessions; whoever is suspended,
erased, a guest or a demonstration user is refused with what they have.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from people.models import Token, User
from people.validators import one_line

MOST = 20
"""Living tokens a person may have."""
LIVES = (30, 90, 365, None)
"""Days a token may live; None: until it is revoked."""
USED = timedelta(hours=1)
"""How exactly it is kept when one was last used."""
SECRET = re.compile(r"tab_[A-Za-z0-9_-]{43}", re.ASCII)


class Wrong(Exception):
    """No token can be made so. The text says what to do; `field` is what they should change, empty
    where it is none.
    """

    def __init__(self, code: str, why: str, field: str = "") -> None:
        super().__init__(why)
        self.code, self.field = code, field


def must_have_an_account(user: Any) -> None:
    """A guest is one browser's, a demonstration user is anybody's, an address that is not confirmed
    may be another's: raises `Wrong`.
    """
    if user.guest:
        raise Wrong("no-account", _("A guest has no programs. Sign up: what you play stays yours."))
    if user.demo:
        raise Wrong(
            "demonstration",
            _(
                "A demonstration user has no programs: anybody could use them. Sign up for your"
                " own."
            ),
        )
    if not EmailAddress.objects.filter(user_id=user.pk, verified=True).exists():
        raise Wrong(
            "address", _("Confirm your e-mail address first: your account page sends you the link.")
        )


def make(
    user: User, name: str, scope: str, now: datetime, *, days: int | None = None
) -> tuple[Token, str]:
    """A new token and its secret, which nobody can look up later. Raises `Wrong`.

    `name` is the user's own word for the program; `days` is how long it lives, one of `LIVES`.
    """
    must_have_an_account(user)
    name = name.strip()
    try:
        one_line(name)
    except ValidationError as wrong:
        raise Wrong("name", wrong.messages[0], "name") from None
    if not 0 < len(name) <= Token.LONGEST_NAME:
        raise Wrong("name", _("Write what the token is for, in up to 60 characters."), "name")
    if scope not in Token.Scope.values:
        raise Wrong("scope", _("Choose what the program may do."), "scope")
    if days not in LIVES:
        raise Wrong("days", _("Choose how long the token lives."), "days")
    secret = f"tab_{secrets.token_urlsafe(32)}"
    with transaction.atomic():
        User.objects.select_for_update().get(
            pk=user.pk
        )  # two made at once are counted one after the other
        if living(user, now).count() >= MOST:
            raise Wrong(
                "too-many", _("These are as many tokens as one may have. Revoke one first.")
            )
        token = Token.objects.create(
            user=user,
            name=name,
            scope=scope,
            secret_hash=_hash(secret),
            made_at=now,
            ends_at=None if days is None else now + timedelta(days=days),
        )
    return token, secret


def tokens_of(user: User) -> QuerySet[Token]:
    """All that are theirs and not revoked, those whose time is over among them, the newest
    first.
    """
    return Token.objects.filter(user_id=user.pk, revoked_at=None)


def living(user: User, now: datetime) -> QuerySet[Token]:
    return tokens_of(user).filter(Q(ends_at=None) | Q(ends_at__gt=now))


def revoke(user: User, token_id: int, now: datetime) -> bool:
    """End one of theirs. False where they have none such, or it is revoked already."""
    return bool(tokens_of(user).filter(pk=token_id).update(revoked_at=now))


def revoke_all(user: User, now: datetime) -> int:
    """End all of theirs; how many there were."""
    return tokens_of(user).update(revoked_at=now)


def by_secret(secret: str, now: datetime) -> Token | None:
    """The token with its user; None where it is unknown, revoked or over, or its person may not
    sign in.
    """
    if not SECRET.fullmatch(secret):
        return None
    token = (
        Token.objects.select_related("user")
        .filter(secret_hash=_hash(secret), revoked_at=None)
        .first()
    )
    if token is None or (token.ends_at is not None and token.ends_at <= now):
        return None
    user = token.user
    if not user.is_active or user.guest or user.demo:
        return None
    if token.last_used_at is None or now - token.last_used_at > USED:
        token.last_used_at = now
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
