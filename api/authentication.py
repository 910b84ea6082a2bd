"""Who asks: the user of the token in the request. Cookies do not count here, so that forms of
other sites cannot ask.
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
from people.models import Token, User
from people.proof import address

if TYPE_CHECKING:  # the module of views imports this one
    from rest_framework.views import APIView

REALM = 'Bearer realm="Tabula"'


class Bearer(BaseAuthentication):
    """`Authorization: Bearer tab_…`. Without the header the reader is anonymous. A token that is
    unknown, revoked or expired is refused.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        scheme, _space, secret = header.partition(" ")
        now = timezone.now()
        token = tokens.by_secret(secret.strip(), now) if scheme.lower() == "bearer" else None
        if token is None:
            must_not_guess(request)
            raise AuthenticationFailed(
                _("This token opens nothing: it is unknown, revoked or expired."), "bad-token"
            )
        if services.note_presence(token.user, now):
            note_presence(token.user)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return REALM


def must_not_guess(request: Request) -> None:
    """Count a token that opens nothing. Raises `Throttled` if its address has sent too many."""
    guesses = Guesses()
    if not guesses.allow_request(request, request.parser_context["view"]):
        raise Throttled(guesses.wait())


def changes(request: Request, view: APIView) -> bool:
    """Return whether a request changes something. A view whose POST only asks says
    `writes = False`.
    """
    return request.method not in SAFE_METHODS and getattr(view, "writes", True)


class Scope(BasePermission):
    """Only a token that may play can change something."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not changes(request, view):
            return True
        token = cast("Token | None", request.auth)
        self.message, self.code = _("This token only reads. Make one that may play."), "scope"
        return token is not None and token.scope == Token.Scope.PLAY


# Limits: by user if the token is known, else by address, counted in the shared cache.


class ByAddress(SimpleRateThrottle):
    """The requests without a token of one address. An IPv6 network counts as one address."""

    rate = "120/min"
    scope = "address"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return None if request.user.is_authenticated else self.key_of_address(request)

    def key_of_address(self, request: Request) -> str:
        return f"throttle:api:{self.scope}:{address(request)}"


class Guesses(ByAddress):
    """Tokens that open nothing. They count with the requests without a token of their address."""

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.key_of_address(request)


class ByPerson(SimpleRateThrottle):
    """The requests of all programs of one user, with any of their tokens."""

    rate = "600/min"
    scope = "person"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if not request.user.is_authenticated:
            return None
        return f"throttle:api:{self.scope}:{request.user.pk}"


class Writes(ByPerson):
    """The requests of one user that change something: no more than people at a table could make."""

    rate = "120/min"
    scope = "writes"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return super().get_cache_key(request, view) if changes(request, view) else None
