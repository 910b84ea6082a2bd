"""The tokens of the reader's programs: created and shown once, listed, revoked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from people import tokens
from people.models import Token, User
from web.account.forms import USUAL_TOKEN
from web.frame import requests
from web.frame.sentences import with_times
from web.templatetags.tabula import a_day

SECRET = "token"  # noqa: S105  # the key in a session, not a secret
ALL = "all"
MOST_SHOWN = 60
SCOPES: list[tuple[str, Promise, Promise]] = [
    (
        Token.Scope.READ,
        pgettext_lazy("token", "Read"),
        gettext_lazy(
            "Read the pages as you see them, with your own cards, without changing anything."
        ),
    ),
    (
        Token.Scope.PLAY,
        gettext_lazy("Read and play"),
        gettext_lazy("Also make any move that you could make, in your name."),
    ),
]
LIFETIMES: list[tuple[str, Promise]] = [
    ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("365", gettext_lazy("a year")),
    ("", gettext_lazy("until I revoke it")),
]


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token in the list."""

    pk: int
    name: str
    scope: str
    used_at: datetime | None
    ends_at: datetime | None
    is_over: bool
    is_asked: bool
    """Whether the page asks for confirmation before this token is revoked."""

    @property
    def usage(self) -> str:
        """The last use of the token, in words."""
        if self.used_at is None:
            return pgettext("account", "not used yet")
        return with_times(_("last used %(at)s"), at=a_day(self.used_at))

    @property
    def validity(self) -> str:
        """The end of the token's validity, in words."""
        if self.ends_at is None:
            return _("until you revoke it")
        text = _("expired %(at)s") if self.is_over else pgettext("account", "expires %(at)s")
        return with_times(text, at=a_day(self.ends_at))


class ScopeChoice(NamedTuple):
    """A scope of a token, with an explanation."""

    key: str
    name: str
    explanation: str
    is_chosen: bool


class LifetimeChoice(NamedTuple):
    """A period for which a token is valid."""

    key: str
    name: str
    is_chosen: bool


class NewSecret(NamedTuple):
    """A token that has just been created."""

    name: str
    secret: str


@dataclass(frozen=True, slots=True)
class ProgramsPage:
    """The tokens of a user, and the form of a new token."""

    new: NewSecret | None
    tokens: list[TokenRow]
    asks_for_all: bool
    name: str
    scopes: list[ScopeChoice]
    lifetimes: list[LifetimeChoice]
    error: str
    name_error: str
    scope_error: str
    lifetime_error: str
    longest_name: int = Token.LONGEST_NAME
    all_key: str = ALL

    @property
    def offers_all(self) -> bool:
        """Whether a link offers to revoke all tokens."""
        return len(self.tokens) > 1 and not self.asks_for_all


def programs_page(
    request: HttpRequest,
    user: User,
    form_values: Mapping[str, str] = USUAL_TOKEN,
    wrong: tokens.TokenError | None = None,
) -> ProgramsPage:
    """Return the tokens of a user, with the typed values and their error.

    `?revoke=N` (or `all`) asks for confirmation before a token is revoked.
    """
    asked = request.GET.get("revoke", "")
    rows = [token_row(token, asked) for token in tokens.tokens_of(user)[:MOST_SHOWN]]
    errors = {wrong.field or ALL: str(wrong)} if wrong is not None else {}
    return ProgramsPage(
        new=new_secret(request),
        tokens=rows,
        asks_for_all=asked == ALL and bool(rows),
        name=form_values["name"],
        scopes=[
            ScopeChoice(key, str(name), str(explanation), key == form_values["scope"])
            for key, name, explanation in SCOPES
        ],
        lifetimes=[
            LifetimeChoice(key, str(name), key == form_values["days"]) for key, name in LIFETIMES
        ],
        error=errors.get(ALL, ""),
        name_error=errors.get("name", ""),
        scope_error=errors.get("scope", ""),
        lifetime_error=errors.get("days", ""),
    )


def token_row(token: Token, asked: str) -> TokenRow:
    """Return a token as a line of the list."""
    names = {key: str(name) for key, name, _explanation in SCOPES}
    return TokenRow(
        pk=token.pk,
        name=token.name,
        scope=names[token.scope],
        used_at=token.last_used_at,
        ends_at=token.ends_at,
        is_over=token.ends_at is not None and token.ends_at <= timezone.now(),
        is_asked=asked == str(token.pk),
    )


def new_secret(request: HttpRequest) -> NewSecret | None:
    """Return the token that has just been created. It is shown once."""
    secret = requests.take_secret(request, SECRET)
    return NewSecret(secret.name, secret.secret) if secret else None
