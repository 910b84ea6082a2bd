"""Tokens with which a user's programs sign in.

A token belongs to one user, is shown once, and can be revoked at any time. A secret is `tab_` and
43 characters that encode 32 random bytes: scanners of published code recognise it and no one can
guess it, so that its plain SHA-256 can be stored and looked up. A new password revokes all tokens
(`people.sign_in_ways`), as it ends other sessions. The tokens of suspended and erased users, guests
and demonstration users are refused.
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
"""The most valid tokens that a user may have."""
LIVES = (30, 90, 365, None)
"""Days for which a token may be valid; None: until it is revoked."""
USED = timedelta(hours=1)
"""The precision of `last_used_at`."""
SECRET = re.compile(r"tab_[A-Za-z0-9_-]{43}", re.ASCII)


class TokenError(Exception):
    """A token that cannot be created.

    The text says what to do; `field` is the field of the form to change, or empty.
    """

    def __init__(self, code: str, why: str, field: str = "") -> None:
        super().__init__(why)
        self.code, self.field = code, field


def must_have_an_account(user: Any) -> None:
    """Raise `TokenError` unless the user has an account with a confirmed address.

    A guest is bound to a browser, anyone can use a demonstration user, and an unconfirmed address
    may belong to another person.
    """
    if user.guest:
        raise TokenError(
            "no-account", _("Guests cannot use programs. Sign up: you keep what you have played.")
        )
    if user.demo:
        raise TokenError(
            "demonstration",
            _(
                "A demonstration user cannot have programs, because anyone could use them. Sign "
                "up for an account of your own."
            ),
        )
    if not EmailAddress.objects.filter(user_id=user.pk, verified=True).exists():
        raise TokenError(
            "address",
            _("Confirm your e-mail address first: you can request the link on your account page."),
        )


def make_token(
    user: User, name: str, scope: str, now: datetime, *, days: int | None = None
) -> tuple[Token, str]:
    """Create a token and return it with its secret, which cannot be looked up later.

    `name` is the user's name for the program; `days` is its life, one of `LIVES`.
    Raises `TokenError`.
    """
    must_have_an_account(user)
    name = name.strip()
    try:
        one_line(name)
    except ValidationError as wrong:
        raise TokenError("name", wrong.messages[0], "name") from None
    if not 0 < len(name) <= Token.LONGEST_NAME:
        raise TokenError("name", _("Say what the token is for, in up to 60 characters."), "name")
    if scope not in Token.Scope.values:
        raise TokenError("scope", _("Choose what the program may do."), "scope")
    if days not in LIVES:
        raise TokenError("days", _("Choose how long the token is valid."), "days")
    secret = f"tab_{secrets.token_urlsafe(32)}"
    with transaction.atomic():
        # Two tokens that are created at the same time are counted one after the other.
        User.objects.select_for_update().get(pk=user.pk)
        if valid_tokens(user, now).count() >= MOST:
            raise TokenError(
                "too-many", _("You have as many tokens as an account can have. Revoke one first.")
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
    """Return all tokens of the user that are not revoked, also expired ones, the newest first."""
    return Token.objects.filter(user_id=user.pk, revoked_at=None)


def valid_tokens(user: User, now: datetime) -> QuerySet[Token]:
    """Return the valid tokens of the user."""
    return tokens_of(user).filter(Q(ends_at=None) | Q(ends_at__gt=now))


def revoke(user: User, token_id: int, now: datetime) -> bool:
    """Revoke a token. Return False if the user has no such token that is not yet revoked."""
    return bool(tokens_of(user).filter(pk=token_id).update(revoked_at=now))


def revoke_all(user: User, now: datetime) -> int:
    """Revoke all tokens of the user, and return how many there were."""
    return tokens_of(user).update(revoked_at=now)


def find_token(secret: str, now: datetime) -> Token | None:
    """Return the token with its user, and note that it was used.

    It is None if the token is unknown, revoked or expired, or if its user may not sign in.
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
