"""Authentication by token.

Cookies do not count here, so forms of other sites cannot send requests as a signed-in user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from campaign.log.entries import note_presence
from people import services, tokens
from people.address_proof import address
from people.models import Token, User

if TYPE_CHECKING:  # the views module imports this module
    from rest_framework.views import APIView

REALM = 'Bearer realm="Tabula"'


class Bearer(BaseAuthentication):
    """Authentication by a header `Authorization: Bearer tab_…`.

    Without the header the reader is anonymous. An unknown, revoked or expired token is refused.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the user and the token; None without the header. Raises `AuthenticationFailed`."""
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        scheme, _space, secret = header.partition(" ")
        now = timezone.now()
        token = tokens.find_token(secret.strip(), now) if scheme.lower() == "bearer" else None
        if token is None:
            must_not_guess(request)
            raise AuthenticationFailed(
                _("This token is not valid: it is unknown, revoked or expired."), "bad-token"
            )
        if services.note_presence(token.user, now):
            note_presence(token.user)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the header `WWW-Authenticate` of a refusal."""
        return REALM


def must_not_guess(request: Request) -> None:
    """Count an invalid token. Raises `Throttled` if its address has sent too many."""
    guesses = Guesses()
    if not guesses.allow_request(request, request.parser_context["view"]):
        raise Throttled(guesses.wait())


def changes(request: Request, view: APIView) -> bool:
    """Return whether a request changes something.

    A view whose POST changes nothing sets `writes = False`.
    """
    return request.method not in SAFE_METHODS and getattr(view, "writes", True)


class Scope(BasePermission):
    """The permission that lets only a token with the scope `play` change something."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return whether the token of a request may do what it asks for."""
        if not changes(request, view):
            return True
        token = cast("Token | None", request.auth)
        self.message, self.code = _("This token can only read. Create one that can play."), "scope"
        return token is not None and token.scope == Token.Scope.PLAY


# Requests are limited by user if the token is known, else by address, and counted in the shared
# cache.


class ByAddress(SimpleRateThrottle):
    """The limit of requests without a token by address. An IPv6 network counts as one address."""

    rate = "120/min"
    scope = "address"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the key of the address; None for a request with a token."""
        return None if request.user.is_authenticated else self.key_of_address(request)

    def key_of_address(self, request: Request) -> str:
        """Return the cache key under which requests of this address are counted."""
        return f"throttle:api:{self.scope}:{address(request)}"


class Guesses(ByAddress):
    """The limit of invalid tokens, which count as requests without a token of their address."""

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """Return the key of the address, also for a request with a token."""
        return self.key_of_address(request)


class ByPerson(SimpleRateThrottle):
    """The limit of requests of one user, with any of their tokens."""

    rate = "600/min"
    scope = "person"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the key of the user; None for an anonymous request."""
        if not request.user.is_authenticated:
            return None
        return f"throttle:api:{self.scope}:{request.user.pk}"


class Writes(ByPerson):
    """The limit of requests of one user that change something, as many as a person could send."""

    rate = "120/min"
    scope = "writes"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the key of the user; None for a request that changes nothing."""
        return super().get_cache_key(request, view) if changes(request, view) else None
