"""The tokens of the reader's programs: made and shown once, listed, revoked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from people import tokens
from people.models import Token, User
from web.account.forms import USUAL_TOKEN
from web.frame import requests
from web.frame.sentences import with_times
from web.templatetags.tabula import a_day

SECRET = "token"  # noqa: S105  # the name of what the session keeps, not a secret
ALL = "all"
MOST_SHOWN = 60
SCOPES: list[tuple[str, Promise, Promise]] = [
    (
        Token.Scope.READ,
        pgettext_lazy("token", "Read"),
        gettext_lazy("The pages as you see them, with your own cards. It changes nothing."),
    ),
    (
        Token.Scope.PLAY,
        gettext_lazy("Read and play"),
        gettext_lazy("Also make every move that you could make, in your name."),
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
    """Whether the page asks if it is to be revoked."""

    @property
    def usage(self) -> str:
        """Return when it was last used."""
        if self.used_at is None:
            return _("not used yet")
        return with_times(_("last used %(at)s"), at=a_day(self.used_at))

    @property
    def validity(self) -> str:
        """Return until when it is valid."""
        if self.ends_at is None:
            return _("until you revoke it")
        text = _("ended %(at)s") if self.is_over else _("ends %(at)s")
        return with_times(text, at=a_day(self.ends_at))


class ScopeChoice(NamedTuple):
    """What a token may do."""

    key: str
    name: str
    explanation: str
    is_chosen: bool


class LifetimeChoice(NamedTuple):
    """How long a token is valid."""

    key: str
    name: str
    is_chosen: bool


class NewSecret(NamedTuple):
    """A token that was made just now."""

    name: str
    secret: str


@dataclass(frozen=True, slots=True)
class ProgramsPage:
    """The tokens of a user, and the form of a new one."""

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
        """Return whether a link asks to revoke all tokens."""
        return len(self.tokens) > 1 and not self.asks_for_all


def programs_page(
    request: HttpRequest,
    user: User,
    typed: Mapping[str, str] = USUAL_TOKEN,
    wrong: tokens.Wrong | None = None,
) -> ProgramsPage:
    """Return the tokens of a user, with what was typed and what was wrong in it.

    `?revoke=N` (or `all`) asks before a token is revoked.
    """
    asked = request.GET.get("revoke", "")
    rows = [token_row(token, asked) for token in tokens.tokens_of(user)[:MOST_SHOWN]]
    errors = {wrong.field or ALL: str(wrong)} if wrong is not None else {}
    return ProgramsPage(
        new=new_secret(request),
        tokens=rows,
        asks_for_all=asked == ALL and bool(rows),
        name=typed["name"],
        scopes=[
            ScopeChoice(key, str(name), str(explanation), key == typed["scope"])
            for key, name, explanation in SCOPES
        ],
        lifetimes=[LifetimeChoice(key, str(name), key == typed["days"]) for key, name in LIFETIMES],
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
    """Return the token that was made just now. It is shown once."""
    secret = requests.take_secret(request, SECRET)
    return NewSecret(secret.name, secret.secret) if secret else None
